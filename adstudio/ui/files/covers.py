"""Pictures of recent projects: the shot that was in view when a project was closed, for the welcome page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path
from PySide6.QtGui import QImage

from adstudio.core.errors import AdstudioError
from adstudio.system.cache import CacheFolder
from adstudio.system.files import read_bounded

MAX_BYTES = 1_000_000


def cover_path(project: Path) -> Path:
    """Where the picture of a project is."""
    name = blake2b(str(project).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return user_cache_path("adstudio") / "covers" / f"{name}.jpg"


def store_cover(project: Path, jpeg: bytes, recent: Iterable[Path]) -> None:
    """Keep a picture of a project; those of projects that are not `recent` any more go.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    path = cover_path(project)
    folder = CacheFolder(path.parent, re.compile(r"[0-9a-f]{24}\.jpg"))
    folder.write(path, jpeg, flush=False)
    spared = {cover_path(each) for each in (*recent, project)}
    folder.trim(0, spare=lambda each: each in spared)


def cover(project: Path) -> QImage | None:
    """The picture of a project; None where there is none that can be read."""
    try:
        data = read_bounded(cover_path(project), MAX_BYTES, "picture")
    except AdstudioError:
        return None
    image = QImage.fromData(data)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return None if image.isNull() else image
