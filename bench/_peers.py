"""The programs for the same purpose: how each is installed, fed and asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from _peer_models import Layout


@dataclass(frozen=True)
class Peer:
    """How a program is installed, fed and asked. {vault}, {home} and {question} are filled in."""

    name: str
    packages: tuple[str, ...]
    finds_by: str
    index: tuple[tuple[str, ...], ...]
    again: tuple[tuple[str, ...], ...]
    search: tuple[str, ...] = ()
    server: tuple[str, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    prepare: tuple[tuple[str, ...], ...] = ()
    layout: Layout | None = None
    extensions: bool = False  # its SQLite must load extensions
    longest: int = 10_000  # characters of a question that it takes
    complains: bool = False  # ends with status 1 because a text is known already


MINILM, BGE = "all-MiniLM-L6-v2", "bge-small-en-v1.5"

PEERS = (
    Peer(
        "Quaid",
        (),
        "words, meaning, reranker; snowflake-arctic-embed-s and ms-marco-MiniLM-L12, as shipped",
        prepare=(("quaid", "init"),),
        index=(("quaid", "collection", "add", "vault", "{vault}"), ("quaid", "embed")),
        again=(("quaid", "collection", "sync"), ("quaid", "embed")),
        search=("quaid", "query", "{question}", "--limit", "10", "--depth", "summary", "--json"),
        server=("quaid", "serve", "--no-watch"),
        tool="memory_query",
        arguments={"question": "{question}", "limit": 10, "depth": "summary"},
    ),
    Peer(
        "Quaid, without its reranker",
        (),
        "words, meaning; snowflake-arctic-embed-s",
        prepare=(("quaid", "init"), ("quaid", "config", "set", "search.rerank", "off")),
        index=(("quaid", "collection", "add", "vault", "{vault}"), ("quaid", "embed")),
        again=(("quaid", "collection", "sync"), ("quaid", "embed")),
        search=("quaid", "query", "{question}", "--limit", "10", "--depth", "summary", "--json"),
        server=("quaid", "serve", "--no-watch"),
        tool="memory_query",
        arguments={"question": "{question}", "limit": 10, "depth": "summary"},
    ),
    Peer(
        "basic-memory",
        ("basic-memory",),
        f"words, meaning; {BGE}, int8 (its own default is the same model, larger)",
        index=(("basic-memory", "project", "add", "bench", "{vault}", "--default"),),
        again=(("basic-memory", "reindex", "--project", "bench"),),
        search=("basic-memory", "tool", "search-notes", "{question}", "--page-size", "10", "--json"),
        server=("basic-memory", "mcp"),
        tool="search_notes",
        arguments={"query": "{question}", "page_size": 10},
        layout=Layout(
            BGE,
            ".basic-memory/fastembed_cache/models--Qdrant--bge-small-en-v1.5-onnx-Q",
            "model_optimized.onnx",
            of_the_hub=True,
        ),
        extensions=True,
    ),
    Peer(
        "MemPalace",
        ("mempalace",),
        f"meaning, then words; {MINILM}, its default",
        prepare=(("mempalace", "init", "{vault}", "--yes"),),
        index=(("mempalace", "mine", "{vault}"),),
        again=(("mempalace", "mine", "{vault}"),),
        search=("mempalace", "search", "{question}", "--results", "10"),
        server=("mempalace-mcp",),
        tool="mempalace_search",
        arguments={"query": "{question}", "limit": 10},
        layout=Layout(MINILM, ".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx"),
        longest=250,
    ),
    Peer(
        "mcp-memory-service",
        ("mcp-memory-service[sqlite]",),
        f"meaning; {MINILM}, its default",
        index=(("memory", "ingest-directory", "{vault}", "--max-files", "100000"),),
        again=(("memory", "ingest-directory", "{vault}", "--max-files", "100000"),),
        server=("memory", "server"),
        tool="memory_search",
        arguments={"query": "{question}", "limit": 10},
        layout=Layout(MINILM, ".cache/mcp_memory/onnx_models/all-MiniLM-L6-v2/onnx"),
        extensions=True,
        complains=True,
    ),
    Peer(
        "memsearch",
        ("memsearch[onnx]",),
        f"words, meaning; {BGE}, int8 (its own default is bge-m3, 17 times as large)",
        index=(("memsearch", "index", "{vault}", "--provider", "onnx", "--model", f"BAAI/{BGE}"),),
        again=(("memsearch", "index", "{vault}", "--provider", "onnx", "--model", f"BAAI/{BGE}"),),
        search=(
            *("memsearch", "search", "{question}", "--top-k", "10", "--json-output"),
            *("--provider", "onnx", "--model", f"BAAI/{BGE}"),
        ),
        layout=Layout(
            BGE,
            f".cache/huggingface/hub/models--BAAI--{BGE}",
            "model_quantized.onnx",
            of_the_hub=True,
        ),
    ),
    Peer(
        "Quaid, words alone",
        (),
        "words",
        prepare=(("quaid", "init"),),
        index=(("quaid", "collection", "add", "vault", "{vault}"),),
        again=(("quaid", "collection", "sync"),),
        search=("quaid", "search", "{question}", "--limit", "10", "--json"),
        server=("quaid", "serve", "--no-watch"),
        tool="memory_search",
        arguments={"query": "{question}", "limit": 10},
    ),
    Peer(
        "qmd, words alone",
        ("npm:node@22", "npm:@tobilu/qmd"),
        "words; its three language models are not measured",
        index=(("qmd", "collection", "add", "{vault}", "--name", "bench"),),
        again=(("qmd", "update"),),
        search=("qmd", "search", "{question}", "-n", "10", "--json"),
        server=("qmd", "mcp"),
        tool="query",
        arguments={"searches": [{"type": "lex", "query": "{question}"}], "limit": 10, "rerank": False},
    ),
)
