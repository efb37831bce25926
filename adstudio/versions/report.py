"""A comparison of two versions as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.timebase import seconds
from adstudio.versions.comparing import ComparedLine, LineChange, LineState, counts

FORMAT = "adstudio-comparison/1"
SAME = "same"


def comparison_json(old: str, new: str, lines: Sequence[ComparedLine], *, every: bool) -> dict[str, object]:
    """The comparison of two versions, called by these names, as `adstudio-comparison/1`; times in seconds.

    `every` has lines that are the same too.
    """
    return {
        "format": FORMAT,
        "old": old,
        "new": new,
        "counts": {_name(change): number for change, number in counts(lines).items()},
        "lines": [_line(line) for line in lines if every or line.changes],
    }


def _name(change: LineChange | None) -> str:
    return SAME if change is None else change.value


def _line(line: ComparedLine) -> dict[str, object]:
    return {
        "element": line.id,
        "changes": [change.value for change in line.changes],
        "details": list(line.details),
        "old": _state(line.old),
        "new": _state(line.new),
        "words": [{"text": piece.text, "where": piece.where.value} for piece in line.words],
    }


def _state(state: LineState | None) -> dict[str, object] | None:
    if state is None:
        return None
    return {
        "text": state.text,
        "spoken": state.spoken,
        "start": None if state.start is None else seconds(state.start),
        "end": None if state.end is None else seconds(state.end),
        "origin": state.origin.value,
        "accepted": state.accepted,
    }
