"""The server: what it offers, and how each request becomes an operation."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quaid import __version__
from quaid.app import App
from quaid.errors import Internal, InvalidInput, NotFound, QuaidError
from quaid.mcp import answers, prompts, resources
from quaid.mcp.workers import Workers, kind_of
from quaid.model.actor import Actor, acting
from quaid.model.grant import OWN, Right, Visit
from quaid.operations.arguments import decode, lean_schema, parameters
from quaid.operations.confinement import is_allowed, run, seen_by
from quaid.operations.operation import Operation
from quaid.operations.tool_sets import instructions
from quaid.store import pages
from quaid.trust import session_of

RESOURCE_NOT_FOUND = -32002  # before 2026-07-28
LASTING = CacheHint(ttl_ms=3_600_000, scope="public")  # what is the same as long as the server runs
# The same for one token: others may do other things.
OWN_LASTING = CacheHint(ttl_ms=3_600_000, scope="private")
LONGEST_NAME = 30  # characters of a client's name and version
SESSION_HEADER = "mcp-session-id"
R = TypeVar("R")


class Memory:
    """The handlers of one server."""

    def __init__(self, workers: Workers, offered: tuple[Operation[Any, Any], ...]) -> None:
        self._workers = workers
        self._offered = {operation.tool: operation for operation in offered}
        self._names = {operation.name: operation.tool for operation in offered}
        self._tools = {operation.tool: tool_entry(operation) for operation in offered}
        self.greeted = threading.Event()  # the client knows the tools: there is time for other work
        # Of a client that starts the server for itself; some say in the environment which one it is.
        self._session = session_of(workers.opening.surroundings.environment) or secrets.token_hex(4)

    @property
    def names(self) -> list[str]:
        """The names of the tools."""
        return list(self._offered)

    async def list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        """The tools of the chosen set."""
        self.greeted.set()
        grant = _visit(ctx).grant
        allowed = [
            name
            for name, each in self._offered.items()
            if grant.covers(_right(each)) and is_allowed(each.name, grant.collections)
        ]
        return types.ListToolsResult(tools=[self._tools[name] for name in allowed])

    async def call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run an operation. What goes wrong is an answer that the model sees."""
        operation = self._offered.get(params.name)
        if operation is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        values = dict(params.arguments or {})
        visit = _visit(ctx)
        visit.operation = operation.name
        actor = self._actor(ctx)

        def perform(app: App, notices: list[str]) -> types.CallToolResult:
            with acting(actor):
                return _call_result(app, operation, values, visit.grant.collections, notices)

        try:
            visit.grant.demand(_right(operation), operation.name)
            return await self._workers.run(perform, kind=kind_of(operation))
        except QuaidError as error:
            return answers.failure(error, self._names)
        except Exception as error:  # surface: a defect must not end the session
            return answers.failure(Internal(f"{type(error).__name__}: {error}"))

    def _actor(self, ctx: Any) -> Actor:
        """Who calls: what the client calls itself, which nobody checks, and the name of its token."""
        said = ctx.session.client_params
        info = said.client_info if said else None
        session = ctx.request.headers.get(SESSION_HEADER) if ctx.request is not None else None
        name, version = (info.name, info.version) if info else ("unnamed client", "")
        holder = _visit(ctx).grant.name
        known = f"{name[:LONGEST_NAME]} ({holder})" if holder else name[:LONGEST_NAME]
        return Actor("agent", known, version[:LONGEST_NAME], session or self._session)

    async def list_resources(self, ctx: Any, params: Any) -> types.ListResourcesResult:
        """The index and the newest pages."""
        found = await self._outcome(ctx, lambda app: resources.resources(app))
        return types.ListResourcesResult(resources=found)

    async def list_templates(self, ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
        """How pages are addressed."""
        return types.ListResourceTemplatesResult(resource_templates=[resources.PAGE])

    async def read_resource(
        self, ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """A page, or the index."""
        try:
            told = "context" if params.uri == resources.CONTEXT else "get"
            contents = await self._outcome(ctx, lambda app: resources.read(app, params.uri), told)
        except MCPError as error:
            missing = (error.error.data or {}).get("code") == NotFound.code
            legacy = missing and ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS
            code = RESOURCE_NOT_FOUND if legacy else types.INVALID_PARAMS
            raise MCPError(code, error.error.message, {**error.error.data, "uri": params.uri}) from None
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, ctx: Any, params: Any) -> types.ListPromptsResult:
        """The prompts."""
        return types.ListPromptsResult(prompts=list(prompts.PROMPTS))

    async def get_prompt(self, ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt, filled in."""
        given = params.arguments or {}
        told = prompts.TELLING.get(params.name, "get")
        text = await self._outcome(ctx, lambda app: prompts.prompt_text(app, params.name, given), told)
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])

    async def complete(self, ctx: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Slugs that begin as what was typed."""
        is_page = (
            isinstance(params.ref, types.ResourceTemplateReference) and params.ref.uri == resources.TEMPLATE
        )
        if not is_page or params.argument.name != "slug":
            return types.CompleteResult(completion=types.Completion(values=[]))
        partial, most = params.argument.value, resources.COMPLETIONS
        found = await self._outcome(ctx, lambda app: pages.slugs_from(app.connection, partial, most))
        return types.CompleteResult(
            completion=types.Completion(values=found, has_more=len(found) == most or None)
        )

    async def _outcome(self, ctx: Any, work: Callable[[App], R], told: str = "get") -> R:
        """The outcome of some work that tells what an operation tells; our errors become the protocol's."""
        actor, grant = self._actor(ctx), _visit(ctx).grant

        def perform(app: App, notices: list[str]) -> R:
            with acting(actor), seen_by(app, told, grant.collections) as seen:
                return work(seen)

        try:
            return await self._workers.run(perform)
        except QuaidError as error:
            raise MCPError(
                types.INVALID_PARAMS, f"{error.message}. {error.hint}".rstrip(), error.as_dict()
            ) from None


def make_server(memory: Memory) -> Server[Any]:
    """The SDK's server over the handlers."""
    return Server(
        "quaid",
        version=__version__,
        title="Quaid",
        instructions=instructions(memory.names),
        cache_hints={"tools/list": OWN_LASTING, "prompts/list": LASTING, "resources/templates/list": LASTING},
        on_list_tools=memory.list_tools,
        on_call_tool=memory.call_tool,
        on_list_resources=memory.list_resources,
        on_list_resource_templates=memory.list_templates,
        on_read_resource=memory.read_resource,
        on_list_prompts=memory.list_prompts,
        on_get_prompt=memory.get_prompt,
        on_completion=memory.complete,
    )


def _visit(ctx: Any) -> Visit:
    """The request that a message came with; a client that started this process is the person's own."""
    found: Visit | None = ctx.request.scope.get(Visit.KEY) if ctx.request is not None else None
    return found or Visit(OWN)


def _right(operation: Operation[Any, Any]) -> Right:
    """What a token must allow for a tool: which tools there are is for whoever starts the server to say."""
    return "read" if operation.effect == "read" else "write"


def _call_result(
    app: App,
    operation: Operation[Any, Any],
    values: dict[str, Any],
    collections: Sequence[str],
    notices: list[str],
) -> types.CallToolResult:
    """The answer to a call. `offset` pages through every answer that is too long for one."""
    given = values.get("offset", 0)
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise InvalidInput("offset must be a whole number, and not below 0")
    goes_on = _may_be_repeated(operation, values)
    if any(parameter.name == "offset" for parameter in parameters(operation.arguments)):
        part = answers.Part(skipped=given, goes_on=goes_on)
    else:
        part = answers.Part(offset=given, goes_on=goes_on)
        values = {name: value for name, value in values.items() if name != "offset" or not goes_on}
    result = run(app, operation, decode(operation.arguments, values, tool=True), collections)
    return answers.answer(operation, result, notices, part, app.settings.integer("mcp.max_tokens"))


def _may_be_repeated(operation: Operation[Any, Any], values: dict[str, Any]) -> bool:
    """Whether the same call again only reads; one that names a version has changed the page."""
    versions = any(name.endswith("_version") and value is not None for name, value in values.items())
    return operation.effect == "read" or (operation.idempotent and not versions)


def tool_entry(operation: Operation[Any, Any]) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=operation.tool,
        description=operation.brief or " ".join(operation.help.split()),
        input_schema=lean_schema(operation.arguments, operation.told),
        annotations=types.ToolAnnotations(
            read_only_hint=operation.effect == "read",
            destructive_hint=operation.effect == "destructive",
            idempotent_hint=operation.idempotent,
            open_world_hint=False,
        ),
    )
