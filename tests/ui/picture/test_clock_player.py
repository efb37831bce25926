"""The player without mpv: a clock that tests turn by hand."""

from __future__ import annotations

import pytest

from adstudio.core.timebase import RATES, Span
from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.picture.playback_state import Frames
from adstudio.ui.picture.player import Player


class Clock:
    def __init__(self) -> None:
        self.ms = 1000.0

    def __call__(self) -> float:
        return self.ms


class Wound:
    """A player whose clock goes on only when it is told."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.marshal = ThreadBridge()
        self.player = Player(self.marshal, clock=self.clock)
        self.moved: list[int] = []
        self.jumped: list[int] = []
        self.player.moved.connect(self.moved.append)
        self.player.jumped.connect(self.jumped.append)
        self.player.open_film(None, 10_000, Frames(RATES["25"]))

    def pass_(self, ms: float) -> None:
        self.clock.ms += ms
        self.player._clockwork.tick()
        if self.player._back.isActive():
            self.player._go_back()


@pytest.fixture
def wound(qtbot):
    wound = Wound()
    yield wound
    wound.player.close()
    wound.marshal.close()


def test_it_runs_with_the_clock_and_stands_on_pictures(wound):
    wound.player.play()
    wound.pass_(1010)
    assert (wound.player.state.time, wound.player.state.playing) == (1000, True)
    assert wound.player.now == pytest.approx(1000)
    wound.player.pause()
    wound.pass_(5000)
    assert wound.player.state.time == 1000


def test_speeds(wound):
    wound.player.set_speed(0.5)
    wound.player.play()
    wound.pass_(2000)
    assert wound.player.state.time == 1000
    wound.player.set_speed(8)
    wound.pass_(100)
    assert wound.player.state.time == 1800


def test_j_k_l(wound):
    player = wound.player
    player.shuttle(1)
    player.shuttle(1)
    wound.pass_(2000)
    assert (player.state.time, player.state.shuttle) == (4000, 2)
    player.shuttle(-1)
    wound.pass_(1000)
    assert (player.state.time, player.state.shuttle) == (3000, -1)
    player.shuttle(-1)
    wound.pass_(500)
    assert player.state.time == 2000
    player.pause()
    assert (player.state.playing, player.state.shuttle) == (False, 0)
    wound.pass_(500)
    assert player.state.time == 2000


def test_backwards_a_time_that_is_told_late_is_no_news(wound):
    wound.player.seek(4000)
    wound.player.shuttle(-1)
    wound.pass_(1000)
    wound.moved.clear()
    wound.player._clockwork.timed.emit(3400)  # of a seek before the last one
    assert (wound.moved, wound.player.state.time) == ([], 3000)
    wound.player._clockwork.timed.emit(2960)
    assert wound.player.state.time == 2960


def test_l_while_it_plays_is_faster_at_once(wound):
    wound.player.play()
    wound.player.shuttle(1)
    assert wound.player.state.shuttle == 2
    wound.player.pause()
    wound.player.play()
    assert (wound.player.state.shuttle, wound.player.state.pace) == (0, 1)


def test_backwards_it_stands_at_the_start(wound):
    wound.player.seek(400)
    wound.player.shuttle(-1)
    wound.pass_(1000)
    assert (wound.player.state.time, wound.player.state.playing) == (0, False)


def test_it_stands_at_the_end_and_starts_again(wound):
    wound.player.seek(9900)
    wound.player.play()
    wound.pass_(500)
    assert (wound.player.state.time, wound.player.state.playing) == (10_000, False)
    wound.player.play()
    assert (wound.player.state.time, wound.player.state.playing) == (0, True)


def test_a_stretch_is_played_again_and_again_until_somebody_leaves_it(wound):
    player = wound.player
    player.set_loop(Span(2000, 3000))
    player.seek(2000)
    player.play()
    for _ in range(3):
        wound.pass_(900)
        assert player.state.time == 2880
        wound.pass_(120)
        assert (player.state.time, player.state.playing) == (2000, True)
    assert wound.jumped.count(2000) == 4
    player.seek(2520)
    assert player.loop == Span(2000, 3000)
    player.seek(7000)
    assert player.loop is None


def test_seeks_stay_inside_the_film(wound):
    wound.player.seek(-500)
    assert wound.player.state.time == 0
    wound.player.seek(99_000)
    assert wound.player.state.time == 10_000


def test_frames(wound):
    wound.player.seek(1000)
    wound.player.step(1)
    assert wound.player.state.time == 1040
    wound.player.step(-1)
    wound.player.step(-1)
    assert wound.player.state.time == 960


def test_ducking_fades_in_equal_steps(wound, qtbot):
    player = wound.player
    player.duck(-12.0, 100)
    levels = []
    for ms in range(0, 101, 20):
        player._fade.setCurrentTime(ms)
        levels.append(player.ducked)
    assert levels == pytest.approx([0, -2.4, -4.8, -7.2, -9.6, -12.0])
    player.duck(0.0)
    assert player.ducked == 0
