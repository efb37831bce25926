"""What the tests of hearing look at."""

from __future__ import annotations

import shutil

import pytest
from small_editor import SmallEditor

VOICE = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def running(editor: SmallEditor) -> list:
    return [voice for voice in editor.hearing.film_narration._active_voices.values() if voice.running]


def volume(editor: SmallEditor) -> float:
    return editor.player._mpv._mpv.volume
