"""Keeping versions under names, and finding them by what a person writes."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.words import is_one_line
from adstudio.store.project import ProjectFile
from adstudio.store.version_rows import MAX_NAME, MAX_NOTE, Version, VersionContent

CURRENT = "current"
"""What the present script is called among versions."""


def keep_version(
    project: ProjectFile, script: Script, plan: Plan | None, *, name: str, note: str = "", by: str = ""
) -> Version:
    """Keep a script with its plan as a version of the project.

    Raises:
        BadInputError: if the name is empty, too long or taken, or the format cannot hold the script.
        OutsideFailureError: if the project is read-only or has no room, or it cannot be written.
    """
    name, note = checked_name(project.versions.all, name), _checked_note(note)
    return project.versions.keep(script, plan, name=name, note=note, by=by.strip()[:MAX_NAME])


def rename_version(project: ProjectFile, number: int, *, name: str, note: str) -> Version:
    """Give a version another name and note; raises as `keep_version`, and if there is none of that number."""
    others = [version for version in project.versions.all if version.number != number]
    its_own = any(version.number == number and version.name == name for version in project.versions.all)
    name = name if its_own else checked_name(others, name)
    return project.versions.relabel(number, name=name, note=_checked_note(note))


def delete_version(project: ProjectFile, number: int) -> None:
    """Delete a version; raises as `rename_version`."""
    project.versions.delete(number)


def version_content(project: ProjectFile, number: int) -> VersionContent:
    """The script and the plan of a version.

    Raises:
        BadInputError: if there is none of that number, or it cannot be read.
    """
    return project.versions.content(number)


def version_named(versions: Sequence[Version], name: str) -> Version:
    """The version with that name, in any case, or with that number.

    Raises:
        BadInputError: if there is none.
    """
    wanted = _key(name)
    named = [version for version in versions if _key(version.name) == wanted]
    found = next(iter([*named, *(version for version in versions if str(version.number) == wanted)]), None)
    if found is not None:
        return found
    names = ", ".join(f"“{version.name}”" for version in versions)
    raise BadInputError(
        f"there is no version “{name}”: {f'the versions are {names}' if names else 'none was kept yet'}"
    )


def free_name(versions: Sequence[Version]) -> str:
    """A name for the next version that none has."""
    taken = {_key(version.name) for version in versions}
    number = len(versions) + 1
    while _key(f"Version {number}") in taken:
        number += 1
    return f"Version {number}"


def checked_name(versions: Sequence[Version], name: str) -> str:
    """A name that a version may get beside these.

    Raises:
        BadInputError: if it is empty, too long, several lines, or taken.
    """
    name = name.strip()
    if not name:
        raise BadInputError("a version needs a name")
    if len(name) > MAX_NAME or not is_one_line(name):
        raise BadInputError(f"the name of a version is one line of at most {MAX_NAME} characters")
    if name.isdecimal():
        raise BadInputError(f"“{name}” is a number, by which a version is known as well: choose another name")
    if _key(name) == CURRENT:
        raise BadInputError(f"“{name}” is what the present script is called: choose another name")
    if any(_key(version.name) == _key(name) for version in versions):
        raise BadInputError(f"there is a version “{name}” already: choose another name")
    return name


def account_name() -> str:
    """The name of whoever uses the program, as the system knows it; empty if it does not."""
    try:
        import pwd

        full_name = pwd.getpwuid(os.getuid()).pw_gecos.partition(",")[0].strip()
    except (ImportError, KeyError, AttributeError):
        full_name = ""
    try:
        return full_name or getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _checked_note(note: str) -> str:
    note = note.strip()
    if len(note) > MAX_NOTE:
        raise BadInputError(f"that note has {len(note):,} characters; at most {MAX_NOTE:,} are allowed")
    return note


def _key(name: str) -> str:
    return name.strip().casefold()
