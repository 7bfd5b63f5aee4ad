"""Quaid beside programs for the same purpose: python bench/peers.py DATA --cache DIR [--set cranfield]

Each gets an environment and a home directory of its own below DIR, the same folder of Markdown files and the
same questions, on the same machine, one after the other. A program is asked as its users ask it: by its
command (cold, a process for each question) and by its MCP server (warm). Its answer is read for the names of
files, in their order. One that cannot be installed or does not run (many download a model first) is named
with the reason. `--limit` takes fewer documents, among them all that answer a question.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _client import Client, ServerFailed
from _measures import mean, measure, table
from _memories import high, middle
from _sets import Asked, DataSet, Document, load

COLD = 10  # questions that are asked cold
NAMED = re.compile(r"doc-([0-9]+)")


class DoesNotRun(Exception):
    """A program that cannot be measured here; the text says why."""


@dataclass(frozen=True)
class Peer:
    """How a program is installed, fed and asked. {vault} and {question} are filled in."""

    name: str
    package: str
    finds_by: str
    index: tuple[tuple[str, ...], ...]
    again: tuple[tuple[str, ...], ...]
    search: tuple[str, ...] = ()
    server: tuple[str, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    prepare: tuple[tuple[str, ...], ...] = ()


PEERS = (
    Peer(
        "Quaid",
        "",
        "words, meaning, reranker",
        prepare=(("quaid", "init"),),
        index=(("quaid", "collection", "add", "vault", "{vault}"), ("quaid", "embed")),
        again=(("quaid", "collection", "sync"), ("quaid", "embed")),
        search=("quaid", "query", "{question}", "--limit", "10", "--depth", "summary", "--json"),
        server=("quaid", "serve", "--no-watch"),
        tool="memory_query",
        arguments={"question": "{question}", "limit": 10, "depth": "summary"},
    ),
    Peer(
        "Quaid, words alone",
        "",
        "words",
        prepare=(("quaid", "init"),),
        index=(("quaid", "collection", "add", "vault", "{vault}"),),
        again=(("quaid", "collection", "sync"),),
        search=("quaid", "search", "{question}", "--limit", "10", "--json"),
        server=("quaid", "serve", "--no-watch"),
        tool="memory_search",
        arguments={"query": "{question}", "limit": 10},
    ),
    Peer(
        "basic-memory",
        "basic-memory",
        "words, and meaning where its model can be had",
        prepare=(("basic-memory", "project", "add", "bench", "{vault}", "--default"),),
        index=(("basic-memory", "reindex"),),
        again=(("basic-memory", "reindex"),),
        search=("basic-memory", "tool", "search-notes", "{question}", "--page-size", "10"),
        server=("basic-memory", "mcp"),
        tool="search_notes",
        arguments={"query": "{question}", "page_size": 10},
    ),
    Peer(
        "MemPalace",
        "mempalace",
        "meaning",
        prepare=(("mempalace", "init", "{vault}", "--yes"),),
        index=(("mempalace", "mine", "{vault}"),),
        again=(("mempalace", "mine", "{vault}"),),
        search=("mempalace", "search", "{question}"),
        server=("mempalace-mcp",),
        tool="mempalace_search",
        arguments={"query": "{question}", "limit": 10},
    ),
    Peer(
        "mcp-memory-service",
        "mcp-memory-service",
        "words, meaning",
        index=(("memory", "ingest-directory", "{vault}"),),
        again=(("memory", "ingest-directory", "{vault}"),),
        server=("memory", "server"),
        tool="retrieve_memory",
        arguments={"query": "{question}", "n_results": 10},
    ),
    Peer(
        "memsearch",
        "memsearch[onnx]",
        "words, meaning",
        index=(("memsearch", "index", "{vault}", "--provider", "onnx"),),
        again=(("memsearch", "index", "{vault}", "--provider", "onnx"),),
        search=("memsearch", "search", "{question}", "--top-k", "10", "--provider", "onnx", "--json-output"),
    ),
    Peer(
        "qmd",
        "npm:@tobilu/qmd",
        "words, meaning, query expansion, reranker",
        index=(("qmd", "collection", "add", "{vault}", "--name", "bench"), ("qmd", "embed")),
        again=(("qmd", "update"), ("qmd", "embed")),
        search=("qmd", "query", "{question}", "-n", "10", "--json"),
        server=("qmd", "mcp"),
        tool="query",
        arguments={"searches": [{"type": "vec", "query": "{question}"}], "limit": 10},
    ),
)


@dataclass
class Ran:
    """What a command took, and said."""

    seconds: float
    processor: float
    megabytes: float
    output: str


class Place:
    """Where a program lives: its environment, its home, and its copy of the folder."""

    def __init__(self, peer: Peer, cache: Path, vault: Path) -> None:
        self.peer = peer
        self.root = cache / re.sub(r"[^a-z0-9]+", "-", peer.name.lower())
        self.home = self.root / "home"
        self.vault = self.root / "vault"
        for folder in (self.home, self.vault):
            shutil.rmtree(folder, ignore_errors=True)
        self.home.mkdir(parents=True)
        shutil.copytree(vault, self.vault)
        self.peak = 0.0

    @property
    def programs(self) -> Path:
        return self.root / "environment" / "bin" if self.peer.package else Path(sys.executable).parent

    def install(self, python: str) -> str:
        """Install it if that was not done; the answer is its version."""
        package = self.peer.package
        if not package:
            return self.run(("quaid", "--version")).output.split()[-1]
        if not self.programs.is_dir():
            if package.startswith("npm:"):
                command = ("npm", "install", "--prefix", str(self.programs.parent), "--global", package[4:])
                self.run(command)
            else:
                self.run((python, "-m", "venv", str(self.programs.parent)))
                self.run((str(self.programs / "python"), "-m", "pip", "install", "--quiet", package))
        found = self.programs.parent.glob(
            f"lib/python*/site-packages/{package.split('[')[0].replace('-', '_')}-*"
        )
        return next((path.name.split("-")[1] for path in found), "").removesuffix(".dist")

    def run(self, command: tuple[str, ...], question: str = "") -> Ran:
        """Run a command to its end."""
        words = self.filled(command, question)
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                words,
                env=self.environment(),
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            raise DoesNotRun(f"`{words[0]}` cannot be started: {error.strerror}") from None
        assert process.stdout
        output = process.stdout.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.perf_counter() - start
        if process.returncode:
            said = [
                line.strip() for line in output.splitlines() if line.strip() and "log of this" not in line
            ]
            raise DoesNotRun(f"`{' '.join(command[:2])}`: {said[-1][:160] if said else process.returncode}")
        megabytes = used.ru_maxrss / 1000
        self.peak = max(self.peak, megabytes)
        return Ran(took, used.ru_utime + used.ru_stime, megabytes, output)

    def filled(self, command: tuple[str, ...], question: str = "") -> list[str]:
        """A command with the folder and the question in it, found among the program's own first."""
        own = self.programs / command[0]
        words = [str(own) if own.exists() else command[0], *command[1:]]
        return [word.replace("{vault}", str(self.vault)).replace("{question}", question) for word in words]

    def environment(self) -> dict[str, str]:
        """Nothing of whoever runs this but the paths, and the settings of installers."""
        kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "npm_config_"))}
        path = f"{self.programs}:{os.environ['PATH']}"
        off = {
            "QUAID_EMBED_BACKGROUND": "off"
        }  # what is embedded is embedded by the command that is measured
        return {**kept, **off, "HOME": str(self.home), "PATH": path, "LC_ALL": "C.UTF-8"}

    def disk(self) -> float:
        """What it keeps besides the folder, in megabytes."""
        files = [each for each in self.home.rglob("*") if each.is_file() and not each.is_symlink()]
        return sum(each.stat().st_size for each in files) / 1e6


