"""What a project will be known by in the log of what was sent, while there is no file of it yet.

A draft that was stopped goes on with the same command, and what was sent before and after is of one project. So the
identity that it is going to have is kept beside the program's other data until the project is written.
"""

from __future__ import annotations

import contextlib
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import cast

from adstudio.core.errors import AdstudioError
from adstudio.core.json_reading import json_bytes
from adstudio.store.policies import new_identity
from adstudio.system.files import read_bounded, write_atomically
from adstudio.system.private_files import FILE

FORMAT = "adstudio-unfinished/1"
MOST = 200
"""Drafts that are remembered; of more the oldest are forgotten."""
LARGEST = 100_000
"""Bytes of the file."""
_NAME = re.compile("[0-9a-f]{64}")
_IDENTITY = re.compile("[0-9a-f]{32}")


def default_place() -> Path:
    """Where they are kept unless somebody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("adstudio", appauthor=False) / "unfinished.json"


def identity_of(output: Path, film: str, place: Path | None = None) -> str:
    """The identity of the project that is to be written there from this film: the same until it is `written`."""
    place = place or default_place()
    name, known = _name(output, film), _read(place)
    identity = known.pop(name, None) or new_identity().hex()
    _write(place, {**known, name: identity})
    return identity


def written(output: Path, film: str, place: Path | None = None) -> None:
    """The project is there and knows its identity itself."""
    place = place or default_place()
    known = _read(place)
    if known.pop(_name(output, film), None) is not None:
        _write(place, known)


def _name(output: Path, film: str) -> str:
    return sha256(f"{output.absolute()}\n{film}".encode("utf-8", "surrogatepass")).hexdigest()


def _read(place: Path) -> dict[str, str]:
    """What is kept; a file that cannot be read or is none of ours is as good as none."""
    try:
        found: object = json.loads(read_bounded(place, LARGEST, "list of drafts")) if place.exists() else None
    except (AdstudioError, OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or cast("dict[str, object]", found).get("format") != FORMAT:
        return {}
    drafts = cast("dict[str, object]", found).get("drafts")
    known = cast("dict[str, object]", drafts) if isinstance(drafts, dict) else {}
    return {
        name: identity
        for name, identity in known.items()
        if isinstance(identity, str) and _NAME.fullmatch(name) and _IDENTITY.fullmatch(identity)
    }


def _write(place: Path, known: dict[str, str]) -> None:
    newest = dict(list(known.items())[-MOST:])
    # Nothing but the log's page hangs on it, and where this cannot be written the log cannot either: then nothing is
    # sent, and that is said.
    with contextlib.suppress(AdstudioError, OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, json_bytes({"format": FORMAT, "drafts": newest}), mode=FILE)
