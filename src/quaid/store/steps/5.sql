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
