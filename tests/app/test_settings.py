"""Settings in layers: the later one wins, and each value says where it comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App, open_app
from quaid.settings import SETTINGS, Settings, file_layer
from tests.support import held, quick


def value(db: Path, key: str = "list.limit", **variables: str) -> tuple[object, str]:
    view = quick("config", "get", key, "--json", db=db, env=variables).json
    return view["value"], view["origin"]


def test_the_layers(app: App, db: Path) -> None:
    assert value(db) == (50, "default")
    config = db.with_name("config.toml")
    config.write_text("[list]\nlimit = 10\n")
    assert value(db) == (10, "config.toml")
    quick("config", "set", "list.limit", "20", db=db)
    assert value(db) == (20, "memory")
    assert value(db, QUAID_LIST_LIMIT="30") == (30, "environment")
    assert quick("config", "set", "list.limit", "--unset", "--json", db=db).json["value"] == 10
    assert value(db) == (10, "config.toml")


def test_a_setting_of_the_memory_travels_with_it(app: App, db: Path, tmp_path: Path) -> None:
    quick("config", "set", "list.limit", "1", db=db)
    for slug in ("a", "b"):
        quick("put", slug, input="x", db=db)
    assert len(quick("list", "--json", db=db).json["pages"]) == 1
    assert len(quick("list", "--json", "--limit", "5", db=db).json["pages"]) == 2


def test_the_list_has_every_setting_with_meaning_and_default(app: App, db: Path) -> None:
    listed = quick("config", "list", "--json", db=db).json["settings"]
    assert [each["key"] for each in listed] == [setting.key for setting in SETTINGS]
    assert all(each["meaning"].endswith(".") and "default" in each for each in listed)
    text = quick("config", "list", db=db).out
    assert all(setting.key in text and setting.meaning in text for setting in SETTINGS)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("list.limit", "many"),
        ("list.limit", "0"),
        ("list.limit", "1.5"),
        ("list.limit", "99999999999999999999999"),
        ("store.busy_timeout", "-1"),
        ("store.busy_timeout", "nan"),
        ("store.busy_timeout", "inf"),
        ("output.color", "rainbow"),
        ("time.zone", "Mars/Olympus"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(app: App, db: Path, key: str, text: str) -> None:
    ran = quick("config", "set", key, text, "--json", db=db)
    assert (ran.status, ran.error["code"]) == (2, "invalid_input")
    assert value(db, key)[1] == "default"


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("QUAID_LIST_LIMIT", "many"),
        ("QUAID_LIST_LIMIT", "99999999999999999999999"),
        ("QUAID_STORE_BUSY_TIMEOUT", "nan"),
        ("QUAID_STORE_BUSY_TIMEOUT", "inf"),
        ("QUAID_STORE_BUSY_TIMEOUT", "1e300"),
        ("QUAID_OUTPUT_COLOR", "rainbow"),
    ],
)
def test_a_variable_that_does_not_fit_is_an_error_that_names_the_setting(
    app: App, db: Path, variable: str, text: str
) -> None:
    ran = quick("list", db=db, env={variable: text})
    assert ran.status == 2
    assert variable.lower().split("_", 1)[1].replace("_", ".", 1) in ran.err


def test_an_unknown_setting(app: App, db: Path) -> None:
    assert quick("config", "get", "no.such", db=db).status == 3
    assert quick("config", "set", "no.such", "1", db=db).status == 3


def test_a_value_and_unset_exclude_one_another(app: App, db: Path) -> None:
    assert quick("config", "set", "list.limit", db=db).status == 2
    assert quick("config", "set", "list.limit", "5", "--unset", db=db).status == 2


@pytest.mark.parametrize("text", ["[list\n", "\x00", "[list]\nlimit = \xff\n"])
def test_a_config_file_that_cannot_be_read_says_so(app: App, db: Path, text: str) -> None:
    db.with_name("config.toml").write_bytes(text.encode("latin-1"))
    ran = quick("list", db=db)
    assert ran.status == 2
    assert "config.toml" in ran.err


def test_a_config_file_of_a_later_quaid_is_fine(app: App, db: Path) -> None:
    db.with_name("config.toml").write_text("top = 1\n[future]\nsetting = [1]\n[list]\nlimit = 3\nnew = 4\n")
    assert value(db)[0] == 3


def test_the_memorys_own_busy_timeout_is_in_force(app: App, db: Path) -> None:
    db.with_name("config.toml").write_text("[store]\nbusy_timeout = 60\n")
    quick("config", "set", "store.busy_timeout", "0.1", db=db)
    assert value(db, "store.busy_timeout") == (0.1, "memory")
    with held(db, "BEGIN IMMEDIATE"):
        assert quick("put", "a", input="x", db=db).status == 8
    opened = open_app(db, Settings())
    assert opened.connection.pragma("busy_timeout") == 100
    opened.store.close()


@pytest.mark.parametrize(
    ("former", "value", "key", "shown"),
    [
        ("default_token_budget", "3000", "query.token_budget", "3000"),
        ("search_merge_strategy", "rrf", "query.merge", "rrf"),
        ("memory.search.maxResults", "4", "recall.max_results", "4"),
        ("memory.sync.watchDebounceMs", "500", "sync.debounce", "0.5"),
        ("prompt.dailyWindow", "1", "prompt.daily_window", "1"),
    ],
)
def test_former_names_of_settings(db: Path, former: str, value: str, key: str, shown: str) -> None:
    quick("init", db)
    assert quick("config", "set", former, value, db=db).out == f"{key} = {shown} (memory)\n"
    assert quick("config", "get", former, db=db).out == f"{shown}\n"


def test_former_names_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[memory.search]\nmaxResults = 4\n[sync]\nwatchDebounceMs = 500\n")
    settings = Settings(file_layer(tmp_path / "config.toml"))
    assert settings.integer("recall.max_results") == 4
    assert settings.number("sync.debounce") == 0.5
