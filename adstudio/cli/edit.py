"""`adstudio` and `adstudio edit`: the editor's window."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from adstudio.core.errors import BadInputError, OutsideFailureError

PLATFORM = "QT_QPA_PLATFORM"
UNSEEN = ("offscreen", "minimal", "vnc")
"""Where Qt draws without a screen: for tests, when asked for by name only."""


def edit(project: Path | None = None) -> int:
    """Open the editor and stay until it is closed; its exit code.

    Raises:
        BadInputError: where there is no such project.
        OutsideFailureError: where there is no display, or a library of the window is missing.
    """
    if project is not None and not _is_there(project):
        raise BadInputError(f"{project}: there is no such project; make one with adstudio draft, or in the editor")
    if project is not None and project.is_dir():
        raise BadInputError(f"{project} is a folder: name a project in it")
    if not has_display() and not os.environ.get(PLATFORM):
        raise OutsideFailureError(
            "there is no display to open the editor on: run this on a desktop, or use adstudio draft and export here"
        )
    return open_editor(project)


def _is_there(project: Path) -> bool:
    try:
        return project.exists()
    except (OSError, ValueError):
        return False  # no name that a file can have


def has_display() -> bool:
    """Whether somebody can look at a window here."""
    platform = os.environ.get(PLATFORM, "").partition(":")[0]
    if platform:
        return platform not in UNSEEN
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def open_editor(project: Path | None) -> int:
    """Open the editor and stay until it is closed.

    Raises:
        OutsideFailureError: where the libraries of the window are not installed.
    """
    # What is made for the window stays: to look through it for garbage again and again is a tenth of its start.
    # `ui.garbage` goes on with that once the window is up.
    gc.disable()
    try:
        try:
            from adstudio.ui.app.application import run
        except ImportError as error:
            raise OutsideFailureError(
                f"the editor's window cannot be opened, a library of it is missing ({error}): "
                "bash packaging/demo.sh installs what is missing"
            ) from error
        return run(project)
    finally:
        gc.enable()
