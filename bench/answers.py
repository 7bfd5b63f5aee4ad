"""Whether the fact and the line are shown: bench/answers.py [--folder DIR] [--labelled DIR] [--misses].

A notebook is made by remembering its sentences one after the other, and asked with `recall` and with
`query`. A question is a hit when a piece of the sentence that answers it stands in the line that is shown
at that rank; days that `remember` has added are overlooked. *Unknown* are questions that nothing answers:
how many are said not to be known, about the same subjects (near) and about others. The pages of an investor
are asked with `query`: the page at the first rank, the fact or line shown with it, and what is marked as no
longer true. The nodes of a knowledge base are asked with `kb query`. `--labelled` names a folder with sets of
the same form that others wrote: notebook*.json, investor.json, nodes.json.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import _investor
import _remembered
from _investor import Asked
from _measures import table
from _memories import dictated, digest, embedded, opened, written

from quaid import operations
from quaid.app import App, open_app
from quaid.kb import index
from quaid.kb import query as kb_query
from quaid.kb.render import Draft, file_name, render
from quaid.kb.repository import open_kb as opened_kb
from quaid.operations.collections import attach
from quaid.operations.query import QUERY, Query
from quaid.operations.recall import RECALL, Recall
from quaid.operations.results import as_data
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.vault.attachments import Attachment

DEPTH = 5
ADDED_DAY = re.compile(r" \(\d{4}-\d\d(?:-\d\d)?\)")


class Notebook(NamedTuple):
    """What was said, what is asked with a piece of the sentence that answers it, and what nothing answers."""

    name: str
    sentences: Sequence[str]
    questions: Sequence[tuple[str, str]]
    near: Sequence[str] = ()
    other: Sequence[str] = ()


class Hits(NamedTuple):
    """At which rank each question had its line, from 0; None where it had not."""

    ranks: list[int | None]

    def within(self, count: int) -> int:
        """How many had it among the first."""
        return sum(rank is not None and rank < count for rank in self.ranks)


def main() -> None:
    """Make the memories, ask, print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--labelled", type=Path, help="A folder with notebook.json and investor.json.")
    parser.add_argument("--misses", action="store_true", help="Say what was not shown.")
    given = parser.parse_args()
    notebooks = [
        Notebook("own notebook", _remembered.SENTENCES, _remembered.QUESTIONS, (), _remembered.WITHOUT_ANSWER)
    ]
    investors = [("own", list(_investor.PAGES.items()), list(_investor.QUESTIONS))]
    if given.labelled:
        notebooks += map(labelled_notebook, sorted(given.labelled.glob("notebook*.json")))
        investors += map(labelled_investor, given.labelled.glob("investor.json"))
    with tempfile.TemporaryDirectory() as temporary:
        root = given.folder or Path(temporary)
        rows = [row for notebook in notebooks for row in asked_notebook(root, notebook, given.misses)]
        head = ["", "by", "hit@1", f"hit@{DEPTH}", "of", "unknown: near", "other", "characters shown"]
        print(table(head, rows))
        print()
        rows = [investor(root, *each, given.misses) for each in investors]
        print(table(["investor", "page first", "and its fact or line", "marked", "characters shown"], rows))
        for path in given.labelled.glob("nodes.json") if given.labelled else ():
            print()
            print(table(["nodes", "first", f"among {DEPTH}", "of"], nodes(root, path, given.misses)))


def asked_notebook(root: Path, notebook: Notebook, misses: bool) -> Iterator[list[str]]:
    """A row of figures for each way to ask."""
    app = remembered(root, notebook)
    for way, ask in (("recall", recalled), ("query", queried)):
        found = [ask(app, question) for question, _ in notebook.questions]
        lines = [each for each, _ in found]
        hits = Hits(list(map(rank_of, lines, (piece for _, piece in notebook.questions))))
        unknown = [
            f"{sum(not ask(app, each)[1] for each in group)} of {len(group)}"
            for group in (notebook.near, notebook.other)
        ]
        size = sum(len(" ".join(each)) for each in lines) / len(lines)
        hit = [str(hits.within(1)), str(hits.within(DEPTH)), str(len(lines))]
        yield [notebook.name, way, *hit, *unknown, f"{size:.0f}"]
        if misses:
            show_misses(notebook, lines, hits)


