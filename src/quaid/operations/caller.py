"""Who calls an operation, and whose facts and pages those are.

A fact that is asserted by hand is the person's. An agent that knows otherwise asserts that too: both are
kept, and `check` shows them to the person, who decides. A page that the person wrote last is replaced by an
agent only if it names the version that it has read.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager

from quaid.app import App
from quaid.errors import Conflict
from quaid.formats.content import read_page
from quaid.formats.fields import claim_of, items_of
from quaid.formats.format import page_format
from quaid.model.actor import Actor, acting, present_actor
from quaid.model.page import Claim, Format, PageInfo
from quaid.store import deeds
from quaid.trust import agent_of

PERSON = "manual"  # who asserts what nobody says otherwise of
AGENT = "agent"

_PROCESS = os.urandom(4).hex()  # the session of whoever names none


def calling(client: str, session: str = "") -> AbstractContextManager[None]:
    """Let operations in the block run for a program of that name."""
    return acting(Actor("program", client, session=session or _PROCESS))


def agent(app: App) -> str:
    """The agent that calls, as far as can be told; "" for a person, or whoever does not say."""
    actor = present_actor()
    called = actor.name if actor.kind in ("agent", "program", "token") else ""
    return called or agent_of(app.environment)


def is_overruled(app: App, claim: Claim) -> bool:
    """Whether a change of a fact would overrule the person."""
    return claim.asserted_by == PERSON and bool(agent(app))


def refuse_overruling(app: App, claim: Claim) -> None:
    """Refuse to take back for an agent what the person has asserted."""
    if is_overruled(app, claim):
        raise Conflict(
            f"the person has asserted it: {quotation(claim)}",
            hint="Assert what you know; both are kept, and the person decides (`quaid check`).",
        )


def refuse_unread(app: App, page: PageInfo) -> None:
    """Refuse an agent that names no version to replace what the person wrote."""
    author = deeds.writers(app.connection, [page.id]).get(page.id) if agent(app) else None
    if author and author.is_person:
        raise Conflict(
            f"the person wrote version {page.version} of {page.slug}",
            hint=f"Read it, merge your change, and write with --expected-version {page.version}.",
            current_version=page.version,
        )


def with_facts_of_person(app: App, old: str, new: str, format: Format) -> str:
    """An agent's text of a page, with the facts that the person has asserted on it and that it lacks."""
    if not agent(app) or "assertions" not in old:
        return new
    known = {_heart(claim) for claim in read_page(new, "", format).claims}
    for item in items_of(read_page(old, "", format).frontmatter.get("assertions")):
        claim = claim_of(item)
        if claim and claim.asserted_by == PERSON and _heart(claim) not in known:
            new = page_format(format).editor.append_item(new, "assertions", item)
            app.notify(f"The person has asserted {quotation(claim)}: it stays, and `quaid check` asks them.")
    return new


def quotation(claim: Claim) -> str:
    """A fact as it is told."""
    since = f" from {claim.valid.since}" if claim.valid.since else ""
    until = f" until {claim.valid.until}" if claim.valid.until else ""
    return f"“{claim.subject} {claim.predicate} {claim.object}{since}{until}”"


def _heart(claim: Claim) -> tuple[object, ...]:
    return claim.subject, claim.predicate, claim.object, claim.valid, claim.asserted_by
