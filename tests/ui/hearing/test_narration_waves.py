"""Waveforms are fetched of lines that were recorded or spoken, and forgotten when the line is spoken otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from along_film import VOICE
from small_editor import SmallEditor, script_of

from adstudio.core.narration import Take
from adstudio.core.steps import Replace
from adstudio.speech.sound import Sound
from adstudio.speech.takes import encoded_recording
from adstudio.ui.hearing.narration_waves import NarrationWaves
from adstudio.ui.timeline.film_data import FilmData


@pytest.fixture
def data() -> FilmData:
    return FilmData()


@pytest.fixture
def desk(edit, data: FilmData, tmp_path, monkeypatch) -> SmallEditor:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # nothing that another test has had spoken is known
    editor = edit(script_of(None), shown=False)
    editor.waves = NarrationWaves(editor.context, editor.hearing.requests, data, editor)
    editor.hearing.spoken.connect(editor.waves.follow_speech)
    editor.told = []
    editor.waves.changed.connect(editor.told.append)
    return editor


def with_take(editor: SmallEditor, ms: int) -> None:
    sine = (np.sin(np.arange(48 * ms) / 20) / 2).astype(np.float32)
    key = editor.session.project.store_sound(encoded_recording(Sound(sine, 48_000)))
    line = editor.session.script.eventuality("e1")
    variant = line.variants[0]
    take = Take(f"t{ms}", key, ms, variant.text)
    changed = replace(variant, duration=None, takes=(*variant.takes, take), take=take.id)
    editor.session.edits.do(Replace(line, replace(line, variants=(changed,))))


def test_a_take_has_its_waveform_and_another_take_another_one(desk, data, qtbot):
    with_take(desk, 500)
    qtbot.waitUntil(lambda: "e1" in data.waves)
    assert len(data.waves["e1"].peaks) == 50
    assert set(data.waves["e1"].peaks[1:-1]) <= {127, 128}
    assert set(data.waves) == {"e1"}  # the other line has not been spoken
    delivery = desk.session.plan.by_element["e1"]
    assert desk.told[-1] == [(delivery.start, delivery.end)]
    with_take(desk, 800)
    qtbot.waitUntil(lambda: len(data.waves.get("e1").peaks if "e1" in data.waves else b"") == 80)


def test_without_takes_and_voice_no_process_is_started(desk, data, qtbot):
    desk.session.idle.settle()
    qtbot.waitUntil(lambda: desk.waves._seen is not None)
    assert not desk.waves._client.running
    assert data.waves == {}


@VOICE
def test_a_line_that_was_heard_has_its_waveform_until_its_words_are_others(desk, data, qtbot):
    desk.session.cursor.select_line("e2")
    desk.context.actions.refresh()
    desk.context.actions["hear.line"].trigger()
    qtbot.waitUntil(lambda: "e2" in data.waves)
    assert "e1" not in data.waves
    assert len(data.waves["e2"].peaks) > 30
    line = desk.session.script.eventuality("e2")
    desk.session.edits.do(Replace(line, replace(line, variants=(replace(line.variants[0], text="He waves."),))))
    qtbot.waitUntil(lambda: data.waves == {})


def test_another_project_knows_nothing_of_this_one(desk, data, qtbot):
    with_take(desk, 500)
    qtbot.waitUntil(lambda: "e1" in data.waves)
    desk.session.close_project()
    assert data.waves == {}
    assert not desk.waves._client.running
