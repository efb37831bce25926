from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "picture"))

from picture_fixtures import clip, edit

if TYPE_CHECKING:
    from small_editor import SmallEditor

    from adstudio.speech.messages import Render, Say

__all__ = ["clip", "edit"]

LIMIT_MS = 60_000
"""The machine may have other work."""


@pytest.fixture
def qtbot(qtbot, monkeypatch):
    """Waits for whatever is waited for as long as that."""
    monkeypatch.setattr(qtbot, "waitUntil", partial(qtbot.waitUntil, timeout=LIMIT_MS))
    return qtbot


@pytest.fixture
def asked(monkeypatch) -> list[Say | Render]:
    """All that the voice is asked for."""
    from adstudio.ui.hearing import speech_client

    found: list[Say | Render] = []
    ask = speech_client.SpeechClient.ask

    def noting(self, request, then, *, soon: bool = False):
        found.append(request)
        ask(self, request, then, soon=soon)

    monkeypatch.setattr(speech_client.SpeechClient, "ask", noting)
    return found


@pytest.fixture
def editor(edit, clip, qtbot) -> SmallEditor:
    from small_editor import script_of

    editor = edit(script_of(clip))
    qtbot.waitUntil(lambda: not editor.player.busy and editor.player.canvas.shape.width() > 0)
    return editor
