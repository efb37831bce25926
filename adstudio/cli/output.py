"""What commands say and where: JSON alone on standard output, words and progress on standard error."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from adstudio.cli.streams import let_go, on_one_line
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.system.files import reason, require_writable, size_of, write_atomically

SHOWN_ODDITIES = 50
"""How many oddities are shown before the rest are only counted; `--report` writes them all."""

PROJECT_ENDING = ".adproj"

VIDEO_ENDINGS = {
    ".3gp", ".avi", ".flv", ".m2ts", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".mts", ".mxf", ".ogv",
    ".ts", ".vob", ".webm", ".wmv",
}  # fmt: skip

words = Console(stderr=True, highlight=False, soft_wrap=True)
"""Where a person reads."""


def require_other(target: Path | None, *sources: Path | None) -> None:
    """Check that what is to be written is none of the files that are read, nor in place of a describer's project.

    Raises:
        BadInputError: where it is.
    """
    if target is None:
        return
    for source in sources:
        if source is not None and _same(target, source):
            raise BadInputError(f"{target} is read here and would be lost: choose another name for what is written")
    if target.suffix.lower() == PROJECT_ENDING:
        raise BadInputError(f"{target} has the name of a project: choose another ending for what is written")
    if target.suffix.lower() in VIDEO_ENDINGS:
        raise BadInputError(f"{target} has the name of a film: choose another ending for what is written")


def require_apart(project: Path, *sources: Path | None) -> None:
    """Check that a project to be written is none of the files that are read.

    Raises:
        BadInputError: where it is.
    """
    for source in sources:
        if source is not None and _same(project, source):
            raise BadInputError(f"{project} is read here and would be lost: choose another name for the project")


def require_there(*sources: tuple[Path | None, str]) -> None:
    """Check that what is to be read is there, each a file and what that is called, before the output is looked at.

    Raises:
        BadInputError: where it is not, or is no file.
        OutsideFailureError: where the disk does not tell.
    """
    for source, what in sources:
        if source is not None:
            size_of(source, what)


def require_place(target: Path | None) -> None:
    """Check that a file could be written there, before any work is put into it.

    Raises:
        OutsideFailureError: where it could not.
    """
    if target is None:
        return
    require_writable(target)
    if not os.access(os.path.realpath(target.parent), os.W_OK):
        raise OutsideFailureError(f"{target} could not be written: its folder can only be read, choose another one")


def _same(one: Path, other: Path) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return one.samefile(other)
    return False


def hand_over(data: bytes, target: Path | None) -> None:
    """Write to the file asked for, whole or not at all, or to standard output.

    Raises:
        OutsideFailureError: where it cannot be written.
    """
    if target is not None:
        write_atomically(target, data)
        return
    stream: io.TextIOWrapper | None = sys.stdout  # pyright: ignore[reportAssignmentType] - None where it is closed
    if stream is None:
        raise OutsideFailureError("standard output is closed: name a file with -o")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        let_go(stream)
    except OSError as error:
        let_go(stream)
        raise OutsideFailureError(f"standard output could not be written: {reason(error)}") from error


def answer(lines: Iterable[str]) -> None:
    """Lines for standard output; what comes from files in them is fit for a terminal."""
    hand_over("".join(f"{on_one_line(line)}\n" for line in lines).encode("utf-8", "backslashreplace"), None)


def shows_progress() -> bool:
    """Whether somebody watches who can be shown something that moves."""
    return words.is_terminal and not words.is_dumb_terminal


def say(text: str) -> None:
    """One line for the person, as it is: brackets in it are no markup."""
    with contextlib.suppress(OSError):
        words.print(on_one_line(text), markup=False, emoji=False)


def length(ms: int) -> str:
    """A stretch of time for a person, to the second: `18:24`, or `1:02:03`."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def tell_oddities(oddities: Iterable[tuple[str, Oddity]]) -> None:
    """Name what was odd in the sources, each with its file and line."""
    found = list(oddities)
    for source, oddity in found[:SHOWN_ODDITIES]:
        say(f"{source}{'' if oddity.line is None else f', line {oddity.line}'}: {oddity.what}")
    if len(found) > SHOWN_ODDITIES:
        say(f"… and {len(found) - SHOWN_ODDITIES} more oddities (--report FILE writes them all)")


def oddities_json(oddities: Iterable[tuple[str, Oddity]]) -> list[dict[str, object]]:
    """The same for a file."""
    return [{"file": source, "line": oddity.line, "what": oddity.what} for source, oddity in oddities]
