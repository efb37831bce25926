"""What steps are called in the undo list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, with_pin

from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.narration import Pronunciation, VoiceSettings
from adstudio.core.script import Cue, Eventuality, Opening, Pin, Rules, Scene, Script, Sequence, Variant
from adstudio.core.settings import Near, Scope, Settings
from adstudio.core.steps import (
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetLexicon,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    SetVoice,
    Several,
    Step,
)
from adstudio.core.timebase import RATES, Span
from adstudio.editing import cues, lines, occurrences, pins, regions, scenes, wordings
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.names import quoted, span_text

HELD = with_pin("e2", Pin(selected=True, variant=0, start=5000))
OVER = with_pin("e2", Pin(selected=True, variant=0, start=5000, override=True))
WORDED = changed(SCRIPT, "e1", variants=(Variant("a"), Variant("b", duration=5)))
ANNA, TOM = Person.named("Anna", b"face"), Person.named("Tom")
OPENED = replace(SCRIPT, openings=(Opening("o1", Span(11_000, 12_500)),))


@pytest.mark.parametrize(
    ("step", "label"),
    [
        (pins.pin_start(SCRIPT, "e1", 47_900), "Lock “She parks her motorbike…” at 00:00:47:23"),
        (pins.set_override(HELD, ["e2"], on=True), "Allow overlap of “Tom waits” at 00:00:05:00"),
        (pins.set_override(OVER, ["e2"], on=False), "Stop allowing overlap of “Tom waits” at 00:00:05:00"),
        (pins.unpin_start(HELD, ["e2"]), "Unlock time of “Tom waits”"),
        (pins.unpin(HELD, ["e2"]), "Clear locks of “Tom waits”"),
        (pins.unpin_placement(HELD, ["e2"]), "Unlock “Tom waits”"),
        (pins.pin_in(SCRIPT, ["e2"]), "Lock “Tom waits” in"),
        (pins.pin_out(SCRIPT, ["e2"]), "Lock “Tom waits” out"),
        (pins.pin_variant(SCRIPT, "e1", 1), "Lock wording 2 of “She parks her motorbike…”"),
        (pins.pin_variant(HELD, "e2", None), "Unlock wording of “Tom waits”"),
        (pins.set_accepted(SCRIPT, ["e1"], on=True), "Accept “She parks her motorbike…”"),
        (pins.set_accepted(SCRIPT, ["e2"], on=False), "Withdraw acceptance of “Tom waits”"),
        (pins.set_seen(SCRIPT, ["e1"], on=True), "Mark “She parks her motorbike…” as seen"),
        (pins.set_note(SCRIPT, "e2", ""), "Edit note of “Tom waits”"),
        (lines.delete_lines(SCRIPT, ["e2"]), "Delete “Tom waits”"),
        (lines.set_salience(SCRIPT, ["e2"], 250_000), "Set salience of “Tom waits” to 0.25"),
        (lines.nudge_salience(SCRIPT, ["e1", "e2"], 1), "Raise salience of 2 lines"),
        (lines.join(SCRIPT, ["e2"]), "Link “Tom waits” with previous"),
        (lines.join(SCRIPT, ["e2", "e3", "e4"]), "Link 3 lines"),
        (lines.move_lines(SCRIPT, ["e4"], "e2"), "Move “A train leaves” before “Tom waits”"),
        (lines.move_lines(SCRIPT, ["e1"], None), "Move “She parks her motorbike…” to the end"),
        (occurrences.set_occurrence_end(SCRIPT, "e2", 9000), "Set action of “Tom waits” to 00:00:05:00–00:00:09:00"),
        (occurrences.set_occurrence(SCRIPT, "e2", None), "Clear action of “Tom waits”"),
        (occurrences.set_spoiler_free(SCRIPT, ["e2"], on=True), "Limit “Tom waits” to 00:00:05:00–00:01:00:00"),
        (wordings.rewrite(SCRIPT, "e2", 0, "Tom smokes."), "Rewrite “Tom waits”"),
        (wordings.add_wording(SCRIPT, "e2", "Tom."), "Add wording to “Tom waits”"),
        (wordings.remove_wording(WORDED, "e1", 1), "Delete wording of “a”"),
        (wordings.set_duration(WORDED, "e1", 0, 1234), "Set duration of “a” to 1.234 s"),
        (wordings.set_duration(WORDED, "e1", 1, None), "Reset duration of “b”"),
        (regions.draw_silence(SCRIPT, Ids(SCRIPT), 12_000, 15_000), "Add silence 00:00:12:00–00:00:15:00"),
        (regions.move_region(SCRIPT, "x1", 0), "Move silence 00:00:00:00–00:00:02:00"),
        (regions.resize_region(OPENED, "o1", end=13_000), "Resize opening 00:00:11:00–00:00:13:00"),
        (regions.delete_regions(OPENED, ["o1"]), "Delete opening 00:00:11:00–00:00:12:12"),
        (regions.set_region_note(SCRIPT, "x1", ""), "Edit note of silence 00:00:25:00–00:00:27:00"),
        (cues.set_cue_kind(SCRIPT, ["c1"], SCRIPT.cues[2].kind), "Mark cue “Who's there?” as sound"),
        (cues.set_cue_times(SCRIPT, "c1", start=9000), "Retime cue “Who's there?”"),
        (scenes.set_reviewed(SCRIPT, ["s1"], on=False), "Mark scene “Yard” as not reviewed"),
        (scenes.assign_to_sequence(SCRIPT, ["s1"], None), "Assign scene “Yard” to no sequence"),
        (Replace(Sequence("q1", "Arrival"), Sequence("q1", "Dusk")), "Rename sequence “Arrival” to “Dusk”"),
    ],
)
def test_labels(step: Step | None, label: str) -> None:
    assert step is not None
    assert label_of(step, SCRIPT) == label


def test_labels_of_other_steps() -> None:
    line = SCRIPT.eventualities[1]
    for step, label in (
        (SetFilm(SCRIPT.film, SCRIPT.film), "Change film details"),
        (SetSettings(Settings(), Settings(max_share=880_000, min_pause=300)), "Change settings"),
        (SetSettings(Settings(), Settings(max_share=880_000)), "Set “Maximum gap fill” to 88 %"),
        (SetSettings(Settings(), Settings(delta_late=4000)), "Set “After action, max.” to 4 s"),
        (SetSettings(Settings(), Settings(reach=1)), "Set “Gaps away, max.” to 1 gap"),
        (SetSettings(Settings(reach=1), Settings()), "Set “Gaps away, max.” to no limit"),
        (SetSettings(Settings(), Settings(scope=Scope.SCENE)), "Set “Lines may cross scenes” to no"),
        (SetSettings(Settings(), Settings(rate_by_language=(("de", 150),))), "Change settings"),
        (
            SetSettings(Settings(), Settings(near=Near(500, 2000, 800_000))),
            "Set “Near the action” to 0.5 s before to 2 s after; beyond, 80 % counts",
        ),
        (SetRules(Rules(), Rules()), "Change repetition penalty"),
        (SetRules(Rules(together=(("a", "b"),)), Rules(together=(("a", "c"),))), "Change rules"),
        (SetRules(Rules(), Rules(together=(("a", "b"),))), "Speak all or none of a and b"),
        (SetPeople((), (ANNA,)), "Add “Anna” to the cast"),
        (SetPeople((ANNA, TOM), (TOM,)), "Remove “Anna” from the cast"),
        (SetPeople((Person.named("Anna"), TOM), (ANNA, TOM)), "Set face of “Anna”"),
        (SetPeople((ANNA,), (Person.named("Anna"),)), "Remove face of “Anna”"),
        (SetPeople((ANNA, TOM), (Person.named("Hanna", b"face"), TOM)), "Rename “Anna” to “Hanna”"),
        (SetPeople((ANNA, TOM), (TOM, ANNA)), "Reorder cast"),
        (SetPeople((ANNA, TOM), ()), "Change cast"),
        (SetPrompts((), (("describe", "Tell."),)), "Change prompt “Describe”"),
        (SetPrompts((("describe", "Tell."),), ()), "Reset prompt “Describe”"),
        (SetPrompts((("describe", "Tell."),), (("repair", "Mend."),)), "Change prompts"),
        (SetVoice(VoiceSettings(), VoiceSettings("piper")), "Change voice"),
        (SetLexicon((), (Pronunciation("Vanger", "wanger"),)), "Change pronunciation of “Vanger”"),
        (SetLexicon((), (Pronunciation("Vanger", "wanger"), Pronunciation("Blom", "bloom"))), "Change lexicon"),
        (Several("", ()), "Several changes"),
        (Several("Tidy up", (Remove(line, "e3"),)), "Tidy up"),
        (Move(line, "e3", "e9"), "Move “Tom waits” to another position"),
        (Insert(Cue("c", 0, 1, "Hm. Hm. Hm. Hm. Hm.")), "Add cue “Hm. Hm. Hm. Hm…”"),
        (Insert(Scene("s", Span(0, 1))), "Add scene 00:00:00:00–00:00:00:00"),
        (Replace(line, replace(line, extract="x")), "Change “Tom waits”"),
        (Replace(line, line), "Change “Tom waits”"),
    ):
        assert label_of(step, SCRIPT) == label


def test_names() -> None:
    assert quoted("") == quoted(" \n ") == "“…”"
    assert quoted("one two\nthree four") == "“one two three four”"
    assert quoted("one two three four five") == "“one two three four…”"
    assert quoted("x" * 100) == f"“{'x' * 39}…”"
    assert quoted("彼女は走る。") == "“彼女は走る。”"


def test_times_are_the_films_timecode() -> None:
    film = Film("Night ride", 8_000_000, start_timecode="10:00:00:00")
    assert span_text(film, Span(59_960, 3_600_000)) == "10:00:59:24–11:00:00:00"
    american = replace(film, frame_rate=RATES["29.97 DF"], start_timecode="01:00:00;00")
    assert label_of(pins.pin_start(SCRIPT, "e2", 60_000), Script(american)) == "Lock “Tom waits” at 01:00:59;28"


def test_the_label_of_a_line_without_words() -> None:
    script = Script(SCRIPT.film, eventualities=(Eventuality("e", (Variant(""),)),))
    step = lines.delete_lines(script, ["e"])
    assert step is not None
    assert label_of(step, SCRIPT) == "Delete “…”"
