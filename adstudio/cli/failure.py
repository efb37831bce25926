"""What to tell of a failure, with which exit code, and where the detail is kept."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import os
import sys
import traceback
from collections.abc import Generator
from io import TextIOWrapper
from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.llm.keys import Masking, masked
from adstudio.system.files import reason
from adstudio.system.log_location import log_file

USAGE = 2
OUTSIDE = 3
FAULT = 70
"""A fault of the program itself, so that nobody takes it for an answer (EX_SOFTWARE of sysexits.h)."""

LOG_BYTES = 1_000_000
LOGS_KEPT = 4

log = logging.getLogger("adstudio")


def sentence(error: Exception) -> tuple[str, int]:
    """What to tell the user of a failure, without what looks like a key, and the exit code; the log has the detail."""
    told, code = _sentence(error)
    return masked(told), code


def _sentence(error: Exception) -> tuple[str, int]:
    usage = _usage(error)
    if usage:
        return usage, USAGE
    if isinstance(error, AdstudioError):
        log.warning("%s", error, exc_info=error)
        return str(error), error.exit_code
    if isinstance(error, OSError):
        log.error("an operating system error", exc_info=error)
        return f"{error.filename or 'the output'} could not be read or written: {reason(error)}", OUTSIDE
    log.error("a fault in adstudio", exc_info=error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this: close other programs, or plan the film in parts", OUTSIDE
    return f"this is a fault in adstudio itself: the detail is in {log_file()}, or add --debug to see it", FAULT


_PLAIN = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "a whole number is expected",
    "Input should be a valid number, unable to parse string as a number": "a number is expected",
}
"""What the option reader says, in a person's words."""


def _usage(error: Exception) -> str:
    """What the option reader refused; empty where it was not the option reader, or was not even needed."""
    if "typer" not in sys.modules:
        return ""
    import typer

    if not isinstance(error, typer.TyperException):
        return ""
    command = getattr(getattr(error, "ctx", None), "command_path", "adstudio")
    message = error.format_message()
    for speak, plain in _PLAIN.items():
        message = message.replace(speak, plain)
    text = message.strip().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}: see {command} --help"


def show_trace() -> None:
    """The trace of the failure in hand, for a report: that may be read by others, and holds no key."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(masked(traceback.format_exc()))
        sys.stderr.flush()


@contextlib.contextmanager
def logged() -> Generator[None]:
    """Inside, what is logged goes to a rotating file; where none can be written the program works without one."""
    path = log_file()
    if not os.path.isabs(path):  # noqa: PTH117 - nobody's home is known
        yield
        return
    handler = _LogFile(path)
    handler.addFilter(Masking())
    log.addHandler(handler)
    propagate, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagate
        handler.close()


class _LogFile(logging.handlers.RotatingFileHandler):
    """A log that is made when there is something to write, and never stands in the program's way."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))

    def _open(self) -> TextIOWrapper:
        """Errors tell of files and of lines: the log is for its user alone, with those before it."""
        from adstudio.system.private_files import private_file, private_folder

        path = Path(self.baseFilename)
        private_folder(path.parent)
        private_file(path)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Say nothing: a full disk or a read-only home is no reason to trouble the person with the log."""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            super().close()
