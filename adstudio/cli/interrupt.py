"""Ctrl-C, and being told to end, at any moment.

The first signal ends what is being done, which clears up after itself; a second one ends the process at once. Solvers
run in C++ and see no Python signal, so their work is done aside while the main thread waits and listens. What they are
interrupted in has written nothing yet, so the process simply ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from time import monotonic
from types import FrameType
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

INTERRUPTED = 130
"""The exit code after Ctrl-C; other signals give 128 and their number, as shells do."""

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Stopped(BaseException):
    """Somebody wants the program to end; no part of it, and no library, is to mistake this for a failure."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


@contextlib.contextmanager
def stoppable() -> Generator[None]:
    """Inside, a signal to end raises `Stopped`; one that the caller had ignored (`nohup`) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    raised: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        if raised:
            os._exit(128 + number)
        raised.append(number)
        raise Stopped(number)

    with _handled(stop):
        yield


@contextlib.contextmanager
def stopping(stop: Callable[[], None]) -> Generator[list[int]]:
    """Inside, the first signal to end calls `stop` instead, a second ends the process at once; gives the signals."""
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        if heard:
            _end(128 + number)
        heard.append(number)
        stop()

    with _handled(hear):
        yield heard


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Generator[None]:
    before: dict[signal.Signals, Any] = {}
    for name in _ENDING:
        number: signal.Signals | None = getattr(signal, name, None)
        known = None if number is None else signal.getsignal(number)
        if number is not None and known is not None and known is not signal.SIG_IGN:
            before[number] = known
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)


def guarded(work: Callable[[], int]) -> int:
    """The exit code of `work`, or that of the signal which ended it."""
    try:
        with stoppable():
            return work()
    except Stopped as stopped:
        _say_so()
        return stopped.code


def interruptible(work: Callable[[], T], doing: str) -> T:
    """The result of `work`, or its exception; a signal to end ends the process at once, with its exit code.

    Whoever watches a terminal sees what is being done (`doing`), and for how long.
    """
    from adstudio.cli.output import words

    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again where the caller waits
            failures.append(error)

    thread = threading.Thread(target=run, name="solver", daemon=True)
    thread.start()
    began = monotonic()
    try:
        with words.status(doing) as status:
            while thread.is_alive():
                thread.join(0.1)
                status.update(f"{doing}, {monotonic() - began:.0f} s")
    except Stopped as stopped:
        _end(stopped.code)
    except KeyboardInterrupt:
        _end(INTERRUPTED)
    if failures:
        raise failures[0]
    return results[0]


def _end(code: int) -> NoReturn:
    _say_so()
    os._exit(code)


def _say_so() -> None:
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write("adstudio: interrupted\n")
        sys.stderr.flush()
