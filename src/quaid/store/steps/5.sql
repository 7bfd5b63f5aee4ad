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
