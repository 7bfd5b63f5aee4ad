-- One memory. Times are UTC, ISO 8601; days are YYYY-MM-DD; spans of days are half-open.
-- The SQL functions segment(), seal(), whole(), part() and unpacked() are registered by store/connection.py on every
-- connection.

PRAGMA application_id = 1364541769;  -- 'QUAI'

-- Collections and pages ---------------------------------------------------------------------------

CREATE TABLE collections (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL DEFAULT 'native' CHECK (kind IN ('native', 'files')),
    profile    TEXT NOT NULL DEFAULT 'native',
    root       TEXT,
    read_only  INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1)),
    state      TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'detached', 'restoring', 'halted')),
    settings   TEXT NOT NULL DEFAULT '{}',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    first_version INTEGER NOT NULL DEFAULT 1,  -- of its pages: above all that they had before a rebuild
    synced_at  TEXT,
    alarm      TEXT NOT NULL DEFAULT '',  -- why a halted collection is halted
    CHECK ((kind = 'files') = (root IS NOT NULL))
);

INSERT INTO collections (id, name) VALUES (1, 'default');

-- `packed` is the page's text, to the character, as store/packing.py keeps it: last, so that whoever lists pages
-- need not read it. The text begins with its head; then come the compiled truth, a rule and the timeline.
CREATE TABLE pages (
    id                  INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id       INTEGER NOT NULL DEFAULT 1 REFERENCES collections (id) ON DELETE CASCADE,
    slug                TEXT NOT NULL,
    uuid                TEXT,
    path                TEXT,
    encoding            TEXT NOT NULL DEFAULT 'utf-8',
    type                TEXT NOT NULL,
    title               TEXT NOT NULL,
    summary             TEXT NOT NULL DEFAULT '',
    frontmatter         TEXT NOT NULL DEFAULT '{}',
    keywords            TEXT NOT NULL DEFAULT '',
    wing                TEXT NOT NULL DEFAULT '',
    room                TEXT NOT NULL DEFAULT '',
    problems            TEXT NOT NULL DEFAULT '[]',
    version             INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
    quarantined_at      TEXT,
    created_at          TEXT NOT NULL,
    updated_at          TEXT NOT NULL,
    truth_changed_at    TEXT NOT NULL,  -- empty: not since it was created
    timeline_changed_at TEXT NOT NULL,
    chunked_by          INTEGER NOT NULL DEFAULT 0, -- the version of the rules by which its chunks were made
    format              TEXT NOT NULL DEFAULT 'markdown',
    seal                BLOB NOT NULL DEFAULT x'',  -- a hash of what the page is, see store/seals.py
    fields              TEXT NOT NULL DEFAULT '',   -- what its fields and facts say, line by line
    truth_start         INTEGER NOT NULL DEFAULT 0, -- in characters, from the beginning of the text
    rule_start          INTEGER NOT NULL DEFAULT 0,
    timeline_start      INTEGER NOT NULL DEFAULT 0,
    has_tasks           INTEGER NOT NULL DEFAULT 0, -- whether its truth may have something that is to be done
    packed              BLOB NOT NULL DEFAULT '',
    truth_updated_at    TEXT GENERATED ALWAYS AS (iif(truth_changed_at = '', created_at, truth_changed_at)) VIRTUAL,
    timeline_updated_at TEXT GENERATED ALWAYS AS (iif(timeline_changed_at = '', created_at, timeline_changed_at)) VIRTUAL
);

