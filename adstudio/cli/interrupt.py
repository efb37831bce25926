"""Ctrl-C while a solver holds the processor.

Solvers run in C++ and see no Python signal, so the work is done aside while the main thread waits and listens. What is
interrupted has written nothing yet, so the process simply ends.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

INTERRUPTED = 130


def interruptible(work: Callable[[], T]) -> T:
    """The result of `work`, or its exception; on Ctrl-C the process ends with 130 at once."""
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again where the caller waits
            failures.append(error)

    thread = threading.Thread(target=run, name="solver", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    if failures:
        raise failures[0]
    return results[0]
