-- Chunks by place, a word index over them, one vector for each text and model, indexes over live pages only,
-- and a word in every row of the word index.

DROP TABLE chunk_embeddings;
DROP TABLE chunks;
DROP TABLE embedding_models;
DROP TRIGGER pages_inserted;
DROP TRIGGER pages_deleted;
DROP TRIGGER pages_unindexed;
DROP TRIGGER pages_reindexed;
DROP TABLE page_fts;
DROP VIEW page_text;

ALTER TABLE pages ADD COLUMN chunked_by INTEGER NOT NULL DEFAULT 0;
CREATE INDEX pages_to_chunk ON pages (chunked_by, id) WHERE quarantined_at IS NULL;

DROP INDEX pages_by_update;
CREATE INDEX pages_by_update ON pages (updated_at DESC, id) WHERE quarantined_at IS NULL;
DROP INDEX pages_by_creation;
CREATE INDEX pages_by_creation ON pages (created_at DESC, id) WHERE quarantined_at IS NULL;
DROP INDEX pages_by_title;
CREATE INDEX pages_by_title ON pages (title COLLATE NOCASE, id) WHERE quarantined_at IS NULL;
DROP INDEX pages_by_type;
CREATE INDEX pages_by_type ON pages (type, updated_at DESC) WHERE quarantined_at IS NULL;
DROP INDEX pages_by_wing;
CREATE INDEX pages_by_wing ON pages (wing, updated_at DESC) WHERE quarantined_at IS NULL;

-- `every` holds one word in every row: with it, a common word can add to the rank of rows that rarer words
-- bring, and bring none itself.
CREATE VIEW page_text AS
    SELECT id,
           segment(title) AS title,
           slug,
           segment(keywords) AS keywords,
           segment(compiled_truth) AS compiled_truth,
           segment(timeline) AS timeline,
           'qxevery' AS every
    FROM pages WHERE quarantined_at IS NULL;

CREATE VIRTUAL TABLE page_fts USING fts5 (
    title, slug, keywords, compiled_truth, timeline, every,
    content = 'page_text', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER pages_inserted AFTER INSERT ON pages WHEN new.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, every)
    VALUES (new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
            segment(new.timeline), 'qxevery');
END;

CREATE TRIGGER pages_deleted AFTER DELETE ON pages WHEN old.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (page_fts, rowid, title, slug, keywords, compiled_truth, timeline, every)
    VALUES ('delete', old.id, segment(old.title), old.slug, segment(old.keywords), segment(old.compiled_truth),
            segment(old.timeline), 'qxevery');
END;

CREATE TRIGGER pages_unindexed AFTER UPDATE ON pages
WHEN old.quarantined_at IS NULL AND (
    new.quarantined_at IS NOT NULL OR new.title IS NOT old.title OR new.slug IS NOT old.slug
    OR new.keywords IS NOT old.keywords OR new.compiled_truth IS NOT old.compiled_truth
    OR new.timeline IS NOT old.timeline
) BEGIN
    INSERT INTO page_fts (page_fts, rowid, title, slug, keywords, compiled_truth, timeline, every)
    VALUES ('delete', old.id, segment(old.title), old.slug, segment(old.keywords), segment(old.compiled_truth),
            segment(old.timeline), 'qxevery');
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, every)
    SELECT new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
           segment(new.timeline), 'qxevery'
    WHERE new.quarantined_at IS NULL;
END;

CREATE TRIGGER pages_reindexed AFTER UPDATE ON pages
WHEN old.quarantined_at IS NOT NULL AND new.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, every)
    VALUES (new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
            segment(new.timeline), 'qxevery');
END;

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
    hash       BLOB NOT NULL
);

CREATE INDEX chunks_of_page ON chunks (page_id, ordinal);
CREATE INDEX chunks_by_hash ON chunks (hash, page_id);
CREATE INDEX chunks_by_date ON chunks (date) WHERE date IS NOT NULL;

CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    title, heading, text, every,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
END;

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
    created_at TEXT NOT NULL
);

CREATE UNIQUE INDEX embedding_models_active ON embedding_models (active) WHERE active = 1;

-- A text is embedded once for each model, whatever pages it stands in; little-endian float32, unit length.
CREATE TABLE embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX embeddings_of_model ON embeddings (model_id);

INSERT INTO page_fts (page_fts) VALUES ('rebuild');
