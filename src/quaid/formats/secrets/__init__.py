"""Finds secrets in text: keys and tokens by their form, passwords by their place. No I/O, linear time.

Most text holds none, so it is looked through by cheap means first: tokens have known forms and are long runs
of certain characters; passwords stand after a word that names them, or after an option of a command. Only
what is found that way meets a regular expression. Every repetition is bounded, or ends where no other match
can begin, so that no input is slow. What merely looks the part (placeholders, words, variables, UUIDs, hashes
of files) is no secret.
"""

from __future__ import annotations

from quaid.formats.secrets import addresses, blocks, codes, commands, forms, headers, names
from quaid.formats.secrets.words import Secret, places_in

ALLOWED = ("quaid: allow-secret", "pragma: allowlist secret")

__all__ = ["ALLOWED", "Secret", "find", "masked"]


def find(text: str, *, allowing: bool = True) -> tuple[Secret, ...]:
    """The secrets in the text, by place, none within another; a line with an allowing comment has none."""
    data = text.encode("ascii", "replace")  # one byte for each character: places stay what they are
    words = places_in(data.lower())
    found = [
        *forms.tokens(text, data),
        *blocks.private_keys(text, words),
        *blocks.manifests(text),
        *blocks.hashes(text),
        *addresses.passwords(text),
    ]
    if words or not text.isascii():  # else nothing names one
        found += blocks.phrases(text, words)
        found += headers.credentials(text, words)
        found += commands.passwords(text, words)
        found += names.values(text, words)
        found += codes.values(text, words)
    if found and allowing and any(mark in text.lower() for mark in ALLOWED):
        found = [secret for secret in found if not _is_allowed(text, secret)]
    return _apart(found)


def masked(text: str, *, allowing: bool = True) -> str:
    """The text with `[secret: RULE]` in place of every secret; the same text if there is none."""
    secrets = find(text, allowing=allowing)
    if not secrets:
        return text
    out = []
    position = 0
    for secret in secrets:
        out += [text[position : secret.start], f"[secret: {secret.rule}]"]
        position = secret.end
    return "".join([*out, text[position:]])


def _is_allowed(text: str, secret: Secret) -> bool:
    """Whether a comment on the line where it begins, or on the line where it ends, allows it."""
    for place in (secret.start, secret.end):
        end = text.find("\n", place)
        line = text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)].lower()
        if any(mark in line for mark in ALLOWED):
            return True
    return False


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """Secrets in order; those that overlap become one, named by the rule that was found first."""
    rank = {id(secret): number for number, secret in enumerate(found)}
    out: list[Secret] = []
    best = 0
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if out and secret.start < out[-1].end:
            rule = secret.rule if rank[id(secret)] < best else out[-1].rule
            best = min(best, rank[id(secret)])
            out[-1] = Secret(rule, out[-1].start, max(out[-1].end, secret.end))
        else:
            out.append(secret)
            best = rank[id(secret)]
    return tuple(out)
