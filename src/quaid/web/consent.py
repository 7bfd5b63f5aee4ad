"""The page on which a person lets a program in: plain HTML, no script.

Nothing that the program says of itself is believed.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, Response

from quaid.model.record import record

_STYLE = """body{font:16px/1.5 sans-serif;max-width:34em;margin:3em auto;padding:0 1em;color:#222}
h1{font-size:1.4em}fieldset{border:1px solid #ccc;margin:1em 0}label{display:block;margin:.3em 0}
input[name=code]{font:inherit;width:100%;box-sizing:border-box}button{font:inherit;padding:.4em 1.2em}
.wrong{color:#a00}.name{overflow-wrap:anywhere}"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_RIGHTS = {"read": "read", "write": "read and write"}
LONGEST = 60  # characters of what a client calls itself


@record
class Asked:
    """What is asked of the person."""

    identity: str
    client: str
    redirect: str
    can: str
    collections: tuple[str, ...]  # that the memory has
    wrong: str = ""  # what was wrong with the last answer


def page(asked: Asked) -> Response:
    """The page with the question."""
    rights = [right for right in _RIGHTS if right == "read" or asked.can == "write"]
    body = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Let a program in?</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>
<h1>Let a program use your memory?</h1>
<p>It calls itself <b class="name">{_shown(asked.client)}</b>; nobody has checked that. Afterwards it takes
you to <b class="name">{_shown(place_of(asked.redirect))}</b>. Go on only if you have just asked it to
connect.</p>
{f'<p class="wrong">{escape(asked.wrong)}</p>' if asked.wrong else ""}
<form method="post" action="/consent"><input type="hidden" name="request" value="{escape(asked.identity)}">
<fieldset><legend>It may</legend>{"".join(_choice(right, right == asked.can) for right in rights)}</fieldset>
<fieldset><legend>In these collections; in all if none is chosen</legend>
{"".join(_box(name) for name in asked.collections)}</fieldset>
<label>The code that the server has printed, or a token that may <i>own</i>
<input name="code" type="password" autocomplete="off" autofocus></label>
<p><button name="answer" value="allow">Let it in</button>
<button name="answer" value="refuse">Refuse</button></p>
</form></html>"""
    return HTMLResponse(body, headers=_headers(asked.redirect))


def message(text: str, status: int) -> Response:
    """A page that only says something."""
    body = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Quaid</title>
<style>{_STYLE}</style><p>{escape(text)}</p></html>"""
    return HTMLResponse(body, status, _headers(""))


def place_of(redirect: str) -> str:
    """Where a person is taken, as they can recognise it."""
    parts = urlsplit(redirect)
    return parts.netloc if parts.scheme in ("http", "https") else f"the program for {parts.scheme}: addresses"


def _headers(redirect: str) -> dict[str, str]:
    parts = urlsplit(redirect)
    # The answer to the form leads there, and browsers want to know that of the page with the form.
    onward = f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"
    policy = (
        f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self' {onward if redirect else ''}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    return {
        "content-security-policy": policy,
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",  # with `no-referrer`, browsers hide where the form is sent from
        "cache-control": "no-store",
    }


def _shown(text: str) -> str:
    """Text of others: short, printable and escaped."""
    return escape("".join(each if each.isprintable() else " " for each in text)[:LONGEST]) or "nothing"


def _choice(right: str, chosen: bool) -> str:
    mark = " checked" if chosen else ""
    return f'<label><input type="radio" name="can" value="{right}"{mark}> {_RIGHTS[right]}</label>'


def _box(name: str) -> str:
    return f'<label><input type="checkbox" name="collection" value="{escape(name)}"> {escape(name)}</label>'
