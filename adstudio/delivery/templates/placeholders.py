"""Placeholders of a house's template, such as {{text}}: their names, and what is put in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from adstudio.core.errors import Oddity
from adstudio.core.timebase import clock
from adstudio.delivery.columns import COLUMNS, Cell, printed
from adstudio.delivery.document_head import DocumentHead

PLACEHOLDER = re.compile(r"\{\{\s*([^{}\n]{1,60}?)\s*\}\}")
LINE_NAMES = {
    **{name.replace(" ", "_"): name for name in COLUMNS},
    "no": "number",
    "tc_in": "in",
    "tc_out": "out",
    "duration": "duration s",
    "description": "text",
    "cue": "dialogue cue",
    "cue_in": "dialogue cue",
    "cue_end": "dialogue end",
    "cue_speaker": "dialogue speaker",
}
"""The columns of a line by the names that placeholders have for them."""
DOCUMENT_NAMES = ("title", "film", "version", "date", "language", "frame_rate", "start_timecode", "lines", "spoken")
_SHOWN = 8


def name_of(written: str) -> str:
    """A placeholder's name as it is compared: `{{ TC in }}` is `tc_in`."""
    return re.sub(r"[\s_.-]+", "_", written.strip().lower())


def is_of_line(written: str) -> bool:
    """Whether a placeholder stands for something of a line."""
    return name_of(written) in LINE_NAMES


def has_line_placeholder(text: str) -> bool:
    """Whether anything of a line belongs in a text."""
    return any(is_of_line(found[1]) for found in PLACEHOLDER.finditer(text))


def document_values(head: DocumentHead) -> dict[str, Cell]:
    """What the placeholders of a document stand for."""
    return {
        "title": head.title,
        "film": head.title,
        "version": head.version,
        "date": head.day,
        "language": head.language,
        "frame_rate": head.frame_rate,
        "start_timecode": head.start_timecode or "00:00:00:00",
        "lines": head.lines,
        "spoken": clock(head.spoken)[:8],
    }


def line_values(row: Mapping[str, Cell]) -> dict[str, Cell]:
    """What the placeholders of a line stand for."""
    return {name: row[column] for name, column in LINE_NAMES.items()}


def no_line() -> dict[str, Cell]:
    """Nothing for each placeholder of a line."""
    return dict.fromkeys(LINE_NAMES)


def as_text(name: str, value: Cell) -> str:
    """A value as it is read: of the durations, `duration` is in tenths of a second and `duration_s` exact."""
    return printed(LINE_NAMES.get(name, name) if name != "duration_s" else name, value)


class Filler:
    """Puts values in the places of placeholders, and notes those that it does not know."""

    def __init__(self) -> None:
        self._unknown: dict[str, None] = {}
        self._outside: dict[str, None] = {}

    def filled(self, text: str, values: Mapping[str, Cell]) -> str:
        """A text with its placeholders filled; what is put in is not searched again."""
        return PLACEHOLDER.sub(self.replacement(values), text)

    def replacement(self, values: Mapping[str, Cell]) -> Callable[[re.Match[str]], str]:
        """What stands for a placeholder; itself where it is not known."""

        def replace(found: re.Match[str]) -> str:
            name = name_of(found[1])
            if name in values:
                return as_text(name, values[name])
            (self._outside if name in LINE_NAMES else self._unknown)[found[0]] = None
            return found[0]

        return replace

    def oddities(self, name: str) -> Iterable[Oddity]:
        """Which placeholders of a template were left as they are."""
        if self._unknown:
            known = ", ".join((*DOCUMENT_NAMES, *LINE_NAMES))
            listed = _listed(self._unknown)
            yield Oddity(f"{name} has placeholders that are not known, so they stay: {listed} (known: {known})")
        if self._outside:
            listed = _listed(self._outside)
            yield Oddity(f"{name} has placeholders of a line outside the repeated row, so they stay: {listed}")


def _listed(found: Mapping[str, None]) -> str:
    shown = list(found)[:_SHOWN]
    return ", ".join(shown) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
