"""Git under a folder of files: commit, fetch, follow, push, and what is remembered of the remote."""
