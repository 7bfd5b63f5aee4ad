"""Questions in one language about notes in another: python bench/languages.py [--model NAME] [--models DIR].

The notes and questions of `labelled/languages.json`. Notes of one language make one memory, and the questions
of the others are asked of it. `--model multilingual` measures the model that `quaid model use multilingual`
fetches; `--models` says where its files are, if not in the usual place.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measures import table
from _memories import embedded, opened, page_of, written

from quaid.app import App
from quaid.embed import registry
from quaid.embed.embedder import embed_query, stream
from quaid.search import hybrid
from quaid.store import pages
from quaid.store import scope as scopes

LABELLED = Path(__file__).with_name("labelled") / "languages.json"
LANGUAGES = ("en", "de", "zh")
DEEP = 5


def main() -> None:
    """Ask everything of the notes of each language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=registry.DEFAULT_MODEL)
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    data = json.loads(LABELLED.read_text("utf-8"))
    name = registry.full_name(given.model)
    print(f"{name}: the right note is first / among the first {DEEP}, of so many questions\n")
    rows = []
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as temporary:
            app = opened(Path(temporary) / "memory.db", given.models)
            notes = [note[language] for note in data["notes"]]
            written(app, ((f"notes/{number}", page_of("", text)) for number, text in enumerate(notes)))
            embedded(app, name)
            rows += _measured(app, language, notes, data["questions"])
            app.store.close()
    print(table(["questions", "notes", "n", "by words", "by meaning", "query"], rows))


def _measured(app: App, language: str, notes: list[str], questions: list[dict[str, Any]]) -> list[list[Any]]:
    """A row for each language of questions that has answers in these notes."""
    embedder = app.models.embedder(app.models.current().name)
    matrix = np.concatenate(list(stream(embedder, notes)))

    def by_meaning(question: str) -> list[int]:
        return [int(n) for n in np.argsort(-(matrix @ embed_query(embedder, question)), kind="stable")]

    def by_words(question: str) -> list[int]:
        return _found(app, question, with_meaning=False)

    def by_query(question: str) -> list[int]:
        return _found(app, question, with_meaning=True)

    rows = []
    for asked in LANGUAGES:
        those = [each for each in questions if each["language"] == asked and language in each["expect"]]
        if those:
            arms = [_hits(arm, those) for arm in (by_words, by_meaning, by_query)]
            rows.append([asked, language, len(those), *arms])
    return rows


def _found(app: App, question: str, *, with_meaning: bool) -> list[int]:
    """The numbers of the notes that a search finds, in order."""
    meaning = app.models.meaning(question)[0] if with_meaning else None
    hits = hybrid.find(app.connection, question, scopes.pages(), DEEP, meaning)
    return [int(pages.info(app.connection, hit.document).slug.rpartition("/")[2]) for hit in hits]


def _hits(arm: Callable[[str], list[int]], questions: list[dict[str, Any]]) -> str:
    orders = [(each["note"], arm(each["question"])[:DEEP]) for each in questions]
    first = sum(order[:1] == [note] for note, order in orders)
    return f"{first} / {sum(note in order for note, order in orders)}"


if __name__ == "__main__":
    main()
