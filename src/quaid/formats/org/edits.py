"""Changes to an org page. Every byte outside of what is changed stays as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats import implied
from quaid.formats.encoding import newline_of
from quaid.formats.fields import claim_of, is_link, items_of, link_item, rewiki, unwiki, word, words
from quaid.formats.markdown import yaml_edits
from quaid.formats.org import page, structure
from quaid.formats.org.head import Field, Kind, keyword_field, read_head
from quaid.formats.org.page import ASSERTION, RELATION, TAG
from quaid.formats.org.timeline import TIMELINES
from quaid.model.page import Claim, Reference

_BY_HAND = "Edit the file's head by hand, then try again."
_KEY = re.compile(r"[^\s:+\[\]]+")
_SEPARATOR = re.compile(r"[,\s]+")
# Names of fields that every page has, and how an org file writes those that hold several values.
_MAPPINGS = {"links": RELATION, "assertions": ASSERTION}
_PROPERTIES = {"uuid": "id", "id": "id", "aliases": "roam_aliases", "alias": "roam_aliases"}


def add_tag(text: str, tag: str) -> str:
    """The page with one more tag."""
    known = [TAG.findall(field.value) for field in page.tag_fields(read_head(text))]
    if tag.casefold() in (other.casefold() for tags in known for other in tags):
        return text
    _check_tags([tag])
    fields = read_head(text).all("filetags", kind="keyword")
    if not fields:
        return _added(text, "filetags", [f":{tag}:"])
    value = fields[0].value
    if not value or value.endswith(":"):
        return _with_value(text, fields[0], f"{value or ':'}{tag}:")
    return _with_value(text, fields[0], f"{value} {tag}")


def remove_tag(text: str, tag: str) -> str:
    """The page without a tag."""
    wanted = tag.casefold()
    while True:
        for field in page.tag_fields(read_head(text)):
            tags = list(TAG.finditer(field.value))
            place = next((n for n, found in enumerate(tags) if found.group().casefold() == wanted), None)
            if place is not None:
                text = _without_tag(text, field, tags, place)
                break
        else:
            return text


def add_link(text: str, link: Reference) -> str:
    """The page with one more typed link in its head."""
    return append_item(text, "links", link_item(link))


def close_link(text: str, link: Reference, until: str) -> str:
    """The page with the end of a typed link set."""
    field = _relations(text, [link])[0]
    if isinstance(_item(field), dict):
        return _with_value(text, field, _flow(field.value, ("valid_until",), until))
    return _with_value(text, field, _mapping({"to": link.target, "valid_until": until}))


def remove_links(text: str, links: Sequence[Reference]) -> str:
    """The page without some of its typed links."""
    return _without_lines(text, _relations(text, links))


def remove_claims(text: str, claims: Collection[Claim]) -> str:
    """The page without some of its assertions."""
    fields = read_head(text).all(ASSERTION, kind="keyword")
    return _without_lines(text, [field for field in fields if claim_of(_item(field)) in claims])


def append_item(text: str, key: str, item: Any) -> str:
    """The page with one more line for a field that may have several."""
    name = _MAPPINGS.get(key, key)
    return _added(text, name, [_line_of(name, item)])


def set_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The page with some fields of its head set; None removes one."""
    for key, value in fields.items():
        text = delete_field(text, (key,)) if value is None else set_field(text, (key,), value)
    return text


def set_field(text: str, path: tuple[str | int, ...], value: Any) -> str:
    """The page with one field of its head set."""
    changed = _with_field(text, path, value)
    before, after = structure.parse(text), structure.parse(changed)
    # Half a drawer may become a whole one when a line goes: then the head would swallow what was below it.
    if not after.truth.endswith(before.truth.lstrip()) or after.timeline != before.timeline:
        raise InvalidInput("the head of this page is malformed", hint=_BY_HAND)
    return changed


def _with_field(text: str, path: tuple[str | int, ...], value: Any) -> str:
    key = _key(path)
    if key == "tags":
        return _set_tags(text, value)
    if key in _PROPERTIES:
        quoted = _alias_text(items_of(value)) if _PROPERTIES[key] == "roam_aliases" else _line_of("id", value)
        changed = _set_lines(text, "property", _PROPERTIES[key], [quoted])
        if _PROPERTIES[key] == "id" and read_head(changed).seen.get("ID") != quoted:
            raise InvalidInput("Org would not see the id in this property drawer", hint=_BY_HAND)
        return changed
    name = _MAPPINGS.get(key, key)
    rows = [_line_of(name, item) for item in (value if isinstance(value, list) else [value])]
    known = read_head(text).all(name)
    kind: Kind = "property" if known and all(field.kind == "property" for field in known) else "keyword"
    return _set_lines(text, kind, name, rows) if rows else delete_field(text, path)


