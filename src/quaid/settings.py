"""Layered settings: defaults, the user's file, the memory's file, the memory's own, environment, flags.

The later layer wins. Nothing below this module reads the environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from quaid.errors import InvalidInput, NotFound
from quaid.model import spelling
from quaid.model.record import record

Value = str | int | float | bool
MOST = 1_000_000
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LayerName = Literal["default", "user", "file", "memory", "environment", "flag"]


@record
class Setting:
    """One thing that can be set. Its type is its default's."""

    key: str
    default: Value
    meaning: str
    choices: tuple[str, ...] = ()
    least: float = 0
    personal: bool = False  # not taken from a memory, which may be somebody else's

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "QUAID_" + self.key.upper().replace(".", "_")

    @property
    def kind(self) -> str:
        return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[
            type(self.default)
        ]

    def parse(self, text: Value) -> Value:
        """A value of this setting's type, from text or from a typed file."""
        try:
            value = self._convert(text)
        except ValueError:
            raise InvalidInput(f"{self.key} must be {self.kind}, not {text!r}") from None
        if self.choices and value not in self.choices:
            raise InvalidInput(f"{self.key} must be one of {', '.join(self.choices)}, not {text!r}")
        if not isinstance(value, (str, bool)) and not self.least <= value <= MOST:
            raise InvalidInput(f"{self.key} must be from {self.least:g} to {MOST:,}, not {text!r}")
        return value

    def _convert(self, text: Value) -> Value:
        if isinstance(self.default, bool):
            word = str(text).strip().lower()
            if word not in _TRUTH:
                raise ValueError(word)
            return _TRUTH[word]
        if isinstance(self.default, int):
            return int(str(text))
        return float(str(text)) if isinstance(self.default, float) else str(text)


