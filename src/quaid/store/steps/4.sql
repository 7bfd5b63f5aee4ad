-- Conversations with agents: their turns, a word index over them, and their vectors.

-- What was said to agents. Derived from the archive beside the memory (memory.db.conversations/), which keeps it
-- with secrets masked; clients delete their own files.
CREATE TABLE conversations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    key        TEXT NOT NULL UNIQUE,             -- of client and session; the name of its archive
    client     TEXT NOT NULL,
    session    TEXT NOT NULL,
    parent     TEXT NOT NULL DEFAULT '',         -- the session that started it, of a subagent
    path       TEXT NOT NULL DEFAULT '',         -- where it was read last
    project    TEXT NOT NULL DEFAULT '',
    branch     TEXT NOT NULL DEFAULT '',
    title      TEXT NOT NULL DEFAULT '',
    started    TEXT NOT NULL DEFAULT '',
    ended      TEXT NOT NULL DEFAULT '',
    turns      INTEGER NOT NULL DEFAULT 0,
    malformed  INTEGER NOT NULL DEFAULT 0,       -- lines that could not be read
    source     TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(source)),  -- how far its file was read
    archived   INTEGER NOT NULL DEFAULT 0,       -- bytes of its archive that stand here
    forgotten  INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1))  -- not to be read again
);

CREATE INDEX conversations_by_end ON conversations (ended DESC, id) WHERE forgotten = 0;
CREATE INDEX conversations_by_session ON conversations (session);
CREATE INDEX conversations_by_path ON conversations (path);

CREATE TABLE turns (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    ordinal         INTEGER NOT NULL,            -- within the conversation, from 1
    role            TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    time            TEXT NOT NULL DEFAULT '',
    identity        TEXT NOT NULL,               -- what the client calls it, or a hash
    sidechain       INTEGER NOT NULL DEFAULT 0 CHECK (sidechain IN (0, 1)),
    text            TEXT NOT NULL,
    hash            BLOB NOT NULL,               -- of what is embedded
    UNIQUE (conversation_id, ordinal),
    UNIQUE (conversation_id, identity)
);

CREATE INDEX turns_by_hash ON turns (hash);

CREATE VIRTUAL TABLE turn_fts USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
    INSERT INTO turn_fts (rowid, text) VALUES (new.id, segment(new.text));
END;

CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
    DELETE FROM turn_fts WHERE rowid = old.id;
END;

-- Apart from the vectors of pages, so that neither is searched with the other.
CREATE TABLE turn_embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);
