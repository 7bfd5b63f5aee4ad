"""Text to values and back, without touching a file: Markdown, frontmatter, timelines, links, slugs."""
