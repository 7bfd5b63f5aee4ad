"""Importers: what other programs export, as pages. None of them reads a file."""
