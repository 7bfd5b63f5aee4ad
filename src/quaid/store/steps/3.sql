-- Collections of files: what was imported, what pages were before, what became of files.

ALTER TABLE collections ADD COLUMN first_version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE collections ADD COLUMN synced_at TEXT;
ALTER TABLE collections ADD COLUMN alarm TEXT NOT NULL DEFAULT '';
ALTER TABLE pages ADD COLUMN format TEXT NOT NULL DEFAULT 'markdown';
CREATE INDEX pages_by_path ON pages (collection_id, path) WHERE path IS NOT NULL;

DROP TABLE raw_imports;  -- nothing wrote to these two
DROP TABLE import_manifest;

CREATE TABLE import_manifest (
    import_id     TEXT PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    importer      TEXT NOT NULL,
    source_dir    TEXT NOT NULL,
    page_count    INTEGER NOT NULL,
    created_at    TEXT NOT NULL
);

-- The bytes from which pages were made, as they were. A file of an import that is no page has no page_id.
CREATE TABLE raw_imports (
    id           INTEGER PRIMARY KEY,
    page_id      INTEGER REFERENCES pages (id) ON DELETE CASCADE,
    import_id    TEXT NOT NULL,
    is_active    INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    content_hash TEXT NOT NULL,
    raw_bytes    BLOB NOT NULL,
    file_path    TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    UNIQUE (page_id, import_id),
    UNIQUE (import_id, file_path)
);

CREATE UNIQUE INDEX raw_imports_active ON raw_imports (page_id) WHERE is_active = 1;
CREATE INDEX raw_imports_by_hash ON raw_imports (content_hash);

-- What pages were before each change of their text.
CREATE TABLE history (
    id          INTEGER PRIMARY KEY,
    page_id     INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    version     INTEGER NOT NULL,
    slug        TEXT NOT NULL,
    bytes       BLOB NOT NULL,
    encoding    TEXT NOT NULL,
    format      TEXT NOT NULL,
    written_at  TEXT NOT NULL,
    replaced_at TEXT NOT NULL,
    UNIQUE (page_id, version)
);

CREATE INDEX history_by_time ON history (replaced_at);

CREATE TABLE file_problems (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    path          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    since         TEXT NOT NULL,
    PRIMARY KEY (collection_id, path)
) WITHOUT ROWID;

ALTER TABLE file_state ADD COLUMN seen_ns INTEGER NOT NULL DEFAULT 0;

CREATE TABLE departed_files (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    content_hash  TEXT NOT NULL,
    page_id       INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, content_hash, page_id)
) WITHOUT ROWID;

CREATE INDEX departed_files_of_page ON departed_files (page_id);

CREATE TABLE file_transactions (
    id TEXT PRIMARY KEY
) WITHOUT ROWID;