def remembered(root: Path, notebook: Notebook) -> App:
    """A notebook in which the sentences were remembered one by one, embedded."""
    folder = root / digest([(notebook.name, "\n".join(notebook.sentences))])
    path = folder / ".quaid" / "memory.db"
    known = path.is_file()
    if not known:
        path.parent.mkdir(parents=True)
        Store.create(path).close()
    app = open_app(path, Settings())
    if not known:
        attach(app, Attachment("notebook", "..", "notebook", default=True))
        dictated(app, notebook.sentences)
    embedded(app)
    return app


def recalled(app: App, question: str) -> tuple[list[str], bool]:
    """What `recall` shows, both groups by score, and whether it is sure of one of them."""
    result = operations.run(app, RECALL, Recall(question, DEPTH, 0.0))
    both = sorted((*result.notebook, *result.daily), key=lambda each: -each.score)
    least = app.settings.number("recall.min_score")
    return [each.snippet for each in both], any(each.score >= least for each in both)


def queried(app: App, question: str) -> tuple[list[str], bool]:
    """What `query` shows of each page, the passage and the facts beside it; whether it says that it knows."""
    result = as_data(operations.run(app, QUERY, Query(question, depth="section", limit=DEPTH)))
    return [shown(each) for each in result["results"]], result.get("known") is not False


def shown(result: dict[str, Any]) -> str:
    """The passage and the facts of one result, as one text."""
    passage = result.get("passage") or {}
    text = passage.get("text") or matched(result)
    facts = [f"{fact['name']}: {fact['value']}" for fact in result.get("facts") or ()]
    more = [each["text"] for each in result.get("more") or ()]
    return "\n".join([*facts, text, *more])


def matched(result: dict[str, Any]) -> str:
    """The lines of the content that matched, where the answer says which; else all of it."""
    content, passage = result.get("content") or "", result.get("passage") or {}
    if not passage.get("lines") or not result.get("lines"):
        return content
    first = int(str(result["lines"]).split("-", maxsplit=1)[0])
    start, _, end = str(passage["lines"]).partition("-")
    return "\n".join(content.splitlines()[int(start) - first : int(end or start) - first + 1])


def rank_of(lines: Sequence[str], piece: str) -> int | None:
    """The first rank whose text has a piece."""
    wanted = plain(piece)
    return next((rank for rank, text in enumerate(lines) if wanted in plain(text)), None)


def plain(text: str) -> str:
    """A text without case, line breaks, and days that were added to it."""
    return " ".join(ADDED_DAY.sub("", text).split()).casefold()


def show_misses(notebook: Notebook, found: Sequence[Sequence[str]], hits: Hits) -> None:
    """The questions whose line did not come first."""
    for (question, piece), lines, rank in zip(notebook.questions, found, hits.ranks, strict=True):
        if rank != 0:
            print(f"  {question!r} wants {piece!r}, rank {rank}, first {lines[:1]}")


