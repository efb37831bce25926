"""Ctrl-C and other termination signals, at any moment.

The first signal stops the current work, which cleans up after itself; a second one ends the process at once. Solvers
run in C++ and do not see Python signals, so they run in a thread while the main thread waits for signals. They have
written nothing yet when interrupted, so the process can simply end.
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

from adstudio.system.swallowed_signals import raised_again

T = TypeVar("T")

INTERRUPTED = 130
"""The exit code after Ctrl-C; other signals give 128 plus their number, as in shells."""

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Stopped(BaseException):
    """The program was asked to end. A BaseException, so that no library mistakes it for a failure."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number, self.code = number, 128 + number


@contextlib.contextmanager
def stoppable() -> Generator[None]:
    """While active, a termination signal raises `Stopped`; one that was ignored at start (`nohup`) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    raised: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        if raised:
            os._exit(128 + number)
        raised.append(number)
        raise Stopped(number)

    with _handled(stop), raised_again(Stopped, lambda lost: lost.number, raised.clear):
        yield


@contextlib.contextmanager
def stopping(stop: Callable[[], None]) -> Generator[list[int]]:
    """While active, the first termination signal calls `stop`, a second ends the process; yields the signals so far."""
    received: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        if received:
            _end(128 + number)
        received.append(number)
        try:
            stop()
        except KeyboardInterrupt:
            # No part of the program, and no library, may mistake it for a failure.
            raise Stopped(number) from None

    with _handled(handle):
        yield received


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
    """The exit code of `work`, or of the signal that ended it."""
    try:
        with stoppable():
            return work()
    except BaseException as error:
        stopped = signal_behind(error)
        if stopped is None:
            raise
        _report_interruption()
        return stopped.code


def signal_behind(error: BaseException | None) -> Stopped | None:
    """The signal that caused an error: Python 3.11, for one, makes a RuntimeError of whatever `__set_name__` raises."""
    while error is not None and not isinstance(error, Stopped):
        error = error.__cause__ or error.__context__
    return error


def interruptible(work: Callable[[], T], doing: str) -> T:
    """Run `work` and return its result or raise its exception; a termination signal ends the process at once.

    On a terminal, `doing` and the elapsed time are shown meanwhile.
    """
    from concurrent.futures import Future, wait

    from adstudio.cli.output import words

    result = Future[T]()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            result.set_exception(error)

    threading.Thread(target=run, name="solver", daemon=True).start()
    began = monotonic()
    try:
        with words.status(doing) as status:
            while wait([result], 0.1).not_done:
                status.update(f"{doing}, {monotonic() - began:.0f} s")
    except Stopped as stopped:
        _end(stopped.code)
    except KeyboardInterrupt:
        _end(INTERRUPTED)
    return result.result()


def _end(code: int) -> NoReturn:
    _report_interruption()
    os._exit(code)


def _report_interruption() -> None:
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write("adstudio: interrupted\n")
        sys.stderr.flush()
