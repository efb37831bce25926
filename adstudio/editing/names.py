"""How lines, scenes and times are written in undo labels and refusals."""

from __future__ import annotations

from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.timebase import Span

SHOWN_WORDS = 4
SHOWN_CHARACTERS = 40


def quoted(text: str) -> str:
    """The first words of a text in quotation marks."""
    found = text.split()
    shown = " ".join(found[:SHOWN_WORDS])
    if len(shown) > SHOWN_CHARACTERS:
        return f"‘{shown[: SHOWN_CHARACTERS - 1].rstrip()}…’"
    return f"‘{shown}{'…' if len(found) > SHOWN_WORDS else ''}’" if found else "‘…’"


def line_name(eventuality: Eventuality) -> str:
    """A line's name: the first words of its full wording."""
    return quoted(eventuality.variants[0].text)


def scene_name(script: Script, scene: Scene) -> str:
    """A scene's title in quotation marks, else its number in the list of scenes."""
    place = next((place for place, each in enumerate(script.scenes) if each.id == scene.id), -1)
    return quoted(scene.title or scene.id) if scene.title or place < 0 else f"{place + 1}"


def time_text(ms: int) -> str:
    """A time to the millisecond: `00:47.900`, `1:02:47.900`."""
    minutes, rest = divmod(abs(ms), 60_000)
    hours, minutes = divmod(minutes, 60)
    figures = f"{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
    return ("-" if ms < 0 else "") + (f"{hours}:{figures}" if hours else figures)


def span_text(span: Span) -> str:
    """A span: `00:12.000–00:15.000`."""
    return f"{time_text(span.start)}–{time_text(span.end)}"
