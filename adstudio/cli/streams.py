"""Standard output and standard error; imports little, because the editor's start-up goes through here."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys

from adstudio.system.files import reason

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that would move the cursor, recolour the terminal or reverse the text."""


def configure_encoding() -> None:
    """Make any text printable: UTF-8 if the locale is ASCII only, otherwise escapes where its encoding falls short."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="backslashreplace")


def on_one_line(text: str) -> str:
    """Untrusted text made safe for a terminal: one line, control characters shown as escapes."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), " ".join(text.split()))


def print_error(text: str) -> None:
    """Print the one sentence about what went wrong."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(f"adstudio: {on_one_line(text)}\n")
        sys.stderr.flush()


def close_output(*, error_reported: bool) -> bool:
    """Flush standard output; returns whether that failed, and reports it unless an error was reported already."""
    stream: io.TextIOWrapper | None = sys.stdout  # pyright: ignore[reportAssignmentType] - None where it is closed
    if stream is None:
        return False
    try:
        stream.flush()
    except BrokenPipeError:
        discard_output(stream)
    except OSError as error:
        discard_output(stream)
        if not error_reported:
            print_error(f"could not write to standard output: {reason(error)}")
        return True
    return False


def discard_output(stream: io.TextIOWrapper) -> None:
    """Discard what the stream still buffers, so that Python does not complain again on closing it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
