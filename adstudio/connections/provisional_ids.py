"""Identities in the traffic log for projects whose files have not been written yet.

A stopped draft is resumed by the same command, and its traffic belongs to one project. So the project's future identity
is stored with the program's data until the project file is written.
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
from adstudio.system.locations import user_data
from adstudio.system.private_files import FILE

FORMAT = "adstudio-unfinished/1"
MOST = 200
"""Drafts remembered at most, the newest."""
LARGEST = 100_000
"""Bytes of the file."""
_NAME = re.compile("[0-9a-f]{64}")
_IDENTITY = re.compile("[0-9a-f]{32}")


def default_place() -> Path:
    """The default path."""
    return user_data("unfinished.json")


def identity_of(output: Path, film: str, place: Path | None = None) -> str:
    """The identity of the project to be written to `output` from this film, stable until `forget_identity`."""
    place = place or default_place()
    name, known = _name(output, film), _read(place)
    identity = known.pop(name, None) or new_identity().hex()
    _write(place, {**known, name: identity})
    return identity


def forget_identity(output: Path, film: str, place: Path | None = None) -> None:
    """Forget the identity, now that the project file stores it."""
    place = place or default_place()
    known = _read(place)
    if known.pop(_name(output, film), None) is not None:
        _write(place, known)


def _name(output: Path, film: str) -> str:
    return sha256(f"{output.absolute()}\n{film}".encode("utf-8", "surrogatepass")).hexdigest()


def _read(place: Path) -> dict[str, str]:
    """The stored identities; a file that is unreadable or not ours counts as none."""
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
    # Only the activity log's page depends on it; and if this cannot be written, the traffic log usually cannot either,
    # which blocks all traffic with a message.
    with contextlib.suppress(AdstudioError, OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, json_bytes({"format": FORMAT, "drafts": newest}), mode=FILE)
