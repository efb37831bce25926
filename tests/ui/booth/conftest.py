"""A small editor with a booth that records from a played file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "picture"))
sys.path.insert(0, str(Path(__file__).parents[2] / "recording"))

from picture_fixtures import clip, edit
from recording_inputs import silence, tone, wav

__all__ = ["clip", "edit"]


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def microphone(tmp_path: Path) -> Path:
    """A minute of a low tone."""
    path = tmp_path / "microphone.wav"
    path.write_bytes(wav(np.concatenate((silence(100), tone(60_000, 0.4)))))
    return path


@pytest.fixture
def booth(edit: Callable, microphone: Path, qtbot) -> Iterator[Callable]:
    """Opens a booth in an editor, over a script."""
    from adstudio.recording.messages import Listen
    from adstudio.ui.booth.panel import BoothPanel

    made = []

    def start(script, *, shown: bool = True, source: object = None):
        editor = edit(script)
        found = BoothPanel(editor.context, editor.player)
        found.input.source = Listen(file=microphone) if source is None else source
        found.input.pre_roll.setValue(0.3)
        found.input.tones.setChecked(False)
        qtbot.addWidget(found)
        made.append(found)
        found.resize(900, 260)
        if shown:
            found.show()
            qtbot.waitExposed(found)
        editor.context.actions.refresh()
        found.editor = editor
        return found

    yield start
    for each in made:
        each.close_recorder()
