"""An editor that is killed in a take: the takes before it are in the project, the recording is offered."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from recording_inputs import tone, wav
from small_editor import script_of

from adstudio.recording.unfinished import unfinished_recordings
from adstudio.store.project import ProjectFile

pytest.importorskip("mpv", exc_type=(ImportError, OSError))
EDITOR = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from small_editor import SmallEditor
from adstudio.recording.messages import Listen
from adstudio.store.project import ProjectFile
from adstudio.ui.booth.panel import BoothPanel
from adstudio.ui.booth.take_recorder import Phase
application = QApplication([])
editor = SmallEditor()
editor.session.open_project(ProjectFile.open(Path({project!r})))
booth = BoothPanel(editor.context, editor.player)
booth.input.source = Listen(file=Path({microphone!r}))
booth.input.pre_roll.setValue(0.2)
booth.input.tones.setChecked(False)
booth.show()
step = [0]
def look():
    takes = editor.session.script.eventuality("e1").variants[0].takes
    recorded = editor.player.state.time >= booth.browser.cue + 600
    if step[0] == 0 and booth.recorder.is_open:
        editor.session.cursor.select_line("e1")
        booth.record()
        step[0] = 1
    elif step[0] == 1 and booth.recorder.phase is Phase.RECORDING and recorded:
        booth.record()
        step[0] = 2
    elif step[0] == 2 and takes:
        editor.session.cursor.select_line("e2")
        booth.record()
        step[0] = 3
    elif step[0] == 3 and booth.recorder.phase is Phase.RECORDING and recorded:
        print("recording", flush=True)
        step[0] = 4
timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
application.exec()
"""


def test_a_killed_editor_loses_at_most_the_take_that_was_recorded_and_offers_that(tmp_path: Path) -> None:
    project, microphone = tmp_path / "film.adproj", tmp_path / "microphone.wav"
    microphone.write_bytes(wav(tone(60_000, 0.4)))
    with ProjectFile.create(project, script_of(None)) as file:
        folder = tmp_path / "data" / "adstudio" / "recordings" / file.identity
    program = EDITOR.format(paths=sys.path, project=str(project), microphone=str(microphone))
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"recording\n"
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    left = unfinished_recordings(folder)
    assert [(each.line, each.text) for each in left] == [("e2", "He lifts his hand.")]
    assert left[0].length >= 600
    with ProjectFile.open(project) as file:
        (take,) = file.last_script.eventuality("e1").variants[0].takes
        assert file.sound(take.sound)[:4] == b"fLaC"
        assert file.last_script.eventuality("e2").variants[0].takes == ()
