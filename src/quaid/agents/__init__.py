"""What agents get from a memory besides its tools."""
