-- Names are kept by their keys, what only has a few values by number, and what another column says not at all.

DROP INDEX pages_by_slug;
DROP INDEX pages_of_slug;
DROP INDEX pages_by_path;
CREATE UNIQUE INDEX pages_by_slug ON pages (slug, collection_id) WHERE quarantined_at IS NULL;
CREATE INDEX pages_removed_by_slug ON pages (slug, collection_id) WHERE quarantined_at IS NOT NULL;

ALTER TABLE pages RENAME COLUMN truth_updated_at TO truth_changed_at;
ALTER TABLE pages RENAME COLUMN timeline_updated_at TO timeline_changed_at;
UPDATE pages SET truth_changed_at = iif(truth_changed_at = created_at, '', truth_changed_at),
    timeline_changed_at = iif(timeline_changed_at = created_at, '', timeline_changed_at);
ALTER TABLE pages ADD COLUMN truth_updated_at TEXT
    GENERATED ALWAYS AS (iif(truth_changed_at = '', created_at, truth_changed_at)) VIRTUAL;
ALTER TABLE pages ADD COLUMN timeline_updated_at TEXT
    GENERATED ALWAYS AS (iif(timeline_changed_at = '', created_at, timeline_changed_at)) VIRTUAL;

CREATE TABLE new_page_names (
    name    INTEGER NOT NULL,  -- its key (store/keys.py)
    page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind    INTEGER NOT NULL,  -- 0 path, 1 end of it, 2 title, 3 alias, 4 slug: the lower wins
    alias   TEXT,              -- of an alias, the name: all others can be made of the page's row
    PRIMARY KEY (name, page_id)
) WITHOUT ROWID;
INSERT INTO new_page_names SELECT name_key(name), page_id, kind, iif(kind = 3, name, NULL) FROM page_names;
DROP TABLE page_names;
ALTER TABLE new_page_names RENAME TO page_names;
CREATE INDEX page_names_of_page ON page_names (page_id);

CREATE TABLE new_page_places (
    page_id       INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    collection_id INTEGER NOT NULL,
    name          TEXT NOT NULL,     -- the last part, without extension
    folder        TEXT NOT NULL,     -- the parts before it
    extension     TEXT NOT NULL,     -- empty if the page has no file
    path          TEXT,              -- without extension, where it is not as it stands in pages
    spelling      INTEGER NOT NULL,  -- a checksum of that path
    length        INTEGER NOT NULL   -- of the whole path
);
INSERT INTO new_page_places SELECT o.page_id, o.collection_id, name, folder, extension,
        nullif(o.path, substr(coalesce(p.path, p.slug), 1, length(coalesce(p.path, p.slug))
            - length(extension) - (extension <> ''))), checksum(o.path), o.length
    FROM page_places o JOIN pages p ON p.id = o.page_id;
DROP TABLE page_places;
ALTER TABLE new_page_places RENAME TO page_places;
CREATE INDEX page_places_by_folder ON page_places (name, collection_id, folder);
CREATE INDEX page_places_by_length ON page_places (name, collection_id, length);

