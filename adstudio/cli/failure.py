"""Failures as one sentence and an exit code for the user; the detail goes to the log."""

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
from adstudio.system.locations import log_file

USAGE = 2
OUTSIDE = 3
FAULT = 70
"""A bug in adstudio; distinct from every answer a command gives (EX_SOFTWARE in sysexits.h)."""

LOG_BYTES = 1_000_000
OLD_LOGS = 4

log = logging.getLogger("adstudio")


def error_message(error: Exception) -> tuple[str, int]:
    """The sentence for the user, keys masked, and the exit code; the log has the details."""
    message, code = _error_message(error)
    return masked(message), code


def _error_message(error: Exception) -> tuple[str, int]:
    usage = _usage(error)
    if usage:
        return usage, USAGE
    if isinstance(error, AdstudioError):
        log.warning("%s", error, exc_info=error)
        return f"{error} ({error.option})" if error.option else str(error), error.exit_code
    if isinstance(error, OSError):
        log.error("an operating system error", exc_info=error)
        return f"{error.filename or 'the output'} could not be read or written: {reason(error)}", OUTSIDE
    log.error("a fault in adstudio", exc_info=error)
    if isinstance(error, MemoryError):
        return "not enough memory: close other programs, or plan the film in parts", OUTSIDE
    return f"internal error in adstudio: see {log_file()} for details, or run the command again with --debug", FAULT


_PLAIN = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
}
"""The option parser's messages in plain words."""


def _usage(error: Exception) -> str:
    """The option parser's complaint; empty if the error is not the option parser's."""
    if "typer" not in sys.modules:
        return ""
    import typer

    if not isinstance(error, typer.TyperException):
        return ""
    command = getattr(getattr(error, "ctx", None), "command_path", "adstudio")
    message = error.format_message()
    for jargon, plain in _PLAIN.items():
        message = message.replace(jargon, plain)
    text = message.strip().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}: see {command} --help"


def print_traceback() -> None:
    """Print the current traceback for a bug report, with keys masked, since others may read it."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(masked(traceback.format_exc()))
        sys.stderr.flush()


@contextlib.contextmanager
def logged() -> Generator[None]:
    """While active, log records and warnings go to a rotating file, libraries' too, and none to the terminal.

    If the file cannot be written, the program works without.
    """
    path = log_file()
    is_known = os.path.isabs(path)  # noqa: PTH117 - otherwise the user has no home folder
    handler = _LogFile(path) if is_known else logging.NullHandler()
    handler.addFilter(Masking())
    everything = logging.getLogger()
    everything.addHandler(handler)
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        everything.removeHandler(handler)
        handler.close()


class _LogFile(logging.handlers.RotatingFileHandler):
    """A log file created on the first record; a failure to write it never disturbs the program."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))

    def _open(self) -> TextIOWrapper:
        """Open the file readable by its user alone: errors quote file names and lines of the script."""
        from adstudio.system.private_files import private_file, private_folder

        path = Path(self.baseFilename)
        private_folder(path.parent)
        private_file(path)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Ignore it: a full disk or a read-only home is no reason to bother the user about the log."""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            super().close()
