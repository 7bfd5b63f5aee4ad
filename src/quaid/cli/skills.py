"""The commands about skills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaid.agents import skills
from quaid.agents.skill import first_sentence
from quaid.agents.skills import Candidate, Place, State
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS
from quaid.operations.paths import given_path
from quaid.operations.results import as_data
from quaid.operations.text import Style, clipped, columns, shown

_STATES: dict[State, str] = {
    "embedded": "comes with Quaid",
    "own": "your own",
    "unchanged": "the same as the embedded one",
    "older": "older than the embedded one; not edited",
    "edited": "edited by you",
    "edited-older": "edited by you; made from an older embedded one",
    "different": "differs from the embedded one",
}
_ADVICE: dict[State, str] = {
    "older": "`quaid skills extract` brings it up to date",
    "edited-older": "`quaid skills extract {name} --to DIR` writes the new one, to compare with yours",
}


def list_skills(session: Session, given: Given) -> int:
    """List the skills that are used."""
    found = skills.candidates(_places(session))
    unusable = sum(bool(each.contents.findings) for each in found)
    used = skills.active(found)
    if session.console.as_json:
        listed = [
            {
                "name": each.name,
                "description": each.description,
                "origin": each.origin,
                "path": str(each.path),
                "hash": each.hash,
                "overrides": list(each.overrides),
            }
            for each in used
        ]
        session.console.show_data({"skills": listed, "invalid": unusable})
        return 0
    style = session.console.style()
    rows = []
    for each in used:
        room = style.width - max(len(other.name) for other in used) - 13
        sentence = clipped(shown(first_sentence(each.description)), max(room, 20))
        rows.append((style.name(each.name), each.origin, sentence))
    session.console.show(columns(rows) or "No skills.")
    if unusable:
        session.console.notify(f"{_count(unusable)} cannot be used; `quaid skills doctor` says why.")
    return 0


def show_skill(session: Session, given: Given) -> int:
    """Print a skill as it is written, for an agent to read."""
    chosen = skills.skill(_places(session), given.values["name"])
    text = skills.text_of(chosen, given.values.get("reference"))
    if session.console.as_json:
        session.console.show_data(
            {
                "name": chosen.name,
                "origin": chosen.origin,
                "path": str(chosen.path),
                "hash": chosen.hash,
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
    found = skills.candidates(where)
    invalid = sum(bool(each.contents.findings) for each in found)
    if session.console.as_json:
        data = {
            "places": [
                {"origin": each.origin, "path": str(each.path), "exists": each.path.is_dir()}
                for each in where
            ],
            "skills": [_data(each) for each in found],
            "invalid": invalid,
        }
        session.console.show_data(data)
    else:
        session.console.show(_examined_text(where, found, session.console.style()))
    return FINDINGS_STATUS if invalid else 0


def extract_skills(session: Session, given: Given) -> int:
    """Copy embedded skills to where they can be edited."""
    to = given.values.get("to")
    target = given_path(to) if to is not None else session.home / ".quaid" / "skills"
    names = given.values.get("names")
    prefix = given.values.get("prefix") or ""
    done = skills.install(target, names, prefix, bool(given.values.get("force")))
    if session.console.as_json:
        copies = [{"name": each.name, "path": str(each.path), "did": each.did} for each in done]
        session.console.show_data({"target": str(target), "skills": copies})
        return 0
    style = session.console.style()
    rows = [(each.did, style.name(each.name), str(each.path)) for each in done]
    session.console.show(columns(rows))
    if any(each.did == "kept" for each in done):
        session.console.notify("what was kept is not as it was extracted; --force replaces it")
    return 0


def _places(session: Session) -> tuple[Place, ...]:
    return skills.places(session.home, session.here)


def _place_text(place: Place) -> str:
    there = "" if place.path.is_dir() else "  (not there)"
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
    invalid = sum(bool(each.contents.findings) for each in found)
    return "\n".join([*lines, "", f"{_count(invalid)} cannot be used" if invalid else "Nothing is wrong."])


def _advice(each: Candidate, style: Style) -> Iterator[str]:
    """What is wrong with a skill, and what to do."""
    for finding in each.contents.findings:
        yield f"    {style.warning(shown(finding.message))}"
        yield f"      {finding.hint}"
    if not each.contents.findings and each.state in _ADVICE:
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


def _count(number: int) -> str:
    return "1 skill" if number == 1 else f"{number:,} skills"
