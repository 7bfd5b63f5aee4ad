"""What pages are to each other."""
