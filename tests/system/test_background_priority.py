"""Background work rests while there is input, and goes on by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adstudio.system import background_priority
from adstudio.system.background_priority import QUIET_S, InputNotes, wait_for_quiet
from adstudio.system.locations import user_cache


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self, now: float) -> None:
        self.now = now
        self.slept = 0.0
        self.meanwhile: list[float] = []
        """Input that comes during the next sleeps, as times."""

    def time(self) -> float:
        return self.now

    monotonic = time

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        if self.meanwhile:
            noted_at(self.meanwhile.pop(0))


def noted_at(time: float) -> None:
    os.utime(user_cache("last-input"), (time, time))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clock:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    clock = Clock(1_000_000.0)
    monkeypatch.setattr(background_priority, "time", clock)
    return clock


def test_nothing_is_waited_for_where_no_editor_was_ever_used(clock: Clock) -> None:
    wait_for_quiet()
    assert clock.slept == 0


def test_work_goes_on_half_a_second_after_the_last_input(clock: Clock) -> None:
    InputNotes().note()
    noted_at(clock.now - 0.2)
    wait_for_quiet()
    assert clock.slept == pytest.approx(QUIET_S - 0.2)


def test_input_meanwhile_is_waited_for_as_well(clock: Clock) -> None:
    InputNotes().note()
    noted_at(clock.now)
    clock.meanwhile = [clock.now + 0.3, clock.now + 0.7]
    wait_for_quiet()
    assert clock.slept == pytest.approx(0.7 + QUIET_S)


@pytest.mark.parametrize("ahead", [0.01, 3600.0])
def test_a_clock_that_was_set_back_holds_nobody_up(clock: Clock, ahead: float) -> None:
    InputNotes().note()
    noted_at(clock.now + ahead)
    wait_for_quiet()
    assert clock.slept == 0


def test_much_input_is_noted_ten_times_a_second(clock: Clock) -> None:
    notes = InputNotes()
    notes.note()
    noted_at(0)
    clock.now += 0.09
    notes.note()
    assert user_cache("last-input").stat().st_mtime == 0
    clock.now += 0.02
    notes.note()
    assert user_cache("last-input").stat().st_mtime > 0


def test_where_nothing_can_be_written_work_goes_on(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    InputNotes().note()
    wait_for_quiet()
    assert clock.slept == 0
