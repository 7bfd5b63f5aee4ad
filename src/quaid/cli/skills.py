"""The commands about skills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaid.agents.skills import library
from quaid.agents.skills.library import Candidate, Place, State
from quaid.agents.skills.skill import first_sentence
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS
from quaid.operations.paths import given_path
from quaid.operations.results import as_data
from quaid.operations.text import Style, clipped, columns, count_of, shown

_STATES: dict[State, str] = {
    "embedded": "comes with Quaid",
    "own": "your own",
    "unchanged": "the same as the embedded one",
    "older": "older than the embedded one; not edited",
    "edited": "edited by you",
    "edited-older": "edited by you; made from an older embedded one",
    "different": "differs from the embedded one",
    "untrusted": "not used: you have not accepted this directory",
}
_ADVICE: dict[State, str] = {
    "untrusted": "read it; `quaid trust DIR` accepts the directory with its skills and its memory",
    "older": "`quaid skills extract` brings it up to date",
    "edited-older": "`quaid skills extract {name} --to DIR` writes the new one, to compare with yours",
}


def list_skills(session: Session, given: Given) -> int:
    """List the skills that are used."""
    found = library.candidates(_places(session))
    unusable, strange = _unusable(found)
    used = library.active(found)
    if session.console.as_json:
        listed = [
            {
                "name": each.name,
                "description": each.contents.description,
                "origin": each.origin,
                "path": str(each.path),
                "hash": each.contents.hash,
                "overrides": list(each.overrides),
            }
            for each in used
        ]
        session.console.show_data({"skills": listed, "invalid": unusable, "untrusted": strange})
        return 0
    style = session.console.style()
    rows = []
    room = style.width - max((len(each.name) for each in used), default=0) - 13
    for each in used:
        sentence = clipped(shown(first_sentence(each.contents.description)), max(room, 20))
        rows.append((style.name(each.name), each.origin, sentence))
    session.console.show(columns(rows) or "No skills.")
    if unusable:
        session.console.notify(
            f"{count_of(unusable, 'skill')} cannot be used; `quaid skills doctor` says why."
        )
    if strange:
        here = session.here
        session.console.notify(
            f"{count_of(strange, 'skill')} of {here} not used; `quaid trust {here}` accepts them."
        )
    return 0


def show_skill(session: Session, given: Given) -> int:
    """Print a skill as it is written, for an agent to read."""
    chosen = library.skill(_places(session), given.values["name"])
    text = library.text_of(chosen, given.values.get("reference"))
    if session.console.as_json:
        session.console.show_data(
            {
                "name": chosen.name,
                "origin": chosen.origin,
                "path": str(chosen.path),
                "hash": chosen.contents.hash,
                "text": text,
                "references": list(chosen.contents.references),
            }
        )
    else:
        session.console.show_verbatim(text)
    return 0


def examine_skills(session: Session, given: Given) -> int:
    """Show where skills are looked for, every one that was found, and what is wrong."""
    where = _places(session)
    found = library.candidates(where)
    invalid, strange = _unusable(found)
    places = [
        {
            "origin": each.origin,
            "path": str(each.path),
            "exists": each.path.is_dir(),
            "trusted": each.trusted,
        }
        for each in where
    ]
    skills = [_data(each) for each in found]
    session.console.answer(
        {"places": places, "skills": skills, "invalid": invalid, "untrusted": strange},
        _examined_text(where, found, session.console.style()),
    )
    return FINDINGS_STATUS if invalid else 0


def extract_skills(session: Session, given: Given) -> int:
    """Copy embedded skills to where they can be edited."""
    to = given.values.get("to")
    target = given_path(to) if to is not None else session.home / ".quaid" / "skills"
    names = given.values.get("names")
    prefix = given.values.get("prefix") or ""
    done = library.install(target, names, prefix, bool(given.values.get("force")))
    copies = [{"name": each.name, "path": str(each.path), "did": each.did} for each in done]
    style = session.console.style()
    rows = [(each.did, style.name(each.name), str(each.path)) for each in done]
    session.console.answer({"target": str(target), "skills": copies}, columns(rows))
    if not session.console.as_json and any(each.did == "kept" for each in done):
        session.console.notify("what was kept is not as it was extracted; --force replaces it")
    return 0


def _places(session: Session) -> tuple[Place, ...]:
    return library.places(session.home, session.here)


def _place_text(place: Place) -> str:
    there = "" if place.path.is_dir() else "  (not there)"
    there = there or ("" if place.trusted else "  (not trusted)")
    path = "in the program" if place.origin == "embedded" else str(place.path)
    return f"{place.origin:10} {path}{there}"


def _examined_text(where: Sequence[Place], found: Sequence[Candidate], style: Style) -> str:
    rows = [
        (
            f"{'*' if each.active else ' '} {style.name(each.name)}",
            each.origin,
            each.contents.hash[:12],
            _STATES[each.state],
        )
        for each in found
    ]
    lines = ["Of skills of one name, the last valid one is used:"]
    lines += [f"  {number}. {_place_text(each)}" for number, each in enumerate(where, 1)]
    lines += ["", "Found; * is used:"]
    for each, line in zip(found, columns(rows).splitlines(), strict=True):
        lines += [line, *_advice(each, style)]
    invalid, _ = _unusable(found)
    return "\n".join(
        [*lines, "", f"{count_of(invalid, 'skill')} cannot be used" if invalid else "Nothing is wrong."]
    )


def _advice(each: Candidate, style: Style) -> Iterator[str]:
    """What is wrong with a skill, and what to do."""
    for finding in each.contents.findings if each.state != "untrusted" else ():
        yield f"    {style.warning(shown(finding.message))}"
        yield f"      {finding.hint}"
    if each.state in _ADVICE and (each.state == "untrusted" or not each.contents.findings):
        yield f"    {_ADVICE[each.state].format(name=each.name)}"


def _data(each: Candidate) -> dict[str, object]:
    return {
        "name": each.name,
        "origin": each.origin,
        "path": str(each.path),
        "hash": each.contents.hash,
        "active": each.active,
        "state": each.state,
        "findings": as_data(each.contents.findings),
    }


def _unusable(found: Sequence[Candidate]) -> tuple[int, int]:
    """How many are not valid, and how many of the others lie in a directory that was not accepted."""
    strange = [each for each in found if each.state == "untrusted"]
    invalid = sum(bool(each.contents.findings) for each in found if each not in strange)
    return invalid, len(strange)
