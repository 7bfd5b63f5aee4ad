"""Whether models stay apart: python bench/model_switch.py --models DIR [--second NAME].

Twenty questions under the default model, the same under another, whose files are in DIR, and again under the
first. The answers of the first and the last run must be the same in every field, and no vector of the model
that is not in use may have a part in an answer.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from _corpus import Corpus
from _measures import table
from _memories import embedded, opened, written

from quaid import operations
from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import QuaidError
from quaid.index.matrix import VectorMatrix
from quaid.operations.results import as_data

PAGES = 150
QUESTIONS = 20


def main() -> None:
    """Switch there and back, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True, help="Where the files of the other model are.")
    parser.add_argument("--second", default="bge-small-en-v1.5")
    given = parser.parse_args()
    if not (given.models / given.second).is_dir():
        sys.exit(f"There is no {given.models / given.second}: give the directory that holds the model.")
    corpus = Corpus(PAGES)
    with tempfile.TemporaryDirectory() as temporary:
        app = opened(Path(temporary) / "memory.db", given.models)
        written(app, ((draft.slug, draft.text) for draft in map(corpus.draft, range(PAGES))))
        rows, answers = [], []
        try:
            for step, name in enumerate((DEFAULT_MODEL, given.second, DEFAULT_MODEL)):
                began = time.perf_counter()
                texts = embedded(app, name)
                took = time.perf_counter() - began
                found, foreign = ask(app, questions(corpus))
                answers.append(found)
                same = sum(a == b for a, b in zip(answers[0], found, strict=True))
                rows.append([f"{step + 1}. {name}", texts, f"{took:.2f}", f"{same} of {QUESTIONS}", foreign])
        except QuaidError as error:
            sys.exit(str(error))
    head = ["", "texts embedded", "switch, s", "answers as in the first run", "vectors of the other model"]
    print(f"{PAGES} pages, {QUESTIONS} questions\n\n{table(head, rows)}")
    sound = answers[0] == answers[2] and answers[0] != answers[1] and not any(row[4] for row in rows)
    sys.exit(0 if sound else "The models do not stay apart.")


def questions(corpus: Corpus) -> list[str]:
    """Five words from somewhere in a page."""
    rng = random.Random(20)
    found = []
    for _ in range(QUESTIONS):
        words = corpus.draft(rng.randrange(PAGES)).text.split("\n\n")[2].split()
        start = rng.randrange(len(words) - 5)
        found.append(" ".join(words[start : start + 5]))
    return found


def ask(app: App, asked: list[str]) -> tuple[list[str], int]:
    """The answers in full, and how many vectors of another model were searched."""
    answers, foreign = [], 0
    model = app.models.current()
    sql = "SELECT id FROM embeddings WHERE model_id = ?"
    own = {identity for (identity,) in app.connection.execute(sql, (model.id,))}
    for question in asked:
        values: dict[str, Any] = {"question": question, "explain": True}
        answers.append(json.dumps(as_data(operations.call(app, "memory_query", values))))
        meaning, _ = app.models.meaning(question)
        if meaning is None:
            sys.exit("The model cannot be used.")
        searched = VectorMatrix(app.store.path, model).rows(app.connection).ids
        foreign += sum(int(identity) not in own for identity in searched)
    return answers, foreign


if __name__ == "__main__":
    main()
