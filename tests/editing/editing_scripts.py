"""A small film for the tests of edits, and the check that every step can be taken back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from adstudio.core.film import Film
from adstudio.core.script import (
    Cue,
    CueKind,
    Eventuality,
    Penalty,
    Pin,
    Rules,
    Scene,
    Script,
    Sequence,
    Silence,
    Variant,
)
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.labels import label_of

SCRIPT = Script(
    film=Film("Night ride", 60_000),
    sequences=(Sequence("q1", "Arrival"),),
    scenes=(Scene("s1", Span(0, 30_000), "Yard", "q1", reviewed=True), Scene("s2", Span(30_000, 60_000))),
    cues=(
        Cue("c1", 10_000, 14_000, "Who's there?", "ANNA"),
        Cue("c2", 20_000, 18_000, "It's me."),
        Cue("c3", 40_000, 41_000, "[door]", kind=CueKind.SOUND),
    ),
    silences=(Silence("x1", Span(25_000, 27_000), "music"),),
    eventualities=(
        Eventuality(
            "e1",
            (
                Variant("She parks her motorbike. She pulls off her helmet."),
                Variant("She parks. She unmasks.", Fraction(1, 2), 900),
            ),
            Span(0, 4000),
            800_000,
            "s1",
        ),
        Eventuality("e2", (Variant("Tom waits."),), Span(5000, 6000), 500_000, "s1", accepted=True, note="who?"),
        Eventuality("e3", (Variant("Rain."),), None, None, "s1"),
        Eventuality("e4", (Variant("A train leaves."), Variant("It leaves.")), Span(32_000, 36_000), 300_000, "s2"),
    ),
)
"""200 words a minute: 0.3 s a word. Free: 0–10, 14–20 (c2 ends too early and is taken to last until 20.75), 20.75–25,
and 27–60; the sound label is not dialogue."""


def done(step: Step | None, script: Script = SCRIPT) -> Script:
    """The script after a step that must change it, and that can be taken back to the very same script."""
    assert step is not None
    after = step.apply(script)
    assert after != script
    assert step.inverse().apply(after) == script
    assert label_of(step, script)
    return after


def with_pin(identity: str, pin: Pin, script: Script = SCRIPT) -> Script:
    """The script with one line held so."""
    return changed(script, identity, pin=pin)


def changed(script: Script, identity: str, **fields: object) -> Script:
    """The script with one line changed."""
    lines = (replace(line, **fields) if line.id == identity else line for line in script.eventualities)
    return replace(script, eventualities=tuple(lines))


def order(script: Script) -> list[str]:
    """The lines' ids in textual order."""
    return [line.id for line in script.eventualities]


def pins(script: Script) -> dict[str, Pin]:
    """What is held, by line."""
    return {line.id: line.pin for line in script.eventualities if line.pin.held}


TIED = replace(
    SCRIPT,
    rules=Rules(
        alternatives=(("e1", "e2", "e3"),),
        requires=(("e2", "e4"), ("e4", "e1")),
        together=(("e3", "e4"),),
        penalties=(Penalty("e1", "e4", 5),),
    ),
)
