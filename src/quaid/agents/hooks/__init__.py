"""What the memory does when the client of an agent calls."""
