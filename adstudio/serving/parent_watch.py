"""Holds one server process so that it, and all that it started, ends with us, however we end.

Run as a program of its own: `python -m adstudio.serving.parent_watch COMMAND…`, with standard input a pipe whose
other end its starter holds and never writes to. When that pipe closes (the starter let go, or was killed) the command
is told to end; after `GRACE_S`, or at a signal, it and its whole process group are killed. vLLM's engine outlives a
killed vLLM: here it does not. Should this process itself be killed, Linux tells the command to end
(PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from time import monotonic

GRACE_S = 20.0
LOOK_S = 0.1
INPUT = 0
_PR_SET_PDEATHSIG = 1


def hold(command: list[str]) -> int:
    """Run the command until it ends or the pipe closes; its exit code."""
    wanted: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: wanted.append(number))
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        process_group=0,
        preexec_fn=_end_with_parent,  # noqa: PLW1509 - there are no threads here
    )
    told: float | None = None
    while child.poll() is None:
        if told is None and (wanted or _let_go()):
            told = monotonic()
            wanted.clear()
            child.terminate()
        if told is not None and (wanted or monotonic() - told > GRACE_S):
            break
        select.select([], [], [], LOOK_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # engines and workers that outlived it
    code = child.wait()
    return code if code >= 0 else 128 - code


def _let_go() -> bool:
    try:
        return bool(select.select([INPUT], [], [], 0)[0]) and not os.read(INPUT, 4096)
    except OSError:
        return True


def _end_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(hold(sys.argv[1:]))
