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
