"""The command line of a knowledge base: what its commands take, and what was typed.

It is apart from the other commands' parser because `ai-kb query` may take a tenth of a second in all, and
because an option may be given several times here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaid.errors import InvalidInput
from quaid.model.record import record

HELP_WIDTH = 96


@record
class Option:
    """Something that may be given by name. A flag takes no value; `many` takes several, one by one."""

    name: str
    help: str
    kind: str = "word"  # word, many or flag
    choices: tuple[str, ...] = ()
    placeholder: str = ""

    @property
    def flag(self) -> str:
        return "--" + self.name

    @property
    def spelled(self) -> str:
        """As it is typed."""
        return self.flag if self.kind == "flag" else f"{self.flag} {self.placeholder or self.name.upper()}"


@record
class Word:
    """Something that is given by its place. `rest` takes all words that remain."""

    name: str
    help: str
    required: bool = True
    rest: bool = False

    @property
    def spelled(self) -> str:
        shown = self.name.upper() + (" …" if self.rest else "")
        return shown if self.required else f"[{shown}]"


@record
class Entry:
    """A command: what it is called, what it takes, and where its function is."""

    name: str
    help: str
    target: str
    words: tuple[Word, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()


class Line:
    """What was typed."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {}
        self.flags: set[str] = set()

    def text(self, name: str) -> str | None:
        """The value of a word or an option, if it was given."""
        return self.values.get(name)

    def many(self, name: str) -> tuple[str, ...]:
        """The values of something that may be given several times."""
        return tuple(self.lists.get(name, ()))

    def has(self, name: str) -> bool:
        """Whether a flag was given."""
        return name in self.flags

    def number(self, name: str, default: int) -> int:
        """A value that is a whole number."""
        stated = self.values.get(name)
        if stated is None:
            return default
        if not stated.isdecimal() or not 0 <= int(stated) <= 1_000_000:
            raise InvalidInput(f"--{name} must be a whole number, not {stated!r}")
        return int(stated)


COMMON = (
    Option("kb", "The knowledge base; otherwise AI_KB or $XDG_DATA_HOME/ai-kb.", placeholder="PATH"),
    Option("json", "Answer in JSON.", "flag"),
    Option("help", "Show this and do nothing.", "flag"),
)
DATABASE = Option("db", "The Quaid memory to use.", placeholder="PATH")


def split(words: Sequence[str]) -> tuple[str, list[str]]:
    """The command's name and the other words; "" if there is none."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in ("--kb", "--db") else 1
    if place >= len(words):
        return "", list(words)
    return words[place], [*words[:place], *words[place + 1 :]]


def parse(entry: Entry, words: Sequence[str]) -> Line:
    """Sort words to what a command takes."""
    line = Line()
    known = {option.flag: option for option in (*entry.options, *COMMON, DATABASE)} | {"-h": COMMON[2]}
    positional: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            positional.extend(rest)
        elif word.startswith("-") and word != "-" and " " not in word.partition("=")[0]:
            _take(line, entry, known, word, rest)
        else:
            positional.append(word)
    if not line.has("help"):
        _place(line, entry, positional)
    return line


def _take(line: Line, entry: Entry, known: dict[str, Option], word: str, rest: Iterator[str]) -> None:
    flag, has_value, value = word.partition("=")
    option = known.get(flag)
    if option is None:
        raise InvalidInput(f"`{entry.name}` has no option {flag}", hint=_see(entry))
    if option.kind == "flag":
        if has_value:
            raise InvalidInput(f"{flag} takes no value", hint=_see(entry))
        line.flags.add(option.name)
        return
    taken = value if has_value else next(rest, None)
    if taken is None:
        raise InvalidInput(f"{flag} needs a value", hint=_see(entry))
    if option.choices and taken not in option.choices:
        raise InvalidInput(
            f"{flag} must be one of {', '.join(option.choices)}, not {taken!r}", hint=_see(entry)
        )
    if option.kind == "many":
        line.lists.setdefault(option.name, []).append(taken)
    else:
        line.values[option.name] = taken


def _place(line: Line, entry: Entry, words: list[str]) -> None:
    for word in entry.words:
        if word.rest and words:
            line.lists[word.name], words = words, []
        elif words:
            line.values[word.name] = words.pop(0)
        elif word.required:
            raise InvalidInput(f"`{entry.name}` needs {word.spelled}: {word.help}", hint=_see(entry))
    if words:
        raise InvalidInput(f"`{entry.name}` has no use for {words[0]!r}", hint=_see(entry))


def _see(entry: Entry) -> str:
    return f"See `ai-kb {entry.name} --help`."


def help_text(entry: Entry, program: str) -> str:
    """The help page of a command."""
    optional = [f"[{option.spelled}]{' …' if option.kind == 'many' else ''}" for option in entry.options]
    spelled = " ".join([program, entry.name, *(word.spelled for word in entry.words), *optional])
    parts = [_wrapped("usage: ", spelled), _wrapped("", entry.help)]
    if entry.words:
        parts.append("arguments:\n" + _aligned([(word.name.upper(), word.help) for word in entry.words]))
    shown = [(option.spelled, meaning(option)) for option in (*entry.options, *COMMON)]
    parts.append("options:\n" + _aligned(shown))
    if entry.examples:
        parts.append("examples:\n" + "\n".join(f"  {program} {example}" for example in entry.examples))
    return "\n\n".join(parts)


def overview(entries: Sequence[tuple[str, Sequence[Entry]]], program: str) -> str:
    """All commands, by section."""
    parts = [f"usage: {program} COMMAND …"]
    for section, listed in entries:
        rows = [(entry.name, entry.help.split(". ")[0].rstrip(".") + ".") for entry in listed]
        parts.append(f"{section}:\n{_aligned(rows)}")
    parts.append(f"`{program} COMMAND --help` says more.")
    return "\n\n".join(parts)


def meaning(option: Option) -> str:
    """What an option is, and what it takes."""
    choices = f" One of {', '.join(option.choices)}." if option.choices else ""
    return option.help + choices


def _aligned(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(_wrapped(f"  {name:{width}}", text) for name, text in rows)


def _wrapped(start: str, text: str) -> str:
    from textwrap import fill  # help is rare

    return fill(text, HELP_WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