SETTINGS: tuple[Setting, ...] = (
    Setting("list.limit", 50, "How many pages `list` shows unless told otherwise.", least=1),
    Setting(
        "put.collection",
        "",
        "The collection of new pages; empty: the one in whose folder you stand, else the default one.",
    ),
    Setting("search.limit", 20, "How many pages `search` shows unless told otherwise.", least=1),
    Setting(
        "search.engine",
        "own",
        "Where words and vectors are looked up: in the memory itself, or in a shared LanceDB index.",
        choices=("own", "lance"),
        personal=True,
    ),
    Setting(
        "search.engine_place",
        "",
        "Where the shared index is: a folder, or an address such as s3://bucket/name.",
        personal=True,
    ),
    Setting(
        "search.engine_timeout",
        3.0,
        "Seconds to wait for the shared index before a question is answered without it.",
        least=0.1,
        personal=True,
    ),
    Setting("store.busy_timeout", 30.0, "Seconds to wait for another process that writes.", least=0),
    Setting(
        "embed.background",
        "on",
        "Whether new texts are embedded in the background.",
        choices=("on", "off"),
    ),
    Setting(
        "embed.url",
        "",
        "The embeddings server, such as http://localhost:11434/v1, of `http:` models.",
        personal=True,
    ),
    Setting("embed.model", "", "The name of the model that this server is asked for.", personal=True),
    Setting("embed.key_variable", "", "The environment variable that holds the server's key.", personal=True),
    Setting(
        "embed.query_prefix",
        "",
        "What stands before a question for `http:` and `fastembed:` models.",
        personal=True,
    ),
    Setting("embed.timeout", 30.0, "Seconds to wait for the embeddings server.", least=0.1, personal=True),
    Setting("models.directory", "~/.quaid/models", "Where the files of embedding models are.", personal=True),
    Setting(
        "models.source", "", "Where to download models from; empty: their publishers' address.", personal=True
    ),
    Setting(
        "models.download", "ask", "Whether models may be downloaded.", choices=("ask", "never"), personal=True
    ),
    Setting("query.limit", 10, "How many pages `query` shows unless told otherwise.", least=1),
    Setting("query.token_budget", 4000, "How many tokens an answer of `query` may have.", least=1),
    Setting(
        "query.merge",
        "balanced",
        "How words and meaning are brought together.",
        choices=("balanced", "set-union", "rrf"),
    ),
    Setting("query.rrf_k", 60, "The constant of `rrf`: the higher, the less first places count.", least=1),
    Setting(
        "search.rerank",
        "auto",
        "Whether a reranker reads the best passages before they are ordered; auto: if its files are here.",
        choices=("auto", "off", "on"),
    ),
    Setting(
        "query.catch_up",
        32,
        "Up to how many new texts a query embeds itself; more are done in the background.",
        least=0,
    ),
    Setting(
        "facts.many_objects",
        "",
        "Predicates with several objects at a time, besides the usual ones; `-role` takes one away.",
    ),
    Setting(
        "facts.one_subject",
        "",
        "Predicates that one subject alone can have with an object, besides the usual ones.",
    ),
    Setting(
        "facts.synonyms",
        "",
        "Predicates that say the same as others, besides the usual ones: `boss=reports_to, seat=based_in`.",
    ),
    Setting(
        "check.stale_days", 30, "How many days newer than its truth a timeline makes a page stale.", least=1
    ),
    Setting(
        "gaps.threshold",
        0.2,
        "Below which confidence a memory probably does not know; such a question is a gap.",
    ),
    Setting("gaps.log", True, "Whether questions that find little are noted, as hashes."),
    Setting("history.versions", 10, "How many earlier versions of a page are kept.", least=0),
    Setting("history.days", 90, "For how many days earlier versions are kept.", least=0),
    Setting(
        "activity.reads",
        False,
        "Whether it is noted who reads which page, and asks what (as hashes), for `activity --reads`.",
        personal=True,
    ),
    Setting("activity.days", 30, "For how many days that is kept.", least=0),
    Setting(
        "sync.on_read",
        "auto",
        "Whether commands look at files before they answer.",
        choices=("auto", "never"),
    ),
    Setting("sync.cheap_files", 100_000, "Up to how many files a command looks at before it answers."),
    Setting("sync.catch_up", 500, "Up to how many changed files a command reads before it answers."),
    Setting("sync.debounce", 1.5, "Seconds of quiet after which `watch` reads what has changed.", least=0),
    Setting(
        "mcp.tools",
        "",
        "Sets and tools that MCP clients are offered, such as core,notebook; empty: what fits the memory.",
    ),
    Setting("mcp.max_tokens", 10_000, "How long an answer to an MCP client may be, in tokens.", least=1_000),
    Setting("server.rate", 500, "How many requests a second a token may make.", least=1, personal=True),
    Setting("server.at_once", 32, "How many requests of a token are worked at.", least=1, personal=True),
    Setting("output.color", "auto", "Colours on a terminal.", choices=("auto", "always", "never")),
    Setting("time.zone", "", "The zone of days, such as Europe/Berlin; empty: the system's."),
    Setting(
        "notebook.default",
        "",
        "The collection that is the notebook; empty: the default one if it is a notebook, else the first.",
    ),
    Setting("recall.max_results", 15, "How many passages `recall` shows unless told otherwise.", least=1),
    Setting("recall.min_score", 0.25, "Below which score `recall` shows nothing; from 0 to 1."),
    Setting("prompt.reference_dir", "reference", "The folder of a notebook that is always loaded."),
    Setting("prompt.daily_window", 2, "How many days of daily logs are always loaded."),
    Setting("prompt.max_per_file_chars", 8000, "How many characters of a file `context` shows.", least=1),
    Setting(
        "prompt.max_total_reference_chars", 32_000, "How many characters `context` shows in all.", least=1
    ),
    Setting(
        "warm.minutes",
        20,
        "Minutes for which a process with everything loaded stands by after a question; 0: there is none.",
        least=0,
        personal=True,
    ),
    Setting("hooks.context", True, "Whether a hook gives the context when an agent's session begins."),
    Setting(
        "hooks.recall",
        "meaning",
        "How a hook looks for lines that help with a prompt; by words where no model is ready.",
        choices=("off", "words", "meaning"),
    ),
    Setting("hooks.recall_chars", 1500, "How many characters a hook adds to a prompt from the memory."),
    Setting(
        "hooks.window_tokens",
        200_000,
        "The context window of the agent's model, where its transcript does not say.",
        least=1000,
    ),
    Setting(
        "hooks.flush_share", 0.75, "Which share of the window is full when the agent is asked to write down."
    ),
    Setting("hooks.flush", True, "Whether a hook asks the agent to write down before its window is full."),
    Setting("hooks.index", True, "Whether hooks index the transcripts of conversations."),
    Setting(
        "hooks.sync",
        True,
        "Whether folders that are shared are exchanged after an agent's session.",
        personal=True,
    ),
)