def ranked(answer: str) -> list[str]:
    """The documents that an answer names, in its order."""
    return list(dict.fromkeys(NAMED.findall(answer)))


def measured(peer: Peer, place: Place, questions: list[Asked], python: str) -> list[object]:
    """One row of the table."""
    version = place.install(python)
    for command in peer.prepare:
        place.run(command)
    first = [place.run(command) for command in peer.index]
    second = [place.run(command) for command in peer.again]
    cold = [place.run(peer.search, each.text) for each in questions[:COLD]] if peer.search else []
    answers, warm = asked(peer, place, questions)
    scores = mean(
        [measure(ranked(text), each.relevant) for text, each in zip(answers, questions, strict=True)]
    )
    return [
        f"{peer.name} {version}",
        peer.finds_by,
        f"{sum(each.seconds for each in first):.1f} ({sum(each.processor for each in first):.1f})",
        f"{sum(each.seconds for each in second):.1f}",
        milliseconds([each.seconds for each in cold]),
        milliseconds([each.processor for each in cold]),
        milliseconds(warm),
        f"{place.peak:.0f}",
        f"{place.disk():.0f}",
        *(scores[name] for name in ("any@5", "R@10", "nDCG@10")),
    ]


def asked(peer: Peer, place: Place, questions: list[Asked]) -> tuple[list[str], list[float]]:
    """The answers to all questions, by the server if there is one; and how long each took."""
    if not peer.server:
        ran = [place.run(peer.search, each.text) for each in questions]
        return [each.output for each in ran], []
    client = Client(place.filled(peer.server), place.environment())
    answers, times = [], []
    try:
        client.greet()
        for each in [questions[0], *questions]:  # the first one loads the models, and does not count
            filled = json.dumps(peer.arguments).replace("{question}", json.dumps(each.text)[1:-1])
            start = time.perf_counter()
            answer = client.call(peer.tool, json.loads(filled))
            times.append(time.perf_counter() - start)
            answers.append(json.dumps(answer))
    except ServerFailed as failure:
        raise DoesNotRun(f"its server: {failure}") from None
    finally:
        place.peak = max(place.peak, client.end())
    return answers[1:], times[1:]


