"""Reading that goes on in another thread while this one does something else.

SQLite, NumPy and the models let other threads run while they work. So the words of a question are looked up
while it is embedded and its vector compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import BoundedSemaphore, Thread
from typing import TypeVar
from weakref import WeakKeyDictionary

import apsw

from quaid.store.connection import Store
from quaid.store.failures import translation

T = TypeVar("T")
MOST = 2  # threads at a time: more questions would only wait for one another
_FREE = BoundedSemaphore(MOST)
# The second connection of each thread that has asked so. The memory closes it with all others.
_SECOND: WeakKeyDictionary[apsw.Connection, apsw.Connection] = WeakKeyDictionary()


@contextmanager
def aside(store: Store, work: Callable[[apsw.Connection], T]) -> Iterator[Callable[[], T]]:
    """Begin some reading; what the block is given says what it found, when that is needed.

    It has its own view of the memory, a moment older or newer than this thread's. Where that would matter,
    because this thread writes, and where no core or thread is free, it is done when it is asked for.
    """
    own = store.connection
    is_writing = own.txn_state("main") == apsw.SQLITE_TXN_WRITE
    if is_writing or _cores() < 2 or not _FREE.acquire(blocking=False):
        yield lambda: work(own)
        return
    future: Future[T] = Future()
    # A thread of its own each time: a process that stands by forks, and no other thread survives that.
    Thread(target=_run, args=(future, store, own, work), name="quaid-aside", daemon=True).start()
    try:
        yield future.result
    finally:
        future.exception()  # nobody may close the memory before it has ended


def _run(future: Future[T], store: Store, own: apsw.Connection, work: Callable[[apsw.Connection], T]) -> None:
    try:
        connection = _SECOND.get(own)
        if connection is None:
            connection = _SECOND[own] = store.connection
        with translation(store.path):
            connection.execute("BEGIN")
            try:
                found = work(connection)
            finally:
                connection.execute("ROLLBACK")
        future.set_result(found)
    except BaseException as error:  # surface
        future.set_exception(error)
    finally:
        _FREE.release()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
