"""Train the network that reads notes, statements and sentences that are told to a notebook.

    python tools/train_notes.py FILE.onnx --begin NETWORK.onnx [--new AUTHOR ...] [--without AUTHOR ...]

Six layers, begun as the reranker's own at that height, learn from what its lower layers make of pairs
(`quaid.embed.judge`): which line of a notebook a sentence amends, removes or completes, and which words of it
are exchanged (`labelled_notebooks.py`); what two notes are to each other (`labelled_pairs.py`); whether a
sentence stands against a statement (`labelled_statements.py`); with --questions, the file of questions that
`train_reader.py` keeps in its cache, whether a text answers; and, with --inferences, of public sets what
follows from what: a table of first, second and label (PROVENANCE.md names the sets). --begin goes on with a
network that was written before; without it, all is learnt from the reranker's layers. With --new AUTHOR it
has read all other authors of notebooks, of whom a part is repeated. Authors left out with --without, and
every author of statements named so, are judged by what the others teach; with --odds, what is said of their
sentences is written down for `fit_changes.py`. It needs `torch` and `onnx`, which Quaid itself does not. Copy
the file to src/quaid/embed/models/, its size and SHA-256 to embed/judge.py.
"""

from __future__ import annotations

import argparse
import csv
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from labelled_notebooks import LABELS, Told, all_told, variants
from labelled_pairs import TASKS, Pair, by_authors, for_training
from labelled_questions import as_pairs
from labelled_statements import statements
from lessons import Choices, Exchanges, Lesson, Pairs, States, choices, exchanges, learnt, of_pairs, said_of
from networks import OF_TOKENS, Upper, begun, export, read_upper

from quaid.routing import sentences
from quaid.routing.likely_lines import Likely, likely

LAYERS = 6
OUTPUTS = {"says": len(LABELS), OF_TOKENS: 1, "notes": 3, "statements": 2, "answers": 2}
INFERENCE = "inference"  # which is learnt, and not said
VARIED = 0.15  # of the variants of what was said, how many are learnt from
REMINDED, REHEARSED = 0.25, 0.3  # of sentences that it has read before, and of words exchanged by these
OF_PAIRS = 0.03  # of the pairs of notes
DEGREES = (0.5, 0.6, 0.7, 0.8, 0.9)


def of_notebooks(told: Sequence[Told], new: Sequence[str], states: States) -> list[Lesson]:
    """What is learnt of sentences that are told to notebooks."""
    fresh = [each for each in told if not new or each.author in new]
    old = [each for each in told if new and each.author not in new]
    more = [*variants({each.author for each in fresh})]
    found = [*choices([*fresh, *_some(old, REMINDED), *_some(more, VARIED)])]
    found += _some([*of_pairs([*by_authors(), *for_training()])], OF_PAIRS)
    exchanged = [*exchanges(fresh), *_some([*exchanges(old)], REHEARSED)]
    return [Choices(found, states), Exchanges(exchanged, states)]


def of_texts(found: Sequence[Pair], states: States) -> list[Lesson]:
    """What is learnt of pairs of texts."""
    tasks = {name: [each for each in found if each.task == name] for name in TASKS}
    return [Pairs(name, own, states) for name, own in tasks.items() if own]


def read_inferences(file: Path) -> list[Pair]:
    """Sentences and what follows from them."""
    with file.open(encoding="utf-8", newline="") as table:
        return [
            Pair("public", row["first"], row["second"], row["label"], INFERENCE)
            for row in csv.DictReader(table, delimiter="\t")
        ]


def odds(network: Upper, states: States, told: Sequence[Told]) -> list[tuple[Told, list[Likely], list[Any]]]:
    """What a network says of each line that some sentences may be about."""
    found = [
        (each, sentences.core(each.said), likely(sentences.core(each.said), each.lines)) for each in told
    ]
    pairs = list(dict.fromkeys((core, one.network_text) for _, core, ones in found for one in ones))
    known = dict(zip(pairs, said_of(network, states, pairs, "says").tolist(), strict=True))
    return [(each, ones, [known[core, one.network_text] for one in ones]) for each, core, ones in found]


def report(name: str, found: Sequence[Pair], network: Upper, states: States) -> None:
    """How many of each label are right, for each degree of certainty that may be asked for."""
    said = Pairs(name, found, states).judged(network)
    names = [*TASKS[name].labels]
    wanted = np.array([names.index(each.label) for each in found])
    last = len(names) - 1
    for sure in DEGREES:
        chosen = np.where(said[:, :last].max(axis=1) >= sure, said[:, :last].argmax(axis=1), last)
        right = (
            f"{label} {int((chosen[wanted == place] == place).sum())}/{int((wanted == place).sum())}"
            for place, label in enumerate(names)
        )
        print(f"{found[0].author}, from {sure}: {', '.join(right)}", flush=True)


def _some(told: Sequence[Any], share: float) -> list[Any]:
    """A part of them, always the same."""
    drawn = np.random.default_rng(2).permutation(len(told))[: round(share * len(told))]
    return [told[place] for place in drawn]


def main() -> None:
    """Train on all authors but those left out, say what is learnt of these, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--begin", type=Path, help="A network that was written before.")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--inferences", type=Path, help="Sentences and what follows from them.")
    parser.add_argument("--questions", type=Path, help="What train_reader.py keeps of questions.")
    parser.add_argument("--kept", type=Path, help="Where to keep what the lower layers make of pairs.")
    parser.add_argument("--new", action="append", default=[], help="An author whom that one has not read.")
    parser.add_argument("--without", action="append", default=[], help="An author.")
    parser.add_argument("--odds", type=Path, help="Where to write what is said of those left out.")
    given = parser.parse_args()
    states, told = States(given.kept), all_told()
    found = [*by_authors(), *for_training(), *statements()]
    outputs = OUTPUTS
    if given.questions:  # our own
        found += as_pairs(pickle.loads(given.questions.read_bytes()))  # noqa: S301
    if given.inferences:
        found += read_inferences(given.inferences)
        outputs = OUTPUTS | {INFERENCE: len(TASKS[INFERENCE].labels)}
    network = read_upper(given.begin, outputs) if given.begin else begun(LAYERS, outputs)
    aside = [each for each in found if each.author in given.without]
    rest = [each for each in found if each.author not in given.without]
    known = [each for each in told if each.author not in given.without]
    learnt(network, [*of_notebooks(known, given.new, states), *of_texts(rest, states)], given.epochs)
    for author in dict.fromkeys(each.author for each in aside):
        own = [each for each in aside if each.author == author]
        report(own[0].task, own, network, states)
    if given.odds:
        left_out = [each for each in told if each.author in given.without]
        given.odds.write_bytes(pickle.dumps(odds(network, states, left_out)))
    if given.inferences:
        del network.says[INFERENCE]
    export(network, given.file)
    states.keep()


if __name__ == "__main__":
    main()
