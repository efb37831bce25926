"""The project's voice in the window: the bar, the settings, the preferences, and who speaks by them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desks import desk_on, window_on
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from adstudio.core.narration import NO_VOICE, VoiceSettings
from adstudio.editing.voicing import set_voice
from adstudio.speech.engine import EngineVoices, Voice
from adstudio.speech.messages import ListVoices, VoiceList
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.files.project_settings import ProjectSettingsDialog
from adstudio.ui.session.context import Context
from adstudio.ui.session.voices import Voices, default_voice, speaking_voice
from adstudio.ui.voice.voice_bar import VoiceBar
from adstudio.ui.voice.voice_picker import VoicePicker

BRITISH, AMERICAN, GERMAN = Voice("uk", "Emma", "en-gb"), Voice("us", "Joe", "en-us"), Voice("de", "Anna", "de")
HERE = (
    EngineVoices("espeak-ng", (BRITISH, AMERICAN), phonemes=True),
    EngineVoices("pyttsx3", (), problem="pyttsx3 finds no voice on this computer"),
    EngineVoices("piper", (Voice("joe", "Joe", "en-us"),), pitch=False),
)
EVERYWHERE = (replace(HERE[0], voices=(BRITISH, AMERICAN, GERMAN)), *HERE[1:])


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """How often the voices were asked for: nothing is started here."""
    found: list[str] = []
    monkeypatch.setattr(Voices, "ask", lambda self, **_: found.append("asked"))
    return found


@pytest.fixture
def desk(qapp, tmp_path, asked):
    with desk_on(tmp_path) as made:
        yield made


def listed(desk: Context, engines=HERE, everywhere=EVERYWHERE) -> None:
    voices = desk.voices
    voices.engines, voices.all_engines, voices.language = engines, everywhere, "en"
    voices.changed.emit()


@pytest.fixture
def bar(desk: Context, qtbot) -> VoiceBar:
    made = VoiceBar(desk)
    qtbot.addWidget(made)
    made.resize(900, 60)
    made.show()
    qtbot.waitExposed(made)
    return made


def pick(picker: VoicePicker, text: str) -> None:
    place = picker.findText(text)
    assert place >= 0, [picker.itemText(n) for n in range(picker.count())]
    picker.setCurrentIndex(place)
    picker.activated.emit(place)


def texts(picker: VoicePicker) -> list[str]:
    return [picker.itemText(n) for n in range(picker.count()) if picker.itemText(n)]


def type_in(field, text: str) -> None:
    field.setFocus()
    field.setText(text)
    field.setModified(True)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_film_s_language_comes_first_engine_by_engine_then_the_others(desk: Context, bar: VoiceBar):
    listed(desk)
    assert texts(bar.fields.picker) == [
        "No voice – timed at 200 wpm",
        "Best for the film’s language · espeak-ng",
        "Emma · espeak-ng",
        "Joe · espeak-ng",
        "Best for the film’s language · piper",
        "Joe · piper",
        "Anna (de) · espeak-ng",
    ]
    assert bar.fields.picker.currentIndex() == 0
    assert bar.fields.problem.isHidden()


def test_a_voice_is_chosen_by_one_step_and_undone(desk: Context, bar: VoiceBar):
    listed(desk)
    assert not bar.fields.pitch.isEnabled()
    pick(bar.fields.picker, "Joe · espeak-ng")
    assert desk.session.script.voice == VoiceSettings("espeak-ng", "us")
    assert len(desk.session.edits.document.past) == 1
    assert bar.fields.pitch.isEnabled()
    desk.session.undo()
    assert desk.session.script.voice == NO_VOICE
    assert bar.fields.picker.currentText() == "No voice – timed at 200 wpm"
    desk.session.redo()
    assert bar.fields.picker.currentText() == "Joe · espeak-ng"
    pick(bar.fields.picker, "No voice – timed at 200 wpm")
    assert desk.session.script.voice == NO_VOICE


def test_the_rate_is_the_project_s_speaking_rate(desk: Context, bar: VoiceBar):
    listed(desk)
    type_in(bar.rate, "150")
    script = desk.session.script
    assert script.settings.rate_for(script.film.language) == 150
    assert bar.fields.picker.itemText(0) == "No voice – timed at 150 wpm"
    assert len(desk.session.edits.document.past) == 1
    desk.session.undo()
    assert bar.rate.text() == "200 wpm"


def test_pitch_and_volume_are_steps_of_their_own(desk: Context, bar: VoiceBar):
    listed(desk)
    pick(bar.fields.picker, "Emma · espeak-ng")
    type_in(bar.fields.pitch, "-10")
    type_in(bar.fields.volume, "2.5")
    assert desk.session.script.voice == VoiceSettings("espeak-ng", "uk", pitch=-10, volume=25)
    assert len(desk.session.edits.document.past) == 3
    desk.session.undo()
    assert bar.fields.volume.text() == "0 dB"


def test_an_engine_of_one_pitch_says_so_where_the_pitch_is(desk: Context, bar: VoiceBar):
    listed(desk)
    pick(bar.fields.picker, "Joe · piper")
    assert not bar.fields.pitch.isEnabled()
    assert "piper" in bar.fields.pitch.toolTip()
    assert bar.fields.volume.isEnabled()


@pytest.mark.parametrize(
    ("voice", "said"),
    [
        (VoiceSettings("espeak-ng", "uk"), ""),
        (VoiceSettings("espeak-ng", ""), ""),
        (VoiceSettings("espeak-ng", "de"), ""),
        (VoiceSettings("espeak-ng", "gone"), "no voice “gone”"),
        (VoiceSettings("pyttsx3", ""), "finds no voice"),
        (VoiceSettings("pyttsx3", "x"), "finds no voice"),
        (VoiceSettings("hal", "9000"), "no speech engine “hal”"),
        (VoiceSettings("h" * 5000, "v" * 5000), "no speech engine"),
    ],
)
def test_who_cannot_speak_here_is_named_in_one_sentence(desk: Context, bar: VoiceBar, voice: VoiceSettings, said: str):
    listed(desk)
    desk.session.edits.attempt(lambda script: set_voice(script, voice))
    problem = bar.fields.problem
    assert problem.isHidden() == (not said)
    assert said in problem.text()
    assert problem.text().count(". ") == 0
    assert len(problem.text()) < 200
    assert bar.fields.settings == voice


def test_no_voice_for_the_language_is_said(desk: Context, bar: VoiceBar):
    none = EngineVoices("espeak-ng", (), problem="espeak-ng has no voice for the language “gsw”: choose another engine")
    listed(desk, (none,), EVERYWHERE)
    desk.session.edits.attempt(lambda script: set_voice(script, VoiceSettings("espeak-ng", "")))
    assert "gsw" in bar.fields.problem.text()
    desk.session.edits.attempt(lambda script: set_voice(script, VoiceSettings("espeak-ng", "de")))
    assert bar.fields.problem.isHidden()


def test_without_any_engine_it_is_said_what_to_install(desk: Context, bar: VoiceBar):
    none = EngineVoices("espeak-ng", (), problem="the speech engine espeak-ng is not installed: run this")
    listed(desk, (none,), (none,))
    assert bar.fields.problem.text() == "The speech engine espeak-ng is not installed: run this."
    assert texts(bar.fields.picker) == ["No voice – timed at 200 wpm"]


def test_a_voice_that_is_not_here_stays_chosen(desk: Context, bar: VoiceBar):
    desk.session.edits.attempt(lambda script: set_voice(script, VoiceSettings("piper", "karlsson")))
    listed(desk)
    assert bar.fields.picker.currentText() == "karlsson · piper – not on this computer"
    assert desk.session.script.voice == VoiceSettings("piper", "karlsson")


def test_every_control_has_a_name(desk: Context, bar: VoiceBar):
    names = [
        each.accessibleName()
        for each in (bar.fields.picker, bar.rate, bar.fields.pitch, bar.fields.volume, bar.attempt)
    ]
    assert names == [
        "Voice",
        "Speaking rate in words a minute",
        "Pitch of the voice",
        "Volume of the voice",
        "Try the voice",
    ]
    assert bar.accessibleName() == "Voice"


def test_it_wraps_where_it_is_narrow(bar: VoiceBar):
    assert bar.minimumSizeHint().width() <= 160
    assert bar.heightForWidth(300) > bar.heightForWidth(1200)


def test_the_settings_have_the_same_voice_and_change_it_with_the_rest(desk: Context, qtbot):
    desk.session.edits.attempt(lambda script: set_voice(script, VoiceSettings("espeak-ng", "uk", pitch=5)))
    listed(desk)
    dialog = ProjectSettingsDialog(desk.session.script, None, desk)
    qtbot.addWidget(dialog)
    assert dialog.step is None
    assert dialog.voice.picker.currentText() == "Emma · espeak-ng"
    assert dialog.voice.pitch.text() == "5 %"
    pick(dialog.voice.picker, "Joe · piper")
    dialog.voice.volume.setText("-2")
    dialog.voice.volume.setModified(True)
    dialog.plan.rate.setValue(160)
    assert dialog.is_changed()
    desk.session.edits.do(dialog.step)
    script = desk.session.script
    assert script.voice == VoiceSettings("piper", "joe", pitch=5, volume=-20)
    assert script.settings.rate_for("en") == 160
    assert len(desk.session.edits.document.past) == 2
    dialog.reject()


def test_the_preferences_speak_only_where_the_project_has_no_voice(desk: Context):
    desk.preferences.store("voice", "uk")
    desk.preferences.store("voice_engine", "espeak-ng")
    assert default_voice(desk.preferences) == VoiceSettings("espeak-ng", "uk")
    assert speaking_voice(desk.session.script, desk.preferences) == VoiceSettings("espeak-ng", "uk")
    own = VoiceSettings("piper", "", pitch=3)
    desk.session.edits.attempt(lambda script: set_voice(script, own))
    assert speaking_voice(desk.session.script, desk.preferences) == own


def test_the_voices_are_listed_in_the_background_and_once(qapp, tmp_path, qtbot):
    with desk_on(tmp_path) as desk:
        desk.voices.ask()
        assert not desk.voices.known
        qtbot.waitUntil(lambda: bool(desk.voices.all_engines))
        assert desk.voices.language == "en"
        engines = desk.voices.engines
        qtbot.waitUntil(lambda: not desk.voices._client.running)
        desk.voices.ask()
        assert desk.voices.engines is engines
        assert not desk.voices._client.running


def test_where_nobody_can_speak_they_are_asked_for_once_more_when_that_is_looked_at(qapp, tmp_path, monkeypatch):
    asked: list[object] = []
    monkeypatch.setattr(CompanionClient, "ask", lambda _, request, then: asked.append((request, then)))
    with desk_on(tmp_path) as desk:
        desk.voices.ask()
        desk.voices.ask(again=True)
        assert [request for request, _ in asked] == [ListVoices("en")]
        asked.pop()[1](Failed("It has crashed."))
        assert desk.voices.problem_of(NO_VOICE) == "It has crashed."
        desk.voices.ask()
        assert asked == []
        desk.voices.ask(again=True)
        assert [request for request, _ in asked] == [ListVoices("en")]
        asked.pop()[1](VoiceList(HERE))
        assert desk.voices.problem_of(NO_VOICE) == ""
        desk.voices.ask(again=True)
        assert [request for request, _ in asked] == [ListVoices("")]


def test_it_belongs_to_the_layout_to_listen_and_a_key_shows_it_in_any(qapp, tmp_path, asked):
    with window_on(tmp_path) as window:
        bar, layouts, actions = window.editor.voice_bar, window.editor.layouts, window.context.actions
        assert bar.isHidden()
        layouts.use("listen")
        assert bar.isVisible()
        actions["view.voice_bar"].trigger()
        assert bar.isHidden()
        layouts.use("write")
        actions["view.voice_bar"].trigger()
        assert bar.isVisible()
        assert bar.fields.picker.hasFocus()
        assert actions["view.voice_bar"].isChecked()
        layouts.use("listen")
        assert bar.isHidden()  # as it was left there
        layouts.use("listen")
        assert bar.isVisible()  # set up afresh
        layouts.use("write")
        assert bar.isVisible()
        layouts.use("listen")
        assert bar.isVisible()


def test_in_large_text_the_voice_bar_is_left_out_each_time_where_a_small_window_has_none(
    qapp, tmp_path, asked, text_size
):
    with window_on(tmp_path) as window:
        window.resize(1728, 972)
        window.context.preferences.store("text_size", "200")
        for name in ("listen", "write", "listen"):  # set up the first time, and restored the second
            window.editor.layouts.use(name)
            QTest.qWait(50)
            assert window.editor.voice_bar.isHidden()
        window.context.preferences.store("text_size", "100")


def test_a_small_window_has_no_voice_bar_until_it_is_wanted(qapp, tmp_path, asked):
    with window_on(tmp_path) as window:
        window.resize(900, 600)
        QTest.qWait(50)
        window.editor.layouts.use("listen")
        assert window.editor.voice_bar.isHidden()
        window.context.actions["view.voice_bar"].trigger()
        assert window.editor.voice_bar.isVisible()
