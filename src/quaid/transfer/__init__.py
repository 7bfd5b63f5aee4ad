"""Pages to and from elsewhere: import, export, comparison."""
