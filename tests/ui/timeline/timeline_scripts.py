"""Small films whose times are easy to reckon with."""

from __future__ import annotations

from adstudio.core.film import Film
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Opening, Scene, Script, Silence, Variant
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span


def line(identity: str, start: int, end: int, duration: int, salience: float = 0.5) -> Eventuality:
    """A line of one wording."""
    wording = Variant(f"{identity} is seen.", duration=duration)
    return Eventuality(identity, (wording,), Span(start, end), int(salience * SALIENCE_UNIT), "s1")


def small_script() -> Script:
    """A minute: dialogue at 10–20 s and 40–50 s; gaps 0–10, 20–40 and 50–60 s; a silence at 34–36 s cuts the second.

    e1 and e2 are said in the first gap, e3 in the second; e4 finds no room beside e3.
    """
    return Script(
        Film("Small", 60_000),
        settings=Settings(gaps=GapSettings(least=1000)),
        scenes=(Scene("s1", Span(0, 30_000), "Inside"), Scene("s2", Span(30_000, 60_000), "Outside")),
        cues=(Cue("c1", 10_000, 20_000, "Where have you been?", "Anna"), Cue("c2", 40_000, 50_000, "Out.", "Tom")),
        silences=(Silence("q1", Span(34_000, 36_000)),),
        eventualities=(
            line("e1", 0, 2_000, 2_000),
            line("e2", 4_000, 6_000, 3_000),
            line("e3", 24_000, 26_000, 4_000, 0.9),
            line("e4", 52_000, 54_000, 30_000),
        ),
    )


def odd_script() -> Script:
    """All that is odd: overlapping, reversed and empty cues, letters from right to left, silences, openings."""
    return Script(
        Film("Odd", 20_000),
        cues=(
            Cue("c1", 1_000, 4_000, "ראית אותו? 3 times!", "דוד"),
            Cue("c2", 2_000, 5_000, "مرحبا يا صديقي"),
            Cue("c3", 2_000, 5_000, "Same time"),
            Cue("c4", 8_000, 7_000, "Backwards"),
            Cue("c5", 9_000, 9_000, "No time"),
            Cue("c6", 0, 20_000, "Very long", "A"),
        ),
        silences=(Silence("q1", Span(12_000, 14_000), "music"),),
        openings=(Opening("o1", Span(3_000, 6_000)),),
        eventualities=(line("e1", 500, 500, 800), line("e2", 600, 3_000, 1_000), line("e3", 700, 19_000, 900, 12.5)),
    )
