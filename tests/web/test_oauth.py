"""Clients that run elsewhere: the SDK's own through the whole flow, and those that mean no good."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl

from quaid.app.tokens import Token, Tokens
from tests.support import PATIENCE, open_memory
from tests.web.serving import Answered, Running, running

BACK = "http://127.0.0.1:9/callback"
VERIFIER = "v" * 50
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


class Server:
    """A server with OAuth, what its terminal shows, and a browser."""

    def __init__(self, running: Running, terminal: list[str]) -> None:
        self.running = running
        self.terminal = terminal

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.running.port}"

    @property
    def code(self) -> str:
        """What was printed last."""
        return self.terminal[-1].rpartition(" ")[2]

    def open(self, method: str, path: str, form: dict[str, Any] | None = None, **headers: str) -> Answered:
        """A request without a token, as a browser or a client sends it."""
        body = urlencode(form, doseq=True).encode() if form else b""
        kind = "application/x-www-form-urlencoded"
        return self.running.send(method, path, body, Authorization=None, Content_Type=kind, **headers)

    def register(self, **more: Any) -> Any:
        metadata = {"client_name": "Claude <b>", "redirect_uris": [BACK]} | more
        return self.running.as_token("").post("/register", **metadata)

    def ask(self, client: str, **more: str) -> str:
        """Begin as a client does; the answer is the id of the question."""
        wanted = {
            "client_id": client,
            "redirect_uri": BACK,
            "response_type": "code",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "s",
        } | more
        sent = self.open("GET", "/authorize?" + urlencode(wanted))
        assert sent.status == 302, sent.body
        return parse_qs(urlsplit(sent.headers["location"]).query)["request"][0]

    def answer(self, identity: str, **more: Any) -> Answered:
        form = {"request": identity, "answer": "allow", "can": "write", "code": self.code} | more
        return self.open("POST", "/consent", form, Origin=self.issuer)

    def token(self, client: str, **more: str) -> Answered:
        return self.open("POST", "/token", {"client_id": client} | more)

    def allowed(self, **more: Any) -> tuple[str, Any]:
        """A client that was let in, with its tokens."""
        client = self.register().json["client_id"]
        back = self.answer(self.ask(client), **more)
        code = parse_qs(urlsplit(back.headers["location"]).query)["code"][0]
        got = self.token(
            client, grant_type="authorization_code", code=code, redirect_uri=BACK, code_verifier=VERIFIER
        )
        assert got.status == 200, got.body
        return client, got.json


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    db = tmp_path_factory.mktemp("oauth") / "memory.db"
    app = open_memory(db)
    app.new_collection("work")
    app.store.close()
    terminal: list[str] = []
    with running(db, oauth=terminal.append, names=()) as served:
        yield Server(served, terminal)


class Kept:
    """What a client keeps."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