def delete_field(text: str, path: tuple[str | int, ...]) -> str:
    """The page without one field of its head."""
    key = _key(path)
    head = read_head(text)
    if key == "tags":
        return _without_lines(text, page.tag_fields(head))
    if key in ("aliases", "alias"):
        return _without_lines(text, head.all("roam_aliases", "aliases", "roam_alias"))
    return _without_lines(text, head.all(_MAPPINGS.get(key, _PROPERTIES.get(key, key))))


def change_claim(text: str, claim: Claim, fields: Mapping[str, Any]) -> str:
    """The page with some fields of one of its assertions set."""
    known = read_head(text).all(ASSERTION, kind="keyword")
    field = next((each for each in known if claim_of(_item(each)) == claim), None)
    if field is None:
        raise InvalidInput("the fact is not in the page's text", hint="Read the page again.")
    value = field.value
    for key, each in fields.items():
        value = _flow(value, (key,), each)
    return _with_value(text, field, value)


def repoint_links(text: str, targets: Mapping[str, str]) -> str:
    """The page with typed links to some targets leading to others."""
    for place in range(len(read_head(text).all(RELATION, kind="keyword"))):
        field = read_head(text).all(RELATION, kind="keyword")[place]
        item, key = _item(field), None
        if isinstance(item, dict):
            key = next((name for name in ("to", "target", "slug") if item.get(name)), "to")
            item = item.get(key)
        new = targets.get(unwiki(word(item)))
        if new is not None:
            new = rewiki(word(item), new)
            text = _with_value(text, field, _flow(field.value, (key,) if key else (), new))
    for path, written in implied.pages_named(page.read(text, "").frontmatter):
        new = targets.get(unwiki(written))
        if new is not None and len(path) == 1:
            text = set_field(text, path, rewiki(written, new))
    return text


add_entry = TIMELINES.add_entry
remove_entry = TIMELINES.remove_entry
append_timeline = TIMELINES.append_timeline


def replace_truth(text: str, truth: str) -> str:
    """The page with its compiled truth rewritten; head and timeline stay."""
    document = structure.parse(text)
    newline = newline_of(text)
    if document.rule:
        truth = truth.rstrip() + newline * 2 if truth.strip() else ""
    gap = newline if document.head and not document.head.endswith("\n") else ""
    changed = document.head + gap + truth + document.rule + document.timeline
    new = structure.parse(changed)
    if (new.rule, new.timeline) != (document.rule, document.timeline):
        raise InvalidInput(
            "the new compiled truth would swallow or cut the timeline",
            hint="Close every block in it, and leave out the headline `Timeline`.",
        )
    if document.head and read_head(changed).values() != read_head(text).values():
        raise InvalidInput(
            "the new compiled truth begins with fields of the head",
            hint="Begin it with text, and set fields as frontmatter.",
        )
    return changed


def _relations(text: str, links: Sequence[Reference]) -> list[Field]:
    """The lines that state these links."""
    left = read_head(text).all(RELATION, kind="keyword")
    chosen: list[Field] = []
    for link in links:
        field = next((each for each in left if is_link(_item(each), link)), None)
        if field is None:
            raise InvalidInput("the link is not in the page's head", hint="Edit the page's text instead.")
        left.remove(field)
        chosen.append(field)
    return chosen


def _item(field: Field) -> Any:
    """What a line states in YAML; nothing where that is broken."""
    value, problems = page.flow_value(field.value)
    return None if problems else value


def _set_tags(text: str, value: Any) -> str:
    tags = [tag.lstrip("#") for tag in words(value, _SEPARATOR) if tag.strip("# ")]
    known = page.tag_fields(read_head(text))
    if [tag for field in known for tag in TAG.findall(field.value)] == tags:
        return text
    _check_tags(tags)
    if not tags:
        return _without_lines(text, known)
    text = _without_lines(text, [field for field in known if field.key != "filetags"])
    return _set_lines(text, "keyword", "filetags", [f":{':'.join(tags)}:"])


def _check_tags(tags: Sequence[str]) -> None:
    for tag in tags:
        if not TAG.fullmatch(tag):
            raise InvalidInput(
                f"the tag {tag!r} cannot stand in an org file",
                hint=f"It has no blanks, commas or colons there: {'_'.join(TAG.findall(tag)) or 'tag'}.",
            )


def _without_tag(text: str, field: Field, tags: list[re.Match[str]], place: int) -> str:
    if len(tags) == 1:
        return _without_lines(text, [field])
    last = place == len(tags) - 1
    start = tags[place - 1].end() if last else tags[place].start()
    end = tags[place].end() if last else tags[place + 1].start()
    return _with_value(text, field, field.value[:start] + field.value[end:])


