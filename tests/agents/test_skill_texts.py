"""The embedded skills: valid, short, and naming only what the program has."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
import skills_ref

from quaid import operations
from quaid.agents.skills.library import EMBEDDED, embedded_names, install
from quaid.agents.skills.skill import MAX_DESCRIPTION, read_skill
from quaid.app import App
from quaid.cli import commands
from quaid.cli.main import split_command
from quaid.cli.parser import parse
from quaid.errors import QuaidError
from quaid.formats.content import read_page
from quaid.formats.templates import fill_template
from quaid.operations.arguments import decode, parameters, schema
from quaid.operations.operation import Parameter
from tests.support import PROGRAM, call, environment, quick, tool, version_of

NAMES = ("alerts", "briefing", "enrich", "ingest", "maintain", "query", "research", "upgrade")
DATABASES = Path(__file__).parent.parent / "store" / "databases"
TEXTS = sorted(EMBEDDED.rglob("*.md"))
FENCE = re.compile(r"^[ ]*```(\w*)\n(.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
CALL = re.compile(r"(memory_\w+)\(([^()]*)\)")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
# Places, products and people that have nothing to do with whoever reads a skill.
FOREIGN = re.compile(
    r"\b(telegram|yc|y combinator|garry|tan|crustdata|happenstance|exa|brave|pitchbook|captain|btc|rift"
    r"|clarity act|pedro|brex|openclaw|claude|mcp__\w*)\b",
    re.IGNORECASE,
)


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a language."""
    return [body for name, body in FENCE.findall(text) if name == language]