def labelled_notebook(path: Path) -> Notebook:
    """A notebook that somebody else wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    asked = [(each["question"], each["expect"]) for each in data["questions"]]
    unknown = [(each["question"], each["kind"] == "near miss") for each in data["unanswerable"]]
    return Notebook(
        path.stem,
        [each["said"] for each in data["sentences"]],
        asked,
        [text for text, near in unknown if near],
        [text for text, near in unknown if not near],
    )


def labelled_investor(path: Path) -> tuple[str, list[tuple[str, str]], list[Asked]]:
    """Pages of an investor that somebody else wrote, and questions."""
    data = json.loads(path.read_text(encoding="utf-8"))
    asked = [Asked(each["question"], each["page"], each["expect"]) for each in data["questions"]]
    return path.stem, [(each["slug"], each["text"]) for each in data["pages"]], asked


def investor(
    root: Path, name: str, pages: Sequence[tuple[str, str]], questions: Sequence[Asked], misses: bool
) -> list[str]:
    """Ask an investor's pages: a row of figures."""
    app = opened(root / f"investor-{digest(pages)}.db")
    written(app, pages)
    embedded(app)
    first = line = marked = size = 0
    for asked in questions:
        result = as_data(operations.run(app, QUERY, Query(asked.question, depth="section", limit=DEPTH)))
        best = result["results"][0] if result["results"] else {}
        found = best.get("slug") == asked.slug
        told = shown(best) if best else ""
        has_line = found and rank_of([told], asked.shown) is not None
        outdated = json.dumps(best.get("superseded") or [], ensure_ascii=False)
        first, line = first + found, line + has_line
        marked += bool(asked.superseded) and found and asked.superseded in outdated
        size += len(told)
        if misses and not has_line:
            wanted = f"{asked.question!r} wants {asked.slug} {asked.shown!r}"
            print(f"  {wanted}: {best.get('slug')} {told[:200]!r}")
    count, wanted = len(questions), sum(bool(asked.superseded) for asked in questions)
    return [
        name,
        f"{first} of {count}",
        f"{line} of {count}",
        f"{marked} of {wanted}",
        f"{size / count:.0f}",
    ]


def nodes(root: Path, path: Path, misses: bool) -> list[list[str]]:
    """Ask a knowledge base of labelled nodes, as programs do; a row by words alone, and one as it comes."""
    data = json.loads(path.read_text(encoding="utf-8"))
    folder = root / f"nodes-{digest([(path.stem, json.dumps(data['nodes']))])}"
    known = folder.is_dir()
    if not known:
        write_nodes(folder / "kb", data["nodes"])
    app = opened(folder / "memory.db")
    if not known:
        attach(app, Attachment("kb", "kb", "kb"))
    embedded(app)
    rows = []
    for way, ask in (("by words", by_words), ("as it comes", as_it_comes)):
        ranks = []
        for each in data["questions"]:
            titles = ask(app, folder / "kb", each["question"])
            ranks.append(titles.index(each["node"]) if each["node"] in titles else None)
            if misses and ranks[-1] != 0:
                print(f"  {way}: {each['question']!r} wants {each['node']!r}: {titles[:1]}")
        hits = Hits(ranks)
        rows.append([way, str(hits.within(1)), str(hits.within(DEPTH)), str(len(ranks))])
    return rows


def by_words(app: App, folder: Path, question: str) -> list[str]:
    """Titles of nodes that words find."""
    found = kb_query.answer(opened_kb(folder, app.environment, app.home), question)
    return [hit.node.title for hit in found.hits]


def as_it_comes(app: App, folder: Path, question: str) -> list[str]:
    """Titles of nodes that `kb query` shows to a program."""
    answer = operations.call(app, "kb_query", {"question": question})
    return [each["title"] for each in answer.data["results"]]


def write_nodes(folder: Path, told: Sequence[dict[str, Any]]) -> None:
    """A repository of nodes. Their summary is the first line of what they say."""
    folder.mkdir(parents=True)
    day = datetime(2026, 11, 1)
    for number, each in enumerate(told):
        draft = Draft(
            str(uuid.UUID(int=number + 1, version=4)),
            each["title"],
            each["body"].partition("\n")[0],
            each["body"],
            "observation",
            ("general",),
            tags=tuple(each["tags"]),
            created=f"{day:%Y-%m-%d}",
            created_by="human",
            source="a colleague",
        )
        (folder / file_name(each["title"], day + timedelta(seconds=number))).write_text(render(draft))
    (folder / "AGENT_CONTRACT.org").write_text("#+title: Contract\n")
    index.write(folder)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Nodes")):
        command = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", *words]
        subprocess.run(command, cwd=folder, check=True)


if __name__ == "__main__":
    main()
