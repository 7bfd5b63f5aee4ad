-- Where pages are, and where links look for them. The rows are filled when all pages are derived anew.

CREATE TABLE page_places (
    page_id       INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL,
    name          TEXT NOT NULL,     -- the last part, without extension
    folder        TEXT NOT NULL,     -- the parts before it
    extension     TEXT NOT NULL,     -- empty if the page has no file
    path          TEXT NOT NULL,     -- as it is spelled, without extension
    length        INTEGER NOT NULL   -- of the whole path
);

CREATE INDEX page_places_by_folder ON page_places (name, collection_id, folder);
CREATE INDEX page_places_by_length ON page_places (name, collection_id, length);

ALTER TABLE links ADD COLUMN written TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN target_file TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN target_folder TEXT;
ALTER TABLE links ADD COLUMN target_beside TEXT;
ALTER TABLE links ADD COLUMN target_extension TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN target_spelling TEXT NOT NULL DEFAULT '';

CREATE INDEX links_by_file ON links (target_file);

-- Seals: hashes of pages, of their earlier versions and of raw data, so that damage is noticed.

ALTER TABLE pages ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
ALTER TABLE history ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
ALTER TABLE raw_data ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
ALTER TABLE chunks ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;

UPDATE pages SET seal = seal(collection_id, CAST(slug AS BLOB), CAST(path AS BLOB), CAST(encoding AS BLOB),
    CAST(head || compiled_truth || rule || timeline AS BLOB));
UPDATE history SET seal = seal(page_id, version, CAST(slug AS BLOB), CAST(encoding AS BLOB),
    CAST(format AS BLOB), bytes);
UPDATE raw_data SET seal = seal(page_id, CAST(source AS BLOB), CAST(data AS BLOB));

-- Files whose encoding was guessed are read again: a guess needs more evidence now.
UPDATE file_state SET seen_ns = 0
    WHERE page_id IN (SELECT id FROM pages WHERE encoding IN ('cp1252', 'latin-1'));

-- Turns are searched as chunks are: how often words occur, a word in every row, vectors by model.
DROP TRIGGER turns_inserted;
DROP TABLE turn_fts;

CREATE VIRTUAL TABLE turn_fts USING fts5 (
    text, every, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE turn_terms USING fts5vocab (turn_fts, 'row');

CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
    INSERT INTO turn_fts (rowid, text, every) VALUES (new.id, segment(new.text), 'qxevery');
END;

INSERT INTO turn_fts (rowid, text, every) SELECT id, segment(text), 'qxevery' FROM turns;

CREATE INDEX turn_embeddings_of_model ON turn_embeddings (model_id);

-- The nodes of knowledge bases, whose pages are read by their own rules.

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
