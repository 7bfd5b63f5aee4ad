"""What a browser is given before it asks for data: one page, the program, its style; and the way in."""

from __future__ import annotations

import hashlib
import hmac
import re
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quaid.errors import NotFound, Unauthorized
from quaid.web.application import Extension
from quaid.web.cookies import Cookies, cookie_name
from quaid.web.gate import Doors
from quaid.web.responses import answer, failure, json_bytes

ASSETS = Path(__file__).with_name("assets")
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
VIEWS = ("page", "search", "browse", "facts", "conversations", "settings", "agents", "graph")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{images}; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*?\bfrom\s*["']\./([\w./-]+\.js)["']""", re.MULTILINE)
ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def extension(cookies: Cookies, port: int, routes: tuple[Route, ...] = ()) -> Extension:
    """What the dashboard adds to a server."""
    entrance = _Entrance(cookies, port)
    shells = [Route(f"/{view}{rest}", _shell) for view in VIEWS for rest in ("", "/{path:path}")]
    own = (
        Route("/", _shell),
        *shells,
        Route("/assets/{name:path}", _asset),
        Route("/login", entrance.enter, methods=["GET"]),
        Route("/login/code", entrance.another, methods=["POST"]),
        *routes,
    )
    return Extension(own, Doors(views=frozenset(("", "assets", "login", *VIEWS))))


class _Entrance:
    """Lets the person's browser in."""

    def __init__(self, cookies: Cookies, port: int) -> None:
        self._cookies = cookies
        self._name = cookie_name(port)

    async def enter(self, request: Request) -> Response:
        """A code becomes a cookie; a link that was used already leads to a page that says what to do."""
        made = self._cookies.cookie_for(request.query_params.get("code", ""))
        response = RedirectResponse("/", 303, ALWAYS)
        if made:
            response.set_cookie(self._name, made, httponly=True, samesite="strict", path="/")
        return response

    async def another(self, request: Request) -> Response:
        """A code for another process of the person, which has read the key from a file of theirs."""
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), self._cookies.key.encode()):
            return failure(Unauthorized("the key is missing or wrong", hint="Run `quaid dashboard`."))
        return answer(json_bytes({"code": self._cookies.code()}))


async def _shell(request: Request) -> Response:
    """The page. Images from elsewhere are allowed only where the person has asked for those of a page."""
    images = " https: http:" if request.query_params.get("images") == "1" else ""
    headers = ALWAYS | {"content-security-policy": POLICY.format(images=images)}
    return Response(_page(), headers=headers, media_type="text/html")


async def _asset(request: Request) -> Response:
    """A file of the program. Under the state of all of them it never changes, and is asked for once."""
    name, state = request.path_params["name"], _state()
    is_fixed = name.startswith(state + "/")
    name = name.removeprefix(state + "/")
    if name not in _names():
        return failure(NotFound("there is nothing here"))
    headers = ALWAYS | {"content-security-policy": POLICY.format(images="")}
    headers["cache-control"] = "private, max-age=31536000, immutable" if is_fixed else "no-cache"
    return Response(_read(name), headers=headers, media_type=TYPES.get(Path(name).suffix, "text/plain"))


@lru_cache
def _names() -> frozenset[str]:
    """The files that there are: an address is compared with them, and never made a path."""
    return frozenset(
        file.relative_to(ASSETS).as_posix() for file in ASSETS.rglob("*") if file.suffix in (*TYPES, ".txt")
    )


@lru_cache
def _state() -> str:
    """What the files hold, in a few letters."""
    whole = hashlib.sha256()
    for name in sorted(_names()):
        whole.update(hashlib.sha256(_read(name)).digest())
    return whole.hexdigest()[:16]


@lru_cache
def _page() -> bytes:
    """The page that loads the program: all modules at once, not each when the one before it is read."""
    waiting, found = ["app.js"], ["app.js"]
    while waiting:
        name = waiting.pop()
        folder = name.rpartition("/")[0]
        for each in _IMPORT.findall(_read(name).decode()):
            module = f"{folder}/{each}" if folder else each
            if module not in found and module in _names():
                found.append(module)
                waiting.append(module)
    root = f"/assets/{_state()}"
    links = "\n".join(f'<link rel="modulepreload" href="{root}/{name}">' for name in found)
    return _read("index.html").replace(b"{modules}", links.encode()).replace(b"{assets}", root.encode())


@lru_cache
def _read(name: str) -> bytes:
    return (ASSETS / name).read_bytes()
