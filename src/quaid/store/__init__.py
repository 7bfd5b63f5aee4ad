"""SQLite: one schema, one query module per table family."""
