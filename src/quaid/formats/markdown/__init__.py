"""Markdown pages: YAML on top, compiled truth, a rule, the timeline."""
