"""What others may try: pages that want to run, sites that want to ask, paths that want out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quaid.dashboard.listener import Note
from quaid.formats.display.page import Shown, display
from tests.dashboard.serving import Dashboard
from tests.graph.browser import Tab

PAYLOADS = (
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<svg onload='window.hacked = 1'><script>window.hacked = 1</script></svg>",
    "<svg><style><img src=x onerror='window.hacked = 1'></style></svg>",
    "<math><mtext><img src=x onerror='window.hacked = 1'></mtext></math>",
    "<iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "<a href='javascript:window.hacked = 1' class=attack>x</a>",
    "<a href='JaVa\tscript:window.hacked = 1' class=attack>x</a>",
    "[x](javascript:window.hacked=1)",
    "[x](<java\tscript:window.hacked=1>)",
    "[x](data:text/html,<script>window.hacked=1</script>)",
    "![x](javascript:window.hacked=1)",
    '![x"onerror="window.hacked=1](https://x.example.org/"onerror="window.hacked=1)',
    "[[people/alice|<img src=x onerror='window.hacked = 1'>]]",
    "[[<img src=x onerror='window.hacked = 1'>]]",
    "$<img src=x onerror='window.hacked = 1'>$",
    "$\\href{javascript:window.hacked=1}{x} \\url{javascript:window.hacked=1}$",
    "$\\includegraphics{https://x.example.org/a.png} \\htmlId{app}{x}$",
    "$$\\style{background:url(https://x.example.org)}{x} \\class{attack}{x}$$",
    "![[attack/markdown]]",
    "<details ontoggle='window.hacked = 1' open>x</details>",
    "<input autofocus onfocus='window.hacked = 1'>",
    "<form action=https://x.example.org><button>x</button></form>",
    "<style>body { background: url(https://x.example.org/) }</style>",
    "<p style='background: url(https://x.example.org/)'>x</p>",
    "<meta http-equiv=refresh content='0; url=https://x.example.org'>",
    "<base href=https://x.example.org>",
    "<link rel=stylesheet href=https://x.example.org>",
    "<object data='data:text/html,<script>window.hacked=1</script>'></object>",
    "<noscript><p title='</noscript><img src=x onerror=window.hacked=1>'></noscript>",
    "<textarea><img src=x onerror='window.hacked = 1'></textarea>",
    "<p id=app>x</p><p id=main>y</p>",
    "<!--><img src=x onerror='window.hacked = 1'>-->",
    "```js\n</code></pre><script>window.hacked=1</script>\n```",
    '```"><script>window.hacked=1</script>\nx\n```',
)
DANGEROUS = (
    "script, iframe, object, embed, form, style, link, base, meta, svg, math:not(.math > math), textarea, "
    "[style]:not(math *), [srcdoc], "
    "a[href^=javascript i], a[href^=data i]"
)


@pytest.mark.parametrize("kind", ["markdown", "org"])
def test_contents_are_never_executed(tab: Tab, dashboard: Dashboard, kind: str) -> None:
    """A page with every payload, as it stands in the document; its title is one, too."""
    slug, server = f"attack/{kind}", dashboard.server
    title = "<img src=x onerror='window.hacked = 1'>"
    folder = server.db.parent.parent / "attack"
    folder.mkdir(exist_ok=True)
    if kind == "org":
        links = (
            "[[javascript:window.hacked=1][x]] [[https://x.example.org][<script>window.hacked=1</script>]]"
        )
        text = f"#+title: {title}\n\n" + "\n\n".join([*PAYLOADS, links])
        (folder / "org.org").write_text(text, encoding="utf-8")
    else:
        (folder / "markdown.md").write_text(f"# {title}\n\n" + "\n\n".join(PAYLOADS), encoding="utf-8")
    assert server.get(f"/api/get?slug={slug}").status == 200
    for view in (f"/page/{slug}", f"/page/{slug}?edit", "/browse?under=attack", "/search?q=onerror", "/"):
        tab.go(dashboard.address(view))
        tab.wait_for("!!document.querySelector('main .card')")
        if "edit" in view:
            tab.wait_for("document.querySelector('.edit .doc').children.length > 5")
        tab.evaluate("document.querySelectorAll('.doc a:not([href^=http])').forEach((each) => each.click())")
        assert tab.evaluate("window.hacked === undefined"), view
        assert tab.evaluate(f"document.querySelectorAll('.doc :is({DANGEROUS})').length") == 0, view
        assert tab.evaluate("document.querySelectorAll('#app').length") == 1
    assert not [each for each in tab.complaints if "x.example.org" in each]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_sanitiser_leaves_nothing_that_acts(payload: str) -> None:
    html = display(Shown(payload)).html.lower()
    assert not any(
        f"<{name}" in html for name in ("script", "iframe", "svg", "style", "form", "object", "meta")
    )
    assert 'href="java' not in html


def test_without_the_cookie_there_is_a_program_and_no_data(dashboard: Dashboard) -> None:
    server = dashboard.server
    shell = server.get("/", Authorization=None)
    policy = shell.headers["content-security-policy"]
    assert shell.status == 200
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for path in ("/api/stats", "/api/events", "/api/get?slug=people/alice", "/api/dashboard/file?path=a.png"):
        assert server.get(path, Authorization=None).status == 401
        assert server.get(path, Authorization=None, Cookie=f"quaid_{server.port}=guess").status == 401


def test_the_program_is_loaded_at_once_and_asked_for_once(dashboard: Dashboard) -> None:
    page = dashboard.server.get("/", Authorization=None).body.decode()
    addresses = re.findall(r'href="(/assets/[^"]+)"', page)
    assert any(each.endswith("/attention.js") for each in addresses)  # which Home imports
    assert not any(each.endswith(("/codemirror.js", "/rich.js", "/temml.js")) for each in addresses)
    for address in addresses:
        answered = dashboard.server.get(address, Authorization=None)
        assert (answered.status, "immutable" in answered.headers["cache-control"]) == (200, True), address
    assert dashboard.server.get("/assets/app.js", Authorization=None).headers["cache-control"] == "no-cache"


def test_a_link_lets_one_browser_in(dashboard: Dashboard) -> None:
    server, path = dashboard.server, dashboard.link.partition(f":{dashboard.server.port}")[2]
    first, second = server.get(path, Authorization=None), server.get(path, Authorization=None)
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"quaid_{server.port}=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "set-cookie" not in second.headers
    held = cookie.partition(";")[0]
    assert server.get("/api/stats", Authorization=None, Cookie=held).status == 200
    assert server.send("POST", "/mcp", b"{}", Authorization=None, Cookie=held).status == 401
    assert server.send("POST", "/login/code", b"{}", Authorization="Bearer guess").status == 401


def test_other_sites_and_names_are_refused_even_with_the_cookie(dashboard: Dashboard) -> None:
    server = dashboard.server
    entered = server.get(dashboard.link.partition(f":{server.port}")[2], Authorization=None)
    cookie = {"Authorization": None, "Cookie": entered.headers["set-cookie"].partition(";")[0]}
    body = json.dumps({"slug": "people/alice"}).encode()
    assert server.send("POST", "/api/rm", body, **cookie, Origin="https://evil.example.org").status == 403
    assert server.send("POST", "/api/rm", body, **cookie, Sec_Fetch_Site="cross-site").status == 403
    assert server.send("POST", "/api/rm", body, **(cookie | {"Content-Type": "text/plain"})).status == 415
    for path in ("/", "/assets/app.js", "/page/x", "/login?code=x", "/api/stats"):
        assert server.get(path, **cookie, Host="evil.example.org").status == 421
        assert server.get(path, **cookie, Sec_Fetch_Site="cross-site").status == 403
    assert not any(name.startswith("access-control") for name in server.get("/", **cookie).headers)
    assert server.get("/api/get?slug=people/alice", **cookie).status == 200


def test_bodies_that_are_too_large_are_refused_and_a_long_page_is_cut(
    dashboard: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaid.web.rest.LARGEST", 10_000)
    long = "x" * 20_000
    for path, values in (
        ("/api/put", {"slug": "notes/long", "content": long, "expected_version": 0}),
        ("/api/render", {"content": long}),
        ("/api/dashboard/jobs", {"operation": long}),
        ("/api/dashboard/questions", {"question": long}),
    ):
        assert dashboard.ask(path, **values).status == 413, path
    assert dashboard.read("/api/get?slug=notes/long").status == 404
    monkeypatch.setattr("quaid.formats.display.page.LONGEST", 1_000)
    assert len(dashboard.ask("/api/render", content="x" * 9_000).json["html"]) < 1_100


def test_paths_stay_within_their_folder(dashboard: Dashboard, tmp_path: Path) -> None:
    server = dashboard.server
    folder = server.db.parent.parent
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "real.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.png").write_bytes(b"secret")
    (folder / "linked.png").symlink_to(tmp_path / "secret.png")
    (folder / "away").symlink_to(tmp_path)
    fine = server.get("/api/dashboard/file?collection=diary&path=real.png&beside=x/real.png")
    assert (fine.status, fine.headers["content-type"]) == (200, "image/png")
    assert "sandbox" in fine.headers["content-security-policy"]
    for path in (
        f"..%2F{tmp_path.name}%2Fsecret.png",
        f"{tmp_path}/secret.png",
        "linked.png",
        "away/secret.png",
        ".hidden.png",
        ".quaid/memory.db",
        "lists/shopping.md",
        "a%00.png",
    ):
        got = server.get(f"/api/dashboard/file?collection=diary&path={path}&beside={path}")
        assert got.status == 404, path
    for path in ("/assets/../shell.py", "/assets/..%2fshell.py", "/assets//etc/passwd", "/assets/vendor"):
        assert server.get(path).status in (401, 404), path


def test_a_dashboard_that_runs_is_found_by_the_next_command(dashboard: Dashboard, tmp_path: Path) -> None:
    note = Note.of(tmp_path, dashboard.server.db)
    assert note.link() is None
    note.write(dashboard.server.port, dashboard.cookies.key)
    assert note.file.stat().st_mode & 0o077 == 0
    link = note.link()
    assert link
    assert "set-cookie" in dashboard.server.get(link[link.index("/login") :], Authorization=None).headers
    note.write(dashboard.server.port, "another key")
    assert note.link() is None
