"""What processes that work for the editor share: a voice that nothing else can speak with, and a leash."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import stat
import sys
from collections.abc import Callable, Generator
from types import FrameType

LOOK_S = 0.1
"""Seconds from one look at standard input to the next."""
INPUT, OUTPUT, ERRORS = 0, 1, 2

Write = Callable[[str], None]


@contextlib.contextmanager
def voice() -> Generator[Write]:
    """The way to the editor, line by line; whatever else writes to standard output goes to standard error meanwhile."""
    sys.stdout.flush()
    with os.fdopen(os.dup(OUTPUT), "w", encoding="utf-8", newline="\n") as stream:
        os.dup2(ERRORS, OUTPUT)

        def write(line: str) -> None:
            stream.write(line + "\n")
            stream.flush()

        yield write


def hush() -> None:
    """The editor is gone: what standard output still holds goes nowhere, so that Python can end without complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, OUTPUT)
    os.close(nowhere)


@contextlib.contextmanager
def leash(let_go: Callable[[], None]) -> Generator[None]:
    """Call `let_go`, whatever is going on, when the pipe at standard input closes: the editor is gone.

    A file or terminal there means nothing. Where the system has no interval timer, the process ends when it next says
    something to an editor that is gone.
    """
    if not hasattr(signal, "setitimer") or not _is_pipe(INPUT):
        yield
        return

    def look(_signal: int, _frame: FrameType | None) -> None:
        try:
            gone = bool(select.select([INPUT], [], [], 0)[0]) and not os.read(INPUT, 65_536)
        except OSError:
            gone = True
        if gone:
            let_go()

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    try:
        yield
    finally:
        # Python takes its handlers away before it ends; the timer would kill it then.
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_pipe(descriptor: int) -> bool:
    try:
        kind = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