def test_a_client_of_the_sdk_from_nothing_to_a_page(server: Server) -> None:
    kept = Kept()
    answered: list[str] = []

    async def show(address: str) -> None:
        async with httpx2.AsyncClient(follow_redirects=True) as browser:
            page = await browser.get(address)
            assert "Phone app" in page.text
            identity = re.search(r'name="request" value="([^"]+)"', page.text)
            assert identity
            form = {"request": identity[1], "answer": "allow", "can": "write", "code": server.code}
            headers = {"Origin": server.issuer, "Sec-Fetch-Site": "same-origin"}
            back = await browser.post(
                f"{server.issuer}/consent", data=form, headers=headers, follow_redirects=False
            )
            answered.append(back.headers["location"])

    async def came_back() -> AuthorizationCodeResult:
        told = parse_qs(urlsplit(answered[-1]).query)
        return AuthorizationCodeResult(code=told["code"][0], state=told["state"][0], iss=told["iss"][0])

    async def use() -> None:
        metadata = OAuthClientMetadata(client_name="Phone app", redirect_uris=[AnyUrl(BACK)])
        provider = OAuthClientProvider(f"{server.issuer}/mcp", metadata, kept, show, came_back)
        async with (
            httpx2.AsyncClient(auth=provider, timeout=PATIENCE) as web,
            streamable_http_client(f"{server.issuer}/mcp", http_client=web) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            arguments = {"slug": "tea", "content": "# Tea\n", "expected_version": 0}
            written = await session.call_tool("memory_put", arguments)
            assert written.structured_content
            assert written.structured_content["version"] == 1

    asyncio.run(use())
    known = Tokens(server.running.db.parent, server.running.db).everything()
    assert [each.name for each in known if each.client == kept.client.client_id] == ["phone-app"]
    as_client = server.running.as_token(kept.tokens.access_token)
    assert as_client.get("/api/get?slug=tea").status == 200
    Tokens(server.running.db.parent, server.running.db).revoke("phone-app")
    assert as_client.get("/api/get?slug=tea").status == 401


def test_who_is_refused_is_told_where_to_ask(server: Server) -> None:
    refused = server.open("POST", "/mcp")
    assert refused.status == 401
    told = re.search(r'resource_metadata="([^"]+)"', refused.headers["www-authenticate"])
    assert told
    described = server.open("GET", urlsplit(told[1]).path).json
    assert described["resource"] == f"{server.issuer}/mcp"
    assert described["authorization_servers"] == [server.issuer]
    metadata = server.open("GET", "/.well-known/oauth-authorization-server").json
    assert metadata["issuer"] == server.issuer
    assert metadata["code_challenge_methods_supported"] == ["S256"]


def test_the_page_names_who_asks_and_what_for(server: Server) -> None:
    identity = server.ask(server.register().json["client_id"])
    page = server.open(
        "GET", f"/consent?request={identity}", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate"
    )
    text = page.body.decode()
    assert "Claude &lt;b&gt;" in text
    assert "<b>127" not in text.replace('<b class="name">', "")
    for word in ("127.0.0.1:9", "read and write", "work", "default"):
        assert word in text
    assert server.code not in text
    assert "<script" not in text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-store"
    narrow = server.open(
        "GET", f"/consent?request={server.ask(server.register().json['client_id'], scope='read')}"
    )
    assert "read and write" not in narrow.body.decode()


def test_rights_and_collections_are_what_the_person_chose(server: Server) -> None:
    _, tokens = server.allowed(can="read", collection=["work"])
    assert tokens["scope"] == "read"
    client = server.running.as_token(tokens["access_token"])
    assert client.post("/api/put", slug="x", content="# X\n").status == 403
    assert [each["name"] for each in client.get("/api/collection/list").json["collections"]] == ["work"]
    assert client.post("/api/export", directory="out").status == 403


def test_the_owner_may_prove_themself_by_a_token(server: Server) -> None:
    tokens = Tokens(server.running.db.parent, server.running.db)
    owner = tokens.add(Token("me", "", "own"))
    writer = tokens.add(Token("agent", "", "write"))
    assert server.answer(server.ask(server.register().json["client_id"]), code=writer).status == 200
    assert server.answer(server.ask(server.register().json["client_id"]), code=owner).status == 302


def test_who_guesses_has_few_tries(server: Server) -> None:
    identity = server.ask(server.register().json["client_id"])
    right = server.code
    for _ in range(4):
        assert "The code is wrong" in server.answer(identity, code="aaaa-bbbb-cccc").body.decode()
    assert server.answer(identity, code="aaaa-bbbb-cccc").status == 403
    assert server.answer(identity, code=right).status == 404


def test_refusal(server: Server) -> None:
    back = server.answer(server.ask(server.register().json["client_id"]), answer="refuse")
    told = parse_qs(urlsplit(back.headers["location"]).query)
    assert told == {"error": ["access_denied"], "state": ["s"], "iss": [server.issuer]}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"},
        {"Host": "evil.example"},
    ],
)
def test_another_page_answers_for_nobody(server: Server, headers: dict[str, str]) -> None:
    identity = server.ask(server.register().json["client_id"])
    form = {"request": identity, "answer": "allow", "can": "write", "code": server.code}
    assert server.open("POST", "/consent", form, **headers).status in (403, 421)


