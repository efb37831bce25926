"""What a machine thought, confirmed; what is heard, taken as dialogue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.provenance import FreeText, Provenance
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused
from adstudio.editing.cues import cues_from_speech
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.occurrences import confirm_occurrences


def line(name: str, start: int | None, confidence: int | None) -> Eventuality:
    happens = None if start is None else Span(start, start + 1000)
    return Eventuality(
        name,
        (Variant(f"{name} is seen."),),
        happens,
        500_000,
        confidence=confidence,
        provenance=Provenance(FreeText("a draft")),
    )


SCRIPT = Script(
    Film("Small", 60_000),
    eventualities=(line("a", 0, 310), line("b", 2000, 600), line("c", 4000, None), line("d", None, 200)),
)


def test_one_line_is_confirmed_where_it_is_and_undone() -> None:
    document = Document(SCRIPT)
    step = confirm_occurrences(SCRIPT, ["a"])
    assert step is not None
    document.apply(step)
    assert document.script.eventuality("a") == replace(SCRIPT.eventuality("a"), confidence=None, worked=True)
    document.undo()
    assert document.script == SCRIPT
    document.redo()
    assert document.script.eventuality("a").confidence is None


def test_several_lines_are_one_step_and_what_needs_nothing_is_passed_over() -> None:
    step = confirm_occurrences(SCRIPT, ["a", "b", "c", "d"])
    assert step is not None
    assert label_of(step, SCRIPT) == "Confirm times of 2 lines"
    after = step.apply(SCRIPT)
    assert [each.confidence for each in after.eventualities] == [None, None, None, 200]
    assert confirm_occurrences(SCRIPT, ["c", "d"]) is None


def test_detected_speech_becomes_dialogue_in_one_step_within_the_film() -> None:
    spans = [Span(1000, 2000), Span(50_000, 61_000), Span(61_000, 62_000)]
    step = cues_from_speech(SCRIPT, Ids(SCRIPT), spans)
    assert step is not None
    assert label_of(step, SCRIPT) == "Detect dialogue from audio"
    after = step.apply(SCRIPT)
    assert after.cues == (Cue("cue-1", 1000, 2000, ""), Cue("cue-2", 50_000, 60_000, ""))
    with pytest.raises(EditRefused):
        cues_from_speech(after, Ids(after), spans)
    assert cues_from_speech(SCRIPT, Ids(SCRIPT), []) is None
