"""Runs one server process so that it and all its children end with their parent, however that ends.

A program of its own: `python -m adstudio.serving.parent_watch FOLDER COMMAND…`, whose standard input is a pipe that
the parent keeps open and never writes to. When the pipe closes (the parent closed it or died) the command gets SIGTERM;
after `GRACE_S`, or at a signal, it and its whole process group are killed, because vLLM's engine otherwise outlives a
killed vLLM. Then the folder of its sockets is removed, and where the parent has gone, the one around it too. If this
process itself is killed, Linux sends the command SIGTERM (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

GRACE_S = 20.0
TRACKERS_S = 5.0
LOOK_S = 0.1
INPUT = 0
_PR_SET_PDEATHSIG = 1


def supervise(folder: Path, command: list[str]) -> int:
    """Run the command until it ends or the pipe closes, then remove the folder; returns the command's exit code."""
    wanted: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: wanted.append(number))
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        process_group=0,
        preexec_fn=_end_with_parent,  # noqa: PLW1509 - there are no threads here
    )
    terminated_at: float | None = None
    while child.poll() is None:
        if terminated_at is None and (wanted or _pipe_closed()):
            terminated_at = monotonic()
            wanted.clear()
            child.terminate()
        if terminated_at is not None and (wanted or monotonic() - terminated_at > GRACE_S):
            break
        select.select([], [], [], LOOK_S)
    _end_group(child.pid)  # engines and workers that outlived it
    code = child.wait()
    shutil.rmtree(folder, ignore_errors=True)
    if _pipe_closed():
        with contextlib.suppress(OSError):  # another replica's folder is still in it
            folder.parent.rmdir()
    return code if code >= 0 else 128 - code


def _end_group(group: int) -> None:
    for pid in members(group):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    deadline = monotonic() + TRACKERS_S
    while monotonic() < deadline and members(group, trackers=True):
        sleep(LOOK_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def members(leader: int, *, trackers: bool = False) -> list[int]:
    """The running processes of the process group or the session that a process leads, as far as /proc lists them.

    Only with `trackers` also Python's resource trackers: when all others are gone, they remove their shared memory, and
    end by themselves.
    """
    found: list[int] = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, _parent, of_group, of_session = file.read_text(errors="replace").rpartition(")")[2].split()[:4]
            if state in "ZX" or leader not in {int(of_group), int(of_session)}:
                continue
            if trackers or b"multiprocessing.resource_tracker" not in file.with_name("cmdline").read_bytes():
                found.append(int(file.parent.name))
    return found


def _pipe_closed() -> bool:
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
    sys.exit(supervise(Path(sys.argv[1]), sys.argv[2:]))
