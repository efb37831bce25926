"""The booth in the editor's window: a key records before the panel was seen, and Escape ends a take that is heard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_editor import script_of

from adstudio.recording.messages import Listen
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.booth.take_recorder import Phase

pytest.importorskip("mpv", exc_type=(ImportError, OSError))
LIMIT = 60_000


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path, microphone: Path) -> Iterator[Window]:
    made = Window()
    made.resize(1600, 1000)
    made.show()
    qtbot.waitUntil(lambda: made.editor is not None, timeout=LIMIT)
    made.session.open_project(ProjectFile.create(tmp_path / "film.adproj", script_of(None)))
    booth = made.editor.booth
    booth.input.source = Listen(file=microphone)
    booth.input.pre_roll.setValue(0.3)
    booth.input.tones.setChecked(False)
    assert not booth.isVisible()
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_the_device_is_open_while_the_booth_is_in_front_of_other_tabs_and_to_the_end_of_a_take(window, qtbot) -> None:
    editor, booth = window.editor, window.editor.booth
    recorder = booth.recorder
    editor.layouts.use("review")
    editor.bring(editor.drafts)
    qtbot.waitUntil(booth.isVisible, timeout=LIMIT)  # behind another tab
    assert not recorder.client.running
    for _ in range(2):
        editor.bring(booth)
        qtbot.waitUntil(lambda: recorder.is_open, timeout=LIMIT)
        editor.bring(editor.drafts)
        qtbot.waitUntil(lambda: not recorder.client.running, timeout=LIMIT)
    window.session.cursor.select_line("e1")
    window.context.actions["booth.record"].trigger()
    qtbot.waitUntil(lambda: recorder.phase is Phase.RECORDING, timeout=LIMIT)
    editor.bring(editor.drafts)
    qtbot.waitUntil(lambda: editor.player.state.time >= recorder._target.cue + 600, timeout=LIMIT)
    window.context.actions["booth.record"].trigger()
    qtbot.waitUntil(lambda: not recorder.client.running, timeout=LIMIT)
    assert len(window.session.script.eventuality("e1").variants[0].takes) == 1


@pytest.mark.parametrize("layout", [None, "review"], ids=["closed", "behind"])
def test_a_key_records_with_the_booth_out_of_sight_and_escape_ends_the_take_that_is_heard(
    window, qtbot, layout: str | None
) -> None:
    actions, booth, player = window.context.actions, window.editor.booth, window.editor.player
    if layout is not None:
        window.editor.layouts.use(layout)
        qtbot.waitUntil(booth.isVisible, timeout=LIMIT)
    window.session.cursor.select_line("e1")
    actions["booth.record"].trigger()
    qtbot.waitUntil(lambda: booth.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    assert not booth.visibleRegion().isEmpty()
    qtbot.waitUntil(lambda: player.state.time >= booth.recorder._target.cue + 1000, timeout=LIMIT)
    actions["booth.record"].trigger()
    line = lambda: window.session.script.eventuality("e1")
    qtbot.waitUntil(lambda: bool(line().variants[0].takes), timeout=LIMIT)
    actions["booth.play"].trigger()
    qtbot.waitUntil(actions["hear.stop"].isEnabled, timeout=LIMIT)
    assert booth.browser.audition.busy
    actions["hear.stop"].trigger()
    assert not booth.browser.audition.busy
    assert not actions["hear.stop"].isEnabled()
