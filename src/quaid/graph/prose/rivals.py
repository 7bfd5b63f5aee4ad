"""Which of the things that hold of a subject a sentence contradicts, for each thing that sentences say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import rivals, role_of
from quaid.graph.prose.phrasebook import words
from quaid.graph.prose.sentences import link_target, plain
from quaid.graph.prose.statements import Statement
from quaid.graph.prose.states import are_apart, says_state, state_of
from quaid.model.record import record
from quaid.store.checks import Standing

_STAGES = ("pre-seed", "seed", "series a", "series b", "series c", "series d", "series e", "series f", "ipo")
# Relationships that can end; one cannot leave what one has founded.
_ENDABLE = re.compile(
    r"^(?!worked|studied|was_|former)(?:.*)(?:work|employ|member|advis|board|(?:^|_)c[etfo]o(?:_|$)|lead|head|manag|affiliat"
    r"|consult|contribut|maintain|live|stud|chair|volunteer|intern|belong|serves|arbeit|mitglied|teach|plays|coach)"
)
_JOBS = ("works_at", "is_ceo_of", "is_cto_of", "is_cfo_of", "is_coo_of")
_ALIVE = (*_JOBS, "lives_in", "status", "role", "member_of", "reports_to")
_OWNERS = ("owner", "owned_by", "assigned_to", "lead", "assignee", "responsible")
# Predicates whose values are set against each other.
_COMPARED: Mapping[str, tuple[str, ...]] = {
    "based_in": ("based_in", "lives_in"),
    "lives_in": ("lives_in", "based_in"),
    "place": ("based_in", "place", "venue", "lives_in"),
    "value": ("value", "price"),
    "round": ("round", "value"),
    "owner": _OWNERS,
    "closed_on": ("closed_on", "closed", "signed_on"),
}


@record
class Scene:
    """What names in a sentence mean: the page of its value, what pages are called, its subject's kind."""

    meant: int | None
    called: Mapping[int, tuple[str, ...]]
    kind: str
    teller: int = 0  # the page on which it stands

    def names(self, fact: Standing) -> tuple[str, ...]:
        """What the object of a fact is called."""
        return fact.key, fact.text, *self.called.get(fact.object_page or 0, ())

    def is_meant(self, fact: Standing, value: str) -> bool:
        """Whether a name in a sentence means the object of a fact."""
        if self.meant and fact.object_page:
            return self.meant == fact.object_page
        return any(same_name(name, value) for name in self.names(fact))


_Rule = Callable[[Statement, Sequence[Standing], Scene], "Standing | None"]


