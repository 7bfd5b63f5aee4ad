-- Every version knows who made it. Of those that are there already, nobody knows.

-- Who wrote. Files keep nothing of it.
CREATE TABLE actors (
    id      INTEGER PRIMARY KEY,
    kind    TEXT NOT NULL CHECK (kind IN ('human', 'agent', 'program', 'token', 'edit', 'git', 'import')),
    name    TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (kind, name, version)
);

CREATE TABLE sessions (
    id       INTEGER PRIMARY KEY,
    actor_id INTEGER NOT NULL REFERENCES actors (id) ON DELETE CASCADE,
    key      TEXT NOT NULL,       -- what the actor calls it
    UNIQUE (actor_id, key)
);

-- What was done to pages: a row for each version, and who made it. What is older than this table has none.
CREATE TABLE deeds (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- in the order of commits: what is new to a reader is above it
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    version    INTEGER NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('created', 'changed', 'moved', 'removed', 'restored', 'raw')),
    rewrites   INTEGER NOT NULL CHECK (rewrites IN (0, 1)),  -- whether the text is another one since
    slug       TEXT NOT NULL,     -- of the page afterwards
    was        TEXT,              -- the slug before, of a page that was moved
    was_path   TEXT,              -- and its path
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at         TEXT NOT NULL,
    undone_by  INTEGER,           -- the version that took it back
    UNIQUE (page_id, version)
);

CREATE INDEX deeds_by_session ON deeds (session_id, at);

-- What was read, where the person wants that noted: a page, or the hash of a question.
CREATE TABLE readings (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    operation  TEXT NOT NULL,
    slug       TEXT NOT NULL DEFAULT '',
    question   TEXT NOT NULL DEFAULT '',
    at         TEXT NOT NULL
);

CREATE INDEX readings_by_session ON readings (session_id, at);
