"""Make a release in dist/: wheel, source, an archive to install without a network, and the sums of all three.

Times in the files are those of the commit, so that two builds of one commit are the same to the byte. The
archive holds packages for the platform and the Python that run this script.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

from quaid import __version__

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
EXTRAS = "conversations,documents"


def moment() -> str:
    """When the release was made: what the caller says, or else the time of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def checkout(into: Path) -> Path:
    """What the commit holds, and nothing that lies beside it: caches, notes, a memory."""
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(into)], input=packed.stdout, check=True)
    return into


def build(source: Path, into: Path, epoch: str) -> tuple[Path, Path]:
    """The wheel and the source."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), "-t", "wheel", "-t", "sdist"]
    subprocess.run(command, cwd=source, env={**os.environ, "SOURCE_DATE_EPOCH": epoch}, check=True)
    return next(into.glob("*.whl")), into / f"quaid-{__version__}.tar.gz"


def interpreter() -> str:
    """The Python whose packages the archive holds, as wheels name it."""
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def archive(wheel: Path, into: Path, epoch: str) -> Path:
    """Everything that a machine with Python alone needs."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    name = f"quaid-{__version__}-offline"
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / name
        download(wheel, root / "wheels")
        shutil.copy(ROOT / "tools" / "offline_install.py", root / "install.py")
        shutil.copy(ROOT / "LICENSE", root)
        (root / "RELEASE").write_text(f"{__version__} {interpreter()}\n", encoding="utf-8")
        (root / SUMS).write_text(sums(sorted(root.rglob("*")), root), encoding="utf-8")
        target = into / f"{name}-{interpreter()}-{platform}.tar.gz"
        pack(root, target, int(epoch))
    return target


def download(wheel: Path, into: Path) -> None:
    """The wheel, and what it needs in the versions that are pinned; pip too, which installs them."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    wanted = [f"{wheel}[{EXTRAS}]", "pip"]
    options = ["--only-binary", ":all:", "--constraint", str(ROOT / "constraints.txt"), "--dest", str(into)]
    subprocess.run([*pip, *options, *wanted], check=True)


def sums(paths: list[Path], root: Path) -> str:
    """SHA-256 of files, as `sha256sum` writes them."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in paths
        if path.is_file()
    ]
    return "".join(lines)


def pack(root: Path, target: Path, epoch: int) -> None:
    """An archive that says nothing of when and by whom it was made."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(root.rglob("*")):
            entry = tar.gettarinfo(path, f"{root.name}/{path.relative_to(root).as_posix()}")
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch, 0, 0, "", ""
            entry.mode = 0o755 if path.is_dir() or path.name == "install.py" else 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()) if path.is_file() else None)
    with target.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=epoch) as packed:
        packed.write(plain.getbuffer())


def main() -> int:
    """Make all of it."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--no-archive", action="store_true", help="without the archive, which needs a network"
    )
    given = parser.parse_args()
    into = given.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    epoch = moment()
    with tempfile.TemporaryDirectory() as place:
        made = [*build(checkout(Path(place)), into, epoch)]
    if not given.no_archive:
        made.append(archive(made[0], into, epoch))
    (into / SUMS).write_text(sums(sorted(made), into), encoding="utf-8")
    for path in made:
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
