"""Texts to vectors: the embedders, and how they are found."""
