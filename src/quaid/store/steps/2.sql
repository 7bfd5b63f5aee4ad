-- Chunks by place, a word index over them, and one vector for each text and model.

DROP TABLE chunk_embeddings;
DROP TABLE chunks;
DROP TABLE embedding_models;

ALTER TABLE pages ADD COLUMN chunked_by INTEGER NOT NULL DEFAULT 0;

-- What is searched by section and by meaning: a part of a page's text, by place. The text itself is not
-- repeated here. `hash` is that of what is embedded: title, headings and text.
CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('truth_section', 'timeline_entry')),
    ordinal    INTEGER NOT NULL,
    heading    TEXT NOT NULL DEFAULT '',
    date       TEXT,
    start      INTEGER NOT NULL,  -- in characters, from the beginning of the page's text
    length     INTEGER NOT NULL,
    line_start INTEGER NOT NULL,  -- from 1
    line_end   INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    UNIQUE (page_id, ordinal)
);

CREATE INDEX chunks_by_hash ON chunks (hash);
CREATE INDEX chunks_by_date ON chunks (date) WHERE date IS NOT NULL;

CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    title, heading, text,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
END;

-- How often each word occurs, for judging how much of a question a page covers.
CREATE VIRTUAL TABLE page_terms USING fts5vocab (page_fts, 'row');
CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_fts, 'row');

CREATE TABLE embedding_models (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL CHECK (dimensions > 0),
    active     INTEGER NOT NULL DEFAULT 0 CHECK (active IN (0, 1)),
    created_at TEXT NOT NULL
);

CREATE UNIQUE INDEX embedding_models_active ON embedding_models (active) WHERE active = 1;

-- A text is embedded once for each model, whatever pages it stands in; little-endian float32, unit length.
CREATE TABLE embeddings (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX embeddings_of_model ON embeddings (model_id);
