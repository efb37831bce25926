"""The one guard that every writer asks: nothing is written over what a film is made of, whatever path leads there.

Files are compared by identity, so that links, mounts and spellings do not matter, and by content, as a source may have
moved with its project.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.film import SourceFile
from adstudio.core.script import Script
from adstudio.store.media import candidate_paths, fingerprint, locate_source


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, or to the same place where there is none yet."""
    with contextlib.suppress(OSError, ValueError):
        return one.samefile(other)
    with contextlib.suppress(OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)
    return False


def require_not_source(
    target: Path, *inputs: Path | None, script: Script | None = None, project: Path | None = None
) -> None:
    """Check that writing `target` would replace none of the `inputs`, nor a source of the `script` of that `project`.

    Raises:
        BadInputError: if it would.
    """
    for each in inputs:
        if each is not None and same_file(target, each):
            raise _refusal(target, each)
    if script is None or project is None:
        return
    media = script.film.media
    near = [] if media is None else [Path(media.path).parent]
    for source in script.sources:
        place = next((each for each in _places(source, project, near) if same_file(target, each)), None)
        if place is not None:
            raise _refusal(target, place, "is" if source.fingerprint else "may be")
        if _has_content_of(target, source):
            raise BadInputError(
                f"{target} has the same content as {source.path}, which the project is made from, and may be the only "
                "copy left: choose another name"
            )


def edited_sources(script: Script, project: Path) -> Iterator[Path]:
    """Where sources of a script lie whose content has changed since; raises as `fingerprint`."""
    for source in script.sources:
        place = locate_source(source, project)
        if place is not None and source.fingerprint and fingerprint(place) != source.fingerprint:
            yield place


def _places(source: SourceFile, project: Path, near: list[Path]) -> list[Path]:
    """Where a source is taken to be, even if its content has changed."""
    known = candidate_paths(source, project, beside=False)
    if source.fingerprint or (Path(source.path).is_absolute() and known[0].exists()):
        # What only has its name, and lies beside the project, is another file.
        return known
    # Only a name, typed in a folder that nobody knows any more, or a usual one.
    folders = (*project.absolute().parents, *near, Path.cwd())
    found = (*candidate_paths(source, project), *(folder / source.path for folder in folders))
    return [path for path in found if path.exists()]


def _has_content_of(target: Path, source: SourceFile) -> bool:
    """Whether a file has a source's content: it may be that one, moved, restored, or reached through another mount."""
    with contextlib.suppress(OSError, ValueError, AdstudioError):
        return bool(source.size) and target.stat().st_size == source.size and fingerprint(target) == source.fingerprint
    return False


def _refusal(target: Path, source: Path, certainty: str = "is") -> BadInputError:
    return BadInputError(f"{target} would replace {source}, which this {certainty} made from: choose another name")