CREATE UNIQUE INDEX pages_by_slug ON pages (slug, collection_id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_removed_by_slug ON pages (slug, collection_id) WHERE quarantined_at IS NOT NULL;
CREATE INDEX pages_by_uuid ON pages (uuid) WHERE uuid IS NOT NULL;
CREATE INDEX pages_by_update ON pages (updated_at DESC, id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_by_creation ON pages (created_at DESC, id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_by_title ON pages (title COLLATE NOCASE, id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_by_type ON pages (type, updated_at DESC) WHERE quarantined_at IS NULL;
CREATE INDEX pages_by_wing ON pages (wing, updated_at DESC) WHERE quarantined_at IS NULL;
CREATE INDEX pages_to_chunk ON pages (chunked_by, id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_with_tasks ON pages (slug) WHERE has_tasks AND quarantined_at IS NULL;
CREATE INDEX pages_in_quarantine ON pages (quarantined_at) WHERE quarantined_at IS NOT NULL;

-- The pages that may be read. Nothing but restoring and forgetting looks at the others.
CREATE VIEW live_pages AS
    SELECT *,
           iif(typeof(packed) = 'text', packed, whole(packed)) AS text,
           part(packed, 0, truth_start) AS head,
           part(packed, truth_start, rule_start) AS compiled_truth,
           part(packed, timeline_start, NULL) AS timeline
    FROM pages WHERE quarantined_at IS NULL;

-- The highest version that a slug had before its page moved away or was forgotten: a stale expectation
-- must never match a later page by accident.
CREATE TABLE retired_versions (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    slug          TEXT NOT NULL,
    version       INTEGER NOT NULL,
    PRIMARY KEY (collection_id, slug)
) WITHOUT ROWID;

-- Every name a live page answers to, folded: slug, last part of the slug, title, aliases, file path.
CREATE TABLE page_names (
    name    INTEGER NOT NULL,  -- its key (store/keys.py)
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind    INTEGER NOT NULL,  -- 0 path, 1 end of it, 2 title, 3 alias, 4 slug: the lower wins
    alias   TEXT,              -- of an alias, the name: all others can be made of the page's row
    PRIMARY KEY (name, page_id)
) WITHOUT ROWID;

CREATE INDEX page_names_of_page ON page_names (page_id);

-- Where a live page is: the path of its file, or its slug. Names and folders are in lower case and composed.
CREATE TABLE page_places (
    page_id       INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL,
    name          TEXT NOT NULL,     -- the last part, without extension
    folder        TEXT NOT NULL,     -- the parts before it
    extension     TEXT NOT NULL,     -- empty if the page has no file
    path          TEXT,              -- without extension, where it is not as it stands in pages
    spelling      INTEGER NOT NULL,  -- a checksum of that path
    length        INTEGER NOT NULL   -- of the whole path
);

CREATE INDEX page_places_by_folder ON page_places (name, collection_id, folder);
CREATE INDEX page_places_by_length ON page_places (name, collection_id, length);

-- What pages of a folder say, against which the texts of all of them are packed (store/stocks.py): twice, because
-- these texts hang on it.
CREATE TABLE stocks (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    copy          INTEGER NOT NULL CHECK (copy IN (0, 1)),
    checksum      INTEGER NOT NULL,  -- Adler-32, by which a packed text names it
    data          BLOB NOT NULL,
    PRIMARY KEY (collection_id, copy)
);

-- Words -------------------------------------------------------------------------------------------

-- `every` holds one word in every row: with it, a common word can add to the rank of rows that rarer words
-- bring, and bring none itself.
CREATE VIEW page_text AS
    SELECT id,
           segment(title) AS title,
           slug,
           segment(keywords) AS keywords,
           segment(compiled_truth) AS compiled_truth,
           segment(timeline) AS timeline,
           segment(fields) AS fields,
           'qxevery' AS every
    FROM live_pages;

-- The texts are not repeated here, and a page that goes or changes is taken out by its number. The column with the
-- most words comes first, here and below: wherever a word stands in another one, its number takes two bytes.
CREATE VIRTUAL TABLE page_fts USING fts5 (
    compiled_truth, timeline, fields, title, slug, keywords, every,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Whoever inserts or changes many pages (store/new_pages.py, store/words.py) indexes them, all at once: a trigger
-- would make the index write out what it has gathered after every page.
CREATE TRIGGER pages_deleted AFTER DELETE ON pages WHEN old.quarantined_at IS NULL BEGIN
    DELETE FROM page_fts WHERE rowid = old.id;
END;

CREATE TRIGGER pages_indexed AFTER UPDATE ON pages
WHEN (new.quarantined_at IS NULL) IS NOT (old.quarantined_at IS NULL) OR new.title IS NOT old.title
    OR new.slug IS NOT old.slug OR new.keywords IS NOT old.keywords OR new.packed IS NOT old.packed
    OR new.truth_start IS NOT old.truth_start OR new.rule_start IS NOT old.rule_start
    OR new.timeline_start IS NOT old.timeline_start OR new.fields IS NOT old.fields
BEGIN
    DELETE FROM page_fts WHERE rowid = old.id;
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    SELECT id, title, slug, keywords, compiled_truth, timeline, fields, every FROM page_text WHERE id = new.id;
END;

-- What belongs to pages ---------------------------------------------------------------------------

CREATE TABLE tags (
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    tag     TEXT NOT NULL COLLATE NOCASE CHECK (tag <> ''),
    PRIMARY KEY (page_id, tag)
) WITHOUT ROWID;

CREATE INDEX tags_by_tag ON tags (tag, page_id);

CREATE TABLE timeline_entries (
    id           INTEGER PRIMARY KEY,
    page_id      INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    date         TEXT NOT NULL,
    source       TEXT NOT NULL DEFAULT '',
    summary      TEXT NOT NULL,
    summary_hash TEXT NOT NULL,  -- the beginning of it
    detail       TEXT NOT NULL DEFAULT '',
    line         INTEGER NOT NULL DEFAULT 0,  -- within the page's timeline, from 1
    UNIQUE (page_id, date, summary_hash)
);

CREATE INDEX timeline_by_date ON timeline_entries (date);

-- to_page_id is NULL while no page answers to the target; it is filled in when one appears.
CREATE TABLE links (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    from_page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    to_page_id   INTEGER REFERENCES pages (id) ON DELETE SET NULL,
    target       TEXT NOT NULL,
    target_name  INTEGER NOT NULL,  -- the key of the name for which it looks, folded: as page_names.name
    target_file  INTEGER,           -- the key of a file's name; NULL: what has that path has the name above too
    type         TEXT CHECK (type <> ''),  -- NULL: it only mentions
    source       INTEGER NOT NULL CHECK (source IN (0, 1, 2)),
    context      TEXT NOT NULL DEFAULT '',
    context_start  INTEGER,         -- in the page's text, where `context` stands there to the letter
    context_length INTEGER,         --   and is empty here
    valid_from   TEXT,
    valid_until  TEXT,
    ordinal      INTEGER NOT NULL DEFAULT 0,
    created_at   TEXT NOT NULL DEFAULT '',  -- of one that is stated; one that the text makes is as old as the text
    written      TEXT NOT NULL DEFAULT '',  -- of a relative link, whose target is the path from the root
    relationship TEXT GENERATED ALWAYS AS (coalesce(type, 'mentions')) VIRTUAL,
    source_kind  TEXT GENERATED ALWAYS AS (CASE source WHEN 0 THEN 'wiki_link' WHEN 1 THEN 'markdown_link'
                                           ELSE 'frontmatter' END) VIRTUAL,
    CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_until >= valid_from)
);

CREATE INDEX links_from ON links (from_page_id, ordinal);
CREATE INDEX links_to ON links (to_page_id, type);
CREATE INDEX links_by_target ON links (target_name);
CREATE INDEX links_by_file ON links (target_file) WHERE target_file IS NOT NULL;
CREATE INDEX links_by_start ON links (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX links_by_end ON links (valid_until) WHERE valid_until IS NOT NULL;

CREATE TABLE assertions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id       INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    subject       TEXT NOT NULL,
    predicate     TEXT NOT NULL,
    object        TEXT NOT NULL,
    subject_name  TEXT NOT NULL,  -- folded
    object_name   TEXT NOT NULL,  -- folded
    valid_from    TEXT,
    valid_until   TEXT,
    supersedes_id INTEGER REFERENCES assertions (id) ON DELETE SET NULL,
    confidence    REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    asserted_by   TEXT NOT NULL DEFAULT 'agent'
                  CHECK (asserted_by IN ('agent', 'manual', 'import', 'enrichment')),
    source_ref    TEXT NOT NULL DEFAULT '',
    evidence_text TEXT NOT NULL DEFAULT '',
    ordinal       INTEGER NOT NULL DEFAULT 0,
    created_at    TEXT NOT NULL,
    subject_key   INTEGER NOT NULL DEFAULT 0,  -- as page_names.name
    object_key    INTEGER NOT NULL DEFAULT 0,
    CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_until >= valid_from)
);

CREATE INDEX assertions_of_page ON assertions (page_id, ordinal);
CREATE INDEX assertions_by_subject ON assertions (subject_key, predicate);
CREATE INDEX assertions_by_object ON assertions (object_key, predicate);
CREATE INDEX assertions_superseding ON assertions (supersedes_id) WHERE supersedes_id IS NOT NULL;
CREATE INDEX assertions_by_start ON assertions (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX assertions_by_end ON assertions (valid_until) WHERE valid_until IS NOT NULL;

CREATE TABLE raw_data (
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    source     TEXT NOT NULL CHECK (source <> ''),
    data       TEXT NOT NULL CHECK (json_valid(data)),
    fetched_at TEXT NOT NULL,
    seal       BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (page_id, source)
);

-- Sources, files, history -------------------------------------------------------------------------

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
    seal        BLOB NOT NULL DEFAULT x'',
    UNIQUE (page_id, version)
);

CREATE INDEX history_by_time ON history (replaced_at);

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
    slug       TEXT,              -- of the page afterwards; NULL: the one that it has now
    was        TEXT,              -- the slug before, of a page that was moved
    was_path   TEXT,              -- and its path
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at         TEXT NOT NULL,
    undone_by  INTEGER,           -- the version that took it back
    UNIQUE (page_id, version)
);

CREATE INDEX deeds_by_session ON deeds (session_id, at);

CREATE TRIGGER pages_renamed AFTER UPDATE OF slug ON pages WHEN new.slug IS NOT old.slug BEGIN
    UPDATE deeds SET slug = old.slug WHERE page_id = old.id AND slug IS NULL;
END;

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

CREATE TABLE ingest_log (
    id           INTEGER PRIMARY KEY,
    content_hash TEXT NOT NULL UNIQUE,
    source_type  TEXT NOT NULL,
    source_ref   TEXT NOT NULL,
    page_id      INTEGER REFERENCES pages (id) ON DELETE SET NULL,
    created_at   TEXT NOT NULL
);

CREATE TABLE file_state (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    path          TEXT NOT NULL,
    page_id       INTEGER NOT NULL,
    size          INTEGER NOT NULL,
    mtime_ns      INTEGER NOT NULL,
    inode         INTEGER NOT NULL,
    content_hash  BLOB NOT NULL,
    seen_ns       INTEGER NOT NULL DEFAULT 0,  -- when it was read
    PRIMARY KEY (collection_id, path)
) WITHOUT ROWID;

-- Directories in which every file is as file_state has it, with a hash of what a look at these files shows: whoever
-- sees the same again need not compare them. Whoever changes file_state takes the hash away (store/file_state.py).
CREATE TABLE directory_prints (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    directory     TEXT NOT NULL,     -- with a slash at its end; empty: the folder itself
    print         BLOB NOT NULL,
    files         INTEGER NOT NULL,  -- how many rows of file_state are in it
    PRIMARY KEY (collection_id, directory)
) WITHOUT ROWID;

-- What the files of quarantined pages held, so that a file that comes back is known again.
CREATE TABLE departed_files (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    content_hash  TEXT NOT NULL,
    page_id       INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, content_hash, page_id)
) WITHOUT ROWID;

CREATE INDEX departed_files_of_page ON departed_files (page_id);

-- The last transaction that changed files too: a journal of another one was not finished.
CREATE TABLE file_transactions (
    id TEXT PRIMARY KEY
) WITHOUT ROWID;

-- Files that could not become pages, or not wholly; each is reported when it is new.
CREATE TABLE file_problems (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    path          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    since         TEXT NOT NULL,
    PRIMARY KEY (collection_id, path)
) WITHOUT ROWID;

-- What a knowledge base reads out of its pages besides what all pages have: apart from their texts, so that all
-- nodes can be looked at in a moment. A page that changes has none until somebody reads it again.
CREATE TABLE nodes (
    page_id      INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL,
    path         TEXT NOT NULL,
    rules        TEXT NOT NULL,             -- by which it was read
    identity     TEXT NOT NULL,             -- its ID, as it is written
    title        TEXT NOT NULL,
    summary      TEXT NOT NULL,
    status       TEXT NOT NULL,
    type         TEXT NOT NULL,
    created      TEXT NOT NULL,
    updated      TEXT NOT NULL,
    curated      TEXT NOT NULL,
    projects     TEXT NOT NULL,             -- separated by blanks, as are all lists here
    tags         TEXT NOT NULL,
    ids          TEXT NOT NULL,             -- of the node and of headlines in it, in small letters
    targets      TEXT NOT NULL,             -- ids to which it links, in small letters
    links        TEXT NOT NULL,             -- JSON: target, label, description, line and bareness of each
    findings     TEXT NOT NULL,             -- JSON: what keeps it from being committed
    body_start   INTEGER NOT NULL,          -- of its text with the line endings of Unix
    rest         TEXT NOT NULL,             -- what its other properties say, line by line
    listing      TEXT NOT NULL,             -- what the index says of it
    oddity       TEXT NOT NULL,             -- why its file cannot be read as it should be
    folds        INTEGER NOT NULL           -- whether it has letters that other letters stand for, such as ß
);

CREATE TRIGGER pages_reread AFTER UPDATE OF version, path, quarantined_at ON pages BEGIN
    DELETE FROM nodes WHERE page_id = old.id;
END;

CREATE TABLE quarantine_exports (
    page_id        INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    quarantined_at TEXT NOT NULL,
    exported_at    TEXT NOT NULL,
    output_path    TEXT NOT NULL,
    PRIMARY KEY (page_id, quarantined_at)
);

-- One process watches a collection; the lease passes on when its heartbeat stops.
CREATE TABLE collection_owners (
    collection_id INTEGER PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
    session_id    TEXT NOT NULL,
    pid           INTEGER NOT NULL,
    host          TEXT NOT NULL,
    started_at    TEXT NOT NULL,
    heartbeat_at  TEXT NOT NULL
);

-- Meaning -----------------------------------------------------------------------------------------

-- What is searched by section and by meaning: a part of a page's text, by place. The text itself is not
-- repeated here. `hash` is that of what is embedded: title, headings and text.
CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    sort       INTEGER NOT NULL CHECK (sort IN (0, 1, 2)),
    ordinal    INTEGER NOT NULL,
    heading    TEXT NOT NULL DEFAULT '',
    date       TEXT,
    start      INTEGER NOT NULL,  -- in characters, from the beginning of the page's text
    length     INTEGER NOT NULL,
    line_start INTEGER NOT NULL,  -- from 1
    line_end   INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    indexed    INTEGER NOT NULL DEFAULT 0,  -- a checksum of what the word index holds of it
    kind       TEXT GENERATED ALWAYS AS (CASE sort WHEN 0 THEN 'truth_section' WHEN 1 THEN 'timeline_entry'
                                         ELSE 'fields' END) VIRTUAL
);

CREATE INDEX chunks_of_page ON chunks (page_id, ordinal);
CREATE INDEX chunks_by_hash ON chunks (hash, page_id);
CREATE INDEX chunks_by_date ON chunks (date) WHERE date IS NOT NULL;

CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    text, title, heading, every,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
END;

-- Single lines that are found and shown on their own: items of lists, rows of tables, fields, facts. Words find
-- them through the chunk in which they stand, so that the weight of a word does not depend on how a text is laid
-- out. `hash` is that of what is embedded; NULL where the chunk says hardly more than the line.
CREATE TABLE items (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    sort       INTEGER NOT NULL CHECK (sort IN (0, 1, 2, 3)),
    ordinal    INTEGER NOT NULL,
    heading    TEXT NOT NULL DEFAULT '',
    start      INTEGER NOT NULL,  -- in characters, from the beginning of the page's text
    length     INTEGER NOT NULL,
    line_start INTEGER NOT NULL,  -- from 1
    line_end   INTEGER NOT NULL,
    hash       BLOB,
    kind       TEXT GENERATED ALWAYS AS (CASE sort WHEN 0 THEN 'item' WHEN 1 THEN 'row' WHEN 2 THEN 'field'
                                         ELSE 'fact' END) VIRTUAL
);

CREATE INDEX items_of_page ON items (page_id, ordinal);
CREATE INDEX items_by_hash ON items (hash, page_id) WHERE hash IS NOT NULL;

-- How often each word occurs, for judging how much of a question a page covers.
CREATE VIRTUAL TABLE page_terms USING fts5vocab (page_fts, 'row');
CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_fts, 'row');

