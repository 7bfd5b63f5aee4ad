from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from quaid import operations
from quaid.web.openapi import description
from tests.support import lengths
from tests.web.serving import Running

ASKED = [
    "/api/get?slug=a",
    "/api/get?slug=a&version=1",
    "/api/list",
    "/api/search?query=river",
    "/api/stats",
    "/api/tags",
]
ASKED += [
    "/api/query?question=river",
    "/api/history?slug=a",
    "/api/links?slug=a",
    "/api/graph?slug=a",
    "/api/facts",
]
ASKED += [
    "/api/briefing",
    "/api/orphans",
    "/api/collection/list",
    "/api/config/list",
    "/api/model/list",
    "/api/gaps",
]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return description()


def test_it_is_valid_and_names_every_operation(described: dict[str, Any], server: Running) -> None:
    validate(described)
    paths = {"/api/" + name.replace(" ", "/") for name in operations.NAMES}
    assert paths <= set(described["paths"])
    assert server.get("/api/openapi.json").json == described
    assert server.get("/api/openapi.json", Authorization=None).status == 401


def test_answers_are_as_described(described: dict[str, Any], server: Running) -> None:
    text = "---\ntags: [x]\n---\n# A\n\nThe river, and [[b]].\n"
    server.post("/api/put", slug="a", content=text)
    server.post("/api/timeline-add", slug="a", date="2026-01-01", summary="rose")
    for path in ASKED:
        content = described["paths"][path.partition("?")[0]]["get"]["responses"]["200"]["content"]
        schema = content["application/json"]["schema"] | {"components": described["components"]}
        answer = server.get(path)
        assert answer.status == 200, path
        Draft202012Validator(schema).validate(answer.json)


@lengths("requests", 80, 5_000)
def test_no_request_is_a_defect(described: dict[str, Any], server: Running, requests: int) -> None:
    """Requests that fit the description, and some that do not; each is answered, and none with a defect."""
    schema = schemathesis.openapi.from_dict(described).exclude(path="/api/events")  # it has no end
    modes = schemathesis.GenerationMode
    strategies = [
        found.ok().as_strategy(generation_mode=mode)
        for found in schema.get_all_operations()
        for mode in (modes.POSITIVE, modes.NEGATIVE)
    ]

    @settings(
        max_examples=requests,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(strategies))
    def ask(case: Any) -> None:
        token = {"Authorization": f"Bearer {server.token}"}
        answer = case.call(base_url=f"http://127.0.0.1:{server.port}", headers=token)
        assert answer.status_code < 500, answer.text
        assert answer.status_code < 400 or json.loads(answer.content)["error"]["message"]

    ask()
