"""The notebook profile: lists, reference, knowledge and daily logs as Markdown files."""
