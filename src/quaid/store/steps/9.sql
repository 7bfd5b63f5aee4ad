-- Texts are packed, and stand in one column. The word index of pages holds no text, so that one which changes is taken
-- out by its number.

DROP TRIGGER pages_deleted;
DROP TRIGGER pages_unindexed;
DROP TRIGGER pages_reindexed;
DROP TABLE page_terms;
DROP TABLE page_fts;
DROP VIEW page_text;
DROP VIEW live_pages;

ALTER TABLE pages ADD COLUMN truth_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN rule_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN timeline_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN has_tasks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN packed BLOB NOT NULL DEFAULT '';

UPDATE pages SET
    truth_start = characters(head),
    rule_start = characters(head || compiled_truth),
    timeline_start = characters(head || compiled_truth || rule),
    has_tasks = instr(compiled_truth, '[ ]') OR (format = 'org' AND instr(compiled_truth, '* TODO ')),
    packed = iif((SELECT profile FROM collections WHERE id = collection_id) = 'kb',
                 head || compiled_truth || rule || timeline, pack(head || compiled_truth || rule || timeline)),
    head = '', compiled_truth = '', rule = '', timeline = '';

ALTER TABLE pages DROP COLUMN head;
ALTER TABLE pages DROP COLUMN compiled_truth;
ALTER TABLE pages DROP COLUMN rule;
ALTER TABLE pages DROP COLUMN timeline;

CREATE INDEX pages_with_tasks ON pages (slug) WHERE has_tasks AND quarantined_at IS NULL;

-- The pages that may be read. Nothing but restoring and forgetting looks at the others.
CREATE VIEW live_pages AS
    SELECT *,
           iif(typeof(packed) = 'text', packed, whole(packed)) AS text,
           part(packed, 0, truth_start) AS head,
           part(packed, truth_start, rule_start) AS compiled_truth,
           part(packed, timeline_start, NULL) AS timeline
    FROM pages WHERE quarantined_at IS NULL;

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

-- The texts are not repeated here, and a page that goes or changes is taken out by its number.
CREATE VIRTUAL TABLE page_fts USING fts5 (
    title, slug, keywords, compiled_truth, timeline, fields, every,
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

INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    SELECT id, title, slug, keywords, compiled_truth, timeline, fields, every FROM page_text;

CREATE VIRTUAL TABLE page_terms USING fts5vocab (page_fts, 'row');

-- Hashes of summaries tell entries of one day and page apart: a quarter of them does it too.
UPDATE timeline_entries SET summary_hash = substr(summary_hash, 1, 16);

-- How a target is spelled is repeated only where it is not the target itself.
ALTER TABLE links ADD COLUMN spelling TEXT;
UPDATE links SET spelling = nullif(target_spelling, target);
ALTER TABLE links DROP COLUMN target_spelling;
ALTER TABLE links RENAME COLUMN spelling TO target_spelling;
