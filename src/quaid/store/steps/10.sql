-- Directories in which every file is as file_state has it, with a hash of what a look at these files shows: whoever
-- sees the same again need not compare them. What changes file_state takes the hash away.
CREATE TABLE directory_prints (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    directory     TEXT NOT NULL,     -- with a slash at its end; empty: the folder itself
    print         BLOB NOT NULL,
    files         INTEGER NOT NULL,  -- how many rows of file_state are in it
    PRIMARY KEY (collection_id, directory)
) WITHOUT ROWID;

CREATE TRIGGER file_state_inserted AFTER INSERT ON file_state BEGIN
    DELETE FROM directory_prints WHERE collection_id = new.collection_id
        AND directory = rtrim(new.path, replace(new.path, '/', ''));
END;

CREATE TRIGGER file_state_changed AFTER UPDATE ON file_state BEGIN
    DELETE FROM directory_prints WHERE collection_id = new.collection_id
        AND directory = rtrim(new.path, replace(new.path, '/', ''));
END;

CREATE TRIGGER file_state_deleted AFTER DELETE ON file_state BEGIN
    DELETE FROM directory_prints WHERE collection_id = old.collection_id
        AND directory = rtrim(old.path, replace(old.path, '/', ''));
END;

