"""What the conformance suite wants to find in a server: tools, resources and prompts of given names.

They say what the suite expects of them and have nothing to do with a memory. Those that ask something of
the client (sampling, elicitation, logs) are missing, because Quaid's server never does.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = base64.b64encode(
    b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x02\0\0\0\0\0"
).decode()

SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=PIXEL, mime_type="image/png")


def embedded(uri: str, kind: str, words: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=kind, text=words)
    return types.EmbeddedResource(type="resource", resource=resource)


CONTENTS: dict[str, list[Any]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [image()],
    "test_audio_content": [types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        image(),
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "test_streaming_elicitation": [text("This server asks its client nothing.")],
    "test_logging_tool": [text("This server sends no logs.")],
    "json_schema_2020_12_tool": [text("Only its schema matters.")],
}

TOOLS = [
    types.Tool(
        name=name,
        description="A fixture of the conformance suite.",
        input_schema=SCHEMA_2020_12 if name == "json_schema_2020_12_tool" else {"type": "object"},
    )
    for name in (*CONTENTS, "test_error_handling", "test_missing_capability")
]

RESOURCES = [
    types.Resource(uri="test://static-text", name="Text", description="A text.", mime_type="text/plain"),
    types.Resource(uri="test://static-binary", name="Image", description="A dot.", mime_type="image/png"),
]

TEMPLATES = [
    types.ResourceTemplate(
        uri_template="test://template/{id}/data",
        name="Data",
        description="Data of an id.",
        mime_type="application/json",
    )
]


def argument(name: str) -> types.PromptArgument:
    return types.PromptArgument(name=name, description="An argument.", required=True)


PROMPTS = [
    types.Prompt(name="test_simple_prompt", description="A prompt."),
    types.Prompt(
        name="test_prompt_with_arguments",
        description="A prompt with arguments.",
        arguments=[argument("arg1"), argument("arg2")],
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource",
        description="A prompt with a resource.",
        arguments=[argument("resourceUri")],
    ),
    types.Prompt(name="test_prompt_with_image", description="A prompt with an image."),
]


class Fixtures:
    """The handlers of a server, in the place of those of a memory."""

    names = ()

    async def list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        """All tools."""
        return types.ListToolsResult(tools=TOOLS)

    async def call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool of the suite answers."""
        if params.name == "test_error_handling":
            words = text("This tool intentionally returns an error for testing")
            return types.CallToolResult(content=[words], is_error=True)
        if params.name == "test_missing_capability":
            needed = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", needed)
        if params.name not in CONTENTS:
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name!r}")
        return types.CallToolResult(content=CONTENTS[params.name])

    async def list_resources(self, ctx: Any, params: Any) -> types.ListResourcesResult:
        """All resources."""
        return types.ListResourcesResult(resources=RESOURCES)

    async def list_templates(self, ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
        """The template."""
        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(
        self, ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """A resource of the suite."""
        uri = str(params.uri)
        of_template = re.fullmatch(r"test://template/([^/]+)/data", uri)
        contents: types.TextResourceContents | types.BlobResourceContents
        if uri == "test://static-text":
            words = "This is the content of the static text resource."
            contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=words)
        elif uri == "test://static-binary":
            contents = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL)
        elif of_template:
            data = {"id": of_template[1], "templateTest": True, "data": f"Data for ID: {of_template[1]}"}
            contents = types.TextResourceContents(
                uri=uri, mime_type="application/json", text=json.dumps(data)
            )
        else:
            raise MCPError(types.INVALID_PARAMS, f"no resource {uri!r}", {"uri": uri})
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, ctx: Any, params: Any) -> types.ListPromptsResult:
        """All prompts."""
        return types.ListPromptsResult(prompts=PROMPTS)

    async def get_prompt(self, ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt of the suite."""
        contents = prompt_contents(params.name, params.arguments or {})
        messages = [types.PromptMessage(role="user", content=content) for content in contents]
        return types.GetPromptResult(messages=messages)

    async def complete(self, ctx: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Values for an argument of a prompt."""
        values = [value for value in ("testing", "paris") if value.startswith(params.argument.value)]
        return types.CompleteResult(completion=types.Completion(values=values, total=len(values)))


def prompt_contents(name: str, given: dict[str, str]) -> list[Any]:
    """What a prompt consists of."""
    if name == "test_simple_prompt":
        return [text("This is a simple prompt for testing.")]
    if name == "test_prompt_with_arguments":
        return [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
    if name == "test_prompt_with_embedded_resource":
        words = "Embedded resource content for testing."
        return [
            embedded(given["resourceUri"], "text/plain", words),
            text("Please process the embedded resource above."),
        ]
    if name == "test_prompt_with_image":
        return [image(), text("Please analyze the image above.")]
    raise MCPError(types.INVALID_PARAMS, f"no prompt {name!r}")
