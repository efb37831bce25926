"""Where the files that travel with the program lie: inside the installed package, or at the root of a checkout."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import OutsideFailureError

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """The path of a file or folder below `resources`.

    Raises:
        OutsideFailureError: when the installation lacks it.
    """
    for root in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        found = root.joinpath(*parts)
        if found.exists():
            return found
    raise OutsideFailureError(f"the file resources/{'/'.join(parts)} is missing from this installation: install again")
