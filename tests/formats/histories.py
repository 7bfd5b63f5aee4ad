"""Pages and random histories of edits, for tests of merging. Every word that an edit writes is new."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

MARKDOWN = """\
---
title: Alice Example  # as on her card
tags: [founder, infra]
status: draft
# kept by hand
links:
  - to: companies/river-ai
    relationship: founder_of
assertions:
  - subject: Alice
    predicate: lives_in
    object: Porto
contact:
  mail: a@example.org
  phone: 1234
updated: 2026-01-01
---
# Alice Example

> Founder of RiverAI.

Works with [[people/bob|Bob]] on storage. They met
at a fair in spring.

## Tasks

- [ ] buy milk
- [ ] call Bob
  - [ ] find the number
- [x] write the report

## State

A paragraph about the state of things.

Another paragraph, which has a second sentence. It is short.

| name | count |
|------|-------|
| tea  | 3     |
| salt | 1     |

```python
print("hello")

x = 1
```

---

## Timeline

- **2026-04-14** | fair — Met her at the stand
  She asked for a short mail.
- 2026-03-02 — Replied; introduced [[people/bob]]
"""

ORG = """\
:PROPERTIES:
:ID: 6f0c-11
:ROAM_ALIASES: Ally "Alice E."
:END:
#+title: Alice Example
#+filetags: :founder:infra:
#+relation: {to: companies/river-ai, relationship: founder_of}

A paragraph about Alice. It has
two lines.

* TODO Tasks :home:
SCHEDULED: <2026-02-01 Sun>
:PROPERTIES:
:EFFORT: 2h
:END:
- [ ] buy milk
- [X] call Bob
  - a number
* State
Things are so.

| name | count |
|------+-------|
| tea  | 3     |

#+begin_src python
print("hello")

