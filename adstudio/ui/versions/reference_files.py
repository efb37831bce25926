"""The reference ADs that were opened for a project: their paths, the last one first, among the preferences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from adstudio.ui.session.preferences import Preferences

PREFERENCE = "references"
MOST = 12
"""So many are remembered for a project."""


def remembered(preferences: Preferences, project: Path) -> tuple[Path, ...]:
    """The references of a project, also those that are away for a while, as on a stick."""
    names = _stored(preferences).get(str(project))
    found = cast("Sequence[object]", names) if isinstance(names, list) else ()
    return tuple(Path(name) for name in found if isinstance(name, str))[:MOST]


def remember(preferences: Preferences, project: Path, paths: Sequence[Path]) -> None:
    """Remember the references of a project; those of projects that are no longer recent are forgotten."""
    known = {str(path) for path in (*preferences.recent, project)}
    others = {name: found for name, found in _stored(preferences).items() if name in known}
    preferences.store(PREFERENCE, json.dumps({**others, str(project): [str(path) for path in paths[:MOST]]}))


def _stored(preferences: Preferences) -> dict[str, object]:
    try:
        found: object = json.loads(preferences.text(PREFERENCE, "{}"))
    except ValueError:
        return {}
    return dict(cast("Mapping[str, object]", found)) if isinstance(found, Mapping) else {}
