"""Look for inputs that break a parser: `make fuzz`, or `python -m tests.fuzz.search SECONDS [TARGET …]`.

Each target of tests/fuzz/targets.py gets its share of the time, in a process of its own, guided by coverage
(atheris). What breaks it is kept in tests/fuzz/corpus, where `make test` replays it.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

THIS = "tests.fuzz.search"
LONGEST = 4096  # bytes of an input
SLOW = 20  # seconds for one input, from which on it counts as a defect


def fuzz(name: str, seconds: int, saved: Path, found: Path) -> None:
    """Run one target; ends the process."""
    import atheris

    with atheris.instrument_imports(include=["quaid"]):
        from tests.fuzz.targets import run
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={SLOW}", "-verbosity=0"]
    words = [sys.argv[0], *options, f"-artifact_prefix={found}/", str(found / "grown"), str(saved)]
    atheris.Setup(words, lambda data: run(name, data))
    atheris.Fuzz()


def keep(found: Path, saved: Path) -> list[Path]:
    """Add what broke a target to its corpus."""
    kept = []
    for path in (path for path in found.iterdir() if path.is_file()):
        data = path.read_bytes()
        place = saved / f"found-{hashlib.sha256(data).hexdigest()[:10]}"
        place.write_bytes(data)
        kept.append(place)
    return kept


def main(seconds: int, chosen: list[str]) -> int:
    """Run targets one after another; the status says whether something was found."""
    from tests.fuzz.targets import CORPUS, TARGETS

    names = chosen or list(TARGETS)
    share = max(1, seconds // len(names))
    broken = 0
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            found = Path(place)
            (found / "grown").mkdir()
            words = [sys.executable, "-m", THIS, "--one", name, str(share), str(CORPUS / name), place]
            ran = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
            kept = keep(found, CORPUS / name)
        lines = [line for line in ran.stderr.splitlines() if "Error" in line or "exec/s" in line]
        print(f"{name:14} {'broken: ' + str(kept[0]) if kept else 'sound'}", flush=True)
        if kept or ran.returncode:
            print("\n".join(f"    {line}" for line in (lines or ran.stderr.splitlines())[-4:]), flush=True)
        broken += bool(kept)
    return 1 if broken else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        name, share, saved, found = sys.argv[2:6]
        fuzz(name, int(share), Path(saved), Path(found))
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 600, sys.argv[2:]))
