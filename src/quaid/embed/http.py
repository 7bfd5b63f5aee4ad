"""A server with an OpenAI-compatible endpoint: Ollama, LM Studio, vLLM, OpenAI and others.

    POST {url}/embeddings  {"model": …, "input": [text, …]}

What is embedded leaves this program, so nothing is sent unless the person has named the server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from email.message import Message
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request

from quaid.embed.embedder import BATCH
from quaid.embed.plugin import Context, ModelInfo, Plugin
from quaid.embed.web import FAILURES, NoRedirects, make_opener, reason_of
from quaid.errors import EmbedderFailed, InvalidInput

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix

ATTEMPTS = 4
LONGEST_PAUSE = 30.0
BUSY = (429, 500, 502, 503, 504)
LONGEST_ANSWER = 64 * 2**20


class HttpEmbedder:
    """Asks a server for vectors. The first answer says how long they are."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        query_prefix: str = "",
        timeout: float = 30.0,
        environment: Mapping[str, str] | None = None,
        pause: float = 0.5,
    ) -> None:
        self.name = f"http:{model}"
        self.model = model
        self.query_prefix = query_prefix
        self._address = url.rstrip("/") + "/embeddings"
        self._opener = make_opener(self._address, environment or {}, NoRedirects())
        self._headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {key}"} if key else {}),
        }
        self._timeout = timeout
        self._pause = pause
        self._dimensions: int | None = None

    @property
    def dimensions(self) -> int:
        """As the server has it; asks with one word if there was no answer yet."""
        if self._dimensions is None:
            self._dimensions = self._request(["dimensions"]).shape[1]
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order."""
        import numpy as np  # 65 ms that only those pay who embed

        parts = [self._request(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), np.float32)

    def _request(self, texts: Sequence[str]) -> Matrix:
        # OpenAI refuses an empty text; a space says as little.
        body = json.dumps({"model": self.model, "input": [text or " " for text in texts]}).encode()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._matrix(self._post(body), len(texts))
            except HTTPError as error:
                with error:
                    if error.code not in BUSY or attempt == ATTEMPTS:
                        raise self._failure(error) from None
                    time.sleep(self._delay(attempt, error.headers))
            except FAILURES as error:
                raise EmbedderFailed(
                    f"{self._address} does not answer: {reason_of(error)}",
                    hint="Is the server running? `embed.url` says where it is.",
                ) from error
        raise AssertionError("unreachable")

    def _post(self, body: bytes) -> bytes:
        request = Request(self._address, data=body, headers=self._headers)  # noqa: S310 - checked by make_opener
        with self._opener.open(request, timeout=self._timeout) as answer:
            read: bytes = answer.read(LONGEST_ANSWER + 1)
        if len(read) > LONGEST_ANSWER:
            raise self._unusable(f"more than {LONGEST_ANSWER >> 20} MB")
        return read

    def _delay(self, attempt: int, headers: Message) -> float:
        """What the server asks for, else twice as long each time."""
        asked = str(headers.get("Retry-After") or "")
        wanted = float(asked) if asked.isdecimal() else self._pause * 2 ** (attempt - 1)
        return min(wanted, LONGEST_PAUSE)

    def _matrix(self, answer: bytes, count: int) -> Matrix:
        import numpy as np  # 65 ms that only those pay who embed

        try:
            items: list[dict[str, Any]] = json.loads(answer)["data"]
            rows = {int(item.get("index", at)): item["embedding"] for at, item in enumerate(items)}
            matrix = np.array([rows[at] for at in sorted(rows)], np.float32)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self._unusable(f"something else ({error!r})") from None
        if matrix.ndim != 2 or len(matrix) != count or not matrix.shape[1]:
            raise self._unusable(f"an array of shape {matrix.shape}")
        if self._dimensions is None:
            self._dimensions = matrix.shape[1]
        elif matrix.shape[1] != self._dimensions:
            raise self._unusable(f"vectors of {matrix.shape[1]} numbers, earlier of {self._dimensions}")
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            raise self._unusable("a vector without a direction")
        unit: Matrix = matrix / lengths
        return unit

    def _failure(self, error: HTTPError) -> EmbedderFailed:
        said = " ".join(error.read(300).decode("utf-8", "replace").split())
        hints = {
            401: "`embed.key_variable` names the environment variable that holds the key.",
            403: "`embed.key_variable` names the environment variable that holds the key.",
            404: "Does the server have the model `embed.model`, and does `embed.url` end as it should (/v1)?",
            400: "Does the server have the model `embed.model`, and does it embed?",
        }
        return EmbedderFailed(
            f"{self._address} refused the model {self.model}: {reason_of(error)} {said}".strip(),
            hint=hints.get(error.code, "Look at the server's log, then try again."),
        )

    def _unusable(self, what: str) -> EmbedderFailed:
        return EmbedderFailed(
            f"{self._address} should have returned vectors and returned {what}",
            hint="`embed.url` must lead to an OpenAI-compatible server, `embed.model` to an embedding model.",
        )


def open_http(context: Context) -> HttpEmbedder:
    """The embedder that the settings name; `http:NAME` names another model of the same server."""
    settings = context.settings
    url, model = settings.text("embed.url"), context.argument or settings.text("embed.model")
    if not url or not model:
        raise InvalidInput("no embeddings server is set", hint=f"Needed: {_missing(url, model)}.")
    variable = settings.text("embed.key_variable")
    key = context.environment.get(variable, "") if variable else ""
    if variable and not key:
        raise InvalidInput(
            f"the environment variable {variable} is not set",
            hint="It holds the server's key; `embed.key_variable` names it.",
        )
    return HttpEmbedder(
        url,
        model,
        key=key,
        query_prefix=settings.text("embed.query_prefix"),
        timeout=settings.number("embed.timeout"),
        environment=context.environment,
    )


def describe_http(context: Context) -> ModelInfo:
    """The server of the settings; it is not asked."""
    url = context.settings.text("embed.url")
    model = context.argument or context.settings.text("embed.model")
    origin = f"quaid, server {url}" if url else "quaid"
    return ModelInfo(f"http:{model or 'MODEL'}", None, origin, _missing(url, model))


def _missing(url: str, model: str) -> str:
    lacking = [key for key, value in (("embed.url", url), ("embed.model", model)) if not value]
    return f"the settings {' and '.join(lacking)}" if lacking else ""


PLUGIN = Plugin(open_http, describe_http)
