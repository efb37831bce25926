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
    qtbot.waitUntil(lambda: not booth.isVisible(), timeout=LIMIT)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_a_key_records_with_the_booth_out_of_sight_and_escape_ends_the_take_that_is_heard(window, qtbot) -> None:
    actions, booth, player = window.context.actions, window.editor.booth, window.editor.player
    window.session.cursor.select_line("e1")
    actions["booth.record"].trigger()
    qtbot.waitUntil(lambda: booth.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    assert booth.isVisible()
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
