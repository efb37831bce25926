"""Lengths measured in the background: the plan follows while nobody types, and approved lines stay where they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from desks import desk_on
from manual_jobs import ManualJob, ManualJobs

from adstudio.core.film import Film
from adstudio.core.narration import LengthSource, VoiceSettings
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.steps import SetVoice
from adstudio.core.timebase import Span
from adstudio.editing.lines import delete_lines, new_line
from adstudio.editing.measured_lengths import take_measured
from adstudio.editing.pins import set_accepted
from adstudio.editing.wordings import rewrite
from adstudio.planning.film.spoken_lengths import length_departures, spoken_lengths
from adstudio.speech.length_model import FEATURES
from adstudio.speech.measuring import PROTOCOL, LengthsMeasured, MeasuringFinished, ModelFitted
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.hearing.length_measuring import LengthMeasuring
from adstudio.ui.session.context import Context

VOICE = VoiceSettings("espeak-ng", "en-gb")


def script() -> Script:
    """A gap from 0 to 10 s and one from 14 to 30 s; `a` and `b` in the first, `c` in the second; 200 words a minute."""
    return Script(
        Film("Small film", 30_000),
        cues=(Cue("c1", 10_000, 14_000, "Who is there?"),),
        eventualities=(
            Eventuality("a", (Variant("She opens the old umbrella."),), Span(0, 3_000), 900_000),
            Eventuality(
                "b", (Variant("He laughs out loud at her."), Variant("He laughs.")), Span(4_000, 6_000), 800_000
            ),
            Eventuality("c", (Variant("The train leaves the station."),), Span(16_000, 20_000), 700_000),
        ),
    )


@pytest.fixture
def desk(qapp, tmp_path) -> Iterator[Context]:
    with desk_on(tmp_path, script()) as made:
        yield replace(made, jobs=ManualJobs(made.jobs, PROTOCOL))


@pytest.fixture
def measuring(desk) -> Iterator[LengthMeasuring]:
    made = LengthMeasuring(desk)
    yield made
    made.close()


def choose_voice(desk: Context, voice: VoiceSettings = VOICE) -> None:
    desk.session.edits.do(SetVoice(desk.session.script.voice, voice))


def job(desk: Context, qtbot, number: int = 0) -> ManualJob:
    qtbot.waitUntil(lambda: len(desk.jobs.all) > number)
    return desk.jobs.all[number]


def length(desk: Context, line: str, wording: int = 0) -> tuple[int, LengthSource]:
    found = desk.session.script
    return found.planned_length(found.eventuality(line), wording)


def measured(desk: Context, asked: ManualJob, lengths: dict[str, int]) -> None:
    """The process says how long it has spoken texts, group by group; the rest was not spoken yet."""
    for number, group in enumerate(asked.request.groups):
        for place, text in enumerate(group.texts):
            if text in lengths:
                asked.say(LengthsMeasured(number, "1.51", place, (lengths[text],)))


def source(desk: Context, qtbot, line: str, wanted: LengthSource) -> int:
    qtbot.waitUntil(lambda: length(desk, line)[1] is wanted)
    return length(desk, line)[0]


def test_nothing_is_measured_without_a_voice(desk, measuring):
    desk.session.edits.attempt(lambda script: rewrite(script, "a", 0, "She opens it."))
    assert not measuring.working
    assert not desk.jobs.all


def test_a_chosen_voice_is_predicted_and_then_measured_and_no_step_is_taken(desk, measuring, qtbot):
    choose_voice(desk)
    asked = job(desk, qtbot)
    spoken = {each.element for each in desk.session.plan.deliveries}
    assert spoken == {"a", "b", "c"}
    assert asked.request.narrator == desk.session.script.narrator
    assert asked.request.groups[0].calibrate
    assert len(asked.request.groups[0].texts) == 3, "the wordings of the plan come first"
    desk.session.edits.document.mark_saved()
    past, revision = desk.session.edits.document.past, desk.session.edits.revision
    asked.say(ModelFitted(0, "1.51", (1500.0, *(0.0 for _ in FEATURES[1:]))))
    assert source(desk, qtbot, "a", LengthSource.PREDICTED) == 1500
    assert desk.session.plan.by_element["a"].end - desk.session.plan.by_element["a"].start == 1500
    assert spoken_lengths(desk.session.script, desk.session.plan).unmeasured == 3
    measured(desk, asked, {"She opens the old umbrella.": 1770})
    assert source(desk, qtbot, "a", LengthSource.MEASURED) == 1770
    assert desk.session.plan.by_element["a"].end - desk.session.plan.by_element["a"].start == 1770
    assert spoken_lengths(desk.session.script, desk.session.plan).unmeasured == 2
    document = desk.session.edits.document
    assert (document.past, document.revision, document.changed) == (past, revision, False)


def test_what_is_known_is_kept_and_a_project_opened_again_knows_it(desk, measuring, qtbot):
    choose_voice(desk)
    asked = job(desk, qtbot)
    measured(desk, asked, {text: 1200 for group in asked.request.groups for text in group.texts})
    source(desk, qtbot, "c", LengthSource.MEASURED)
    desk.session.save()
    plan, path = desk.session.plan, desk.session.project.path
    measuring.close()
    desk.session.close_project()
    with ProjectFile.open(path) as project:
        assert project.saved_script.planned_length(project.saved_script.eventuality("b"), 0)[0] == 1200
        assert project.saved_plan == plan


def test_another_voice_stops_what_is_measured_and_asks_anew(desk, measuring, qtbot):
    choose_voice(desk)
    first = job(desk, qtbot)
    choose_voice(desk, replace(VOICE, voice="en-us"))
    assert first.stopped
    assert job(desk, qtbot, 1).request.narrator.voice.voice == "en-us"
    measured(desk, first, {"She opens the old umbrella.": 1770})
    assert length(desk, "a")[1] is LengthSource.RATE
    choose_voice(desk, replace(VOICE, voice="en-us", volume=-60))
    assert not desk.jobs.all[1].stopped, "the volume changes no length"


def test_a_voice_that_fails_is_named_once_and_lines_go_by_the_rate(desk, measuring, qtbot):
    said: list[str] = []
    desk.session.messages.said.connect(lambda message: said.append(str(message)))
    choose_voice(desk)
    asked = job(desk, qtbot)
    asked.say(Failed("espeak-ng is not installed"))
    asked.end(4, "")
    desk.session.edits.attempt(lambda script: rewrite(script, "a", 0, "She opens it."))
    qtbot.waitUntil(lambda: not measuring.working)
    assert len(desk.jobs.all) == 1
    assert sum("espeak-ng is not installed" in each for each in said) == 1
    assert length(desk, "a")[1] is LengthSource.RATE


def test_it_ends_with_the_project(desk, measuring, qtbot):
    choose_voice(desk)
    asked = job(desk, qtbot)
    desk.session.edits.document.mark_saved()
    desk.session.close_project()
    assert asked.stopped
    assert not measuring.working


def test_when_it_has_finished_what_was_written_meanwhile_is_asked_for(desk, measuring, qtbot):
    choose_voice(desk)
    asked = job(desk, qtbot)
    asked.say(ModelFitted(0, "1.51", (1500.0, *(0.0 for _ in FEATURES[1:]))))
    measured(desk, asked, {text: 1200 for group in asked.request.groups for text in group.texts})
    desk.session.edits.attempt(lambda script: rewrite(script, "c", 0, "The train is late."))
    asked.say(MeasuringFinished())
    asked.end(0, "")
    again = job(desk, qtbot, 1)
    assert [group.texts for group in again.request.groups] == [("The train is late.",)]
    assert length(desk, "c") == (1500, LengthSource.PREDICTED), "until it is measured"


def test_lines_written_after_the_voice_was_chosen_are_measured(desk, measuring, qtbot):
    desk.session.edits.attempt(lambda script: delete_lines(script, ["a", "b", "c"]))
    choose_voice(desk)
    asked = job(desk, qtbot)
    assert [(group.texts, group.calibrate) for group in asked.request.groups] == [((), True)]
    asked.say(ModelFitted(0, "1.51", (1500.0, *(0.0 for _ in FEATURES[1:]))))
    asked.say(MeasuringFinished())
    asked.end(0, "")
    qtbot.waitUntil(lambda: not measuring.working)
    desk.session.edits.attempt(lambda script: new_line(script, desk.session.edits.ids, 1_000, "She sings."))
    assert job(desk, qtbot, len(desk.jobs.all)).request.groups[0].texts == ("She sings.",)


def test_a_voice_that_cannot_be_calibrated_is_not_asked_again(desk, measuring, qtbot):
    desk.session.edits.attempt(lambda script: delete_lines(script, ["a", "b", "c"]))
    choose_voice(desk)
    asked = job(desk, qtbot)
    asked.say(MeasuringFinished())
    asked.end(0, "")
    qtbot.waitUntil(lambda: not measuring.working)
    assert len(desk.jobs.all) == 1


def test_an_accepted_line_keeps_its_length_and_place_until_the_measured_length_is_taken(desk, measuring, qtbot):
    choose_voice(desk)
    asked = job(desk, qtbot)
    session = desk.session
    before = session.plan.by_element["a"]
    session.edits.attempt(lambda script: set_accepted(script, ["a"], on=True, plan=session.plan))
    accepted = session.script.eventuality("a").approval
    assert accepted.duration == before.end - before.start == 1500, "five words at 200 a minute"
    measured(desk, asked, {"She opens the old umbrella.": 2100, "He laughs out loud at her.": 2600})
    source(desk, qtbot, "b", LengthSource.MEASURED)
    assert session.plan.by_element["a"] == before
    assert length(desk, "a") == (1500, LengthSource.ACCEPTED)
    (flagged,) = length_departures(session.script)
    assert (flagged.line, flagged.accepted, flagged.measured) == ("a", 1500, 2100)
    session.edits.attempt(lambda script: take_measured(script, ["a", "b"]))
    assert length(desk, "a") == (2100, LengthSource.MEASURED)
    assert length_departures(session.script) == ()
    session.undo()
    assert length(desk, "a") == (1500, LengthSource.ACCEPTED)


def test_accepted_lines_that_would_move_are_locked_in_one_step_of_the_editor(desk, measuring, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: set_accepted(script, ["b", "c"], on=True, plan=session.plan))
    before = {line: session.plan.by_element[line].start for line in ("b", "c")}
    held: list[object] = []
    session.lengths_held.connect(held.append)
    choose_voice(desk)
    asked = job(desk, qtbot)
    steps = len(session.edits.document.past)
    measured(desk, asked, {"He laughs out loud at her.": 2600, "The train leaves the station.": 2900})
    source(desk, qtbot, "c", LengthSource.MEASURED)
    assert {line: session.plan.by_element[line].start for line in before} == before
    assert session.plan.by_element["b"].end - session.plan.by_element["b"].start == 2600
    assert len(session.edits.document.past) == steps + 1
    assert "Lock 2 accepted lines" in session.edits.document.past[-1].label
    assert len(held) == 1
    session.undo()
    assert {line: session.plan.by_element[line].start for line in before} != before


def test_lines_held_by_one_voice_are_one_step_and_undoing_it_is_heeded(desk, measuring, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: set_accepted(script, ["b", "c"], on=True, plan=session.plan))
    before = {line: session.plan.by_element[line].start for line in ("b", "c")}
    choose_voice(desk)
    asked = job(desk, qtbot)
    steps = len(session.edits.document.past)
    for text, line in (("He laughs out loud at her.", "b"), ("The train leaves the station.", "c")):
        measured(desk, asked, {text: 2600})
        source(desk, qtbot, line, LengthSource.MEASURED)
    assert {line: session.plan.by_element[line].start for line in before} == before
    assert len(session.edits.document.past) == steps + 1
    assert "Lock 2 accepted lines" in session.edits.document.past[-1].label
    session.undo()
    moved = {line: session.plan.by_element[line].start for line in before}
    assert moved != before
    assert not any(session.script.eventuality(line).pin.start for line in before)
    measured(desk, asked, {"He laughs out loud at her.": 2900})
    qtbot.waitUntil(lambda: length(desk, "b") == (2900, LengthSource.MEASURED))
    assert not any(session.script.eventuality(line).pin.start for line in before)
    assert len(session.edits.document.past) == steps
