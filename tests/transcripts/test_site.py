"""The documentation as a site: it builds, its links lead somewhere, and it loads nothing from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]*\bsrc=\"(?:https?:)?//|<link[^>]*\bhref=\"(?:https?:)?//[^>]*stylesheet"
)


def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    for folder in ("docs", "site-theme"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    program = Path(sys.executable).with_name("zensical")
    built = subprocess.run(
        [program, "build", "--strict"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "build/site").glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= {Path(name).stem for name in pages}
    assert [name for name, text in pages.items() if LOADED.search(text)] == []


def test_links_of_the_readme_lead_to_files() -> None:
    for name in ("README.md", "AGENTS.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [link for link in LINK.findall(text) if not (ROOT / link).exists()] == [], name
