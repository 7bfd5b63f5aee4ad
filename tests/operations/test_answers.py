"""What a question shows: the line, the facts, what is no longer true, and doubts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from tests.support import call, quick

TARN = """---
type: company
email: info@tarn-robotics.example
phone: +351 22 555 0142
expected_close: 2027-02-15
assertions:
  - {subject: Tarn Robotics, predicate: headcount, object: 84, valid_from: 2025-01, valid_until: 2026-04-01}
  - {subject: Tarn Robotics, predicate: headcount, object: 91, valid_from: 2026-04-01, supersedes: 84}
---
# Tarn Robotics

> Builds small robots that inspect sewers.

The team of 84 people sits in Porto and Vigo.

## Risks

- One customer brings most of the turnover
- The patent on the joint runs out in 2031
- The camera supplier raised its prices twice

## Numbers

| quarter | burn |
|---|---|
| Q1 2026 | 310k EUR |
| Q2 2026 | 290k EUR |

---

- **2026-02-11** | call — The board asked for another supplier of cameras
- **2026-03-05** | call — The board asked for a plan for Vigo
"""


@pytest.fixture
def tarn(app: App) -> App:
    call(app, "put", slug="companies/tarn", content=TARN)
    call(app, "put", slug="companies/ostrea", content="# Ostrea\n\n> Sensors for oyster farms.\n")
    call(app, "put", slug="people/ana", content="# Ana Prado\n\nWas a diver for the navy before.\n")
    return app


def best(app: App, question: str, **more: Any) -> Any:
    return call(app, "query", question=question, **more)["results"][0]


def test_the_line_of_a_list_with_its_heading_and_number(tarn: App) -> None:
    result = best(tarn, "when does the patent expire?", depth="section")
    assert result["slug"] == "companies/tarn"
    line = TARN.splitlines().index("- The patent on the joint runs out in 2031") + 1
    assert result["passage"] == {"heading": "Risks", "lines": str(line), "item": "item"}
    assert "- The patent on the joint runs out in 2031" in result["content"]


def test_a_row_comes_with_the_header_of_its_table(tarn: App) -> None:
    result = best(tarn, "what was the burn in Q2 2026?", depth="section")
    assert result["passage"]["item"] == "row"
    assert result["passage"]["header"] == "| quarter | burn |"
    shown = quick("query", "what was the burn in Q2 2026?", "--depth", "section", db=tarn.store.path).out
    lines = shown.splitlines()
    place = lines.index(next(line for line in lines if "| Q2 2026 | 290k EUR |" in line))
    assert lines[place - 1].strip() == "| quarter | burn |"
    assert "Q1 2026" not in shown


def test_a_field_that_is_asked_for_is_shown(tarn: App) -> None:
    facts = best(tarn, "when is the round of Tarn Robotics expected to close?")["facts"]
    assert facts[0] == {"name": "expected_close", "value": "2027-02-15", "current": True}


def test_the_current_fact_and_the_word_that_no_longer_holds(tarn: App) -> None:
    result = best(tarn, "how many people work at Tarn Robotics?")
    fact = {"name": "headcount", "value": "91", "valid_from": "2026-04-01", "current": True}
    assert fact in result["facts"]
    assert all(each["value"] != "84" for each in result["facts"])
    (old,) = result["superseded"]
    assert (old["value"], old["now"], old["valid_to"]) == ("84", "91", "2026-04-01")
    assert "84" in TARN.splitlines()[old["line"] - 1]
    shown = quick("query", "how many people work at Tarn Robotics?", db=tarn.store.path).out
    assert "headcount: 91 (since 2026-04-01)" in shown
    assert "no longer: headcount: 84" in shown


def test_a_number_within_another_is_not_marked(app: App) -> None:
    text = TARN.replace("team of 84 people", "team of 1984 people, 84.5 percent of them men,")
    call(app, "put", slug="companies/tarn", content=text)
    assert "superseded" not in best(app, "how many people work at Tarn Robotics?")


def test_a_fact_that_another_page_states(tarn: App) -> None:
    call(tarn, "assert", subject="Tarn Robotics", predicate="auditor", object="Egger", page="people/ana")
    facts = best(tarn, "who is the auditor of Tarn Robotics?")["facts"]
    assert ("auditor", "Egger") in [(each["name"], each["value"]) for each in facts]


def test_open_contradictions_stand_beside_the_page(tarn: App) -> None:
    call(
        tarn, "assert", subject="Tarn Robotics", predicate="headcount", object="250", valid_from="2026-04-01"
    )
    found = {
        each["id"]: each["description"] for each in call(tarn, "check", slug="companies/tarn")["findings"]
    }
    doubts = best(tarn, "how many people work at Tarn Robotics?")["contradictions"]
    assert {each["id"]: each["description"] for each in doubts} == found
    assert any("250" in each for each in found.values())
    shown = quick("query", "headcount of Tarn Robotics", db=tarn.store.path).out
    assert all(f"[{each}]" in shown for each in found)


def test_the_entry_of_the_day_that_is_asked_for_is_shown(tarn: App) -> None:
    for month, words in (("February", "another supplier"), ("March", "a plan for Vigo")):
        result = best(tarn, f"what did the board of Tarn ask for in {month} 2026?", depth="section")
        assert words in result["content"]


def test_by_words_alone_the_entry_of_the_day_is_shown_too(tarn: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tarn.models, "meaning", lambda question: (None, []))
    result = best(tarn, "what did the board of Tarn ask for in March 2026?", depth="section")
    assert "a plan for Vigo" in result["content"]


def test_where_a_link_leads_is_not_what_a_line_says(tarn: App, monkeypatch: pytest.MonkeyPatch) -> None:
    badges = "\n".join(
        f"- ![{name}](https://shields.example/sheet-music-keeper/{name})" for name in ("stars", "issues")
    )
    home = "- [Home](https://sheet-music-keeper.example)"
    page = f"# Keeper\n\n{badges}\n{home}\n- Files sheet music by composer\n"
    call(tarn, "put", slug="tools/keeper", content=page)
    monkeypatch.setattr(tarn.models, "meaning", lambda question: (None, []))
    result = best(tarn, "which tool keeps sheet music?", depth="section")
    assert result["slug"] == "tools/keeper"
    assert result["passage"]["lines"] == str(page.splitlines().index("- Files sheet music by composer") + 1)


def test_little_room_has_the_whole_line_and_nothing_cut(tarn: App) -> None:
    line = "- The patent on the joint runs out in 2031"
    shown = set()
    for budget in range(60, 400, 10):
        question = "when does the patent of Tarn expire?"
        results = call(tarn, "query", question=question, depth="section", limit=1, token_budget=budget)[
            "results"
        ]
        shown |= {each["content"] for each in results if each.get("content")}
    assert line in shown
    assert all(line in content.splitlines() for content in shown)


def test_nothing_is_said_twice(tarn: App) -> None:
    for depth in ("auto", "full", "section", "summary"):
        result = best(tarn, "when does the patent expire?", depth=depth)
        texts = [result.get("content") or "", result["passage"].get("text") or ""]
        texts += [each["text"] for each in result.get("more") or ()]
        assert sum("The patent on the joint" in text for text in texts) <= 1


@pytest.mark.parametrize(
    "typed", ["info@tarn-robotics.example", "tarn-rob", "+351225550142", "5550142", "2027-02-15"]
)
def test_search_finds_what_stands_in_a_field(tarn: App, typed: str) -> None:
    (first, *_) = call(tarn, "search", query=typed)["results"]
    assert first["slug"] == "companies/tarn"
    assert first["every_word"]
    assert first["snippet"].replace("**", "").partition(":")[0] in ("email", "phone", "expected_close")


def test_a_field_is_no_longer_found_when_it_is_gone(tarn: App) -> None:
    call(tarn, "put", slug="companies/tarn", content=TARN.replace("+351 22 555 0142", "unknown"))
    assert not call(tarn, "search", query="+351225550142")["results"]


def test_recall_answers_with_lines(app: App, tmp_path: Path) -> None:
    (tmp_path / "book" / "knowledge").mkdir(parents=True)
    (tmp_path / "book" / "knowledge" / "house.md").write_text(
        "# House\n\n## General\n- The fuse box is behind the coat rack\n- The bicycle lock code is 4471\n"
        "- Rent goes to the landlord on the first\n"
    )
    call(app, "collection add", name="book", folder=str(tmp_path / "book"), profile="notebook")
    (first, *_) = call(app, "recall", query="which number opens the bike?", min_score=0)["notebook"]
    assert first["snippet"] == "- The bicycle lock code is 4471"
    assert (first["heading"], first["lines"], first["item"]) == ("General", {"start": 5, "end": 5}, "item")


# On a terminal ------------------------------------------------------------------------------------


def told(app: App, question: str, *options: str) -> list[str]:
    return quick("query", question, "--limit", "1", *options, db=app.store.path).out.splitlines()


def test_of_a_long_page_a_person_sees_the_lines_around_the_match(app: App) -> None:
    lines = [f"- thing {number} lies in drawer {number}" for number in range(40)]
    rows = "\n".join([*lines, "- the spare key hangs on a hook", "", "End."])
    call(app, "put", slug="house", content=f"---\ntype: note\n---\n# House\n\n{rows}\n")
    shown = told(app, "where does the spare key hang?")
    assert shown[1:7] == [
        "    matched: line 46",
        "    44  - thing 38 lies in drawer 38",
        "    45  - thing 39 lies in drawer 39",
        "    46  - the spare key hangs on a hook",
        "    47",
        "    48  End.",
    ]
    assert shown[7] == "    … 40 more lines: quaid get house"
    assert "    - thing 0 lies in drawer 0" in told(app, "where does the spare key hang?", "--depth", "full")
    whole = call(app, "query", question="where does the spare key hang?")["results"][0]
    assert whole["depth"] == "full"
    assert whole["content"].splitlines()[46 - whole["first_line"]] == "- the spare key hangs on a hook"


def test_a_short_page_is_shown_whole(tarn: App) -> None:
    call(tarn, "put", slug="shed", content="# Shed\n\nThe spare key hangs on a hook.\n")
    assert "    The spare key hangs on a hook." in told(tarn, "spare key on a hook")
