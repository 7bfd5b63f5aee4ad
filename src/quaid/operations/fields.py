"""Arguments that several operations have."""

from __future__ import annotations

from typing import Any

from quaid.model.record import record
from quaid.operations.operation import DAY, arg, option


def read_version(help: str, *, for_tools: bool | str = True) -> Any:
    """The version that a caller has read, without which a program may not write.

    A person may leave it out: whoever types a command means the page as it is. `for_tools` may name another
    argument, with which alone it is needed.
    """
    return option(help, for_tools=for_tools, least=0)


PAGE = arg("The page.", positional=True, completes="slug")
PAGE_VERSION = read_version("The version that was read.")
NOTEBOOK = option("The notebook; otherwise the default one.", completes="collection")
ONE_COLLECTION = arg("The collection.", positional=True, completes="collection")
EVERY_COLLECTION = option("The collection; otherwise all.", positional=True, completes="collection")
IN_COLLECTION = option("Only pages of this collection.", completes="collection")
OF_TYPE = option("Only pages of this type.", completes="type")
WITH_TAG = option("Only pages with this tag.", completes="tag")
SETTING = arg("The setting.", positional=True, completes="setting")
AS_OF = option("The day on which the answer is to be true, instead of today.", placeholder=DAY)
OF_RELATIONSHIP = option("Only links of this relationship.")
VALID_FROM = option("The first day on which it is true.")
VALID_UNTIL = option("The first day on which it is no longer true.")
CONFIDENCE = option("How sure it is, from 0 to 1.")
KNOWN_FROM = option("Where it is known from.")
SAID_BY = option("Who says so; otherwise manual.")
WORDS = option("The words that say so.")
CONVERSATION = arg("The conversation: its id, that of its session, or the beginning of one.", positional=True)
OF_CLIENT = option("Only conversations with this client.")
OF_PROJECT = option("Only conversations in this folder; its name is enough.")


@record
class Nothing:
    """No arguments."""
