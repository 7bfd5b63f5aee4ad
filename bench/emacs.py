"""What the Emacs package costs with 1,000 nodes: results while typing, and what a save takes of Emacs.

A real Emacs in batch asks the real programs. From a key to results, the pause of 50 ms is included. The hook
after a save and the start of the commit are all that the editor itself spends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parents[1]
sys.path.insert(0, str(SOURCE))

from tests.kb.nodes import text, write  # noqa: E402
from tests.kb.repositories import World  # noqa: E402

NODES = 1_000
TIMES = 20
SCRIPT = r"""
(progn
  (require 'ai-kb)
  (setq ai-kb-watch-seconds nil make-backup-files nil create-lockfiles nil)
  (let ((shown nil) (words '("prose" "node 7" "what node" "says 12" "node 99 says")))
    (add-hook 'ai-kb-search-hook (lambda (text) (setq shown text)))
    (ai-kb--search-ask "" nil)
    (while (not shown) (accept-process-output nil 0.001))
    (dotimes (number TIMES)
      (let* ((text (format "%s %d" (nth (mod number 5) words) number)) (start (float-time)))
        (cl-letf (((symbol-function 'minibuffer-contents-no-properties) (lambda () text)))
          (setq shown nil)
          (ai-kb--search-typed)
          (while (not (equal shown text)) (accept-process-output nil 0.001))
          (princ (format "search %f\n" (- (float-time) start)))
          (mapc #'cancel-timer ai-kb--search-timers)))))
  (with-current-buffer (find-file-noselect (expand-file-name "n7.org" (ai-kb-root)))
    (ai-kb-mode 1)
    (dotimes (number TIMES)
      (let ((start (float-time)))
        (ai-kb--stamp)
        (ai-kb--after-save)
        (princ (format "save %f\n" (- (float-time) start)))
        (setq start (float-time))
        (ai-kb--commit-next)
        (princ (format "start %f\n" (- (float-time) start))))
      (while (ai-kb-busy-p) (accept-process-output nil 0.01)))))
"""


def main() -> None:
    """Print the table."""
    if not shutil.which("emacs"):
        sys.exit("Emacs is not installed")
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        os.environ |= {"HOME": place, "AI_KB_CREATED_BY": "human", "QUAID_EMBED_BACKGROUND": "off"}
        (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
        kb = World(home).made("kb")
        write(kb.root, *(text(number, title=f"Node {number}") for number in range(1, NODES + 1)))
        kb.ok("commit")
        package = SOURCE / "src" / "quaid" / "emacs"
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["emacs", "--batch", "-Q", "-L", package, "--eval", SCRIPT.replace("TIMES", str(TIMES))],
            env={**os.environ, "PATH": programs, "AI_KB": str(kb.root)},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.exit(done.stderr)
    told = [line.split() for line in done.stdout.splitlines() if line.count(" ") == 1]
    print(f"{NODES:,} nodes, n={TIMES}; ms        median      worst")
    for kind, name in (
        ("search", "key to results"),
        ("save", "hook after a save"),
        ("start", "start of the commit"),
    ):
        taken = sorted(float(value) * 1000 for each, value in told if each == kind)
        print(f"{name:24}{taken[len(taken) // 2]:12.1f}{taken[-1]:11.1f}")


if __name__ == "__main__":
    main()
