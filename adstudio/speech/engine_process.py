"""Runs one speech process until it ends, reaches its time limit, or this program ends."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.speech.engine import SpeechError
from adstudio.system import child_process
from adstudio.system.child_process import HungError, NotStartedError, ProcessError


@dataclass(frozen=True, slots=True)
class Command:
    """A process to run: the program, its arguments (never through a shell), and the bytes it reads from its input."""

    program: str
    arguments: tuple[str, ...]
    input: bytes = b""


def run(command: Command, limit: float, what: str) -> bytes:
    """Run a command as `child_process.run` does; `what` names the engine in messages.

    Raises:
        SpeechError: when it cannot be started, fails or takes longer than the limit.
    """
    try:
        return child_process.run((command.program, *command.arguments), command.input, limit)
    except ProcessError as error:
        raise speech_error(error, what) from error


def speech_error(error: ProcessError, what: str) -> SpeechError:
    """What is said of the process of an engine named `what` that could not do its work."""
    if isinstance(error, NotStartedError):
        return SpeechError(f"{what} could not be started: {error}")
    if isinstance(error, HungError):
        return SpeechError(
            f"{what} did not finish a line within {error.limit:g} s and was stopped: try again, or shorten the line"
        )
    return SpeechError(f"{what} failed ({error}): choose another voice, or reinstall {what}")
