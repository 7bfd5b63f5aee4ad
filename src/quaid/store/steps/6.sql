-- Fields and facts are found by words: the word index of pages gets a column. All pages are derived anew afterwards.

DROP TRIGGER pages_inserted;
DROP TRIGGER pages_deleted;
DROP TRIGGER pages_unindexed;
DROP TRIGGER pages_reindexed;
DROP TABLE page_terms;
DROP TABLE page_fts;
DROP VIEW page_text;

ALTER TABLE pages ADD COLUMN fields TEXT NOT NULL DEFAULT '';

CREATE VIEW page_text AS
    SELECT id,
           segment(title) AS title,
           slug,
           segment(keywords) AS keywords,
           segment(compiled_truth) AS compiled_truth,
           segment(timeline) AS timeline,
           segment(fields) AS fields,
           'qxevery' AS every
    FROM pages WHERE quarantined_at IS NULL;

CREATE VIRTUAL TABLE page_fts USING fts5 (
    title, slug, keywords, compiled_truth, timeline, fields, every,
    content = 'page_text', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER pages_inserted AFTER INSERT ON pages WHEN new.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    VALUES (new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
            segment(new.timeline), segment(new.fields), 'qxevery');
END;

CREATE TRIGGER pages_deleted AFTER DELETE ON pages WHEN old.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (page_fts, rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    VALUES ('delete', old.id, segment(old.title), old.slug, segment(old.keywords), segment(old.compiled_truth),
            segment(old.timeline), segment(old.fields), 'qxevery');
END;

CREATE TRIGGER pages_unindexed AFTER UPDATE ON pages
WHEN old.quarantined_at IS NULL AND (
    new.quarantined_at IS NOT NULL OR new.title IS NOT old.title OR new.slug IS NOT old.slug
    OR new.keywords IS NOT old.keywords OR new.compiled_truth IS NOT old.compiled_truth
    OR new.timeline IS NOT old.timeline OR new.fields IS NOT old.fields
) BEGIN
    INSERT INTO page_fts (page_fts, rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    VALUES ('delete', old.id, segment(old.title), old.slug, segment(old.keywords), segment(old.compiled_truth),
            segment(old.timeline), segment(old.fields), 'qxevery');
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    SELECT new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
           segment(new.timeline), segment(new.fields), 'qxevery'
    WHERE new.quarantined_at IS NULL;
END;

CREATE TRIGGER pages_reindexed AFTER UPDATE ON pages
WHEN old.quarantined_at IS NOT NULL AND new.quarantined_at IS NULL BEGIN
    INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    VALUES (new.id, segment(new.title), new.slug, segment(new.keywords), segment(new.compiled_truth),
            segment(new.timeline), segment(new.fields), 'qxevery');
END;

CREATE VIRTUAL TABLE page_terms USING fts5vocab (page_fts, 'row');
INSERT INTO page_fts (page_fts) VALUES ('rebuild');

-- Chunks may hold fields; they are made anew, and what is the same keeps its vector.

DROP TABLE chunk_terms;
DROP TABLE chunk_fts;
DROP TABLE chunks;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('truth_section', 'timeline_entry', 'fields')),
    ordinal    INTEGER NOT NULL,
    heading    TEXT NOT NULL DEFAULT '',
    date       TEXT,
    start      INTEGER NOT NULL,  -- in characters, from the beginning of the page's text
    length     INTEGER NOT NULL,
    line_start INTEGER NOT NULL,  -- from 1
    line_end   INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    indexed    INTEGER NOT NULL DEFAULT 0  -- a checksum of what the word index holds of it
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

CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_fts, 'row');

UPDATE pages SET chunked_by = 0;
UPDATE embedding_models SET done_to = 0;

-- Lines that are found and shown on their own.

CREATE TABLE items (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('item', 'row', 'field', 'fact')),
    ordinal    INTEGER NOT NULL,
    heading    TEXT NOT NULL DEFAULT '',
    start      INTEGER NOT NULL,  -- in characters, from the beginning of the page's text
    length     INTEGER NOT NULL,
    line_start INTEGER NOT NULL,  -- from 1
    line_end   INTEGER NOT NULL,
    hash       BLOB
);

CREATE INDEX items_of_page ON items (page_id, ordinal);
CREATE INDEX items_by_hash ON items (hash, page_id) WHERE hash IS NOT NULL;

ALTER TABLE embedding_models ADD COLUMN items_to INTEGER NOT NULL DEFAULT 0;

CREATE TABLE item_embeddings (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
    hash     BLOB NOT NULL,
    vector   BLOB NOT NULL,
    UNIQUE (model_id, hash)
);

CREATE INDEX item_embeddings_of_model ON item_embeddings (model_id);

-- A memory whose pages have no place is derived anew when it is opened, also if this program is killed before.
DELETE FROM page_places;
