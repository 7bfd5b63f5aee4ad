"""What the memory is made of: frozen records, no I/O."""
