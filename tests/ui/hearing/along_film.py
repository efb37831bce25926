"""What the tests of hearing look at."""

from __future__ import annotations

import shutil

import pytest
from small_editor import SmallEditor

from adstudio.ui.hearing.film_narration import FilmNarration

VOICE = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def narration(editor: SmallEditor) -> FilmNarration:
    return editor.hearing.narration.film_narration


def running(editor: SmallEditor) -> list:
    return [voice for voice in narration(editor)._active_voices.values() if voice.running]


def volume(editor: SmallEditor) -> float:
    return editor.player._mpv._mpv.volume