x = 1
#+end_src
** Details
More words here.
* Timeline
- [2026-04-14 Tue] fair — Met her at the stand
- [2026-03-02 Mon] Replied to her mail
"""


_TAKEN = re.compile(r"[ \t]*(?:```|---|\||:|#\+|SCHEDULED|\*+ |#+ )")  # lines of which others depend


class History:
    """Edits of a page as people and programs make them, drawn from a seed.

    Tidy ones leave every block, table and field whole, and in its place; the others tear them apart.
    """

    def __init__(self, seed: int, author: str, org: bool, tidy: bool) -> None:
        self._tidy = tidy
        self._random = random.Random(f"{seed} {author}")
        self._author, self._org, self._count = author, org, 0

    def edited(self, text: str, most: int = 6) -> str:
        """The text after a few edits."""
        ways: list[Callable[[list[str]], list[str]]] = [
            *[self._insert] * 4,
            *[self._reword] * 3,
            self._delete,
            *([] if self._tidy else [self._move]),
            self._tick,
            self._field,
            self._section,
            self._entry,
        ]
        for _ in range(self._random.randint(1, most)):
            text = "".join(self._random.choice(ways)(text.splitlines(keepends=True)))
        return text

    def _word(self) -> str:
        self._count += 1
        return f"{self._author}{self._count}"

    def _place(self, lines: list[str]) -> int:
        """Before which line something may change."""
        return self._random.choice(self._seams(lines)) if self._tidy else self._random.randint(0, len(lines))

    def _seams(self, lines: list[str]) -> list[int]:
        """The places between blocks: before items, headings and what follows blank lines."""
        found, closed = [len(lines)], True
        start = next((at for at, line in enumerate(lines) if line.startswith(("# ", "* "))), len(lines))
        for at in range(start + 1, len(lines)):
            if closed and (lines[at].startswith(("- ", "#", "* ")) or not lines[at - 1].strip()):
                found.append(at)
            if lines[at].startswith(("```", "#+begin", "#+end")):
                closed = not closed
        return [at for at in found if at == len(lines) or not lines[at].startswith((":", "#+end", "---"))]

    def _insert(self, lines: list[str]) -> list[str]:
        at, word = self._place(lines), self._word()
        blocks = [
            [f"- {word}\n"],
            ["\n", f"Some {word} words.\n", "\n"],
            [f"- [ ] {word}\n", f"  - {word}b\n"],
        ]
        if self._tidy:
            return [*lines[:at], *self._random.choice(blocks), *lines[at:]]
        new = self._random.choice(
            [
                *blocks,
                [f"  - [ ] {word}\n"],
                [f"{word} goes on.\n"],
                [f"| {word} | 7 |\n"],
                ["\n"],
                [f"# {word}\n"] if self._org else [f"<!-- {word} -->\n"],
                ["#+begin_src\n", f"{word}\n", "#+end_src\n"]
                if self._org
                else ["```\n", f"{word}\n", "```\n"],
            ]
        )
        return [*lines[:at], *new, *lines[at:]]

    def _reword(self, lines: list[str]) -> list[str]:
        start = self._seams(lines)[-1] if self._tidy else 0
        full = [at for at, line in enumerate(lines) if at >= start and re.search(r"\w", line)]
        if self._tidy:
            full = [at for at in full if not _TAKEN.match(lines[at])]
        if not full:
            return lines
        at = self._random.choice(full)
        words = list(re.finditer(r"\w+", lines[at]))[1 if self._tidy else 0 :] or [
            re.search(r"\w+", lines[at])
        ]
        word = self._random.choice(words)
        changed = lines[at][: word.start()] + self._word() + lines[at][word.end() :]
        return [*lines[:at], changed, *lines[at + 1 :]]

    def _delete(self, lines: list[str]) -> list[str]:
        start, stop = self._stretch(lines, self._random.choice((1, 1, 2, 5, 12)))
        return lines[:start] + lines[stop:]

    def _stretch(self, lines: list[str], length: int) -> tuple[int, int]:
        """A run of lines; of whole blocks, in tidy edits."""
        start = self._place(lines)
        if not self._tidy:
            return start, start + length
        return start, next((at for at in sorted(self._seams(lines)) if at >= start + length), len(lines))

    def _move(self, lines: list[str]) -> list[str]:
        start, stop = self._stretch(lines, self._random.choice((1, 2, 6)))
        block, rest = lines[start:stop], lines[:start] + lines[stop:]
        at = self._place(rest)
        return [*rest[:at], *block, *rest[at:]]

    def _tick(self, lines: list[str]) -> list[str]:
        return [line.replace("[ ]", "[X]") if self._random.random() < 0.5 else line for line in lines]

    def _field(self, lines: list[str]) -> list[str]:
        word = self._word()
        changes = (
            [(":infra:", f":infra:{word}:"), (":EFFORT: ", f":{word}: 1\n:EFFORT: "), ("TODO", "DONE")]
            if self._org
            else [
                ("infra]", f"infra, {word}]"),
                ("status: ", f"status: {word} "),
                ("links:\n", f"links:\n  - to: {word}\n"),
            ]
        )
        old, new = self._random.choice(changes)
        return "".join(lines).replace(old, new, 1).splitlines(keepends=True)

    def _section(self, lines: list[str]) -> list[str]:
        word = self._word()
        stars = ("* ", "** ") if self._org else ("## ", "### ")
        heads = [place for place, line in enumerate(lines) if line.startswith(stars)]
        at = self._random.choice([*heads, len(lines)])
        return [*lines[:at], f"{stars[0]}{word}\n", "\n", f"- {self._word()}\n", "\n", *lines[at:]]

    def _entry(self, lines: list[str]) -> list[str]:
        day = f"2026-0{self._random.randint(1, 6)}-1{self._random.randint(0, 9)}"
        new = f"- [{day} Mon] {self._word()}\n" if self._org else f"- {day} — {self._word()}\n"
        dated = [place for place, line in enumerate(lines) if "2026-" in line and line.startswith("- ")]
        at = self._random.choice(dated) if dated else len(lines)
        return [*lines[:at], new, *lines[at:]]
