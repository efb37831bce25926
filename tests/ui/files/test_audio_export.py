"""Export audio: what is asked for, rendered in a process beside other work, stopped, refused, and read out."""

from __future__ import annotations

import dataclasses
import sys
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from adstudio.core.film import Film, Media
from adstudio.core.mix_settings import MixSettings
from adstudio.core.narration import Take, VoiceSettings
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.steps import Replace, SetFilm
from adstudio.core.timebase import Span
from adstudio.mix.job import MixFinished, MixJob, MixRemark
from adstudio.presets.library import preset_named
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.speech.sound import Sound
from adstudio.speech.takes import encoded_recording
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.files.audio_export import AudioExport
from adstudio.ui.files.audio_export_dialog import KINDS, NO_VOICE, AudioExportDialog, loudness_rows, proposed
from adstudio.ui.files.mix_fields import MixFields
from adstudio.ui.session.mix_choices import MixChoices, stored_mix
from adstudio.ui.session.voices import DEFAULT_ENGINE, DEFAULT_VOICE

TEXT = "She opens the door."
SCRIPT = Script(
    Film("Film", 8_000),
    cues=(Cue("c1", 0, 2_000, "Hello."), Cue("c2", 6_000, 8_000, "Bye.")),
    eventualities=(Eventuality("e1", (Variant(TEXT),), Span(2_000, 4_000), 500_000),),
)


@pytest.fixture
def desk(context):
    context.session.close_project()
    return context


@pytest.fixture
def project(desk, tmp_path: Path):
    """A film of eight seconds without a video, whose only line has a take of a second."""
    desk.session.open_project(ProjectFile.create(tmp_path / "film.adproj", SCRIPT))
    sine = (np.sin(np.arange(48_000) / 10) / 4).astype(np.float32)
    key = desk.session.project.store_sound(encoded_recording(Sound(sine, 48_000)))
    line = desk.session.script.eventuality("e1")
    taken = Variant(TEXT, takes=(Take("t", key, 1_000, TEXT),), take="t")
    desk.session.edits.do(Replace(line, replace(line, variants=(taken,))))
    return desk


def test_without_a_voice_it_is_said_before_that_lengths_are_not_known(project, qtbot):
    """By hand: the only line has a take, which lasts what it lasts; without it, a voice nobody planned with speaks."""

    def findings() -> str:
        dialog = AudioExportDialog(project, None, Path("film.adproj"))
        qtbot.addWidget(dialog)
        return dialog.findings.text()

    assert NO_VOICE not in findings()
    line = project.session.script.eventuality("e1")
    project.session.edits.do(Replace(line, replace(line, variants=(Variant(TEXT),))))
    assert NO_VOICE in findings()


