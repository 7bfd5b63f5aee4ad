"""Settings."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.operations.fields import SETTING, Nothing
from quaid.operations.operation import Operation, flag, option
from quaid.operations.text import columns
from quaid.operations.tool_sets import operations_named
from quaid.settings import SETTINGS, Setting, Value, converted, setting_named
from quaid.store import config


@record
class SettingView:
    """A setting, its value and where that comes from."""

    key: str
    value: Value
    origin: str
    default: Value
    meaning: str
    choices: tuple[str, ...] | None = None


@record
class SettingList:
    """All settings."""

    settings: tuple[SettingView, ...]


@record
class ConfigGet:
    key: str = SETTING


def config_get(app: App, args: ConfigGet) -> SettingView:
    """The value of a setting."""
    return _view(app, setting_named(args.key))


CONFIG_GET = Operation(
    "config get",
    config_get,
    render=lambda view, style: _value(view.value),
    examples=("config get search.limit",),
    looks="nothing",
)


@record
class ConfigSet:
    key: str = SETTING
    value: str | None = option("Its value in this memory.", positional=True)
    unset: bool = flag("Remove the value, so that the default counts.")


def config_set(app: App, args: ConfigSet) -> SettingView:
    """Set a setting in this memory. An environment variable or a flag still comes before it."""
    setting = setting_named(args.key)
    if args.unset == (args.value is not None):
        raise InvalidInput("give either a value or --unset")
    if setting.personal:
        raise InvalidInput(
            f"{setting.key} is yours, not the memory's",
            hint=f"Set it in ~/.quaid/config.toml, or with {setting.variable}.",
        )
    if args.value is None:
        config.remove(app.connection, setting.key)
    else:
        if setting.key == "mcp.tools" and args.value:
            operations_named(args.value)  # what no server could offer is refused here
        config.put(app.connection, setting.key, _value(setting.parse(converted(args.key, args.value))))
    fresh = app.reread()
    fresh.today()  # a zone that nobody knows is refused here, and the transaction undone
    return _view(fresh, setting)


CONFIG_SET = Operation(
    "config set",
    config_set,
    render=lambda view, style: f"{view.key} = {_value(view.value)} ({view.origin})",
    effect="write",
    for_owner=True,
    examples=("config set search.limit 10", "config set search.limit --unset"),
    looks="nothing",
)


def config_list(app: App, args: Nothing) -> SettingList:
    """All settings, with their values, where these come from, and what they mean."""
    return SettingList(tuple(_view(app, setting) for setting in SETTINGS))


CONFIG_LIST = Operation(
    "config list",
    config_list,
    render=lambda result, style: columns(
        [
            (style.name(each.key), _value(each.value) or '""', style.dim(each.origin), each.meaning)
            for each in result.settings
        ]
    ),
    examples=("config list --json",),
    looks="nothing",
)


def _view(app: App, setting: Setting) -> SettingView:
    value, origin = app.settings.find(setting.key)
    return SettingView(setting.key, value, origin, setting.default, setting.meaning, setting.choices or None)


def _value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
