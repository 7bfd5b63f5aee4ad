"""Arguments that several operations of a knowledge base have."""

from __future__ import annotations

from typing import Literal

from quaid.operations.operation import arg

Type = Literal["principle", "preference", "procedure", "observation", "reference"]
Status = Literal["current", "contested", "superseded"]
Confidence = Literal["user-stated", "observed", "inferred", "external"]
Visibility = Literal["personal", "work-private"]

NODE = "ID, the start of one, title, file or pointer of a node."
KB = arg(
    "The knowledge base: a directory, or its collection; otherwise AI_KB or $XDG_DATA_HOME/ai-kb.",
    default=None,
    placeholder="PATH",
    for_models="The collection, if several knowledge bases are attached.",
)
OFFLINE = arg("Do not ask the remote.", default=False)
YES = arg("The person has decided: do not ask.", default=False)
POINTERS = arg(
    "Also repoint `ai-kb: Title (ID)` in this file; may be repeated.",
    default=None,
    flag="--pointers",
    many=True,
    placeholder="FILE",
)
