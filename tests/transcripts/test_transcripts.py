"""The commands in README.md and docs/ are run, and print what the documents say."""

from difflib import unified_diff
from pathlib import Path

import pytest
from transcript import fresh_shell, replay

from tests.forked import programs

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("README.md"), *ROOT.glob("docs/**/*.md")]
)


def test_there_is_a_readme() -> None:
    assert (ROOT / "README.md").is_file()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documented_commands_do_what_is_shown(name: str, tmp_path: Path) -> None:
    documented = (ROOT / name).read_text(encoding="utf-8")
    replayed = replay(documented, fresh_shell(tmp_path, programs()))
    difference = unified_diff(
        documented.split("\n"), replayed.split("\n"), f"{name} (documented)", f"{name} (now)", lineterm=""
    )
    if replayed != documented:
        pytest.fail("\n".join(difference), pytrace=False)
