"""Runs one speech process until it ends, reaches its time limit, or this program ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from adstudio.speech.engine import SpeechError
from adstudio.system.environment import without_keys
from adstudio.system.files import reason


@dataclass(frozen=True, slots=True)
class Command:
    """A process to run: the program, its arguments (never through a shell), and the bytes it reads from its input."""

    program: str
    arguments: tuple[str, ...]
    input: bytes = b""


_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_LAST_WORDS = 200


def run(command: Command, limit: float, what: str) -> bytes:
    """Run a command and return what it wrote to its output; `what` names the engine in messages.

    The command and whatever it started are ended after `limit` seconds, or when anything is raised here. Linux ends it
    too when this program is killed, if that has no other threads.

    Raises:
        SpeechError: when it cannot be started, fails or takes longer than the limit.
    """
    try:
        process = subprocess.Popen(
            [command.program, *command.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=without_keys(),
            start_new_session=True,
            # Between fork and exec a function is safe only where there are no threads.
            preexec_fn=_death_signal() if threading.active_count() == 1 else None,  # noqa: PLW1509
        )
    except OSError as error:
        raise SpeechError(f"{what} could not be started: {reason(error)}") from error
    try:
        out, complaints = process.communicate(command.input, timeout=limit)
    except subprocess.TimeoutExpired as error:
        end(process)
        raise SpeechError(hung(what, limit)) from error
    except BaseException:
        end(process)
        raise
    if process.returncode:
        raise failure(what, complaints, process.returncode)
    return out


def failure(what: str, complaints: bytes, code: int) -> SpeechError:
    """The error of an engine that ended by itself, from the last line of its complaints."""
    said = complaints.decode(errors="replace").strip().splitlines()
    why = said[-1].strip()[:_LAST_WORDS].rstrip(".") if said else f"exit code {code}"
    return SpeechError(f"{what} failed ({why}): choose another voice, or reinstall {what}")


def hung(what: str, limit: float) -> str:
    """The sentence about an engine that took longer than so many seconds."""
    return f"{what} did not finish a line within {limit:g} s and was stopped: try again, or shorten the line"


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was started in a session of its own, and whatever it started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process in the same way, close its pipes, and wait for its end."""
    kill(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()


def _death_signal() -> Callable[[], None] | None:
    """On Linux, what makes the system end a process when the one that started it is killed."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def bind() -> None:
        prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return bind
