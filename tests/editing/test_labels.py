"""What steps are called in the undo list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, with_pin

from adstudio.core.script import Cue, Eventuality, Opening, Person, Pin, Rules, Scene, Script, Settings, Variant
from adstudio.core.steps import (
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    Several,
    Step,
)
from adstudio.core.timebase import Span
from adstudio.editing import cues, lines, occurrences, pins, regions, scenes, wordings
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.names import at_time, named, stretch

HELD = with_pin("e2", Pin(selected=True, variant=0, start=5000))
OVER = with_pin("e2", Pin(selected=True, variant=0, start=5000, override=True))
WORDED = changed(SCRIPT, "e1", variants=(Variant("a"), Variant("b", duration=5)))
ANNA, TOM = Person("Anna", b"face"), Person("Tom")
OPENED = replace(SCRIPT, openings=(Opening("o1", Span(11_000, 12_500)),))


@pytest.mark.parametrize(
    ("step", "label"),
    [
        (pins.pin_start(SCRIPT, "e1", 47_900), "Pin ‘She parks her motorbike.…’ at 00:47.900"),
        (pins.set_override(HELD, ["e2"], on=True), "Override ‘Tom waits.’ at 00:05.000"),
        (pins.set_override(OVER, ["e2"], on=False), "Override ‘Tom waits.’ no more"),
        (pins.unpin_start(HELD, ["e2"]), "Leave the time of ‘Tom waits.’ open"),
        (pins.unpin(HELD, ["e2"]), "Unpin ‘Tom waits.’"),
        (pins.free(HELD, ["e2"]), "Free ‘Tom waits.’"),
        (pins.keep_in(SCRIPT, ["e2"]), "Keep ‘Tom waits.’ in"),
        (pins.keep_out(SCRIPT, ["e2"]), "Keep ‘Tom waits.’ out"),
        (pins.pin_variant(SCRIPT, "e1", 1), "Pin wording 2 of ‘She parks her motorbike.…’"),
        (pins.pin_variant(HELD, "e2", None), "Free the wording of ‘Tom waits.’"),
        (pins.set_accepted(SCRIPT, ["e1"], on=True), "Accept ‘She parks her motorbike.…’"),
        (pins.set_accepted(SCRIPT, ["e2"], on=False), "Accept ‘Tom waits.’ no more"),
        (pins.set_seen(SCRIPT, ["e1"], on=True), "Mark ‘She parks her motorbike.…’ as seen"),
        (pins.set_note(SCRIPT, "e2", ""), "Note on ‘Tom waits.’"),
        (lines.delete_lines(SCRIPT, ["e2"]), "Delete ‘Tom waits.’"),
        (lines.set_salience(SCRIPT, ["e2"], 250_000), "Reweight ‘Tom waits.’ to 0.25"),
        (lines.nudge_salience(SCRIPT, ["e1", "e2"], 1), "Weigh 2 lines more"),
        (lines.join(SCRIPT, ["e2"]), "Join ‘Tom waits.’ to the line before"),
        (lines.join(SCRIPT, ["e2", "e3", "e4"]), "Join 3 lines"),
        (lines.move_lines(SCRIPT, ["e4"], "e2"), "Move ‘A train leaves.’ before ‘Tom waits.’"),
        (lines.move_lines(SCRIPT, ["e1"], None), "Move ‘She parks her motorbike.…’ to the end"),
        (occurrences.set_occurrence_end(SCRIPT, "e2", 9000), "Set when ‘Tom waits.’ happens: 0:05.0–0:09.0"),
        (occurrences.set_occurrence(SCRIPT, "e2", None), "‘Tom waits.’ happens nowhere"),
        (occurrences.set_not_before(SCRIPT, ["e2"], on=True), "Speak ‘Tom waits.’ within 0:05.0–1:00.0"),
        (wordings.rewrite(SCRIPT, "e2", 0, "Tom smokes."), "Rewrite ‘Tom waits.’"),
        (wordings.add_wording(SCRIPT, "e2", "Tom."), "Add a wording to ‘Tom waits.’"),
        (wordings.remove_wording(WORDED, "e1", 1), "Remove a wording of ‘a’"),
        (wordings.move_wording(WORDED, "e1", 1, 0), "Reorder the wordings of ‘a’"),
        (wordings.set_duration(WORDED, "e1", 0, 1234), "Set the duration of ‘a’ to 1.234 s"),
        (wordings.set_duration(WORDED, "e1", 1, None), "Clear the duration of ‘b’"),
        (regions.draw_silence(SCRIPT, Ids(SCRIPT), 12_000, 15_000), "Draw silence 0:12.0–0:15.0"),
        (regions.move_stretch(SCRIPT, "x1", 0), "Move silence 0:00.0–0:02.0"),
        (regions.resize_stretch(OPENED, "o1", end=13_000), "Change opening 0:11.0–0:13.0"),
        (regions.delete_stretches(OPENED, ["o1"]), "Delete opening 0:11.0–0:12.5"),
        (regions.note_stretch(SCRIPT, "x1", ""), "Note on silence 0:25.0–0:27.0"),
        (cues.set_cue_kind(SCRIPT, ["c1"], SCRIPT.cues[2].kind), "Take cue ‘Who's there?’ for sound"),
        (cues.move_cue(SCRIPT, "c1", 9000), "Retime cue ‘Who's there?’"),
        (scenes.set_reviewed(SCRIPT, ["s1"], on=False), "Mark scene ‘Yard’ as not reviewed"),
        (scenes.assign_to_sequence(SCRIPT, ["s1"], None), "Assign scene ‘Yard’ to no sequence"),
        (scenes.rename_sequence(SCRIPT, "q1", "Dusk"), "Rename sequence ‘Arrival’ to ‘Dusk’"),
    ],
)
def test_labels(step: Step | None, label: str) -> None:
    assert step is not None
    assert label_of(step, SCRIPT) == label


def test_labels_of_steps_made_elsewhere() -> None:
    line = SCRIPT.eventualities[1]
    for step, label in (
        (SetFilm(SCRIPT.film, SCRIPT.film), "Change the film’s data"),
        (SetSettings(SCRIPT.settings, Settings()), "Change the settings"),
        (SetRules(Rules(), Rules()), "Change a penalty"),
        (SetRules(Rules(together=(("a", "b"),)), Rules(together=(("a", "c"),))), "Change the rules"),
        (SetRules(Rules(), Rules(together=(("a", "b"),))), "Say all or none of a and b"),
        (SetPeople((), (ANNA,)), "Add ‘Anna’ to the people"),
        (SetPeople((ANNA, TOM), (TOM,)), "Remove ‘Anna’ from the people"),
        (SetPeople((Person("Anna"), TOM), (ANNA, TOM)), "Give ‘Anna’ a face"),
        (SetPeople((ANNA,), (Person("Anna"),)), "Remove the face of ‘Anna’"),
        (SetPeople((ANNA, TOM), (Person("Hanna", b"face"), TOM)), "Rename ‘Anna’ to ‘Hanna’"),
        (SetPeople((ANNA, TOM), (TOM, ANNA)), "Reorder the people"),
        (SetPeople((ANNA, TOM), ()), "Change the people"),
        (SetPrompts((), (("describe", "Tell."),)), "Change the prompt ‘Describe’"),
        (SetPrompts((("describe", "Tell."),), ()), "Restore the prompt ‘Describe’"),
        (SetPrompts((("describe", "Tell."),), (("repair", "Mend."),)), "Change the prompts"),
        (Several("", ()), "Several changes"),
        (Several("Tidy up", (Remove(line, "e3"),)), "Tidy up"),
        (Move(line, "e3", "e9"), "Move ‘Tom waits.’ to another place"),
        (Insert(Cue("c", 0, 1, "Hm. Hm. Hm. Hm. Hm.")), "Add cue ‘Hm. Hm. Hm. Hm.…’"),
        (Insert(Scene("s", Span(0, 1))), "Add scene 0:00.0–0:00.0"),
        (Replace(line, replace(line, extract="x")), "Change ‘Tom waits.’"),
        (Replace(line, line), "Change ‘Tom waits.’"),
    ):
        assert label_of(step) == label


def test_names() -> None:
    assert named("") == named(" \n ") == "‘…’"
    assert named("one two\nthree four") == "‘one two three four’"
    assert named("one two three four five") == "‘one two three four…’"
    assert named("x" * 100) == f"‘{'x' * 39}…’"
    assert named("彼女は走る。") == "‘彼女は走る。’"
    assert [at_time(ms) for ms in (0, 47_900, 3_767_900, -5)] == ["00:00.000", "00:47.900", "1:02:47.900", "-00:00.005"]
    assert stretch(Span(59_949, 59_950)) == "0:59.9–1:00.0"
    assert stretch(Span(3_600_000, 7_199_999)) == "1:00:00.0–2:00:00.0"


def test_the_label_of_a_line_without_words() -> None:
    script = Script(SCRIPT.film, eventualities=(Eventuality("e", (Variant(""),)),))
    step = lines.delete_lines(script, ["e"])
    assert step is not None
    assert label_of(step) == "Delete ‘…’"
