"""Worker processes that leave with their parent, and work given to them in order."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from kgpath.errors import KgpathError

Job = TypeVar("Job")
Result = TypeVar("Result")

#: So many jobs a worker are under way or wait to be taken: memory does not grow with their number.
_AHEAD = 4
#: What libraries ask, when they are loaded, for their number of threads.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def worker_processes(
    count: int, begin: Callable[..., object], *given: Any
) -> Iterator[ProcessPoolExecutor]:
    """Processes that each called ``begin`` once; what still waits at the end is not begun.

    Each works in one thread: several processes with several threads each are in each other's way.
    """
    # Started afresh, not forked: threads of this process must not be copied half-way.
    pool = ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin, given)
    )
    try:
        with _one_thread_each():
            yield pool
    except BrokenProcessPool as error:
        raise KgpathError(
            "A worker process ended without a word, perhaps for want of memory. Try it with "
            "--workers 1."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that start within the block have one thread for sums, unless the user says else."""
    unsaid = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(unsaid, "1"))
    try:
        yield
    finally:
        for name in unsaid:
            os.environ.pop(name, None)


def in_order(
    pool: ProcessPoolExecutor, work: Callable[[Job], Result], jobs: Iterable[Job], workers: int
) -> Iterator[Result]:
    """The results of all jobs, in their order."""
    waiting: deque[Future[Result]] = deque()
    for job in jobs:
        waiting.append(pool.submit(work, job))
        if len(waiting) > _AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _begin(begin: Callable[..., object], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
