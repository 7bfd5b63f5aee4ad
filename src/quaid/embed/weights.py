"""The models that Quaid knows by name: what they consist of, and where their files are.

A file is looked for in the models' directory first, then in the package, each file by itself: a slim
wheel holds tokenizers and no weights.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Literal

from quaid.embed.onnx import OnnxEmbedder, OnnxFiles, Pooling
from quaid.embed.plugin import Context, ModelInfo, Plugin
from quaid.errors import EmbedderFailed
from quaid.files import make_private_file
from quaid.model.record import record

PACKAGED = Path(__file__).with_name("models")
SEARCH_PREFIX = "Represent this sentence for searching relevant passages: "


@record
class ModelFile:
    """A file of a model. `folder` is where it is at the publisher's, if not at the top."""

    name: str
    size: int
    sha256: str
    folder: str = ""

    @property
    def remote(self) -> str:
        """Its path at the publisher's."""
        return f"{self.folder}/{self.name}".lstrip("/")


@record
class Model:
    """A model, and how it wants to be used. Most have 384 dimensions, read 512 tokens and know English."""

    name: str
    licence: str
    source: str
    weights: ModelFile
    tokenizer: ModelFile
    dimensions: int = 384
    token_limit: int = 512
    query_prefix: str = SEARCH_PREFIX
    text_prefix: str = ""
    pooling: Pooling = "first"
    scripts: Literal["latin", "any"] = "latin"

    @property
    def files(self) -> tuple[ModelFile, ...]:
        return (self.weights, self.tokenizer)


ARCTIC = Model(
    "snowflake-arctic-embed-s",
    "Apache-2.0",
    "https://huggingface.co/Snowflake/snowflake-arctic-embed-s/resolve/e596f507467533e48a2e17c007f0e1dacc837b33",
    ModelFile(
        "model_int8.onnx",
        34_015_111,
        "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
        "onnx",
    ),
    ModelFile("tokenizer.json", 711_649, "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854"),
)
BGE = Model(
    "bge-small-en-v1.5",
    "MIT",
    "https://huggingface.co/Xenova/bge-small-en-v1.5/resolve/ea104dacec62c0de699686887e3f920caeb4f3e3",
    ModelFile(
        "model_quantized.onnx",
        34_014_426,
        "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
        "onnx",
    ),
    ModelFile("tokenizer.json", 711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
)
# The converter's copy of intfloat/multilingual-e5-small, for about a hundred languages.
MULTILINGUAL = Model(
    "multilingual-e5-small",
    "MIT",
    "https://huggingface.co/Xenova/multilingual-e5-small/resolve/761b726dd34fb83930e26aab4e9ac3899aa1fa78",
    ModelFile(
        "model_quantized.onnx",
        118_308_185,
        "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193",
        "onnx",
    ),
    ModelFile(
        "tokenizer.json", 17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"
    ),
    query_prefix="query: ",
    text_prefix="passage: ",
    pooling="mean",
    scripts="any",
)
MODELS = {model.name: model for model in (ARCTIC, BGE, MULTILINGUAL)}


def directory_of(model: Model, context: Context) -> Path:
    """Where a person's own files of the model are."""
    return context.models / model.name


def locate_file(name: str, file: ModelFile, context: Context) -> Path | None:
    """A file of the model of that name, if there is one."""
    places = (directory / name / file.name for directory in (context.models, PACKAGED))
    return next((place for place in places if place.is_file()), None)


def sound_file(name: str, file: ModelFile, context: Context) -> Path | None:
    """The same; what did not come with the program must be what it should be."""
    path = locate_file(name, file, context)
    if path and PACKAGED not in path.parents:
        verify(path, file)
    return path


def missing_files(model: Model, context: Context) -> tuple[ModelFile, ...]:
    """The files that neither the models' directory nor the package has."""
    return tuple(file for file in model.files if locate_file(model.name, file, context) is None)


def open_model(context: Context) -> OnnxEmbedder:
    """The embedder of a model whose files are there."""
    model = MODELS[context.name]
    weights, tokenizer = (locate_file(model.name, file, context) for file in model.files)
    if weights is None or tokenizer is None:
        raise EmbedderFailed(
            f"the files of the model {model.name} are not here",
            hint=f"`quaid model use {model.name}` downloads them to {directory_of(model, context)}.",
            missing=[file.name for file in missing_files(model, context)],
        )
    if PACKAGED not in weights.parents:
        verify(weights, model.weights)
    return _embedder_at(model.name, weights, tokenizer)


@lru_cache(maxsize=4)
def _embedder_at(name: str, weights: Path, tokenizer: Path) -> OnnxEmbedder:
    """One for all that use it in a process: it is large."""
    model = MODELS[name]
    return OnnxEmbedder(
        model.name,
        OnnxFiles(weights, tokenizer),
        dimensions=model.dimensions,
        query_prefix=model.query_prefix,
        text_prefix=model.text_prefix,
        pooling=model.pooling,
        scripts=model.scripts,
        token_limit=model.token_limit,
    )


def describe_model(context: Context) -> ModelInfo:
    """The model, and which of its files are missing."""
    model = MODELS[context.name]
    lacking = " and ".join(file.name for file in missing_files(model, context))
    missing = f"{lacking} in {directory_of(model, context)}" if lacking else ""
    return ModelInfo(model.name, model.dimensions, "quaid", missing)


PLUGIN = Plugin(open_model, describe_model)


def verify(path: Path, file: ModelFile) -> None:
    """Check a file's hash, unless it was checked since it last changed."""
    status = path.stat()
    stamp = f"{file.sha256} {status.st_size} {status.st_mtime_ns}\n"
    stamped = path.with_name(path.name + ".verified")
    if stamped.is_file() and stamped.read_text(encoding="utf-8") == stamp:
        return
    if status.st_size != file.size or sha256_of(path) != file.sha256:
        raise EmbedderFailed(
            f"{path} is not the file that it should be: its SHA-256 is not {file.sha256}",
            hint="It is damaged or of another version. Remove it and fetch the model anew.",
        )
    try:
        make_private_file(stamped)
        stamped.write_text(stamp, encoding="utf-8")
    except OSError:
        return  # the directory cannot be written: the next start checks again


def sha256_of(path: Path) -> str:
    """The hash of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
