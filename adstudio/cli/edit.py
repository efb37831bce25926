"""`adstudio` and `adstudio edit`: the editor's window."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from adstudio.cli.interrupt import Stopped, stopping
from adstudio.core.errors import BadInputError, OutsideFailureError

PLATFORM = "QT_QPA_PLATFORM"
UNSEEN = ("offscreen", "minimal", "vnc")
"""Qt platforms that draw without a screen; used only when named explicitly."""


def edit(project: Path | None = None) -> int:
    """Open the editor and return its exit code when it is closed.

    Raises:
        BadInputError: if the project does not exist.
        OutsideFailureError: if there is no display, or a library that the window needs is missing.
    """
    if project is not None and not _exists(project):
        raise BadInputError(f"{project} does not exist: create a project with adstudio draft, or in the editor")
    if project is not None and project.is_dir():
        raise BadInputError(f"{project} is a folder: name a project file in it")
    if not has_display() and not os.environ.get(PLATFORM):
        raise OutsideFailureError(
            "no display to open the editor on: run it on a desktop, or use adstudio draft and adstudio export here"
        )
    return open_editor(project)


def _exists(project: Path) -> bool:
    try:
        return project.exists()
    except (OSError, ValueError):
        return False  # not a possible file name


def has_display() -> bool:
    """Whether a window can be seen here."""
    platform = os.environ.get(PLATFORM, "").partition(":")[0]
    if platform:
        return platform not in UNSEEN
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def open_editor(project: Path | None) -> int:
    """Open the editor and return its exit code when it is closed.

    Raises:
        OutsideFailureError: if the libraries that the window needs are not installed.
    """
    # Objects created during start-up live on; collecting garbage meanwhile would cost a tenth of the start-up time.
    gc.disable()
    try:
        # Qt for Python calls back into Python while it loads: there, a signal's exception is lost or ends in a crash.
        with stopping(lambda: None) as received:
            try:
                from adstudio.ui.app.application import run
            except ImportError as error:
                raise OutsideFailureError(
                    f"cannot open the editor's window because a library is missing ({error}): "
                    "bash packaging/demo.sh installs it"
                ) from error
            if received:
                raise Stopped(received[0])
            return run(project, received)
    finally:
        gc.enable()
