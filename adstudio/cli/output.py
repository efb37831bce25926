"""Where commands write: JSON alone to standard output, messages and progress to standard error."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from adstudio.cli.streams import discard_output, on_one_line
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.store.source_guard import require_not_source
from adstudio.system.files import reason, require_writable, size_of, write_atomically

if TYPE_CHECKING:
    from adstudio.core.script import Script

SHOWN_ODDITIES = 50
"""Oddities printed before the rest are only counted; `--report` writes them all."""

PROJECT_ENDING = ".adproj"

VIDEO_ENDINGS = {
    ".3gp", ".avi", ".flv", ".m2ts", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".mts", ".mxf", ".ogv",
    ".ts", ".vob", ".webm", ".wmv",
}  # fmt: skip

words = Console(stderr=True, highlight=False, soft_wrap=True)
"""Standard error, for people."""


def require_safe_target(
    target: Path | None, *sources: Path | None, script: Script | None = None, project: Path | None = None
) -> None:
    """Check that writing `target` would replace none of the sources, given or the `script`'s, no project and no video.

    Raises:
        BadInputError: if it would.
    """
    if target is None:
        return
    require_not_source(target, *sources, script=script, project=project)
    for name in (target, Path(os.path.realpath(target))):
        if name.suffix.lower() == PROJECT_ENDING:
            raise BadInputError(f"{name} is named like a project: choose another extension for the output file")
        if name.suffix.lower() in VIDEO_ENDINGS:
            raise BadInputError(f"{name} is named like a video: choose another extension for the output file")


def require_project_name(target: Path) -> None:
    """Check that a project that is to be written is named like one; one that is there may have any name.

    Other commands know a project by its ending, and refuse to write over a file that has it.

    Raises:
        BadInputError: if it is not.
    """
    if target.suffix.lower() == PROJECT_ENDING:
        return
    from adstudio.store.opening import is_project

    if not is_project(target):
        raise BadInputError(f"{target} is not named like a project: end its name in {PROJECT_ENDING}")


def require_sources(*sources: tuple[Path | None, str]) -> None:
    """Check that each source exists and is a file, before the output is checked.

    Args:
        sources: each a path and what the file is called in messages.

    Raises:
        BadInputError: if a source is missing or not a file.
        OutsideFailureError: if the disk cannot be read.
    """
    for source, what in sources:
        if source is not None:
            size_of(source, what)


def require_writable_target(target: Path | None) -> None:
    """Check that the file can be written, before any work is done.

    Raises:
        OutsideFailureError: if it cannot.
    """
    if target is not None:
        require_writable(target)


def write_output(data: bytes, target: Path | None) -> None:
    """Write the result to the target file, atomically, or to standard output if there is none.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    if target is not None:
        write_atomically(target, data)
        return
    stream: io.TextIOWrapper | None = sys.stdout  # pyright: ignore[reportAssignmentType] - None where it is closed
    if stream is None:
        raise OutsideFailureError("standard output is closed: name an output file with -o")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        discard_output(stream)
    except OSError as error:
        discard_output(stream)
        raise OutsideFailureError(f"could not write to standard output: {reason(error)}") from error


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to standard output, made safe for a terminal."""
    write_output("".join(f"{on_one_line(line)}\n" for line in lines).encode("utf-8", "backslashreplace"), None)


def shows_progress() -> bool:
    """Whether standard error is a terminal that can show a progress display."""
    return words.is_terminal and not words.is_dumb_terminal


def say(text: str) -> None:
    """Print one line for the user, literally: brackets are not markup."""
    with contextlib.suppress(OSError):
        words.print(on_one_line(text), markup=False, emoji=False)


def length(ms: int) -> str:
    """A duration for people, to the second: `18:24`, or `1:02:03`."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def print_oddities(oddities: Iterable[tuple[str, Oddity]], whole: str = "--report FILE writes them all") -> None:
    """Print what was odd in the sources, each with its file and line; `whole` says how to see all of very many."""
    found = list(oddities)
    for source, oddity in found[:SHOWN_ODDITIES]:
        say(f"{source}{'' if oddity.line is None else f', line {oddity.line}'}: {oddity.what}")
    if len(found) > SHOWN_ODDITIES:
        say(f"… and {len(found) - SHOWN_ODDITIES} more oddities ({whole})")


def unsaved_changes(project: Path) -> str:
    """Why a command does not change a project that has steps after its last save."""
    name = shlex.quote(str(project))
    return (
        f"{project} has unsaved changes: save them (adstudio save {name}) or discard them (adstudio save {name}"
        " --discard), or choose in the editor"
    )


def oddities_json(oddities: Iterable[tuple[str, Oddity]]) -> list[dict[str, object]]:
    """The same as JSON."""
    return [{"file": source, "line": oddity.line, "what": oddity.what} for source, oddity in oddities]