CREATE TABLE new_links (
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
INSERT INTO new_links (id, from_page_id, to_page_id, target, target_name, target_file, type, source, context,
        context_start, context_length, valid_from, valid_until, ordinal, created_at, written)
    SELECT id, from_page_id, to_page_id, target, name_key(target_name), file_key(target, written),
        nullif(relationship, 'mentions'), CASE source_kind WHEN 'wiki_link' THEN 0 WHEN 'markdown_link' THEN 1 ELSE 2 END,
        context, context_start, context_length, valid_from, valid_until, ordinal, created_at, written FROM links;
DELETE FROM sqlite_sequence WHERE name = 'new_links';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_links', seq FROM sqlite_sequence WHERE name = 'links';
DROP TABLE links;
ALTER TABLE new_links RENAME TO links;
CREATE INDEX links_from ON links (from_page_id, ordinal);
CREATE INDEX links_to ON links (to_page_id, type);
CREATE INDEX links_by_target ON links (target_name);
CREATE INDEX links_by_file ON links (target_file) WHERE target_file IS NOT NULL;
CREATE INDEX links_by_start ON links (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX links_by_end ON links (valid_until) WHERE valid_until IS NOT NULL;

DROP INDEX assertions_by_subject;
DROP INDEX assertions_by_object;
ALTER TABLE assertions ADD COLUMN subject_key INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assertions ADD COLUMN object_key INTEGER NOT NULL DEFAULT 0;
UPDATE assertions SET subject_key = name_key(subject_name), object_key = name_key(object_name);
CREATE INDEX assertions_by_subject ON assertions (subject_key, predicate);
CREATE INDEX assertions_by_object ON assertions (object_key, predicate);

CREATE TABLE new_deeds (
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
INSERT INTO new_deeds SELECT d.id, d.page_id, d.version, d.kind, d.rewrites, nullif(d.slug, p.slug), d.was,
        d.was_path, d.session_id, d.at, d.undone_by FROM deeds d JOIN pages p ON p.id = d.page_id ORDER BY d.id;
DELETE FROM sqlite_sequence WHERE name = 'new_deeds';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_deeds', seq FROM sqlite_sequence WHERE name = 'deeds';
DROP TABLE deeds;
ALTER TABLE new_deeds RENAME TO deeds;
CREATE INDEX deeds_by_session ON deeds (session_id, at);
CREATE TRIGGER pages_renamed AFTER UPDATE OF slug ON pages WHEN new.slug IS NOT old.slug BEGIN
    UPDATE deeds SET slug = old.slug WHERE page_id = old.id AND slug IS NULL;
END;

CREATE TABLE new_file_state (
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
INSERT INTO new_file_state SELECT collection_id, path, page_id, size, mtime_ns, inode, unhex(content_hash), seen_ns
    FROM file_state WHERE page_id IS NOT NULL AND unhex(content_hash) IS NOT NULL;
DROP TABLE file_state;
ALTER TABLE new_file_state RENAME TO file_state;

CREATE TABLE new_chunks (
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
INSERT INTO new_chunks (id, page_id, sort, ordinal, heading, date, start, length, line_start, line_end, hash, indexed)
    SELECT id, page_id, CASE kind WHEN 'truth_section' THEN 0 WHEN 'timeline_entry' THEN 1 ELSE 2 END, ordinal,
        heading, date, start, length, line_start, line_end, hash, indexed FROM chunks;
DELETE FROM sqlite_sequence WHERE name = 'new_chunks';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_chunks', seq FROM sqlite_sequence WHERE name = 'chunks';
DROP TABLE chunks;
ALTER TABLE new_chunks RENAME TO chunks;
CREATE INDEX chunks_of_page ON chunks (page_id, ordinal);
CREATE INDEX chunks_by_hash ON chunks (hash, page_id);
CREATE INDEX chunks_by_date ON chunks (date) WHERE date IS NOT NULL;
CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
END;

CREATE TABLE new_items (
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
INSERT INTO new_items (id, page_id, sort, ordinal, heading, start, length, line_start, line_end, hash)
    SELECT id, page_id, CASE kind WHEN 'item' THEN 0 WHEN 'row' THEN 1 WHEN 'field' THEN 2 ELSE 3 END, ordinal,
        heading, start, length, line_start, line_end, hash FROM items;
DELETE FROM sqlite_sequence WHERE name = 'new_items';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_items', seq FROM sqlite_sequence WHERE name = 'items';
DROP TABLE items;
ALTER TABLE new_items RENAME TO items;
CREATE INDEX items_of_page ON items (page_id, ordinal);
CREATE INDEX items_by_hash ON items (hash, page_id) WHERE hash IS NOT NULL;
