-- Directories in which every file is as file_state has it, with a hash of what a look at these files shows: whoever
-- sees the same again need not compare them. Whoever changes file_state takes the hash away (store/file_state.py).
CREATE TABLE directory_prints (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    directory     TEXT NOT NULL,     -- with a slash at its end; empty: the folder itself
    print         BLOB NOT NULL,
    files         INTEGER NOT NULL,  -- how many rows of file_state are in it
    PRIMARY KEY (collection_id, directory)
) WITHOUT ROWID;
