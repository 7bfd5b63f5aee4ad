-- What pages of a folder say, against which the texts of all of them are packed (store/stocks.py): twice, because
-- these texts hang on it.
CREATE TABLE stocks (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    copy          INTEGER NOT NULL CHECK (copy IN (0, 1)),
    checksum      INTEGER NOT NULL,  -- Adler-32, by which a packed text names it
    data          BLOB NOT NULL,
    PRIMARY KEY (collection_id, copy)
);

-- The column with the most words comes first in a word index: wherever a word stands in another one, its number takes
-- two bytes. What cannot be read is left to `validate`.
DROP TABLE page_terms;
DROP TABLE page_fts;
CREATE VIRTUAL TABLE page_fts USING fts5 (
    compiled_truth, timeline, fields, title, slug, keywords, every,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
    SELECT id, title, slug, keywords, compiled_truth, timeline, fields, every FROM page_text
    WHERE id IN (SELECT id FROM pages WHERE legible(packed));
CREATE VIRTUAL TABLE page_terms USING fts5vocab (page_fts, 'row');

DROP TABLE chunk_terms;
DROP TABLE chunk_fts;
CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    text, title, heading, every,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO chunk_fts (rowid, title, heading, text, every)
    SELECT c.id, segment(p.title), segment(c.heading),
           segment(iif(c.kind = 'fields', p.fields, part(p.packed, c.start, c.start + c.length))), 'qxevery'
    FROM pages p CROSS JOIN chunks c ON c.page_id = p.id
    WHERE p.quarantined_at IS NULL AND legible(p.packed);
CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_fts, 'row');

-- What is said around a link stands in the text of its page: only the place is kept. Nobody asks when a link of a text
-- was first seen.
ALTER TABLE links ADD COLUMN context_start INTEGER;
ALTER TABLE links ADD COLUMN context_length INTEGER;
UPDATE links SET created_at = '' WHERE source_kind <> 'frontmatter';
UPDATE links SET context_start = instr(whole(p.packed), context) - 1, context_length = length(context), context = ''
    FROM pages p WHERE p.id = from_page_id AND source_kind <> 'frontmatter' AND context <> '' AND legible(p.packed)
        AND instr(whole(p.packed), context);
