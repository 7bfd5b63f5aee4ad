"""Prompts: a briefing from what the memory holds, and a guide for taking in a meeting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mcp_types import Prompt, PromptArgument

from quaid import operations
from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.formats import fence
from quaid.operations.text import Style

PROMPTS = (
    Prompt(
        name="memory_briefing",
        title="Briefing",
        description="Compile a briefing from the current state of the memory.",
        arguments=[PromptArgument(name="since", description="What is new since then: a day, 24h, 7d, 2w.")],
    ),
    Prompt(
        name="memory_context",
        title="What to always know",
        description="Standing orders, reference and the last days' logs of the notebook.",
        arguments=[],
    ),
    Prompt(
        name="memory_ingest_meeting",
        title="Take in a meeting",
        description="Guide for taking in a meeting's transcript or notes.",
        arguments=[
            PromptArgument(
                name="transcript", description="The transcript or notes, if you have them as text."
            ),
            PromptArgument(
                name="source_ref", description="Where it comes from, such as meeting/2026-04-03-sync."
            ),
            PromptArgument(name="date", description="The day of the meeting."),
        ],
    ),
)

TELLING = {"memory_context": "context", "memory_briefing": "briefing"}  # operations whose answers are in them


def prompt_text(app: App, name: str, arguments: Mapping[str, str]) -> str:
    """What a prompt says."""
    known = next((prompt for prompt in PROMPTS if prompt.name == name), None)
    if known is None:
        raise NotFound(f"no prompt {name!r}", hint=f"There are: {', '.join(each.name for each in PROMPTS)}.")
    names = [argument.name for argument in known.arguments or ()]
    unknown = [argument for argument in arguments if argument not in names]
    if unknown:
        raise InvalidInput(f"unknown argument {unknown[0]!r}", hint=f"It takes: {', '.join(names)}.")
    if name == "memory_context":
        return str(operations.call(app, name, {}).text)
    return _briefing(app, arguments) if name == "memory_briefing" else _meeting(arguments)


def _text(name: str) -> str:
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def _briefing(app: App, arguments: Mapping[str, str]) -> str:
    operation = operations.operation("briefing")
    values = {"format": "markdown"} | ({"since": arguments["since"]} if arguments.get("since") else {})
    state = operation.render(operations.call(app, operation.tool, values), Style())
    return _text("briefing").format(state=fence.fenced("memory-state", state))


def _meeting(arguments: Mapping[str, str]) -> str:
    labels = {"source_ref": "Source", "date": "Day"}
    given = [f"{labels[name]}: {fence.attribute(arguments[name])}" for name in labels if arguments.get(name)]
    transcript = arguments.get("transcript")
    given.append(
        f"The meeting:\n\n{fence.fenced('transcript', transcript)}"
        if transcript
        else "Ask me for the transcript if you do not have it."
    )
    return _text("meeting").format(given="\n" + "\n".join(given))
