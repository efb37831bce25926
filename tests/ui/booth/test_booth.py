"""The booth, with the recording process and a played file as its microphone: takes recorded, chosen, trimmed, kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from small_editor import LINES, script_of

from adstudio.core.script import Pin, Variant
from adstudio.editing.wordings import rewrite
from adstudio.recording.messages import Listen
from adstudio.recording.unfinished import new_recording
from adstudio.speech.takes import decoded_recording
from adstudio.store.project import ProjectFile
from adstudio.ui.booth.take_recorder import Phase

pytest.importorskip("mpv", exc_type=(ImportError, OSError))
LIMIT = 30_000


def wording(booth, line: str = "e1"):
    return booth.editor.session.script.eventuality(line).variants[0]


def record(booth, qtbot, line: str = "e1", ms: int = 600) -> None:
    """Record a take, for so long behind the cue."""
    editor = booth.editor
    editor.session.cursor.select_line(line)
    before = len(wording(booth, line).takes)
    qtbot.waitUntil(lambda: booth.recorder.is_open, timeout=LIMIT)
    booth.record()
    qtbot.waitUntil(lambda: booth.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    cue = booth.recorder._target.cue
    qtbot.waitUntil(lambda: editor.player.state.time >= cue + ms, timeout=LIMIT)
    booth.record()
    qtbot.waitUntil(lambda: len(wording(booth, line).takes) > before, timeout=LIMIT)


def test_a_take_is_recorded_used_and_planned_at_once_and_is_there_when_the_project_is_opened_again(
    booth, qtbot, tmp_path: Path
) -> None:
    found = booth(script_of(None))
    session = found.editor.session
    planned = session.plan.by_element["e1"]
    assert planned.end - planned.start == 800
    record(found, qtbot)
    (take,) = wording(found).takes
    assert wording(found).chosen_take is take
    # Half a second before the cue is kept, where the file sounds too.
    assert 600 + 300 - 100 <= take.length <= 2500
    spoken = session.plan.by_element["e1"]
    assert spoken.end - spoken.start == take.duration
    assert found.browser.takes.item(0).text().startswith("✓ Take 1 · ")
    assert found.files.folder is not None
    assert list(found.files.folder.iterdir()) == []
    samples = decoded_recording(session.project.sound(take.sound)).sound
    assert samples.ms == take.length
    assert samples.peak == pytest.approx(0.4, abs=0.01)
    session.storage.save()
    session.close_project()
    with ProjectFile.open(tmp_path / "film.adproj") as opened:
        (again,) = opened.saved_script.eventuality("e1").variants[0].takes
        assert again == take
        assert opened.sound(take.sound)[:4] == b"fLaC"


def test_the_light_says_when_to_stand_by_and_when_to_speak(booth, qtbot) -> None:
    found = booth(script_of(None))
    found.input.pre_roll.setValue(1.0)
    words: list[str] = []
    show = found.light.show_state
    found.light.show_state = lambda text, state: (words.append(text), show(text, state))
    record(found, qtbot)
    order = [text for text in dict.fromkeys(words) if text not in ("Ready", "Stand by: 2")]
    assert order == ["Stand by", "Stand by: 1", "Speak", "Saving"]
    assert found.light.accessibleDescription() == "Ready"
    assert found.button.text() == "Record"


def test_takes_are_chosen_trimmed_levelled_and_deleted_and_all_of_it_undone(booth, qtbot) -> None:
    found = booth(script_of(None))
    session = found.editor.session
    record(found, qtbot)
    record(found, qtbot, ms=300)
    assert [take.id for take in wording(found).takes] == ["take-1", "take-2"]
    assert found.browser.takes.currentRow() == 1
    found.browser.takes.setCurrentRow(0)
    found.browser.choose()
    assert wording(found).take == "take-1"
    qtbot.waitUntil(lambda: found.browser.wave._wave is not None, timeout=LIMIT)
    wave = found.browser.wave
    wave.setFocus()
    qtbot.keyClick(wave, Qt.Key.Key_Home)
    qtbot.keyClick(wave, Qt.Key.Key_Right)
    before = wording(found).takes[0]
    qtbot.keyClick(wave, Qt.Key.Key_I)
    assert wording(found).takes[0].start == before.start + 50
    assert session.plan.by_element["e1"].span.length == wording(found).takes[0].duration
    qtbot.keyClick(wave, Qt.Key.Key_End)
    qtbot.keyClick(wave, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(wave, Qt.Key.Key_O)
    assert "is used; cursor at" in wave.accessibleDescription()
    found.browser.level.setValue(-3)
    assert wording(found).takes[0].level == -30
    found.browser.leave()
    assert wording(found).take is None
    found.browser.delete()
    assert len(wording(found).takes) == 1
    while session.undo():
        pass
    assert wording(found).takes == ()


def test_one_key_goes_from_line_to_line(booth, qtbot) -> None:
    found = booth(script_of(None))
    editor = found.editor
    editor.session.cursor.select_line("e1")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    action = editor.context.actions["booth.record_next"]
    editor.context.actions.refresh()
    action.trigger()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    qtbot.waitUntil(lambda: editor.player.state.time >= found.recorder._target.cue + 400, timeout=LIMIT)
    action.trigger()
    qtbot.waitUntil(
        lambda: found.recorder.phase is Phase.RECORDING and found.recorder._target.line == "e2", timeout=LIMIT
    )
    assert editor.session.cursor.line.id == "e2"
    qtbot.waitUntil(lambda: editor.player.state.time >= found.recorder._target.cue + 400, timeout=LIMIT)
    action.trigger()
    qtbot.waitUntil(lambda: editor.said[-1] == "That was the last line.", timeout=LIMIT)
    assert [len(wording(found, line).takes) for line in ("e1", "e2")] == [1, 1]


def test_a_punch_in_keeps_the_take_up_to_the_cursor(booth, qtbot) -> None:
    found = booth(script_of(None))
    record(found, qtbot, ms=800)
    (first,) = wording(found).takes
    qtbot.waitUntil(lambda: found.browser.wave._wave is not None, timeout=LIMIT)
    point = first.start + 400
    found.browser.wave._go(point)
    found.punch_in()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    cue = found.recorder._target.cue
    assert cue == found.browser.cue + 400
    qtbot.waitUntil(lambda: found.editor.player.state.time >= cue + 500, timeout=LIMIT)
    found.punch_in()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 2, timeout=LIMIT)
    old, new = wording(found).takes
    assert (old, new.name, wording(found).take) == (first, "punched in", new.id)
    project = found.editor.session.project
    before, after = (decoded_recording(project.sound(take.sound)).sound.samples for take in (old, new))
    kept = (point - 10) * 48
    assert abs(before[:kept] - after[:kept]).max() < 1e-6
    assert new.length >= point + 300


def test_recording_can_be_given_up_before_and_after_the_cue(booth, qtbot) -> None:
    found = booth(script_of(None))
    found.input.pre_roll.setValue(1.0)
    found.editor.session.cursor.select_line("e2")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    for phase, give_up in ((Phase.PRE_ROLL, found.record), (Phase.RECORDING, found.discard)):
        found.record()
        qtbot.waitUntil(lambda phase=phase: found.recorder.phase is phase, timeout=LIMIT)
        give_up()
        assert found.recorder.phase is Phase.IDLE
        assert not found.editor.player.state.playing
        qtbot.waitUntil(lambda: not found.recorder.client.busy, timeout=LIMIT)
    assert wording(found, "e2").takes == ()
    assert list(found.files.folder.iterdir()) == []
    assert found.editor.said[-1] == "Recording discarded."


def test_pausing_the_film_ends_the_take(booth, qtbot) -> None:
    found = booth(script_of(None))
    found.editor.session.cursor.select_line("e1")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    qtbot.waitUntil(lambda: found.editor.player.state.time >= 1500, timeout=LIMIT)
    found.editor.player.toggle()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)


def test_a_device_that_is_pulled_out_leaves_a_take_of_what_it_gave(booth, qtbot, tmp_path: Path, microphone) -> None:
    short = tmp_path / "short.wav"
    from recording_inputs import tone, wav

    short.write_bytes(wav(tone(2500)))
    found = booth(script_of(None), shown=False, source=Listen(file=short, ends=True))
    found.editor.session.cursor.select_line("e1")
    found.show()
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert any("unplugged" in sentence for sentence in found.editor.said)
    assert not found.recorder.is_open
    assert found.light.accessibleDescription() == "No input"
    # And everything else works: the same again.
    found.input.source = Listen(file=microphone)
    record_again = found.record
    record_again()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    found.discard()


def test_without_a_device_the_booth_says_so_and_takes_can_be_worked_on(booth, qtbot, monkeypatch) -> None:
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/nowhere")
    found = booth(script_of(None), shown=False)
    found.input.source = None
    found.show()
    qtbot.waitUntil(lambda: "imported" in found.editor.said[-1], timeout=LIMIT)
    assert found.light.accessibleDescription() == "No input"
    assert found.input.device.currentText() == "No microphone"
    said = len(found.editor.said)
    found.editor.session.cursor.select_line("e1")
    found.record()
    qtbot.waitUntil(lambda: len(found.editor.said) > said, timeout=LIMIT)
    assert "imported" in found.editor.said[-1]


def test_the_recording_process_can_be_killed_and_what_it_wrote_is_offered(booth, qtbot) -> None:
    found = booth(script_of(None))
    found.editor.session.cursor.select_line("e1")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    qtbot.waitUntil(lambda: found.editor.player.state.time >= 1600, timeout=LIMIT)
    found.recorder.client._process._process.kill()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.IDLE, timeout=LIMIT)
    assert "crashed" in found.editor.said[-1]
    assert not found.recorder.client.running  # the film that pauses has not ended a take that is no more
    assert found.left.isVisible()
    assert "“She turns.” was not finished" in found.left.text.text()
    found.left.keep.click()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert wording(found).takes[0].name == "recovered"
    assert not found.left.isVisible()


def test_what_a_crash_left_is_told_when_the_project_is_opened_and_can_be_deleted(booth, qtbot, tmp_path) -> None:
    found = booth(script_of(None))
    project = found.editor.session.project
    for line, length in (("e1", 100_000), ("gone", 100_000), ("e2", 100)):
        path = new_recording(found.files.folder, line, 0, "She turns.")
        path.write_bytes(bytes(length))
    path = project.path
    found.editor.session.close_project()
    found.editor.session.open_project(ProjectFile.open(path))
    assert "Open the booth to keep it." in found.editor.said[-1]
    assert len(list(found.files.folder.glob("*.wav"))) == 1  # no line has the others, or they are too short
    found.left.drop.click()
    assert list(found.files.folder.iterdir()) == []
    assert found.left.isHidden()


def test_a_take_of_words_that_were_changed_meanwhile_is_kept_and_not_used(booth, qtbot) -> None:
    found = booth(script_of(None))
    session = found.editor.session
    session.cursor.select_line("e1")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    qtbot.waitUntil(lambda: found.editor.player.state.time >= 1600, timeout=LIMIT)
    session.edits.attempt(lambda script: rewrite(script, "e1", 0, "She turns away."))
    found.record()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert wording(found).take is None
    assert "other words" in found.browser.takes.item(0).text()


def test_lines_without_words_and_read_only_projects_are_refused(booth, qtbot, tmp_path) -> None:
    wordless = replace(LINES[0], variants=(Variant(""),))
    found = booth(script_of(None, lines=(wordless, LINES[1])))
    found.record()
    assert found.editor.said[-1] == "Select a line to record it."
    found.editor.session.cursor.select_line("e1")
    found.record()
    assert "no words yet" in found.editor.said[-1]
    path = found.editor.session.project.path
    found.editor.session.close_project()
    found.editor.session.open_project(ProjectFile.open(path, read_only=True))
    found.editor.session.cursor.select_line("e2")
    found.record()
    assert "read-only" in found.editor.said[-1]


def test_a_take_is_heard_over_the_picture_where_its_line_is_spoken_and_the_film_goes_down(booth, qtbot) -> None:
    """The line has a depth of its own, 4.5 dB; dialogue ends where it is spoken, and up to there the film is up."""
    found = booth(script_of(None, lines=(replace(LINES[0], duck=45), LINES[1])))
    record(found, qtbot, ms=1500)
    player = found.editor.player
    levels: list[tuple[float, float]] = []
    duck = player.duck
    player.duck = lambda level, *fade: (levels.append((player.now, level)), duck(level, *fade))
    found.browser.play()
    qtbot.waitUntil(lambda: player.state.playing, timeout=LIMIT)
    qtbot.waitUntil(lambda: not found.browser.audition.busy, timeout=LIMIT)
    assert found.browser.cue == 1000
    assert min(level for _, level in levels) == -4.5
    assert {level for at, level in levels if at < 950} == {0.0}
    assert levels[-1][0] >= 1000 + wording(found).takes[0].duration
    assert player.ducked == 0.0


@pytest.mark.parametrize("name", ["takes", "wave", "level"])
def test_everything_has_a_name(booth, name: str) -> None:
    assert getattr(booth(script_of(None)).browser, name).accessibleName()


def test_the_line_that_is_recorded_is_shown_whatever_line_the_film_comes_to(booth, qtbot) -> None:
    found = booth(script_of(None))
    session = found.editor.session
    session.cursor.select_line("e1")
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    session.cursor.select_line("e2")  # as playing does
    assert found.text.text() == "She turns."
    qtbot.waitUntil(lambda: found.editor.player.state.time >= 1600, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert session.cursor.line.id == "e1"
    assert found.browser.takes.count() == 1


def start_recording(booth, qtbot, line: str = "e1", ms: int = 600) -> None:
    booth.editor.session.cursor.select_line(line)
    qtbot.waitUntil(lambda: booth.recorder.is_open, timeout=LIMIT)
    booth.record()
    qtbot.waitUntil(lambda: booth.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    cue = booth.recorder._target.cue
    qtbot.waitUntil(lambda: booth.editor.player.state.time >= cue + ms, timeout=LIMIT)


@pytest.mark.parametrize("stopped", [False, True], ids=["recording", "saving"])
def test_what_is_recorded_while_the_project_is_closed_is_offered_when_it_is_opened_again(
    booth, qtbot, tmp_path: Path, stopped: bool
) -> None:
    found = booth(script_of(None))
    session, path = found.editor.session, found.editor.session.project.path
    start_recording(found, qtbot)
    if stopped:
        found.record()  # it is being saved
    session.close_project()
    assert found.recorder.phase is Phase.IDLE
    assert not found.recorder.client.running
    assert "offered in the booth" in found.editor.said[-1]
    # Another project has a line of the same id.
    session.open_project(ProjectFile.create(tmp_path / "other.adproj", script_of(None)))
    assert found.left.isHidden()
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    assert wording(found).takes == ()
    session.close_project()
    session.open_project(ProjectFile.open(path))
    assert "Open the booth to keep it." in found.editor.said[-1]
    found.left.keep.click()
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert wording(found).takes[0].length >= 600


def test_nothing_is_left_of_a_take_that_was_discarded_with_all_else(booth, qtbot) -> None:
    """Whether before the cue or after it, and however soon the device is let go of."""
    found = booth(script_of(None))
    session, path = found.editor.session, found.editor.session.project.path
    folder = found.files.folder
    start_recording(found, qtbot)
    found.discard()
    found.hide()
    assert list(folder.iterdir()) == []
    found.input.pre_roll.setValue(20)
    session.cursor.select_line("e2")
    found.show()
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.PRE_ROLL, timeout=LIMIT)
    session.close_project()
    found.hide()
    assert found.recorder.phase is Phase.IDLE
    assert list(folder.iterdir()) == []
    session.open_project(ProjectFile.open(path))
    found.show()
    assert found.left.isHidden()


def test_who_reads_a_project_leaves_the_recordings_of_who_works_on_it(booth, qtbot) -> None:
    found = booth(script_of(None))
    path = found.editor.session.project.path
    recording = new_recording(found.files.folder, "e1", 0, "She turns.")
    recording.write_bytes(bytes(100))
    found.editor.session.close_project()
    found.editor.session.open_project(ProjectFile.open(path, read_only=True))
    assert recording.exists()
    assert found.left.isHidden()


def test_a_take_that_waits_for_its_device_is_given_up_with_the_booth_or_by_a_key(booth, qtbot) -> None:
    found = booth(script_of(None), shown=False)
    found.editor.session.cursor.select_line("e1")
    discard = found.editor.context.actions["booth.cancel"]
    for give_up in (found.hide, discard.trigger):
        found.record()
        assert discard.isEnabled()
        found.show()
        give_up()
        found.show()
        qtbot.waitUntil(lambda: found.light.accessibleDescription() == "Ready", timeout=LIMIT)
        assert not found.recorder.busy
        found.hide()


@pytest.mark.parametrize("first", [replace(LINES[0], extended=True), replace(LINES[0], pin=Pin(selected=False))])
def test_after_a_line_that_the_plan_does_not_speak_the_next_one_is_recorded(booth, qtbot, first) -> None:
    found = booth(script_of(None, lines=(first, LINES[1])))
    start_recording(found, qtbot)
    found.record_next()
    qtbot.waitUntil(lambda: found.recorder.line == "e2", timeout=LIMIT)
    assert len(wording(found).takes) == 1
    found.discard()


@pytest.mark.parametrize("order", [1, -1])
def test_lines_are_recorded_in_the_order_of_the_film_and_those_that_hold_the_picture_in_their_turn(
    booth, qtbot, order: int
) -> None:
    found = booth(script_of(None, lines=(LINES[0], replace(LINES[1], extended=True))[::order]))
    start_recording(found, qtbot)
    found.record_next()
    qtbot.waitUntil(lambda: found.recorder.line == "e2", timeout=LIMIT)
    found.discard()


def test_a_take_that_is_being_saved_is_not_said_to_be_discarded_and_nothing_is_imported_meanwhile(booth, qtbot) -> None:
    found = booth(script_of(None))
    start_recording(found, qtbot)
    actions = found.editor.context.actions
    assert not actions["booth.import"].isEnabled()
    found.record()
    found.discard()
    assert "Recording discarded." not in found.editor.said
    qtbot.waitUntil(lambda: len(wording(found).takes) == 1, timeout=LIMIT)
    assert actions["booth.import"].isEnabled()


def test_the_voice_does_not_speak_along_with_a_recording_or_a_take_and_stop_ends_a_take(booth, qtbot) -> None:
    found = booth(script_of(None))
    editor, actions = found.editor, found.editor.context.actions
    editor.hearing.others_busy = lambda: found.browser.audition.busy
    actions["hear.film"].trigger()
    assert actions["hear.film"].isChecked()
    record(found, qtbot)
    assert not actions["hear.film"].isChecked()
    actions["hear.film"].trigger()
    found.browser.play()
    qtbot.waitUntil(lambda: editor.player.state.playing, timeout=LIMIT)
    assert not actions["hear.film"].isChecked()
    actions["hear.stop"].trigger()
    assert not found.browser.audition.busy
    assert not editor.player.state.playing
    assert not actions["hear.stop"].isEnabled()
