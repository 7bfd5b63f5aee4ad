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
    links        TEXT NOT NULL,             -- JSON: target, label, description and line of each
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
