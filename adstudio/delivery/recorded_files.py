"""Recordings of lines in files of their own, as `adstudio mix --kind lines` writes them, for a document to refer to."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Collection
from pathlib import Path
from urllib.parse import quote

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.dapt.sound_types import SOUND_TYPES
from adstudio.system.files import reason

MOST_FILES = 100_000
"""Entries of a folder that are looked at."""
_NUMBER = re.compile(r"0*(\d{1,9})(?!\d)")

Recordings = tuple[tuple[int, str], ...]
"""Numbers of lines, each with the address of its recording."""


def recordings_in(folder: Path, document: Path | None) -> Recordings:
    """The recordings in a folder by the numbers that their names begin with; a number with several files has none.

    Addresses are relative to the folder of the `document`; without one, to the folder that the program runs in.

    Raises:
        BadInputError: for what is no folder, or has no such file in it.
        OutsideFailureError: if it cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            names = sorted(each.name for each in itertools.islice(entries, MOST_FILES) if each.is_file())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise BadInputError(f"{folder} is no folder: name the one that mix --kind lines wrote") from None
    except OSError as error:
        raise OutsideFailureError(f"{folder} cannot be read: {reason(error)}") from error
    found: dict[int, list[str]] = {}
    for name in names:
        number = _NUMBER.match(name)
        if number is not None and Path(name).suffix.lower() in SOUND_TYPES:
            found.setdefault(int(number[1]), []).append(name)
    if not found:
        raise BadInputError(
            f"{folder} has no recording whose name begins with its line’s number, such as 0012.wav: write them with mix"
            " --kind lines"
        )
    beside = Path() if document is None else document.parent
    start = _relative(folder, beside)
    return tuple((number, quote(f"{start}/{files[0]}")) for number, files in found.items() if len(files) == 1)


def _relative(folder: Path, beside: Path) -> str:
    try:
        return Path(os.path.relpath(folder.resolve(), beside.resolve())).as_posix()
    except ValueError:  # another drive
        return folder.resolve().as_posix()


def without_recording(numbers: Collection[int], recordings: Recordings) -> int:
    """How many lines have no recording."""
    return len(set(numbers) - {number for number, _ in recordings})