@pytest.fixture
def export(project, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    selected: list[tuple[str, ...]] = []
    made = AudioExport(project, window, selected.append)
    made.selected, made.window = selected, window
    made.ask()
    yield made
    if made.dialog is not None:
        made.dialog.reject()
    made.client.forget()


def choose(dialog: AudioExportDialog, kind: str) -> None:
    dialog.kind_field.setCurrentIndex(dialog.kind_field.findData(kind))


def name(dialog: AudioExportDialog, path: Path | str) -> None:
    dialog.path_field.setText(str(path))
    dialog.path_field.textEdited.emit(str(path))


def ended(export: AudioExport, qtbot) -> MixFinished | Failed | None:
    qtbot.waitUntil(lambda: not export.client.busy)
    return export.answer


def test_a_mix_is_rendered_beside_other_work_and_read_out(export, project, qtbot, tmp_path):
    dialog = export.dialog
    assert not dialog.isModal()
    assert dialog.path == tmp_path / "film.mix.wav"
    dialog.accept()
    assert [job.title for job in project.jobs.running] == ["Export audio: film.mix.wav"]
    assert dialog._running.isVisible()
    assert not dialog.ok.isEnabled()
    finished = ended(export, qtbot)
    assert isinstance(finished, MixFinished), finished
    assert finished.files == (tmp_path / "film.mix.wav",)
    assert (finished.length, finished.lines) == (8_000, 1)
    # There is no film: only the narration sounds, which is brought to the target of the house.
    assert finished.loudness == pytest.approx(preset_named("house").mix_settings.target_loudness / 10, abs=0.5)
    with wave.open(str(tmp_path / "film.mix.wav")) as file:
        assert (file.getframerate(), file.getsampwidth()) == (48_000, 3)
        assert file.getnframes() == 8 * 48_000
    assert not dialog._running.isVisible()
    assert dialog.outcome.isVisible()
    said = " ".join(label.text() for label in dialog.outcome.findChildren(QWidget) if hasattr(label, "text"))
    assert str(tmp_path / "film.mix.wav") in said
    assert "Loudness, integrated −23" in said
    assert "no film" in said


def test_what_is_chosen_is_sent_and_remembered(export, project, qtbot, monkeypatch):
    sent: list[MixJob] = []
    dialog = export.dialog
    dialog.requested.disconnect()
    dialog.requested.connect(sent.append)
    choose(dialog, "stem")
    fields = dialog.fields
    fields.preset.setCurrentIndex(fields.preset.findData("us"))
    fields.preset.activated.emit(fields.preset.currentIndex())
    fields.values["duck_depth"].take(60)
    fields.values["target_loudness"].take(None)
    fields.bits.setCurrentIndex(fields.bits.findData(16))
    dialog.accepted_field.setChecked(True)
    project.preferences.store(DEFAULT_ENGINE, "piper")
    project.preferences.store(DEFAULT_VOICE, "joe")
    dialog.accept()
    (job,) = sent
    us = preset_named("us").mix_settings
    assert job.settings == replace(us, duck_depth=60, target_loudness=None)
    assert (job.kind, job.bits, job.accepted_only, job.video) == ("stem", 16, True, None)
    assert (job.script, job.voice) == (project.session.script, VoiceSettings("piper", "joe"))
    assert job.plan is project.session.plan
    remembered = stored_mix(project.preferences)
    assert remembered == MixChoices("us", (("duck_depth", 60), ("target_loudness", None)), "stem", 16)
    again = MixFields(project.session.script, remembered)
    qtbot.addWidget(again)
    assert again.choices == remembered


def test_lines_go_into_a_folder(export, project, qtbot, tmp_path):
    dialog = export.dialog
    said: list[str] = []
    project.session.messages.said.connect(said.append)
    choose(dialog, "lines")
    assert dialog.path == tmp_path / "film.lines"
    assert dialog.path_field.accessibleName() == "Folder to write"
    dialog.accept()
    finished = ended(export, qtbot)
    assert isinstance(finished, MixFinished), finished
    assert [file.parent for file in finished.files] == [tmp_path / "film.lines"]
    assert said == ["Audio exported: 1 line."]
    assert all(file.is_file() for file in finished.files)


def test_a_failure_is_said_in_the_dialog_and_nothing_is_left(export, project, qtbot, tmp_path):
    name(export.dialog, tmp_path / "no such folder" / "mix.wav")
    export.dialog.accept()
    answer = ended(export, qtbot)
    assert isinstance(answer, Failed)
    assert "no such folder" in export.dialog.problem.text()
    assert export.dialog.problem.isVisible()
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix == ".wav") == []


def test_a_missing_recording_is_refused_in_place(export, project, qtbot):
    line = project.session.script.eventuality("e1")
    variant = line.variants[0]
    gone = replace(variant, takes=(replace(variant.takes[0], sound="0" * 64),))
    project.session.edits.do(Replace(line, replace(line, variants=(gone,))))
    export.dialog.accept()
    assert not export.client.busy
    assert "the recording of a take is missing" in export.dialog.problem.text()


WAITS = """import sys, time
sys.stdin.readline()
print('{"type": "Progress", "stage": "mixing", "fraction": 0.25, "detail": ""}', flush=True)
sys.stdin.read()
sys.exit(130)
"""


def test_a_render_is_stopped_and_goes_on_when_the_dialog_is_closed(export, project, qtbot):
    export.client.command = (sys.executable, "-c", WAITS)
    export.dialog.accept()
    qtbot.waitUntil(lambda: export.progress is not None)
    assert export.dialog.state.text() == "Mixing: 25 %."
    assert export.dialog.bar.value() == 250
    export.dialog.reject()
    assert export.dialog is None
    assert export.client.busy
    export.ask()
    assert export.dialog.bar.value() == 250
    export.dialog.stop.click()
    assert export.dialog.state.text() == "Stopping."
    assert ended(export, qtbot) is None
    assert export.dialog.ok.isEnabled()


