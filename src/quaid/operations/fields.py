"""Arguments that several operations have."""

from __future__ import annotations

from typing import Any

from quaid.model.record import record
from quaid.operations.operation import DAY, arg


def read_version(help: str, *, for_tools: bool | str = True) -> Any:
    """The version that a caller has read, without which a program may not write.

    A person may leave it out: whoever types a command means the page as it is. `for_tools` may name another
    argument, with which alone it is needed.
    """
    return arg(help, default=None, for_tools=for_tools, least=0)


PAGE = arg("The page.", positional=True, completes="slug")
PAGE_VERSION = read_version("The version that was read.")
NOTEBOOK = arg("The notebook; otherwise the default one.", default=None, completes="collection")
ONE_COLLECTION = arg("The collection.", positional=True, completes="collection")
EVERY_COLLECTION = arg(
    "The collection; otherwise all.", default=None, positional=True, completes="collection"
)
IN_COLLECTION = arg("Only pages of this collection.", default=None, completes="collection")
OF_TYPE = arg("Only pages of this type.", default=None, completes="type")
WITH_TAG = arg("Only pages with this tag.", default=None, completes="tag")
SETTING = arg("The setting.", positional=True, completes="setting")
AS_OF = arg("The day on which the answer is to be true, instead of today.", default=None, placeholder=DAY)
OF_RELATIONSHIP = arg("Only links of this relationship.", default=None)
VALID_FROM = arg("The first day on which it is true.", default=None)
VALID_UNTIL = arg("The first day on which it is no longer true.", default=None)
CONFIDENCE = arg("How sure it is, from 0 to 1.", default=None)
KNOWN_FROM = arg("Where it is known from.", default=None)
SAID_BY = arg("Who says so; otherwise manual.", default=None)
WORDS = arg("The words that say so.", default=None)
CONVERSATION = arg("The conversation: its id, that of its session, or the beginning of one.", positional=True)
OF_CLIENT = arg("Only conversations with this client.", default=None)
OF_PROJECT = arg("Only conversations in this folder; its name is enough.", default=None)


@record
class Nothing:
    """No arguments."""
