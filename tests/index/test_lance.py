"""One index, several machines: who writes it, what each may see of it, and what happens without it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from quaid.app import App, Surroundings
from quaid.errors import Busy, InvalidInput, Untrusted
from quaid.index.lance.lease import IndexLease
from quaid.index.lance.place import Place
from quaid.settings import Layer, Settings
from quaid.trust import Territory, Trust
from tests.support import PATIENCE, Clock, call, eventually, memory_at
from tests.support_embedders import BagOfWords, install

pytestmark = pytest.mark.skipif(
    not find_spec("lancedb"), reason="LanceDB is not installed: pip install 'quaid[lance]'"
)
SERVER = shutil.which("moto_server") or ""
TAKES = f"""
import sys
from quaid.index.lance.lease import IndexLease
from quaid.index.lance.place import Place
place = Place(sys.argv[1], {PATIENCE})
print(place.ask(IndexLease(place).take()), flush=True)
"""


def machine(folder: Path, place: object, *, own: bool = True, seconds: str = str(PATIENCE)) -> App:
    """A machine with a memory of its own, that asks a shared index."""
    folder.mkdir(exist_ok=True)
    stated = {"search.engine": "lance", "search.engine_place": str(place), "search.engine_timeout": seconds}
    store = memory_at(folder / "memory.db")
    if own:
        Territory(Trust(folder), store.path).claim()
    layer = Layer("flag", "tests", stated)
    app = App(store, Settings(layer), Clock(), Surroundings(home=folder))
    install(app, BagOfWords())
    return app


def put(app: App, *words: str) -> None:
    for word in words:
        call(app, "put", slug=f"things/{word}", content=f"# The {word}\n\nA {word} is seen here.\n")


def slugs(app: App, question: str) -> list[str]:
    return [each["slug"] for each in call(app, "query", question=question)["results"]]


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[App, App]]:
    """Two machines and one index; the first has written it."""
    first, second = (machine(tmp_path / name, tmp_path / "index") for name in ("first", "second"))
    put(first, "feline", "physician", "harbour")
    put(second, "feline", "physician")
    call(first, "engine sync")
    yield first, second
    first.store.close()
    second.store.close()


def test_a_machine_finds_its_own_pages_by_what_another_has_embedded(pair: tuple[App, App]) -> None:
    first, second = pair
    embedder = install(second, BagOfWords())
    assert slugs(second, "doctor")[0] == "things/physician"
    assert embedder.forget() == ["doctor"]
    assert call(second, "query", question="doctor")["notices"] == []
    assert "things/harbour" not in slugs(second, "harbour")
    assert slugs(first, "harbour")[0] == "things/harbour"


def test_what_the_index_lacks_is_said_and_brought_in(pair: tuple[App, App]) -> None:
    _, second = pair
    put(second, "automobile")
    answer = call(second, "query", question="automobile seen")
    assert answer["results"][0]["slug"] == "things/automobile"
    assert ["not in the shared index yet" in each for each in answer["notices"]] == [True]
    assert call(second, "engine status")["coverage"] == pytest.approx(2 / 3, abs=0.01)
    assert call(second, "engine sync")["added"] == 1
    assert call(second, "query", question="car")["notices"] == []
    assert slugs(second, "car")[0] == "things/automobile"


def test_a_memory_takes_out_what_it_wrote_and_nothing_else(pair: tuple[App, App]) -> None:
    first, second = pair
    put(second, "automobile")
    call(second, "engine sync")
    call(first, "rm", slug="things/harbour")
    assert (call(first, "engine sync")["removed"], call(first, "engine status")["texts"]) == (1, 3)
    call(second, "rm", slug="things/feline")
    assert call(second, "engine sync")["removed"] == 0
    assert call(first, "engine sync", all=True)["added"] == 2
    assert call(first, "engine status")["texts"] == 2


@pytest.mark.usefixtures("pair")
def test_an_index_that_is_lost_is_written_again(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "index")
    fresh = machine(tmp_path / "first", tmp_path / "index")
    answer = call(fresh, "query", question="physician seen")
    assert answer["results"][0]["slug"] == "things/physician"
    assert answer["notices"]
    assert call(fresh, "engine sync")["added"] == 3
    assert call(fresh, "query", question="doctor")["notices"] == []
    fresh.store.close()


def test_one_that_cannot_be_asked_leaves_what_is_here_and_says_so(
    pair: tuple[App, App], tmp_path: Path
) -> None:
    pair[0].store.close()
    (tmp_path / "file").write_text("no folder")
    alone = machine(tmp_path / "first", tmp_path / "file" / "index")
    answer = call(alone, "query", question="doctor")
    assert answer["results"][0]["slug"] == "things/physician"
    assert "meaning" in answer["results"][0]["why"]
    assert ["Searched with what is here alone" in each for each in answer["notices"]] == [True]
    assert "cannot be asked" in call(alone, "engine status")["problem"]
    alone.store.close()


def test_one_machine_writes_at_a_time(pair: tuple[App, App], tmp_path: Path) -> None:
    first, second = pair
    assert takers(str(tmp_path / "index")) == [False, True]
    put(second, "automobile")
    with pytest.raises(Busy, match="writes the shared index"):
        call(second, "engine sync")
    assert call(first, "engine status")["writer"]


def takers(address: str) -> list[bool]:
    """Two processes that want to write, this one and another; whether each was allowed to."""
    command = [sys.executable, "-c", TAKES, address]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    place = Place(address, PATIENCE)
    allowed = place.ask(IndexLease(place).take())
    return sorted([allowed, other.communicate(timeout=PATIENCE)[0].strip() == "True"])


def test_a_lease_ends_by_itself(pair: tuple[App, App], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair
    place = first.models.shared_index(first.models.current()).place
    assert place.ask(IndexLease(place).take())
    late = time.time() + 121
    monkeypatch.setattr("quaid.index.lance.lease.time.time", lambda: late)
    put(second, "automobile")
    assert call(second, "engine sync")["added"] == 1


def test_what_is_not_the_persons_own_is_not_shared(tmp_path: Path) -> None:
    foreign = machine(tmp_path / "foreign", tmp_path / "index", own=False)
    put(foreign, "feline")
    with pytest.raises(Untrusted):
        call(foreign, "engine sync")
    assert not (tmp_path / "index").exists()
    foreign.store.close()


@pytest.mark.parametrize("place", ["", "index"])
def test_a_place_that_is_none(tmp_path: Path, place: str) -> None:
    app = machine(tmp_path / "first", place)
    put(app, "feline")
    assert slugs(app, "feline") == ["things/feline"]
    with pytest.raises(InvalidInput):
        call(app, "engine sync")
    app.store.close()


# Object storage ----------------------------------------------------------------------------------


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """A server that speaks S3, with one bucket."""
    if not SERVER:
        pytest.skip("no S3-compatible server: pip install 'moto[server]', with its moto_server on the PATH")
    log = tmp_path / "server"
    with log.open("w") as file:
        process = subprocess.Popen([SERVER, "-p", "0"], stderr=file)
    address = eventually(lambda: re.search(r"http://[\d.]+:\d+", log.read_text()))[0]
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT": address,
        "AWS_ALLOW_HTTP": "true",
    }.items():
        monkeypatch.setenv(name, value)
    with urllib.request.urlopen(urllib.request.Request(f"{address}/team", method="PUT")):
        pass
    yield process
    process.kill()
    process.wait()


def test_object_storage(bucket: subprocess.Popen[bytes], tmp_path: Path) -> None:
    first, second = (machine(tmp_path / name, "s3://team/index") for name in ("first", "second"))
    put(first, "feline", "physician")
    put(second, "physician")
    assert call(first, "engine sync")["added"] == 2
    assert slugs(second, "doctor") == ["things/physician"]
    assert takers("s3://team/index") == [False, True]
    bucket.kill()
    bucket.wait()
    alone = machine(tmp_path / "first", "s3://team/index", seconds="1")
    answer = call(alone, "query", question="doctor")
    assert answer["results"][0]["slug"] == "things/physician"
    assert ["Searched with what is here alone" in each for each in answer["notices"]] == [True]
    for app in (first, second, alone):
        app.store.close()