def command_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Every quaid command of a text, and whether it must be complete."""
    for block in blocks(text, "sh"):
        for line in block.splitlines():
            if line.strip().startswith("quaid "):
                yield line.strip(), True
    for span in SPAN.findall(FENCE.sub("", text)):
        line = " ".join(span.split())
        if line.startswith("quaid "):
            yield line, False


def wrong_commands(text: str) -> list[str]:
    """What the real parser says against the commands of a text."""
    wrong = []
    for line, whole in command_lines(text):
        words = shlex.split(line, comments=True)[1:]
        name, rest = split_command(words)
        try:
            known = arguments_of(name)
            # A command's bare name is a mention, not a call.
            if whole or rest:
                check_choices(known, parse(name, known, rest).values)
        except (QuaidError, KeyError, ValueError) as error:
            wrong.append(f"{line}: {error}")
    return wrong


def arguments_of(name: str) -> tuple[Parameter, ...]:
    if name in operations.NAMES:
        return parameters(operations.operation(name).arguments)
    return commands.BY_NAME[name].arguments


def check_choices(known: tuple[Parameter, ...], values: dict[str, Any]) -> None:
    for parameter in known:
        value = values.get(parameter.name)
        # In capitals stands what a reader fills in.
        literal = isinstance(value, str) and not value.isupper()
        if parameter.choices and literal and value not in parameter.choices:
            raise ValueError(f"{value!r} is none of {parameter.choices}")


def wrong_tools(text: str) -> list[str]:
    """Tools that there are not, arguments that they do not have, and arguments that a call lacks."""
    known = {each.tool: schema(each.arguments) for each in operations.tools()}
    plain = " ".join(text.split())
    wrong = [name for name in re.findall(r"\bmemory_\w+", plain) if name not in known]
    for name, inside in CALL.findall(plain):
        given = [each.strip() for each in inside.split(",") if each.strip()]
        found = known.get(name, {"properties": {}})
        wrong += [f"{name}({each})" for each in given if each not in found["properties"]]
        wrong += [f"{name} without {each}" for each in found.get("required", ()) if each not in given]
    for block in blocks(text, "json"):
        example = json.loads(block)
        chosen = operations.tool(example["tool"])
        try:
            decode(chosen.arguments, example["args"], tool=True)
        except QuaidError as error:
            wrong.append(f"{example['tool']}: {error}")
    return wrong


def text_id(path: Path) -> str:
    return path.relative_to(EMBEDDED).as_posix()


def test_the_skills_are_there() -> None:
    assert embedded_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_is_valid(name: str, tmp_path: Path) -> None:
    assert skills_ref.validate(EMBEDDED / name) == []
    contents = read_skill(EMBEDDED / name)
    assert contents.findings == ()
    assert contents.description == skills_ref.read_properties(EMBEDDED / name).description
    assert len(contents.description) <= MAX_DESCRIPTION
    assert "Use it " in contents.description
    install(tmp_path, [name], prefix="quaid-")
    assert skills_ref.validate(tmp_path / f"quaid-{name}") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_is_short_enough_to_be_read(name: str) -> None:
    text = (EMBEDDED / name / "SKILL.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 500
    assert len(text) / 3.5 < 5_000  # tokens, by a careful guess


@pytest.mark.parametrize("path", TEXTS, ids=text_id)
def test_commands_tools_and_their_arguments_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert wrong_commands(text) == []
    assert wrong_tools(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_names_both_tools_and_commands(name: str) -> None:
    text = (EMBEDDED / name / "SKILL.md").read_text(encoding="utf-8")
    assert len(set(re.findall(r"\bmemory_\w+", text))) >= 5
    assert len(list(command_lines(text))) >= 5


@pytest.mark.parametrize("path", TEXTS, ids=text_id)
def test_nothing_of_somebody_elses_world(path: Path) -> None:
    assert FOREIGN.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", TEXTS, ids=text_id)
def test_files_that_a_skill_points_to_are_there(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#]+\.md)\)", SPAN.sub("", text)):
        assert (path.parent / target).is_file(), target


@pytest.mark.parametrize(
    "text",
    [
        "`quaid frobnicate SLUG`",
        "`quaid get SLUG --colour red`",
        "`quaid list --sort weight`",
        "`quaid timeline-add SLUG --date DAY`",
        "```sh\nquaid get\n```",
        '```sh\nquaid --db "$DB" compact now\n```',
    ],
)
def test_the_checker_catches_a_wrong_command(text: str) -> None:
    assert len(wrong_commands(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "`memory_frobnicate`",
        "`memory_get(slug, colour)`",
        "`memory_put(slug, content)`",
        '```json\n{"tool": "memory_get", "args": {"colour": "x"}}\n```',
        '```json\n{"tool": "memory_list", "args": {"sort": "weight"}}\n```',
    ],
)
def test_the_checker_catches_a_wrong_tool(text: str) -> None:
    assert len(wrong_tools(text)) == 1


def pages() -> list[str]:
    """The pages that skills show."""
    return [block for path in TEXTS for block in blocks(path.read_text(encoding="utf-8"), "markdown")]


@pytest.mark.parametrize("text", pages(), ids=lambda text: text.splitlines()[1])
def test_a_template_is_a_page_like_those_that_new_makes(text: str, app: App, db: Path) -> None:
    page = read_page(text, "some/page")
    assert page.problems == ()
    assert page.title
    assert page.summary
    model = fill_template(page.type, "some/page", page.title, "2026-04-14")
    expected = [
        heading for heading in HEADING.findall(model) if heading != "Timeline" or "\n---\n\n## T" in text
    ]
    found = HEADING.findall(text)
    assert [heading for heading in found if heading in expected] == expected
    assert page.type == "person" or found == expected
    fields = set(read_page(model, "some/page").frontmatter)
    assert set(page.frontmatter) <= fields
    assert quick("put", "some/page", input=text, db=db).status == 0
    assert quick("get", "some/page", db=db).out == text
    assert quick("validate", "--all", db=db).status == 0


def test_sections_for_close_contacts_stand_between_assessment_and_open_threads() -> None:
    (text,) = (each for each in pages() if "## Hobby Horses" in each)
    optional = ["What They Believe", "What They're Building", "Hobby Horses", "Trajectory", "Network"]
    assert HEADING.findall(text) == ["State", "Assessment", *optional, "Open Threads", "Timeline"]


def test_the_templates_cover_what_is_filed() -> None:
    text = (EMBEDDED / "ingest" / "references" / "templates.md").read_text(encoding="utf-8")
    kinds = [read_page(block, "x").type for block in blocks(text, "markdown")]
    assert sorted(set(kinds)) == ["action_item", "commitment", "company", "decision", "original", "person"]


def test_templates_of_work_are_due_with_their_owners(app: App) -> None:
    for text in pages():
        page = read_page(text, "x")
        folder = {"commitment": "commitments", "action_item": "actions"}.get(page.type)
        if folder:
            call(app, "put", slug=f"{folder}/one", content=text)
    listed = {each["slug"]: each for each in call(app, "due", all=True)["items"]}
    assert listed["commitments/one"]["due"] == "2026-04-17"
    assert listed["actions/one"]["owner"] == ["people/bo"]


def test_the_example_of_ingest_runs(app: App) -> None:
    for number in range(4):
        call(app, "put", slug="people/ada", content=f"# Ada Example\n\nVersion {number}.\n")
    assert version_of(app, "people/ada") == 4
    text = (EMBEDDED / "ingest" / "SKILL.md").read_text(encoding="utf-8")
    (example,) = (json.loads(block) for block in blocks(text, "json"))
    result = tool(app, example["tool"], **example["args"])
    assert [page["slug"] for page in result["pages"]] == ["people/ada", "commitments/ada-budget"]
    (role,) = call(app, "facts", subject="people/ada", predicate="role")["facts"]
    assert (role["object"], role["valid_from"]) == ("head of platform", "2026-03-01")
    assert [each["slug"] for each in call(app, "due")["items"]] == ["commitments/ada-budget"]


def test_the_way_there_and_back_of_upgrade_runs(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    shutil.copy(DATABASES / "v2.db", db)
    assert quick("stats", db=db).status == 0  # as the new program, which migrates
    digest = quick("digest", db=db).out
    text = (EMBEDDED / "upgrade" / "SKILL.md").read_text(encoding="utf-8")
    before, after, back = (block for block in blocks(text, "sh") if '"$DB"' in block)
    script = f"set -e\n{before}\n{after}\n{back}\n".replace("/path/from/stats/memory.db", str(db))
    path = f"{Path(PROGRAM).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script.replace("backup-vN", "backup-v2")],
        env=environment(more={"PATH": path}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert digest in done.stdout  # that of the scratch memory
    assert sorted(each.name for each in tmp_path.glob("memory.db*")) == [
        "memory.db",
        "memory.db.backup-v2",
        "memory.db.migrated",
    ]
    restored = apsw.Connection(str(db))
    assert restored.pragma("user_version") == 2
    restored.close()
    assert (tmp_path / "quaid-before-upgrade" / "memory.db").exists()
    assert quick("digest", db=db).out == digest
