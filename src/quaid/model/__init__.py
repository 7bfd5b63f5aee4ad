"""What the memory is made of: frozen dataclasses, no I/O."""