def test_a_process_that_dies_is_said(export, qtbot):
    export.client.command = (sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(7)")
    export.dialog.accept()
    assert isinstance(ended(export, qtbot), Failed)
    assert "fault in adstudio" in export.dialog.problem.text()
    assert export.dialog.ok.isEnabled()


@pytest.mark.parametrize("kind", ["film", "extended"])
def test_without_a_video_there_is_no_film_to_write(export, kind: str):
    choose(export.dialog, kind)
    assert "no video" in export.dialog.problem.text()
    assert not export.dialog.ok.isEnabled()
    choose(export.dialog, "mix")
    assert export.dialog.ok.isEnabled()


def test_a_video_that_is_gone_is_said_for_every_kind(desk, qtbot, tmp_path):
    media = Media(str(tmp_path / "gone.mp4"), "gone.mp4", 1_000, "0" * 64, 8_000, None)
    script = replace(SCRIPT, film=replace(SCRIPT.film, media=media))
    desk.session.open_project(ProjectFile.create(tmp_path / "film.adproj", script))
    dialog = AudioExportDialog(desk, None, tmp_path / "film.adproj")
    qtbot.addWidget(dialog)
    for kind in KINDS:
        choose(dialog, kind)
        assert "Relink video" in dialog.problem.text()
        assert not dialog.ok.isEnabled()


def test_a_video_relinked_meanwhile_is_taken_when_the_describer_comes_back(export, project, qtbot, tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(b"a film")
    gone = Media(**vars(source_file(film, project.session.project.path)), duration=8_000, has_audio=True)
    film.rename(tmp_path / "moved.mp4")
    old = project.session.script.film
    project.session.edits.do(SetFilm(old, replace(old, media=gone)))
    dialog = export.dialog
    back = QEvent(QEvent.Type.WindowActivate)
    QApplication.sendEvent(dialog, back)
    assert "Relink video" in dialog.problem.text()
    moved = Media(
        **vars(source_file(tmp_path / "moved.mp4", project.session.project.path)), duration=8_000, has_audio=True
    )
    old = project.session.script.film
    project.session.edits.do(SetFilm(old, replace(old, media=moved)))
    QApplication.sendEvent(dialog, back)
    assert dialog.problem.text() == ""
    assert dialog._video == tmp_path / "moved.mp4"
    dialog.refuse("it has failed")
    QApplication.sendEvent(dialog, back)
    assert dialog.problem.text() == "It has failed."


def test_a_name_that_cannot_be_is_refused_in_place(export, project, tmp_path):
    dialog = export.dialog
    for bad in ("", str(tmp_path), str(project.session.project.path)):
        name(dialog, bad)
        assert dialog.problem.text()
        assert not dialog.ok.isEnabled()
    (tmp_path / "there.wav").write_bytes(b"")
    name(dialog, tmp_path / "there.wav")
    assert "will be replaced" in dialog.replaces.text()
    assert dialog.ok.isEnabled()


def test_another_project_has_another_dialog(export, project):
    project.session.close_project()
    assert export.dialog is None


def test_lines_that_a_remark_names_are_shown(export, qtbot):
    remark = MixRemark("Line number 1 is cut.", ("e1", "of another script"))
    finished = MixFinished("mix", (), 8_000, 2, 1, -23.04, -1.26, -25.0, None, (remark,))
    export.dialog.show_answer(finished)
    show = next(each for each in export.dialog.outcome.findChildren(QPushButton) if each.text() == "Show")
    assert show.accessibleName() == "Show: Line number 1 is cut."
    show.click()
    assert export.selected == [("e1",)]
    assert loudness_rows(finished) == [
        ("Length", "00:00:08, stereo, 1 line"),
        ("Loudness, integrated", "−23.0 LUFS"),
        ("True peak", "−1.3 dBTP"),
        ("Film before", "−25.0 LUFS"),
    ]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("mix", ["Loudness, integrated", "Narration"]),
        ("stem", ["Loudness, integrated", "Narration in the mix"]),
        ("control", ["Loudness, integrated", "Narration in the mix"]),
        ("lines", ["Narration in the mix"]),
    ],
)
def test_each_loudness_says_of_what_it_is(kind: str, rows: list[str]):
    shown = [row for row, value in loudness_rows(MixFinished(kind, (), 1_000, 1, 1, -27.1, -3.0, None, -24.1))]
    assert [row for row in shown if row not in ("Length", "True peak")] == rows


@pytest.mark.parametrize("kind", ["mix", "stem", "control"])
def test_a_name_of_another_format_is_refused_in_place(export, tmp_path, kind: str):
    choose(export.dialog, kind)
    name(export.dialog, tmp_path / "out.mp3")
    assert "ends in .wav" in export.dialog.problem.text()
    assert not export.dialog.ok.isEnabled()


def test_an_extended_film_needs_an_extended_line(export, project):
    dialog = export.dialog
    dialog._video = project.session.project.path.with_name("film.mp4")
    choose(dialog, "extended")
    assert "No line is marked as extended" in dialog.problem.text()
    line = project.session.script.eventuality("e1")
    project.session.edits.do(Replace(line, replace(line, extended=True)))
    choose(dialog, "film")
    choose(dialog, "extended")
    assert "extended" not in dialog.problem.text()
    dialog.accepted_field.click()
    assert "No line is marked as extended" in dialog.problem.text()


