"""How lines, times and stretches are called in labels and refusals."""

from __future__ import annotations

from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.timebase import Span

SHOWN_WORDS = 4
SHOWN_CHARACTERS = 40


def named(text: str) -> str:
    """The first words of a text in quotation marks."""
    found = text.split()
    shown = " ".join(found[:SHOWN_WORDS])
    if len(shown) > SHOWN_CHARACTERS:
        return f"‘{shown[: SHOWN_CHARACTERS - 1].rstrip()}…’"
    return f"‘{shown}{'…' if len(found) > SHOWN_WORDS else ''}’" if found else "‘…’"


def line_name(eventuality: Eventuality) -> str:
    """A line by the first words of its full wording."""
    return named(eventuality.variants[0].text)


def scene_named(script: Script, scene: Scene) -> str:
    """A scene by its title, or by its number as the list of scenes shows it."""
    place = next((place for place, each in enumerate(script.scenes) if each.id == scene.id), -1)
    return named(scene.title or scene.id) if scene.title or place < 0 else f"{place + 1}"


def at_time(ms: int) -> str:
    """A point in time to the millisecond: `00:47.900`, `1:02:47.900`."""
    minutes, rest = divmod(abs(ms), 60_000)
    hours, minutes = divmod(minutes, 60)
    figures = f"{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
    return ("-" if ms < 0 else "") + (f"{hours}:{figures}" if hours else figures)


def stretch(span: Span) -> str:
    """A stretch to the tenth of a second: `0:12.0–0:15.0`."""
    return f"{_tenths(span.start)}–{_tenths(span.end)}"


def _tenths(ms: int) -> str:
    tenths = (abs(ms) + 50) // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    figures = f"{rest // 10:02d}.{rest % 10}"
    sign = "-" if ms < 0 else ""
    return f"{sign}{hours}:{minutes:02d}:{figures}" if hours else f"{sign}{minutes}:{figures}"
