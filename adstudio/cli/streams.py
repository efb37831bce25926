"""Standard output and standard error as such; light, for the editor starts with them."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys

from adstudio.system.files import reason

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What would move the cursor, recolour the terminal or turn the text round."""


def any_letters() -> None:
    """Let text of any language out: as UTF-8 where the locale knows ASCII only, else escaped where it must be."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="backslashreplace")


def on_one_line(text: str) -> str:
    """Text from somewhere else, fit for a terminal: on one line, its control characters shown as escapes."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), " ".join(text.split()))


def complain(text: str) -> None:
    """The one sentence about what went wrong."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(f"adstudio: {on_one_line(text)}\n")
        sys.stderr.flush()


def close_output(*, told: bool) -> bool:
    """Let out what is still held back; whether that failed, which is told unless a failure has been told already."""
    stream: io.TextIOWrapper | None = sys.stdout  # pyright: ignore[reportAssignmentType] - None where it is closed
    if stream is None:
        return False
    try:
        stream.flush()
    except BrokenPipeError:
        let_go(stream)
    except OSError as error:
        let_go(stream)
        if not told:
            complain(f"standard output could not be written: {reason(error)}")
        return True
    return False


def let_go(stream: io.TextIOWrapper) -> None:
    """What is still in the stream goes nowhere, so that Python does not complain again when it closes."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
