"""Get the files of a model from the network, if the person agrees.

A file is written beside its place as NAME.part, continued after an interruption, and takes its place
only when its size and SHA-256 are right.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.request import Request

from quaid.embed import fastembed
from quaid.embed.plugin import Context
from quaid.embed.web import FAILURES, SafeRedirects, make_opener, reason_of
from quaid.embed.weights import MODELS, ModelFile, directory_of, missing_files, sha256_of, verify
from quaid.errors import EmbedderFailed, InvalidInput, NotFound, StorageFailed
from quaid.files import PRIVATE_FILE, make_private_directory, try_lock

TIMEOUT = 30.0
BLOCK = 2**18
MEGABYTE = 1_000_000

Progress = Callable[[int, int], None]


def offers(name: str) -> bool:
    """Whether there is something to download for a model."""
    return name in MODELS or name.startswith("fastembed:")


def fetch(name: str, context: Context, ask: Callable[[str], bool], progress: Progress | None = None) -> Path:
    """Download what is missing of a model; returns its directory. `progress` gets bytes done and in all."""
    if context.settings.text("models.download") == "never":
        raise EmbedderFailed(
            "downloads are turned off",
            hint=f"Put the files into {context.models / name}, or set models.download to ask.",
        )
    if name.startswith(fastembed.FAMILY + ":"):
        return fastembed.fetch(context.naming(name), ask)
    if name not in MODELS:
        raise NotFound(f"no download is known for {name!r}", hint=f"There are: {', '.join(MODELS)}.")
    model = MODELS[name]
    directory, wanted = directory_of(model, context), missing_files(model, context)
    if not wanted:
        return directory
    source = (context.settings.text("models.source") or model.source).rstrip("/")
    size = sum(file.size for file in wanted)
    what = f"{name} ({size / MEGABYTE:.1f} MB, {model.licence} licence)"
    if not ask(f"Download {what} from {source} to {directory}?"):
        raise EmbedderFailed(
            f"{name} was not downloaded", hint=f"`quaid model use {name} --yes` agrees to it."
        )
    make_private_directory(directory)
    done = 0
    for file in wanted:
        Transfer(f"{source}/{file.remote}", file, directory / file.name, context).run(
            _progress_of_all(progress, done, size)
        )
        done += file.size
    return directory


def _progress_of_all(progress: Progress | None, before: int, size: int) -> Callable[[int], None]:
    """Progress of one file as progress of all of them."""

    def report(done: int) -> None:
        if progress is not None:
            progress(before + done, size)

    return report


class Transfer:
    """One file on its way from an address to its place."""

    def __init__(self, address: str, file: ModelFile, target: Path, context: Context) -> None:
        self.address = address
        self.file = file
        self.target = target
        self.partial = target.with_name(target.name + ".part")
        self._opener = make_opener(address, context.environment, SafeRedirects())

    def run(self, progress: Callable[[int], None]) -> None:
        """Download, check, put in place."""
        try:
            descriptor = os.open(self.partial, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            with os.fdopen(descriptor, "r+b") as partial:
                self._lock(partial)
                if self.target.is_file():
                    return  # another process was faster
                self._receive(partial, progress)
                self._place(partial)
        except FAILURES as error:
            if isinstance(error, HTTPError):
                error.close()
            if isinstance(error, OSError) and error.filename == str(self.partial):
                raise StorageFailed(f"{self.partial} cannot be written: {error.strerror}") from error
            raise EmbedderFailed(
                f"{self.address} could not be downloaded: {reason_of(error)}",
                hint="Try again; what has arrived is kept.",
            ) from error
        verify(self.target, self.file)

    def _lock(self, partial: IO[bytes]) -> None:
        if not try_lock(partial):
            raise EmbedderFailed(f"another process is downloading {self.target.name}", hint="Wait for it.")

    def _receive(self, partial: IO[bytes], progress: Callable[[int], None]) -> None:
        have = partial.seek(0, os.SEEK_END)
        if have > self.file.size:
            have = 0
        if have < self.file.size:
            headers = {"Range": f"bytes={have}-"} if have else {}
            request = Request(self.address, headers=headers)  # noqa: S310 - checked by make_opener
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                have = partial.seek(have if answer.status == 206 else 0)
                partial.truncate()
                while have <= self.file.size and (block := answer.read(BLOCK)):
                    have += partial.write(block)
                    progress(have)
        partial.flush()
        os.fsync(partial.fileno())
        if have < self.file.size:
            raise EmbedderFailed(
                f"{self.address} ended after {have:,} of {self.file.size:,} bytes",
                hint="Try again; what has arrived is kept.",
            )

    def _place(self, partial: IO[bytes]) -> None:
        size = os.fstat(partial.fileno()).st_size
        if size != self.file.size or sha256_of(self.partial) != self.file.sha256:
            self.partial.unlink()
            raise EmbedderFailed(
                f"{self.address} is not the file that it should be: its size or SHA-256 is wrong",
                hint="Nothing of it was kept. `models.source` says where models come from.",
            )
        self.partial.replace(self.target)
        directory = os.open(self.target.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def remove(name: str, context: Context) -> bool:
    """Remove what was downloaded of a model; whether there was anything."""
    if name not in MODELS:
        raise InvalidInput(f"{name!r} has no files of its own")
    directory = directory_of(MODELS[name], context)
    found = [path for file in MODELS[name].files for path in directory.glob(f"{file.name}*")]
    for path in found:
        path.unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()
    return bool(found)
