"""How lines, scenes and times are written in undo labels and refusals."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.timebase import Span
from adstudio.core.words import opening_words

SHOWN_WORDS = 4
SHOWN_CHARACTERS = 40


def quoted(text: str) -> str:
    """The first words of a name or title in quotation marks, as it is written."""
    found = text.split()
    shown = " ".join(found[:SHOWN_WORDS])
    if len(shown) > SHOWN_CHARACTERS:
        return f"“{shown[: SHOWN_CHARACTERS - 1].rstrip()}…”"
    return f"“{shown}{'…' if len(found) > SHOWN_WORDS else ''}”" if found else "“…”"


def quoted_line(text: str) -> str:
    """The first words of a line or cue in quotation marks, without its full stop: what quotes it is a sentence too."""
    return quoted(opening_words(text, SHOWN_WORDS))


def line_name(eventuality: Eventuality, plans: Iterable[Plan] = ()) -> str:
    """A line's name: the first words of the wording that the first of these plans speaks, else of its full wording."""
    spoken = (plan.by_element[eventuality.id].variant for plan in plans if eventuality.id in plan.by_element)
    place = next(spoken, 0)
    return quoted_line(eventuality.variants[place if place < len(eventuality.variants) else 0].text)


def scene_name(script: Script, scene: Scene) -> str:
    """A scene's title in quotation marks, else its number in the list of scenes."""
    place = next((place for place, each in enumerate(script.scenes) if each.id == scene.id), -1)
    return quoted(scene.title or scene.id) if scene.title or place < 0 else f"{place + 1}"


def span_text(film: Film, span: Span) -> str:
    """A span in the film's timecode: `00:00:12:00–00:00:15:00`."""
    return f"{film.timecode(span.start)}–{film.timecode(span.end)}"