@pytest.mark.parametrize(
    ("kind", "video", "ending"),
    [
        ("film", "a.mp4", ".mp4"), ("film", "a.avi", ".mkv"), ("film", "a.webm", ".webm"),
        ("extended", "a.MOV", ".mov"), ("extended", "a.webm", ".mkv"), ("film", None, ".mkv"),
    ],
)  # fmt: skip
def test_a_film_is_proposed_in_a_format_that_is_written(kind: str, video: str | None, ending: str):
    assert proposed(Path("/p/film.adproj"), kind, None if video is None else Path(video)).suffix == ending


def test_a_silent_result_has_no_loudness():
    assert [row for row, _ in loudness_rows(MixFinished("mix", (), 1_000, 1, 0, None, None, None, None))] == ["Length"]


@pytest.mark.parametrize(("typed", "value"), [("12", 120), ("7.5", 75), ("7,5 dB", 75), ("0", 0), ("60", 600)])
def test_a_depth_is_read(qtbot, typed: str, value: int):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    field = fields.values["duck_depth"]
    field.setText(typed)
    field.setModified(True)
    fields.flush()
    assert field.value == value
    assert dict(fields.choices.changes).get("duck_depth", MixSettings().duck_depth) == value


@pytest.mark.parametrize("typed", ["61", "-1", "deep", "", "9.55", "1e400", "nan"])
def test_a_depth_that_cannot_be_is_refused_and_said(qtbot, typed: str):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    field = fields.values["duck_depth"]
    before = field.value
    field.setText(typed)
    field.setModified(True)
    fields.flush()
    assert field.value == before
    assert fields.wrong.text()
    assert fields.choices.changes == ()


def test_up_and_down_stay_within_the_bounds_and_begin_where_programmes_are(qtbot):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    assert list(fields.values) == [field.name for field in dataclasses.fields(MixSettings)]
    for key in MIX_KEYS:
        field = fields.values[key.name]
        for end, pressed in ((key.least, Qt.Key.Key_Down), (key.greatest, Qt.Key.Key_Up)):
            field.take(end)
            QTest.keyClick(field, pressed)
            assert field.value == end, key.name
    target = fields.values["target_loudness"]
    target.take(None)
    QTest.keyClick(target, Qt.Key.Key_Up)
    assert target.value == -220


def test_fields_of_values_show_all_of_them_in_any_size_of_text(qtbot):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    fields.show()
    font = fields.values["duck_depth"].font()
    for size in (2.0, 0.5, 1.0):
        font.setPointSizeF(font.pointSizeF() * size)
        for key in MIX_KEYS:
            field = fields.values[key.name]
            field.setFont(font)
            for value in (key.least, key.greatest, *([None] if key.without else [])):
                field.take(value)
                text = field.text() or key.without
                assert field.width() > field.fontMetrics().horizontalAdvance(text), (key.name, text)


def test_a_loudness_of_its_own_leaves_no_choice_of_another_level(qtbot):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    for loudness, level in ((-270, False), (None, True)):
        fields.values["narration_loudness"].take(loudness)
        assert fields.values["narration_level"].isEnabled() is level
    assert fields.choices.changes == ()


def test_negative_levels_and_an_empty_target(qtbot):
    fields = MixFields(SCRIPT, MixChoices("house"))
    qtbot.addWidget(fields)
    for typed, value in (("-24", -240), ("−16,5 LUFS", -165), ("", None)):
        fields.values["target_loudness"].setText(typed)
        fields.values["target_loudness"].setModified(True)
        fields.flush()
        assert fields.values["target_loudness"].value == value
    assert fields.values["target_loudness"].placeholderText() == "as the programme has it"
    assert "In the preset: Loudness: −23 LUFS" in fields.about.text()
    fields.reset.click()
    assert fields.choices.changes == ()


def test_names_beside_the_project():
    film = Path("/films/a film.mov")
    assert proposed(Path("/p/x.ad.adproj"), "mix", film) == Path("/p/x.mix.wav")
    assert proposed(Path("/p/x.adproj"), "film", film) == Path("/p/x.described.mov")
    assert proposed(Path("/p/x.adproj"), "extended", None) == Path("/p/x.extended.mkv")
    assert {proposed(Path("/p/x.adproj"), kind, film).name for kind in KINDS} == {
        "x.mix.wav",
        "x.narration.wav",
        "x.lines",
        "x.control.wav",
        "x.described.mov",
        "x.extended.mov",
    }