def milliseconds(times: list[float]) -> str:
    """The middle and the 95th of a hundred."""
    return f"{1000 * middle(times):.0f} / {1000 * high(times):.0f}" if times else "–"


def chosen(data: DataSet, limit: int, questions: int) -> tuple[list[Document], list[Asked]]:
    """Some of the questions, all documents that answer them, and as many others as there may be."""
    picked = random.Random(1).sample(data.questions, min(questions, len(data.questions)))
    needed = {key for each in picked for key in each.relevant}
    others = [each for each in data.documents if each.id not in needed]
    random.Random(2).shuffle(others)
    documents = [each for each in data.documents if each.id in needed]
    return documents + others[: max(0, limit - len(documents))], picked


def main() -> None:
    """Make the folder, then ask one program after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True, help="Where environments are kept.")
    parser.add_argument("--set", default="cranfield", choices=("cranfield", "med", "scifact"))
    parser.add_argument("--limit", type=int, default=10_000, help="How many documents at most.")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--peers", nargs="*", help="Only these.")
    parser.add_argument("--python", default="python3", help="The Python that the others are installed with.")
    given = parser.parse_args()
    documents, questions = chosen(load(given.set, given.data), given.limit, given.questions)
    cache = given.cache.absolute()
    vault = cache / "vault"
    shutil.rmtree(vault, ignore_errors=True)
    vault.mkdir(parents=True)
    for each in documents:
        (vault / f"doc-{each.id}.md").write_text(
            f"# {each.title or each.id}\n\n{each.text}\n", encoding="utf-8"
        )
    load_average = os.getloadavg()[0]
    print(f"{given.set}: {len(documents):,} files, {len(questions)} questions; load {load_average:.1f}\n")
    rows: list[list[object]] = []
    for peer in PEERS:
        if given.peers and peer.name not in given.peers:
            continue
        try:
            rows.append(measured(peer, Place(peer, cache, vault), questions, given.python))
        except DoesNotRun as reason:
            print(f"{peer.name} does not run here: {reason}\n", flush=True)
    head = ["program", "finds by", "index, s (processor)", "again, s", "cold, ms", "of it processor"]
    print(table([*head, "warm, ms", "MB", "disk, MB", "any@5", "R@10", "nDCG@10"], rows))


if __name__ == "__main__":
    main()
