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

DROP TABLE contradictions;  -- nothing wrote to these two either
DROP TABLE knowledge_gaps;

CREATE TABLE contradictions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id       INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    other_page_id INTEGER REFERENCES pages (id) ON DELETE CASCADE,
    type          TEXT NOT NULL CHECK (type IN ('temporal', 'cross_page', 'stale', 'link')),
    fingerprint   TEXT NOT NULL UNIQUE,  -- of what both sides say
    description   TEXT NOT NULL,
    sides         TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sides)),
    detected_at   TEXT NOT NULL,
    resolved_at   TEXT,
    resolution    TEXT NOT NULL DEFAULT '' CHECK (resolution IN ('', 'gone', 'kept', 'dismissed')),
    note          TEXT NOT NULL DEFAULT '',
    CHECK ((resolved_at IS NULL) = (resolution = ''))
);

CREATE INDEX contradictions_of_page ON contradictions (page_id);
CREATE INDEX contradictions_of_other_page ON contradictions (other_page_id) WHERE other_page_id IS NOT NULL;
CREATE INDEX contradictions_open ON contradictions (detected_at) WHERE resolved_at IS NULL;

-- What could not be answered. The words of a question are kept only once somebody has approved that.
CREATE TABLE knowledge_gaps (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    query_hash       TEXT NOT NULL,
    query_text       TEXT,
    context          TEXT NOT NULL DEFAULT '',
    confidence_score REAL,
    sensitivity      TEXT NOT NULL DEFAULT 'internal'
                     CHECK (sensitivity IN ('internal', 'external', 'redacted')),
    approved_by      TEXT CHECK (approved_by <> ''),
    approved_at      TEXT,
    redacted_query   TEXT CHECK (redacted_query <> ''),
    detected_at      TEXT NOT NULL,
    asked_at         TEXT NOT NULL DEFAULT '',             -- for the last time
    times            INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1),
    resolved_at      TEXT,
    resolved_by_slug TEXT,
    CHECK (query_text IS NULL OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)),
    CHECK (redacted_query IS NULL OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)),
    CHECK (sensitivity = 'internal' OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)),
    CHECK (sensitivity <> 'redacted' OR redacted_query IS NOT NULL),
    CHECK (sensitivity <> 'external' OR query_text IS NOT NULL),
    CHECK (resolved_by_slug IS NULL OR resolved_at IS NOT NULL)
);

CREATE INDEX knowledge_gaps_by_query ON knowledge_gaps (query_hash);
CREATE INDEX knowledge_gaps_open ON knowledge_gaps (detected_at) WHERE resolved_at IS NULL;
