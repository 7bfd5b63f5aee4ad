"""A release: the same bytes from the same commit, and an installer that checks what it installs."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType

import pytest
from packaging.specifiers import SpecifierSet

from quaid import __version__
from tests.support import quaid

ROOT = Path(__file__).resolve().parents[1]


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_package_that_is_pinned_takes_the_oldest_python_that_we_take() -> None:
    """Debian's Python is 3.11.2: what asks for 3.11.5 makes the archive for 3.11 useless there."""
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0].lower() for line in pins}
    here = {each.name.lower(): each.metadata.get("Requires-Python") or "" for each in distributions()}
    assert len(pinned & set(here)) > 50
    assert [name for name in pinned & set(here) if not SpecifierSet(here[name]).contains("3.11.0")] == []


def test_a_release_is_of_the_commit_and_of_nothing_that_lies_beside_it(tmp_path: Path) -> None:
    """The cache of the site was once part of the source, so that two builds of one commit differed."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a copy of the repository")
    names = subprocess.run(
        ["git", "-C", str(ROOT), "ls-tree", "-r", "-z", "--name-only", "HEAD"],
        capture_output=True,
        check=True,
    ).stdout.decode()
    source = tool("release").checkout(tmp_path)
    there = {path.relative_to(source).as_posix() for path in source.rglob("*") if not path.is_dir()}
    assert there == set(names.strip("\0").split("\0"))


def test_two_builds_are_the_same_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAID_SLIM", "1")  # the weights are files as others, and take half a minute to pack
    release = tool("release")
    built: list[tuple[bytes, bytes]] = []
    for zone, mask in (("Pacific/Auckland", 0o022), ("America/Lima", 0o077)):
        monkeypatch.setenv("TZ", zone)
        before = os.umask(mask)
        try:
            command = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / str(mask))]
            environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
            subprocess.run(
                [sys.executable, *command], cwd=ROOT, env=environment, check=True, capture_output=True
            )
        finally:
            os.umask(before)
        (wheel,) = (tmp_path / str(mask)).iterdir()
        assert wheel.name == f"quaid-{__version__}-py3-none-any.whl"
        root = tmp_path / f"{mask}-offline" / "quaid"
        root.mkdir(parents=True)
        shutil.copy(wheel, root)
        release.pack(root, root.parent / "archive.tar.gz", 1700000000)
        built.append((wheel.read_bytes(), (root.parent / "archive.tar.gz").read_bytes()))
    assert built[0] == built[1]


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """An archive without packages in it."""
    root = tmp_path / "quaid-offline"
    root.mkdir()
    shutil.copy(ROOT / "tools" / "offline_install.py", root / "install.py")
    (root / "RELEASE").write_text(f"{__version__} cp{sys.version_info.major}{sys.version_info.minor}\n")
    (root / "SHA256SUMS").write_text(tool("release").sums(sorted(root.iterdir()), root))
    return root


def installed(root: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "install.py", *words], capture_output=True, text=True, check=False
    )


def test_the_installer_refuses_what_was_damaged(unpacked: Path, tmp_path: Path) -> None:
    assert (
        hashlib.sha256((unpacked / "install.py").read_bytes()).hexdigest()
        in (unpacked / "SHA256SUMS").read_text()
    )
    with (unpacked / "install.py").open("a") as file:
        file.write("\n# another line\n")
    ran = installed(unpacked, tmp_path / "into")
    assert ran.returncode == 1
    assert "install.py is missing or damaged" in ran.stderr
    assert not (tmp_path / "into").exists()


def test_the_installer_wants_the_python_of_its_packages(unpacked: Path, tmp_path: Path) -> None:
    (unpacked / "RELEASE").write_text(f"{__version__} cp399\n")
    ran = installed(unpacked, tmp_path / "into")
    assert ran.returncode == 1
    assert "This archive is for Python 3.99" in ran.stderr


def test_the_installer_takes_no_directory_that_holds_something_else(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "into").mkdir()
    (tmp_path / "into" / "thesis.tex").write_text("mine")
    ran = installed(unpacked, tmp_path / "into")
    assert ran.returncode == 1
    assert "holds something else" in ran.stderr
    assert [each.name for each in (tmp_path / "into").iterdir()] == ["thesis.tex"]


def test_a_wheel_that_is_installed_works_and_knows_when_it_is_damaged(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    environment = {**os.environ, "QUAID_SLIM": "1"}  # the weights, which take long to pack, are put in below
    subprocess.run(build, cwd=ROOT, env=environment, check=True, capture_output=True)
    place = tmp_path / "environment"
    venv.create(place, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    # What it needs is taken from where the tests run; it itself must not be.
    needed = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "needed.pth").write_text("\n".join(needed))
    (wheel,) = tmp_path.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install"]
    options = ["--no-index", "--no-deps", "--ignore-installed", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *options, wheel], check=True, capture_output=True)
    models = Path("quaid") / "embed" / "models"
    for weights in (ROOT / "src" / models).glob("*/*.onnx"):
        (packages / models / weights.parent.name / weights.name).symlink_to(weights)

    def checked() -> dict[str, bool]:
        ran = quaid("self-check", "--json", program=place / "bin" / "quaid")
        return {each["name"]: each["ok"] for each in ran.json["checks"]}

    assert checked() == {"files": True, "sqlite": True, "models": True, "memory": True}
    errors = packages / "quaid" / "errors.py"
    errors.write_text(errors.read_text() + "\n")
    assert checked()["files"] is False
