"""The person's files moved forward to another commit, such that a process that is killed on the way loses
nothing.

Files come first, then the index, then the branch. Killed before the last, what is already there looks like
an edit of theirs, which merges with itself.
"""

from __future__ import annotations

import re

from quaid.errors import GitFailed
from quaid.sync.commits import NEXT, copied_index
from quaid.sync.git import Git, git_directory
from quaid.sync.index_lock import index_held

_IN_THE_WAY = re.compile(r"would be overwritten|not uptodate|would be removed|not up[- ]to[- ]date", re.I)


def advance(git: Git, commit: str) -> bool:
    """Check a commit out that follows the one that is; False, with nothing changed, if an edit is in the way.

    The lock of writers must be held.
    """
    inside = git_directory(git.root)
    before = git.head()
    with index_held(git):
        index = copied_index(inside, NEXT)
        try:
            git.run("update-index", "-q", "--refresh", index=index)
            start = before or git.ask("mktree", input="").strip()
            done = git.run("read-tree", "-m", "-u", start, commit, index=index)
            if done.status:
                if _IN_THE_WAY.search(done.err):
                    return False
                git.refuse_what_it_says(done)
                raise GitFailed(f"git read-tree: {done.reason}", hint="The next round tries again.")
            index.replace(inside / "index")
            git.ask("update-ref", "-m", "quaid sync", "HEAD", commit, before or "0" * len(commit))
        finally:
            index.unlink(missing_ok=True)
    return True
