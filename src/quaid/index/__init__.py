"""From pages to vectors: chunks, embeddings, and the matrix that is searched."""
