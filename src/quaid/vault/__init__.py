"""Collections: where pages live and how they are written."""
