"""Finding pages."""