def rival_of(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """Which of the things that hold a sentence contradicts."""
    if statement.predicate == "died" and statement.day:
        # Who has died attends nothing later.
        for each in held:
            if each.predicate == "attended" and each.since and each.since > statement.day:
                return each
    facts = [each for each in held if not _is_later(each, statement)]
    if statement.kinds and scene.kind and scene.kind not in statement.kinds:
        return None
    if statement.predicate.startswith("trait."):
        return _trait_clash(statement, facts)
    rule = _RULES.get((statement.predicate, statement.mode)) or _RULES.get(
        (statement.predicate, ""), _value_clash
    )
    return rule(statement, facts, scene)


def tokens(name: str) -> frozenset[str]:
    """The words of a name that tell it from others."""
    target = link_target(name)
    bare = _LEGAL.sub("", fold((target[0] if target else plain(name)).rsplit("/", 1)[-1]))
    found = frozenset(re.split(r"[\s_-]+", bare)) - {""}
    return (found - words("determiner") - {"and", "of", "inc", "ltd", "gmbh"}) or found


_LEGAL = re.compile(r"[\s,]+(?:gmbh|ag|inc|ltd|llc|plc|corp|co|se|bv|sarl|oy|ab|as|kg|e\.?v)\.?$")


def same_name(one: str, other: str) -> bool:
    """Whether two names may mean the same: one has all words of the other."""
    first, second = tokens(one), tokens(other)
    if not first or not second:
        return False
    return (
        first <= second
        or second <= first
        or "".join(sorted(first)) == "".join(sorted(second))
        or (fold(one).replace(" ", "") == fold(other).replace(" ", ""))
    )


def _is_later(standing: Standing, statement: Statement) -> bool:
    """Whether a fact began after the day of which a sentence tells: then that is history."""
    return bool(standing.since and statement.day and standing.since >= statement.day)


def _value_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The fact whose value cannot be that of the sentence; none if any fact fits."""
    wanted = _COMPARED.get(statement.predicate, (statement.predicate,))
    facts = [each for each in held if each.predicate in wanted]
    if not facts or not statement.value:
        return None
    kind = kind_of(statement.predicate)
    value = plain(statement.value)
    if kind == "name":
        return None if any(scene.is_meant(each, statement.value) for each in facts) else facts[0]
    if any(
        not rivals(kind, name, value)
        for each in facts
        for name in (each.text, *scene.called.get(each.object_page or 0, ()))
    ):
        return None
    return facts[0]


def _employer_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    every = [each for each in held if _ENDABLE.search(each.predicate) or each.predicate == "works_at"]
    if any(scene.is_meant(each, statement.value) for each in every):
        return None
    return next((each for each in held if each.predicate == "works_at"), None)


def _tie_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The tie that a sentence ends, or says that there never was."""
    for each in held:
        if _ENDABLE.search(each.predicate) and scene.is_meant(each, statement.value):
            return each
    return None


def _job_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The one job that somebody has given up, where the sentence does not say which."""
    jobs = [each for each in held if each.predicate in _JOBS]
    if len({each.object_page or each.key for each in jobs}) > 1:
        jobs = [each for each in jobs if each.object_page == scene.teller]
    if statement.value and any(scene.is_meant(each, statement.value) for each in jobs):
        return None
    return jobs[0] if jobs else None


def _retirement_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    for each in held:
        if each.predicate == "status" and state_of(each.text) == "working":
            return each
    return _job_clash(statement, held, scene)


def _owner_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The owner of a company that a sentence denies by naming another."""
    owners = [each for each in held if each.predicate == "owned_by"]
    if any(scene.is_meant(each, statement.value) for each in owners):
        return None
    free = (each for each in held if each.predicate == "status" and state_of(each.text) == "independent")
    return owners[0] if owners else next(free, None)


def _state_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    for each in held:
        stated = each.predicate == "status" or (each.predicate == "stage" and not round_of(each.text))
        agrees = stated and says_state(each.text, statement.sentence)
        if stated and not agrees and are_apart(each.text, statement.mode, scene.kind):
            return each
    return None


def round_of(text: str) -> int:
    """Which round of funding a text names, from 1; 0 for none."""
    spoken = fold(text).replace("-", " ").replace("pre seed", "pre-seed")
    found = [place for place, name in enumerate(_STAGES, 1) if re.search(rf"(?<![\w-]){name}\b", spoken)]
    return max(found, default=0)


def _stage_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """A stage that a later round has left behind."""
    told = round_of(statement.value or "ipo")
    return next((each for each in held if each.predicate == "stage" and 0 < round_of(each.text) < told), None)


def _death_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    if any(each.predicate == "status" and state_of(each.text) == "gone" for each in held):
        return None
    # Of a thing that is dead, no status says that it lives, if one does not know what the status means.
    known = scene.kind == "person"
    alive = [
        each
        for each in held
        if each.predicate in _ALIVE and (known or each.predicate != "status" or _may_live(each.text))
    ]
    return min(alive, key=lambda each: _ALIVE.index(each.predicate), default=None)


def _may_live(status: str) -> bool:
    return state_of(status) not in (None, "broken")


def _role_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    facts = [each for each in held if each.predicate == "role"]
    if not facts or any(not rivals("role", each.text, statement.value) for each in facts):
        return None
    return facts[0]


def _role_end_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The role that a sentence says somebody has given up."""
    offices = {f"is_{role_of(statement.value)}_of", f"{role_of(statement.value)}_of"}
    for each in held:
        if each.predicate in offices or (each.predicate == "role" and is_role(each.text, statement.value)):
            return each
    return None


def is_role(one: str, other: str) -> bool:
    """Whether two roles are one, as far as both are told."""
    first, second = set(role_of(one).split()), set(role_of(other).split())
    return bool(first) and (first <= second or second <= first)


def _marriage_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """What is said of a marriage that the sentence says has ended, or never was."""
    spouses = [each for each in held if each.predicate == "married_to"]
    if statement.value:
        return next((each for each in spouses if scene.is_meant(each, statement.value)), None)
    stated = [
        each
        for each in held
        if each.predicate in ("marital_status", "status") and state_of(each.text) == "married"
    ]
    return next(iter((*stated, *spouses)), None)


def _wedding_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    spouses = [each for each in held if each.predicate == "married_to"]
    if spouses and statement.value:
        return None if any(scene.is_meant(each, statement.value) for each in spouses) else spouses[0]
    return next(
        (
            each
            for each in held
            if each.predicate in ("marital_status", "status") and state_of(each.text) == "single"
        ),
        None,
    )


def _boss_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    return next(
        (each for each in held if each.predicate == "reports_to" and scene.is_meant(each, statement.value)),
        None,
    )


def _handover_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    return next(
        (each for each in held if each.predicate in _OWNERS and scene.is_meant(each, statement.value)), None
    )


def _sale_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """What somebody is said to own that a sentence says is sold."""
    said = tokens(statement.value)
    return next(
        (
            each
            for each in held
            if each.predicate in ("owns", "has", "car", "drives", "pets", "pet", "property")
            and said <= tokens(each.text)
        ),
        None,
    )


def _no_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    return None


def _absence_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    return next(
        (each for each in held if each.predicate == "attended_by" and scene.is_meant(each, statement.value)),
        None,
    )


def _trait_clash(statement: Statement, held: Sequence[Standing]) -> Standing | None:
    return next(
        (each for each in held if each.predicate == statement.predicate and each.key != statement.mode), None
    )


def _none_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """What is counted that a sentence says there is none of."""
    return next((each for each in held if each.predicate == statement.predicate and each.key != "none"), None)


def _some_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    return next((each for each in held if each.predicate == statement.predicate and each.key == "none"), None)


def _contact_clash(statement: Statement, held: Sequence[Standing], scene: Scene) -> Standing | None:
    """The address that a sentence calls dead, or that another one has replaced."""
    kinds = (
        ("email",)
        if "@" in statement.value
        or re.search(r"mail|address|inbox|bounce", statement.sentence, re.IGNORECASE)
        else ("phone",)
    )
    known = [each for each in held if each.predicate in kinds]
    if statement.value:
        return (
            None if any(fold(each.text) == fold(statement.value) for each in known) or not known else known[0]
        )
    spoken = statement.sentence.lower()
    named = [
        each
        for each in known
        if each.text.lower() in spoken or each.text.rpartition("@")[2].lower() in spoken
    ]
    others = re.search(r"\S+@\S+\.\w+", spoken)
    return named[0] if named else known[0] if len(known) == 1 and not others else None


_RULES: Mapping[tuple[str, str], _Rule] = {
    ("tie", "ended"): _tie_clash,
    ("tie", "never"): _tie_clash,
    ("job", ""): _job_clash,
    ("retired", ""): _retirement_clash,
    ("works_at", ""): _employer_clash,
    ("owned_by", ""): _owner_clash,
    ("status", ""): _state_clash,
    ("stage", ""): _stage_clash,
    ("died", ""): _death_clash,
    ("role", ""): _role_clash,
    ("role", "ended"): _role_end_clash,
    ("married_to", "is"): _wedding_clash,
    ("married_to", "ended"): _marriage_clash,
    ("married_to", "never"): _marriage_clash,
    ("reports_to", "never"): _boss_clash,
    ("owner", "ended"): _handover_clash,
    ("owns", "ended"): _sale_clash,
    ("tie", "is"): _no_clash,
    ("tie", "began"): _no_clash,
    ("attends", ""): _absence_clash,
    ("acquired", "is"): _some_clash,
    ("acquired", "never"): _none_clash,
    ("children", "never"): _none_clash,
    ("children", "is"): _some_clash,
    ("siblings", "never"): _none_clash,
    ("siblings", "is"): _some_clash,
    ("contact", ""): _contact_clash,
}
