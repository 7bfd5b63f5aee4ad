"""Skills: where they come from, and copies of the embedded ones."""
