"""A typed path: whatever it is, it is read, or refused with a sentence."""

from __future__ import annotations

import os
from pathlib import Path

from adstudio.core.errors import BadInputError

LONGEST_NAME = 255
"""Bytes that a file's name may have on the systems we know."""
LONGEST_PATH = 4_000
SHOWN = 40
"""How many characters of a name a sentence quotes."""


def typed_path(text: str) -> Path:
    """The file that a text names; `~` is the home folder, and a bare name is in the working directory.

    Raises:
        BadInputError: if no file can have that name, or it names a folder.
    """
    typed, path = text.strip(), typed_folder(text)
    if not path.name or typed.endswith(("/", os.sep)) or Path(typed).name in ("", ".", "..") or _is_folder(path):
        raise BadInputError(f"{shown(path.name or str(path))} is a folder: name a file in it.")
    return path


def typed_folder(text: str) -> Path:
    """The folder that a text names, in the same way.

    Raises:
        BadInputError: if nothing can have that name.
    """
    typed = text.strip()
    if not typed:
        raise BadInputError("Enter a file name.")
    try:
        whole = Path(typed).expanduser()
    except RuntimeError:
        raise BadInputError(f"There is no home folder {shown(Path(typed).parts[0])}: enter the full path.") from None
    try:
        path = Path(os.path.normpath(whole.absolute()))
        # Raises for lone surrogates and the like, which have no bytes.
        longest = max(len(os.fsencode(part)) for part in path.parts)
    except (OSError, ValueError):
        raise BadInputError(f"{shown(typed)} is not a valid file name: choose another one.") from None
    if not typed.isprintable():
        raise BadInputError(f"{shown(typed)} is not a valid file name: choose another one.")
    if longest > LONGEST_NAME or len(os.fsencode(path)) > LONGEST_PATH:
        raise BadInputError(f"{shown(path.name)} is too long for a file name: choose a shorter one.")
    return path


def shown(name: str) -> str:
    """A name as quoted in a sentence: short, and without unprintable characters."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in name[: 4 * SHOWN])
    return plain if len(plain) <= SHOWN else f"{plain[: SHOWN - 1]}…"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