def _key(path: tuple[str | int, ...]) -> str:
    key = path[0] if len(path) == 1 else None
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InvalidInput(
            f"{'.'.join(map(str, path))!r} cannot be a field of an org file",
            hint="A field's name is one word without colons, and its value is text.",
        )
    return key.lower()


def _line_of(name: str, item: Any) -> str:
    """A value as it stands behind its keyword."""
    if name in (RELATION, ASSERTION) and isinstance(item, dict):
        return _mapping(item)
    if isinstance(item, bool):
        return "true" if item else "false"
    if item is None or isinstance(item, (dict, list)):
        raise InvalidInput(f"the field {name!r} of an org file holds text", hint="Give a text or a number.")
    line = str(item).strip()
    if len(line.splitlines()) > 1:
        raise InvalidInput(f"the field {name!r} of an org file is one line", hint="Leave out line breaks.")
    return line


def _mapping(item: Mapping[str, Any]) -> str:
    text = "{}"
    for key, value in item.items():
        text = _flow(text, (key,), value)
    return text


def _flow(text: str, path: tuple[str, ...], value: Any) -> str:
    """A value in YAML on one line, with a part of it set."""
    changed = yaml_edits.set_value(f"---\na: {text}\n---\n", ("a", *path), value)
    line = changed.removeprefix("---\na: ").removesuffix("\n---\n")
    if "\n" in line or not changed.startswith("---\na: "):
        raise InvalidInput("the line is written in a way that cannot be edited safely", hint=_BY_HAND)
    return line


def _alias_text(aliases: Sequence[Any]) -> str:
    """Aliases as Org writes them: those of several words in quotation marks."""
    found = []
    for alias in aliases:
        text = _line_of("aliases", alias)
        plain = re.fullmatch(r'[^\s"\\]+', text)
        found.append(text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')
    return " ".join(found)


def _set_lines(text: str, kind: Kind, key: str, rows: Sequence[str]) -> str:
    """The page with these as all values of a key."""
    known = read_head(text).all(key, kind=kind)
    if [field.value for field in known] == list(rows):
        return text
    text = _without_lines(text, known[len(rows) :])
    for place, row in enumerate(rows[: len(known)]):
        text = _with_value(text, read_head(text).all(key, kind=kind)[place], row)
    return _added(text, key, rows[len(known) :], kind) if rows[len(known) :] else text


def _added(text: str, key: str, rows: Sequence[str], kind: Kind = "keyword") -> str:
    """The page with lines added: below others of their key, else where lines of their kind end."""
    head, newline = read_head(text), newline_of(text)
    above = head.all(key, kind=kind)
    if kind == "property":
        lines = [f":{key.upper()}: {row}".rstrip() + newline for row in rows]
        place = above[-1].end if above else head.drawer_end
        if place is None:
            if any(field.kind == "property" for field in head.fields):
                raise InvalidInput("the property drawer is not closed", hint=_BY_HAND)
            place, lines = 0, [f":PROPERTIES:{newline}", *lines, f":END:{newline}"]
    else:
        lines = [f"#+{key}: {row}".rstrip() + newline for row in rows]
        place = above[-1].end if above else head.last
    before = text[:place] if not place or text[:place].endswith("\n") else text[:place] + newline
    changed = before + "".join(lines) + text[place:]
    known = [field.value for field in above]
    return _checked(text, changed, key, [*known, *(row.strip() for row in rows)], kind)


def _with_value(text: str, field: Field, value: str) -> str:
    gap = "" if text[field.value_start - 1 : field.value_start] in (" ", "\t") or not value else " "
    changed = text[: field.value_start] + gap + value + text[field.value_end :]
    known = read_head(text).all(field.key, kind=field.kind)
    wanted = [value.strip() if other == field else other.value for other in known]
    return _checked(text, changed, field.key, wanted, field.kind)


def _without_lines(text: str, fields: Sequence[Field]) -> str:
    for field in sorted(fields, key=lambda field: field.start, reverse=True):
        text = text[: field.start] + text[field.end :]
    return text


def _checked(text: str, changed: str, key: str, wanted: Sequence[str], kind: Kind) -> str:
    """The changed page, if it says what is wanted and all else is where it was."""
    said = [field.value for field in read_head(changed).all(key, kind=kind)]
    before, others = (
        [field.value for field in read_head(each).fields if (field.key, field.kind) != (key, kind)]
        for each in (text, changed)
    )
    old, new = structure.parse(text), structure.parse(changed)
    is_same = (old.truth.lstrip(), old.rule, old.timeline) == (new.truth.lstrip(), new.rule, new.timeline)
    if said == list(wanted) and others == before and is_same:
        return changed
    usable = kind == "property" or keyword_field(f"#+{key}: x", 0)
    what = "this" if usable else f"{key!r}"
    raise InvalidInput(f"{what} cannot be written into the head of this org file", hint=_BY_HAND)