CREATE TABLE embedding_models (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL CHECK (dimensions > 0),
    active     INTEGER NOT NULL DEFAULT 0 CHECK (active IN (0, 1)),
    done_to    INTEGER NOT NULL DEFAULT 0,  -- the chunk up to which all texts are embedded
    removals   INTEGER NOT NULL DEFAULT 0,  -- how often vectors were taken away
    created_at TEXT NOT NULL,
    items_to   INTEGER NOT NULL DEFAULT 0   -- the item up to which all texts are embedded
);

CREATE UNIQUE INDEX embedding_models_active ON embedding_models (active) WHERE active = 1;

-- A text is embedded once for each model, whatever pages it stands in; unit length, little-endian
-- float16 (or float32, of an older Quaid).
CREATE TABLE embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX embeddings_of_model ON embeddings (model_id);

-- Apart from those of chunks, so that how far a chunk stands out does not depend on how many lines there are.
CREATE TABLE item_embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX item_embeddings_of_model ON item_embeddings (model_id);

-- Doubt -------------------------------------------------------------------------------------------

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

-- Conversations -----------------------------------------------------------------------------------

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
    text, every, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE turn_terms USING fts5vocab (turn_fts, 'row');

CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
    INSERT INTO turn_fts (rowid, text, every) VALUES (new.id, segment(new.text), 'qxevery');
END;

CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
    DELETE FROM turn_fts WHERE rowid = old.id;
END;

-- Apart from the vectors of pages, so that the rank of a page does not depend on how much was said.
CREATE TABLE turn_embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX turn_embeddings_of_model ON turn_embeddings (model_id);

-- Settings ----------------------------------------------------------------------------------------

CREATE TABLE config (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

PRAGMA user_version = 12;
