"""The command line: an adapter over the operation table."""
