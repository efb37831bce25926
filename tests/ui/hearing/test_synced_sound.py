"""How early a voice is started: learned from what starts in a row have missed, not from one that was held up."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Signal

from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.playback_state import PlayerState


class SilentVoice(QObject):
    ready, ended, failed = Signal(), Signal(), Signal()

    def load(self, path: object, at: float) -> None: ...

    def set_pace(self, pace: float) -> None: ...


class StandingFilm:
    state = PlayerState()
    now = 0.0


@pytest.fixture
def sound(qapp):
    made = SyncedSound(StandingFilm(), SilentVoice())
    yield made
    made.cancel()


def start_missed(sound: SyncedSound, skew: float) -> float:
    """A start that was late by this, as its first check finds; the lead of the next one."""
    sound._first = True
    sound._correct_skew(skew)
    return sound._lead


def test_starts_that_are_late_again_are_made_earlier(sound):
    assert start_missed(sound, 20) == 0
    assert start_missed(sound, 20) == 10
    assert start_missed(sound, 10) == 15


def test_one_start_that_was_held_up_changes_nothing(sound):
    assert [start_missed(sound, skew) for skew in (0, 100, 0, -80, 0)] == [0, 0, 0, 0, 0]
    assert start_missed(sound, 4) == 0
    assert start_missed(sound, 100) == 2
