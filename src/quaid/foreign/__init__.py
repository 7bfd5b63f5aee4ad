"""What other programs write: documents, exports, transcripts -> pages and turns. No I/O."""
