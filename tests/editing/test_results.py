"""What a step did, in words: the new value first, then whose it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.steps import Several, Step
from adstudio.core.timebase import Span
from adstudio.editing import lines, occurrences, pins, regions, results, scenes, splitting, wordings
from adstudio.editing.ids import Ids
from adstudio.editing.results import as_done, result_of


def line(identity: str, words: str, start: int, **more: object) -> Eventuality:
    variants = (Variant(words, duration=3_000), Variant(words.split(maxsplit=1)[0], duration=1_000))
    return replace(Eventuality(identity, variants, Span(start, start + 1_000), SALIENCE_UNIT // 2, "s1"), **more)


SCRIPT = Script(
    Film("A film", 60_000),
    scenes=(Scene("s1", Span(0, 30_000), "Harbour"), Scene("s2", Span(30_000, 60_000))),
    cues=(Cue("c1", 10_000, 14_000, "Hello."),),
    eventualities=(
        line("a", "A cat sits on the wall.", 1_000),
        line("b", "Rain falls.", 5_000),
        line("c", "He runs.", 15_000, accepted=True, pin=Pin(selected=True, start=15_000), note="louder"),
    ),
)
PLAN = Plan("optimal", "exact", deliveries=(Delivery("a", 0, 1_000, 4_000), Delivery("c", 0, 15_000, 18_000)))


def _allow_overlap(script: Script) -> Step:
    """Lock the time, and let it overlap: one act in two steps."""
    locked = pins.pin_start(script, "a", 2_000)
    assert locked is not None
    allowed = pins.set_override(locked.apply(script), ("a",), on=True)
    assert allowed is not None
    return Several("", (locked, allowed))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda s: pins.set_accepted(s, ("a",), on=True), "Accepted: “A cat sits on…”"),
        (lambda s: pins.set_accepted(s, ("a",), on=True, plan=PLAN), "Accepted: “A cat sits on…”"),
        (lambda s: pins.set_accepted(s, ("c",), on=False), "Acceptance withdrawn: “He runs”"),
        (lambda s: pins.set_accepted(s, ("a", "b"), on=True), "Accepted: 2 lines"),
        (lambda s: lines.nudge_salience(s, ("a",), 150_000), "Salience 0.65: “A cat sits on…”"),
        (lambda s: pins.pin_in(s, ("b",)), "Locked in: “Rain falls”"),
        (lambda s: pins.pin_out(s, ("b",)), "Locked out: “Rain falls”"),
        (lambda s: pins.unpin(s, ("c",)), "Locks cleared: “He runs”"),
        (lambda s: pins.pin_start(s, "a", 2_000), "Time locked at 00:00:02:00: “A cat sits on…”"),
        (lambda s: pins.unpin_start(s, ("c",)), "Time unlocked: “He runs”"),
        (lambda s: pins.set_override(s, ("c",), on=True), "Overlap allowed, at 00:00:15:00: “He runs”"),
        (_allow_overlap, "Overlap allowed, at 00:00:02:00: “A cat sits on…”"),
        (lambda s: scenes.set_reviewed(s, ("s1",), on=True, plan=PLAN), "Reviewed: scene “Harbour”"),
        (lambda s: scenes.set_reviewed(s, ("s1", "s2"), on=True), "Reviewed: 2 scenes"),
        (lambda s: pins.pin_variant(s, "a", 1), "Wording 2 of 2 locked, “A”: “A cat sits on…”"),
        (lambda s: pins.pin_as_planned(s, PLAN, ("a",)), "Wording and time locked at 00:00:01:00: “A cat sits on…”"),
        (lambda s: pins.set_note(s, "a", "too long"), "Note “too long”: “A cat sits on…”"),
        (lambda s: pins.set_note(s, "c", ""), "Note deleted: “He runs”"),
        (lambda s: lines.move_later(s, "a"), "Item 2 of 3: “A cat sits on…”"),
        (lambda s: lines.delete_lines(s, ("b",)), "Deleted: “Rain falls”"),
        (lambda s: lines.delete_lines(s, ("a", "b")), "Deleted: 2 lines"),
        (lambda s: lines.new_line(s, Ids(s), 20_000), "New line, item 4 of 4"),
        (lambda s: lines.new_line(s, Ids(s), 8_000, "It stops."), "New line, item 3 of 4: “It stops”"),
        (lambda s: wordings.rewrite(s, "b", 0, "It pours."), "Reworded: “It pours”"),
        (lambda s: wordings.add_wording(s, "b", "Rain."), "Wording added, 3 wordings: “Rain falls”"),
        (
            lambda s: occurrences.set_occurrence_start(s, "b", 5_400),
            "Action 00:00:05:10–00:00:06:00: “Rain falls”",
        ),
        (lambda s: lines.join(s, ("b",)), ""),
        (lambda s: scenes.set_reviewed(s, ("s1",), on=True), "Reviewed: scene “Harbour”"),
        (lambda s: regions.draw_silence(s, Ids(s), 2_000, 3_000), "Kept silent 00:00:02:00–00:00:03:00"),
        (lambda s: splitting.merge_lines(s, ("a", "b")), "Merged 2 lines: “A cat sits on…”"),
        (lambda s: splitting.split_line(s, Ids(s), "a", 6), "Split into “A cat” and “Sits on the wall”"),
    ],
)
def test_a_result_names_the_new_value_and_the_line(make: Callable[[Script], Step | None], said: str) -> None:
    step = make(SCRIPT)
    assert step is not None
    assert result_of(step, step.apply(SCRIPT), PLAN) == said


def test_the_line_after_deleted_ones() -> None:
    assert lines.line_after(SCRIPT, ("a",)) == "b"
    assert lines.line_after(SCRIPT, ("b", "c")) == "a"
    assert lines.line_after(SCRIPT, ("a", "b", "c")) is None


def test_two_lines_that_begin_alike_are_two() -> None:
    alike = replace(SCRIPT, eventualities=(*SCRIPT.eventualities[:1], line("d", "A cat sits on the roof.", 8_000)))
    step = pins.pin_in(alike, ("a", "d"))
    assert step is not None
    assert result_of(step, step.apply(alike)) == "Locked in: 2 lines"


def test_what_a_label_says_to_do_is_said_as_done():
    assert as_done("Accept 70 lines") == "Accepted 70 lines"
    assert as_done("Withdraw acceptance of 2 lines") == "Withdrew acceptance of 2 lines"
    assert as_done("Several changes") == "Done: Several changes"


VERB = re.compile(r"(?:label = |return |one_step\(|Several\(|edit_lines\([^\"]*)f?\"([A-Z][a-z]+) ")
NO_ACT = {
    "Scene",
    "Several",
    "The",
    "What",
    "An",
    "No",
    "These",
    "Checked",
    "Lines",
    "That",
    "Time",
    "It",
    "Merged",
    "Invalid",
}


def test_every_verb_of_a_label_is_known_as_done():
    folder = Path(results.__file__).parent
    verbs = {verb for file in folder.glob("*.py") for verb in VERB.findall(file.read_text("utf-8"))}
    assert {"Accept", "Merge", "Set"} <= verbs
    assert not [verb for verb in verbs - NO_ACT if as_done(f"{verb} it").startswith("Done")]
