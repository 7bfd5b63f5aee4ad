"""Quaid: a local-first memory of pages for agents and for the person who owns it.

import quaid

with quaid.open() as memory:
    memory.query("who likes brief messages?", limit=3).results[0].slug
"""

__version__ = "0.1.0"
_LIBRARY = ("Memory", "open")


def __getattr__(name: str) -> object:
    """What programs use besides: opening a memory, and the errors. Loaded when it is first asked for."""
    if name not in _LIBRARY and not name[:1].isupper():
        raise AttributeError(f"module 'quaid' has no attribute {name!r}")
    from importlib import import_module  # the command line does without

    module = import_module("quaid.library" if name in _LIBRARY else "quaid.errors")
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LIBRARY})