def test_a_client_in_a_page_elsewhere_may_ask_where_only_tokens_count(server: Server) -> None:
    elsewhere = {"Origin": "https://client.example", "Sec_Fetch_Site": "cross-site"}
    preflight = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,mcp-protocol-version",
    }
    for path in ("/mcp", "/register", "/token", "/.well-known/oauth-authorization-server"):
        allowed = server.open("OPTIONS", path, **elsewhere, **preflight)
        assert allowed.status == 200, path
        assert allowed.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in allowed.headers
        assert "authorization" in allowed.headers["access-control-allow-headers"].lower()
    for path in ("/api/stats", "/consent", "/authorize", "/healthz"):
        refused = server.open("OPTIONS", path, **elsewhere, **preflight)
        assert refused.status == 403, path
        assert "access-control-allow-origin" not in refused.headers
    known = server.running.send("POST", "/mcp", b"{}", **elsewhere)
    assert known.status not in (401, 403)
    assert "mcp-session-id" in known.headers["access-control-expose-headers"].lower()
    assert server.running.send("POST", "/mcp", b"{}", Host="evil.example", **elsewhere).status == 421


def test_a_link_of_another_page_leads_nowhere_else(server: Server) -> None:
    refused = server.running.get("/api/stats", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert refused.status == 403


def test_a_code_is_used_once_and_by_who_asked(server: Server) -> None:
    client = server.register().json["client_id"]
    other = server.register().json["client_id"]
    back = server.answer(server.ask(client))
    code = parse_qs(urlsplit(back.headers["location"]).query)["code"][0]
    right = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    for wrong in ({"code_verifier": "w" * 50}, {"redirect_uri": "http://127.0.0.1:9/other"}, {"code": "x"}):
        assert server.token(client, **(right | wrong)).status == 400
    assert server.token(other, **right).status == 400
    assert server.token("nobody", **right).status == 401
    assert server.token(client, **right).status == 200
    assert server.token(client, **right).status == 400


def test_a_token_is_renewed_and_what_was_spent_gives_it_away(server: Server) -> None:
    client, first = server.allowed()
    renewal = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    other = server.register().json["client_id"]
    assert server.token(other, **renewal).status == 400
    second = server.token(client, **renewal)
    assert second.status == 200
    assert server.running.as_token(first["access_token"]).get("/api/stats").status == 401
    as_client = server.running.as_token(second.json["access_token"])
    assert as_client.get("/api/stats").status == 200
    assert server.token(client, **renewal).status == 400
    assert as_client.get("/api/stats").status == 401, "a secret in two hands opens nothing"


def test_a_client_gives_its_token_back(server: Server) -> None:
    client, tokens = server.allowed()
    given = {"client_id": client, "token": tokens["access_token"], "client_secret": ""}
    assert server.open("POST", "/revoke", given).status == 200
    assert server.running.as_token(tokens["access_token"]).get("/api/stats").status == 401


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://evil.example/x", "data:text/html,x", "https://a.example/#f"]
)
def test_nobody_is_sent_to_odd_places(server: Server, address: str) -> None:
    assert server.register(redirect_uris=[address]).status == 400


def test_odd_requests(server: Server) -> None:
    client = server.register().json["client_id"]
    wanted = {"client_id": client, "response_type": "code", "code_challenge": CHALLENGE, "redirect_uri": BACK}
    strange = server.open(
        "GET", "/authorize?" + urlencode(wanted | {"resource": "https://other.example/mcp"})
    )
    assert "error=invalid_target" in strange.headers["location"]
    elsewhere = server.open(
        "GET", "/authorize?" + urlencode(wanted | {"redirect_uri": "https://evil.example/"})
    )
    assert elsewhere.status == 400
    assert server.open("GET", "/authorize?" + urlencode(wanted | {"client_id": "nobody"})).status == 400
    assert server.open("GET", "/consent?request=nothing").status == 404
    assert server.open("POST", "/token", {"x": "y" * 70_000}).status == 413
    assert server.register(scope="own").status == 400


def test_clients_and_tokens_outlast_the_server(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    open_memory(db).store.close()

    @contextmanager
    def once() -> Iterator[Server]:
        terminal: list[str] = []
        with running(db, oauth=terminal.append, names=()) as served:
            yield Server(served, terminal)

    with once() as before:
        client, tokens = before.allowed()
    with once() as after:
        assert after.running.as_token(tokens["access_token"]).get("/api/stats").status == 200
        renewed = after.token(client, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
        assert renewed.status == 200
