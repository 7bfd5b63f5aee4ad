"""The text of documents: bytes and a file's name become Markdown. Nothing is executed or fetched."""
