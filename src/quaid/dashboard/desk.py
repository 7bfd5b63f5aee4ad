"""What the person looks after: work that is under way, and what they alone are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quaid import operations
from quaid.app import App
from quaid.app.questions import Questions
from quaid.dashboard.jobs import Jobs
from quaid.errors import InvalidInput, QuaidError
from quaid.graph.gaps import hash_of
from quaid.mcp.workers import Workers
from quaid.model.actor import Actor, acting
from quaid.model.check import Check
from quaid.model.grant import Visit
from quaid.operations import diagnosis
from quaid.operations.memory import embedding_progress
from quaid.operations.models import EMBED, Embed
from quaid.operations.results import as_data
from quaid.vault import folder
from quaid.web.responses import answer, failure, json_bytes
from quaid.web.rest import body, object_of

JOBS = "/api/dashboard/jobs"
QUESTIONS = "/api/dashboard/questions"
EMBEDDING = "embedding"  # the job of the process that embeds in the background


class Desk:
    """Answers requests about jobs."""

    def __init__(self, workers: Workers, jobs: Jobs) -> None:
        self._workers = workers
        self._jobs = jobs

    @property
    def routes(self) -> tuple[Route, ...]:
        """Where it is asked."""
        return (
            Route(JOBS, self._for_owner(self._list), methods=["GET"]),
            Route(JOBS, self._for_owner(self._begin), methods=["POST"]),
            Route(JOBS + "/{id}/{wish}", self._for_owner(self._ask), methods=["POST"]),
            Route("/api/dashboard/health", self._for_owner(self._health), methods=["GET"]),
            Route("/api/dashboard/place", self._for_owner(self._place), methods=["GET"]),
            Route(QUESTIONS, self._for_owner(self._questions), methods=["GET"]),
            Route(QUESTIONS, self._for_owner(self._keep_question), methods=["POST"]),
        )

    def _for_owner(self, work: Callable[[Request, Actor], Any]) -> Callable[[Request], Any]:
        """Only the owner of the memory looks after it."""

        async def respond(request: Request) -> Response:
            visit: Visit = request.scope[Visit.KEY]
            visit.operation = "jobs"
            try:
                visit.grant.demand("own", visit.operation)
                return answer(json_bytes(as_data(await work(request, Actor("human", visit.grant.name)))))
            except QuaidError as error:
                return failure(error)

        return respond

    async def _list(self, request: Request, actor: Actor) -> Any:
        embedding = await self._workers.run(lambda app, _: embedding_progress(app))
        return {"jobs": self._jobs.everything(), "embedding": embedding}

    async def _begin(self, request: Request, actor: Actor) -> Any:
        given = object_of(await body(request))
        name, values = given.get("operation"), given.get("arguments", {})
        if not isinstance(name, str) or not isinstance(values, dict):
            raise InvalidInput("a job has an operation and arguments")
        return self._jobs.begin(name, values, actor)

    async def _ask(self, request: Request, actor: Actor) -> Any:
        id, wish = request.path_params["id"], request.path_params["wish"]
        if id != EMBEDDING:
            return self._jobs.ask(id, wish)
        if wish not in ("pause", "resume"):
            raise InvalidInput("embedding is paused or resumed")

        def switch(app: App, notices: list[str]) -> Any:
            with acting(actor):
                return operations.run(app, EMBED, Embed(pause=wish == "pause", resume=wish == "resume"))

        return await self._workers.run(switch, "write")

    async def _health(self, request: Request, actor: Actor) -> Any:
        return {"checks": await self._workers.run(lambda app, _: health(app))}

    async def _place(self, request: Request, actor: Actor) -> Any:
        slug = request.query_params.get("slug", "")
        return await self._workers.run(lambda app, _: place(app, slug))

    async def _questions(self, request: Request, actor: Actor) -> Any:
        """The words of questions without an answer, which the memory itself does not keep."""
        return {"questions": await self._workers.run(lambda app, _: Questions(app.home).read())}

    async def _keep_question(self, request: Request, actor: Actor) -> Any:
        question = object_of(await body(request)).get("question")
        if not isinstance(question, str) or not question.strip():
            raise InvalidInput("no question is given")
        await self._workers.run(lambda app, _: Questions(app.home).note(hash_of(question), question))
        return {}


def health(app: App) -> tuple[Check, ...]:
    """What `quaid doctor` says of a memory and of where it lies."""
    memory = app.store.path
    beside = (
        ("permissions", lambda: diagnosis.permissions(app.home, memory)),
        ("disk", lambda: diagnosis.space(memory)),
    )
    around = (check for name, look in beside for check in diagnosis.checks_of(name, look, memory))
    return (*diagnosis.checks(app), *around)


def place(app: App, slug: str) -> dict[str, Any]:
    """Where the file of a page is on this machine, and whether Obsidian knows its folder."""
    page = app.page(slug)
    row = app.collection_row(page.collection)
    if row.root is None or page.path is None:
        return {"file": "", "obsidian": False}
    root = app.root_of(row)
    return {"file": str(root / folder.spelt(page.path)), "obsidian": (root / ".obsidian").is_dir()}