_BY_KEY = {setting.key: setting for setting in SETTINGS}
# What programs before this one called a setting.
_FORMER = {
    "default_token_budget": "query.token_budget",
    "search_merge_strategy": "query.merge",
    "search.max_results": "recall.max_results",
    "search.min_score": "recall.min_score",
    "search.fusion_k": "query.rrf_k",
    "sync.watch_debounce_ms": "sync.debounce",
    "embedding.models_dir": "models.directory",
}


def current(key: str) -> str:
    """Today's name of a setting, which may be given in camelCase or by a former name."""
    if key in _BY_KEY:
        return key
    plain = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in key)
    plain = plain.removeprefix("memory.")
    return _FORMER.get(plain, plain)


def converted(key: str, value: Value) -> Value:
    """A value in today's unit: milliseconds become seconds."""
    if not key.lower().endswith("ms") or key in _BY_KEY:
        return value
    try:
        return float(value) / 1000
    except ValueError:
        return value


def setting_named(key: str) -> Setting:
    """The setting of that name, or of that former name."""
    setting = _BY_KEY.get(current(key))
    if setting is None:
        otherwise = "`quaid config list` shows all of them."
        raise NotFound(f"no setting {key!r}", hint=spelling.hint(key, _BY_KEY, otherwise))
    return setting


@record
class Layer:
    """Values from one place. `origin` says which, for people."""

    name: LayerName
    origin: str
    values: Mapping[str, Value]
    file: Path | None = None


class Settings:
    """The layers together."""

    def __init__(self, *layers: Layer) -> None:
        order = get_args(LayerName)
        self._layers = sorted(layers, key=lambda each: order.index(each.name))

    def adding(self, layer: Layer) -> Settings:
        """These settings with one more layer, at its place."""
        return Settings(*self._layers, layer)

    def with_file(self, path: Path) -> Settings:
        """These settings with those of a memory's config.toml, which may be the person's own."""
        own = next((layer for layer in self._layers if layer.file == path), None)
        layer = Layer("file", path.name, own.values, path) if own else file_layer(path)
        return Settings(*self._layers, layer)

    def find(self, key: str) -> tuple[Value, str]:
        """A setting's value and where it comes from."""
        setting = _BY_KEY[key]
        for layer in reversed(self._layers):
            if key in layer.values and not (setting.personal and layer.name in ("file", "memory")):
                return setting.parse(layer.values[key]), layer.origin
        return setting.default, "default"

    def integer(self, key: str) -> int:
        return int(self.find(key)[0])

    def number(self, key: str) -> float:
        return float(self.find(key)[0])

    def flag(self, key: str) -> bool:
        return bool(self.find(key)[0])

    def text(self, key: str) -> str:
        return str(self.find(key)[0])


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """The settings that QUAID_ variables give."""
    given = {name for name in environment if name.startswith("QUAID_")}
    values = {
        setting.key: environment[setting.variable]
        for setting in (SETTINGS if given else ())
        if setting.variable in given and environment[setting.variable]
    }
    return Layer("environment", "environment", values)


def file_layer(path: Path, name: LayerName = "file") -> Layer:
    """The settings of a config.toml; its tables are the first part of each key."""
    origin = path.name if name == "file" else f"~/.quaid/{path.name}"
    if not path.is_file():
        return Layer(name, origin, {}, path)
    import tomllib  # 15 ms that only those pay who have the file

    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}", hint="Correct it; it is a TOML file.") from None
    values = {
        current(key): converted(key, value) for key, value in flat_values(tables) if current(key) in _BY_KEY
    }
    return Layer(name, origin, values, path)


def flat_values(tables: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Value]]:
    """The values of nested tables, by their whole names."""
    for name, content in tables.items():
        if isinstance(content, dict):
            yield from flat_values(content, f"{above}{name}.")
        elif isinstance(content, (str, int, float, bool)):
            yield f"{above}{name}", content
