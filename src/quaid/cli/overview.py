"""What there is: the help page, and the list of tools for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.cli.commands import BY_NAME
from quaid.cli.program import QUAID, Program
from quaid.errors import InvalidInput, NotFound
from quaid.formats.phrase_files import sections
from quaid.model import spelling
from quaid.operations.arguments import schema
from quaid.operations.operation import Operation

_HERE = Path(__file__).parent


def _sections_of(file: str) -> dict[str, list[str]]:
    """Titles, and the commands below each."""
    return {title: " ".join(lines).split(", ") for title, lines in sections(_HERE / file).items()}


KB_SECTIONS = _sections_of("kb_overview.txt")
SECTIONS = _sections_of("overview.txt") | {
    "Knowledge base in git": [name for names in KB_SECTIONS.values() for name in names]
}
_WORDS = sections(_HERE / "meanings.txt")
# The commands, the likeliest first, and the words that mean them.
MEANINGS = [(name, words.split()) for name, _, words in (line.partition(": ") for line in _WORDS["commands"])]
VERBS = [line.split() for line in _WORDS["verbs"]]  # last words of commands with two
MOST = 3  # commands that a word may mean
KNOWN = ("--help", "-h", "--json", "--db", "--kb")
_USAGE = """quaid: a memory for you and your agents

Start here:
  quaid init                            make a memory: ~/.quaid/memory.db
  quaid collection add notes ~/notes    attach a folder of notes; its files stay as they are
  quaid query "what did I decide?"      ask
  quaid new person people/alice         write a page; `quaid edit people/alice` fills it in
  quaid setup --list                    connect an agent: Claude Code, Codex, Cursor and others
  quaid dashboard                       look at it all in your browser

usage: quaid [--db PATH] [--json] COMMAND …
       quaid COMMAND --help
       quaid --version | --tools-json
"""
_KB_USAGE = """{program}: a knowledge base in git, for agents and people

usage: {program} [--kb PATH] [--json] COMMAND …
       {program} COMMAND --help
"""


def show(words: list[str], group: str = "", program: Program = QUAID) -> int:
    """The help page of everything, or of the commands of a group."""
    strange = next((word for word in words if word.startswith("-") and word.split("=")[0] not in KNOWN), None)
    typed = f"{program.name} {group}" if group and not program.group else program.name
    if strange:
        raise InvalidInput(f"no option {strange}", hint=f"`{typed} --help` lists the commands.")
    lines = [_KB_USAGE.format(program=typed) if group else _USAGE]
    for title, names in (KB_SECTIONS if group else SECTIONS).items():
        rows = [(name.removeprefix(f"{group} "), first_line(help_of(name))) for name in names]
        width = max(13, *(len(name) for name, _ in rows))
        lines += [f"{title}:", *(f"  {name:{width}} {line}" for name, line in rows), ""]
    print("\n".join(lines).rstrip())
    return 0


def help_of(name: str) -> str:
    """What a command says of itself."""
    return BY_NAME[name].help if name in BY_NAME else operations.operation(name).help


def tools() -> int:
    """The tools as programs discover them."""
    print(json.dumps([tool_entry(operation) for operation in operations.tools()], ensure_ascii=False))
    return 0


def tool_entry(operation: Operation[Any, Any]) -> dict[str, Any]:
    """One tool: name, description, schema of its arguments, and what it does to the memory."""
    return {
        "name": operation.tool,
        "description": " ".join(operation.help.split()),
        "inputSchema": schema(operation.arguments),
        "annotations": {
            "readOnlyHint": operation.effect == "read",
            "destructiveHint": operation.effect == "destructive",
            "idempotentHint": operation.idempotent,
            "openWorldHint": False,
        },
    }


def unknown(name: str, program: Program = QUAID) -> int:
    """A command that there is not."""
    known = [*operations.NAMES, *BY_NAME]
    longer = [each for each in known if each.startswith(name + " ")]
    if longer:
        raise InvalidInput(f"`{name}` needs one more word", hint=f"There are: {', '.join(longer)}.")
    group, _, last = name.rpartition(" ")
    among = {each.rpartition(" ")[2]: each for each in known if each.rpartition(" ")[0] == group}
    among |= {} if group else {each: each for each in known}
    close = [program.short(among[each]) for each in spelling.alike(last, among)]
    meant = meant_by(last, among)
    hint = (
        _did_you_mean(meant, program)
        or spelling.did_you_mean(close)
        or f"`{program.name} --help` lists the commands."
    )
    kind = InvalidInput if name.startswith("kb ") else NotFound
    raise kind(f"no command {program.short(name)!r}", hint=hint)


def _did_you_mean(names: list[str], program: Program) -> str:
    """The question whether one of these commands was meant; of several, with what each does."""
    if len(names) < 2:
        return spelling.did_you_mean([program.short(name) for name in names])
    width = max(len(program.short(name)) for name in names)
    lines = [f"    {program.short(name):{width}}  {first_line(help_of(name))}" for name in names]
    return "\n".join(["Did you mean one of these?", *lines])


def first_line(text: str) -> str:
    """The first sentence of a help text."""
    return text.strip().split("\n")[0].split(". ")[0].rstrip(".")


def meant_by(word: str, known: Mapping[str, str]) -> list[str]:
    """The commands that a word means, of those that are known by it: the likeliest first."""
    word = word.casefold()
    by_table = [known[name] for name, words in MEANINGS if word in words and name in known]
    if by_table:
        return by_table[:MOST]
    return [known[name] for verbs in VERBS if word in verbs for name in known if name in verbs][:MOST]
