"""The player over mpv, by numbers: which picture is shown, at which time, how loud."""

from __future__ import annotations

import shutil
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from film_clips import make_clip, number_in
from PySide6.QtCore import QSize

from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.media.probe import probe
from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.picture.canvas import ImageCanvas
from adstudio.ui.picture.mpv_core import EndReason, MpvCore, NoMpvError
from adstudio.ui.picture.playback_state import Frames
from adstudio.ui.picture.player import Player

sys.path.append(str(Path(__file__).resolve().parents[2] / "media"))
from media_clips import make_tracks

try:
    import mpv  # noqa: F401 - whether libmpv is there
except (ImportError, OSError):
    pytest.skip("libmpv is not installed; packaging/test.sh installs it", allow_module_level=True)


class Screening:
    def __init__(self, qtbot) -> None:
        self.qtbot = qtbot
        self.marshal = ThreadBridge()
        try:
            self.core = MpvCore(self.marshal)
        except NoMpvError as error:
            pytest.skip(str(error))
        self.canvas = ImageCanvas(self.marshal)
        self.player = Player(self.marshal, self.canvas, lambda: self.core)
        self.player.load_mpv()
        self.moved: list[int] = []
        self.player.moved.connect(self.moved.append)
        self.canvas.wanted(self, QSize(480, 480))

    def open(self, path: Path, end: int = 6000, rate: FrameRate = RATES["25"], at: int = 0) -> None:
        self.player.open_film(path, end, Frames(rate), at)
        self.qtbot.waitUntil(lambda: self.picture >= 0 and not self.player.busy)

    @property
    def picture(self) -> int:
        return number_in(self.canvas.shown)

    def shows(self, number: int) -> None:
        def stands() -> None:
            seen = self.player.busy, self.picture, self.player.state.time
            assert seen[:2] == (False, number), f"busy, picture and time are {seen}"

        self.qtbot.waitUntil(stands)

    def stands_at(self, ms: int) -> None:
        # A picture is drawn, and its time reported, by two threads of mpv.
        self.qtbot.waitUntil(lambda: self.player.state.time == ms)

    def close(self) -> None:
        self.player.close()
        self.marshal.close()


@pytest.fixture
def screening(qtbot):
    screening = Screening(qtbot)
    yield screening
    screening.close()


def test_the_picture_nearest_to_the_time_is_shown(screening, clip):
    screening.open(clip)
    assert screening.canvas.size == QSize(480, 240)
    for ms, number in ((2519, 63), (2521, 63), (2541, 64), (0, 0), (5960, 149), (40, 1)):
        screening.player.seek(ms)
        screening.shows(number)
        screening.stands_at(number * 40)


def test_a_film_is_opened_at_a_time(screening, clip):
    screening.open(clip, at=3000)
    screening.shows(75)
    screening.stands_at(3000)


def test_seeks_are_kept_to_the_film(screening, clip):
    screening.open(clip)
    screening.player.seek(-1000)
    screening.shows(0)
    screening.player.seek(100_000)
    screening.shows(149)
    screening.stands_at(6000)


def test_pictures_forward_and_back(screening, clip):
    screening.open(clip, at=1000)
    for number in (26, 27, 28):
        screening.player.step(1)
        screening.shows(number)
        screening.stands_at(number * 40)
    for _ in range(5):
        screening.player.step(-1)
    screening.shows(23)
    for _ in range(4):
        screening.player.step(1)
    screening.shows(27)
    screening.player.step(-1)
    screening.player.step(1)
    screening.player.step(1)
    screening.shows(28)


def test_a_step_back_counts_from_the_steps_before_it(screening, clip):
    # Pressed quickly, before mpv has shown or reported any of them.
    screening.open(clip, at=1000)
    for by in (1, 1, 1, -1, 1, 1):
        screening.player.step(by)
    screening.shows(29)
    screening.stands_at(29 * 40)


def test_a_step_that_mpv_loses_is_made_up_for(screening, clip, monkeypatch):
    # As it now and then does on a busy machine: the picture stays, and nothing is said of it.
    screening.open(clip, at=1000)
    send, lost = screening.core.send, []

    def losing(*command, reply=None):
        if command == ("frame-step",) and not lost:
            lost.append(command)
        else:
            send(*command, reply=reply)

    monkeypatch.setattr(screening.core, "send", losing)
    screening.player.step(1)
    screening.shows(26)
    assert lost
    screening.player.step(1)
    screening.shows(27)
    screening.stands_at(1080)


def test_steps_end_with_a_film_that_cannot_be_played_on(screening, clip, monkeypatch):
    screening.open(clip, at=1000)
    film, sent = screening.player._film, []
    monkeypatch.setattr(screening.core, "send", lambda *command, reply=None: sent.append(command))
    for by in (1, 1, -1):
        screening.player.step(by)
    film._on_mpv_event("end-file", EndReason.ERROR)
    assert screening.player.state.error
    assert film.ahead == 0
    film._step_over()
    assert [command for command in sent if command[0] in {"frame-step", "seek"}] == [("frame-step",)]


def test_a_step_on_the_last_picture_shows_it_still(screening, clip, qtbot):
    screening.open(clip, at=5960)
    screening.shows(149)
    for _ in range(2):
        screening.player.step(1)
        qtbot.wait(900)
        screening.shows(149)
    screening.player.step(-1)
    screening.shows(148)


def test_playing_moves_from_picture_to_picture(screening, clip, qtbot):
    screening.open(clip, at=1000)
    screening.moved.clear()
    screening.player.play()
    qtbot.waitUntil(lambda: screening.player.state.time >= 2000)
    screening.player.pause()
    assert screening.moved == sorted(screening.moved)
    assert all(ms % 40 == 0 for ms in screening.moved)
    at = screening.player.state.time
    qtbot.wait(150)
    assert screening.player.state.time - at <= 80  # what was on its way when it was asked to stand
    screening.shows(screening.player.state.time // 40)


def test_it_stands_on_the_last_picture_and_plays_from_the_start_again(screening, clip, qtbot):
    screening.open(clip, at=5800)
    screening.player.play()
    qtbot.waitUntil(lambda: not screening.player.state.playing)
    screening.stands_at(6000)
    screening.shows(149)  # the end is told when it is reached; its picture may come a moment later
    screening.player.play()
    qtbot.waitUntil(lambda: 40 <= screening.player.state.time <= 2000)
    assert screening.player.state.playing


def test_a_seek_to_the_end_while_it_plays_ends_it(screening, clip, qtbot):
    screening.open(clip)
    screening.player.play()
    screening.player.seek(6000)
    qtbot.waitUntil(lambda: not screening.player.state.playing)
    screening.shows(149)


def test_a_loop(screening, clip, qtbot):
    screening.open(clip)
    screening.player.set_loop(Span(2000, 2400))
    screening.player.seek(2000)
    screening.player.play()
    screening.moved.clear()
    qtbot.waitUntil(lambda: screening.moved.count(2000) >= 3)
    assert max(screening.moved) <= 2400
    assert min(screening.moved) == 2000


def test_a_loop_to_the_end_of_the_film(screening, clip, qtbot):
    screening.open(clip)
    screening.player.set_loop(Span(5600, 6000))
    screening.player.seek(5600)
    screening.player.play()
    qtbot.waitUntil(lambda: screening.moved.count(5600) >= 3)
    assert screening.player.state.playing


def test_the_shuttle_goes_back(screening, clip, qtbot):
    screening.open(clip, at=5000)
    screening.moved.clear()
    screening.player.shuttle(-1)
    screening.player.shuttle(-1)
    qtbot.waitUntil(lambda: screening.player.state.time <= 3500)
    screening.player.pause()
    assert screening.moved == sorted(screening.moved, reverse=True)
    screening.shows(screening.player.state.time // 40)


def test_the_film_is_ducked_by_so_many_decibels(screening, clip, qtbot):
    screening.open(clip)
    screening.player.duck(-12.0, 60)
    # (v / 100)³ = 10^(−12/20): v = 63.10
    qtbot.waitUntil(lambda: screening.core._mpv.volume == pytest.approx(63.0957, abs=0.001))
    screening.player.set_volume(50)
    qtbot.waitUntil(lambda: screening.core._mpv.volume == pytest.approx(31.5479, abs=0.001))
    screening.player.duck(0.0, 0)
    qtbot.waitUntil(lambda: screening.core._mpv.volume == pytest.approx(50))
    screening.player.set_mute(True)
    qtbot.waitUntil(lambda: screening.core._mpv.mute is True)


@pytest.mark.parametrize("late", [0, 126_000])
def test_23_976(screening, tmp_path, late):
    """An exact seek goes to the nearest picture, in a transport stream that starts at 1.4 s too."""
    form = "mpegts" if late else "mp4"
    path = make_clip(tmp_path / f"film.{form}", 96, Fraction(24000, 1001), first=late, form=form)
    first = probe(path).first_picture  # sound may begin before the picture does
    assert (first > 0) is (late > 0)
    screening.open(path, end=4004, rate=RATES["23.976"])
    for ms, grid in ((2500, 2502), (100, 83), (3500, 3504), (1000, 1001)):
        screening.player.seek(ms)
        # Of 1001/24 ms each: the picture whose start is nearest to the place on the film's grid.
        screening.shows(round((grid - first) * 24 / 1001))
        screening.stands_at(grid)


def test_pictures_that_come_as_they_like_are_stepped_one_by_one(screening, tmp_path):
    times = [0, 1, 4, 5, 9, 10, 14, 20, 21]
    path = make_clip(tmp_path / "variable.mkv", len(times), sound=False, times=times)
    screening.player.open_film(path, 880, Frames())
    screening.qtbot.waitUntil(lambda: screening.picture == 0)
    for number in range(1, 7):
        screening.player.step(1)
        screening.shows(number)
        screening.qtbot.waitUntil(lambda n=number: screening.player.state.time == times[n] * 40)
    for number in range(5, 1, -1):
        screening.player.step(-1)
        screening.shows(number)
        screening.qtbot.waitUntil(lambda n=number: screening.player.state.time == times[n] * 40)


def test_a_film_without_sound(screening, tmp_path, qtbot):
    screening.open(make_clip(tmp_path / "mute.mkv", 50, sound=False), end=2000)
    found: list[float] = []
    screening.player.seek(1000)
    screening.shows(25)
    screening.player.measure(lambda ms, _at: found.append(ms))
    qtbot.waitUntil(lambda: bool(found))
    assert found == pytest.approx([1000], abs=1)


@pytest.mark.parametrize(
    "content",
    [
        b"no film at all" * 1000,
        b"#EXTM3U\nx.mp4\n",
        b"ffconcat version 1.0\nfile x.mp4\n",
        b"# mpv EDL v0\nx.mp4\n",
        b"",
    ],
)
def test_what_is_no_film_is_told_and_the_clock_takes_over(screening, clip, tmp_path, qtbot, content):
    """Lists of other files are none, though what they name could be played."""
    shutil.copy(clip, tmp_path / "x.mp4")
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    screening.player.open_film(path, 6000, Frames(RATES["25"]))
    qtbot.waitUntil(lambda: screening.player.state.error != "")
    assert screening.player.state.file is None
    screening.player.play()
    qtbot.waitUntil(lambda: screening.player.state.time >= 200)


def test_a_film_after_another_one(screening, clip, tmp_path):
    screening.open(clip, at=2000)
    screening.player.play()
    other = make_clip(tmp_path / "other.mp4", 50)
    screening.player.open_film(other, 2000, Frames(RATES["25"]), 400)
    screening.shows(10)
    screening.player.open_film(None, 2000, Frames(RATES["25"]))
    assert screening.player.state.file is None
    screening.player.seek(800)
    screening.stands_at(800)


def test_closing_while_it_loads_plays_and_seeks(qtbot, clip):
    for after in (0, 5, 60):
        screening = Screening(qtbot)
        screening.player.open_film(clip, 6000, Frames(RATES["25"]))
        screening.player.set_speed(8)
        screening.player.play()
        qtbot.wait(after)
        screening.player.seek(3000)
        screening.close()
        screening.player.seek(1000)  # asked too late: nothing happens
        screening.player.close()


def test_without_libmpv_there_is_a_reason(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpv", None)
    with pytest.raises(NoMpvError, match="libmpv is not installed"):
        MpvCore(ThreadBridge())


def test_the_sound_track_that_was_chosen_is_played(screening, qtbot, tmp_path) -> None:
    films = [make_tracks(tmp_path / f"{name}.mkv", [({}, 1, None), ({}, 0, None)], seconds=1) for name in "ab"]
    tracks: list[str] = []

    def plays(number: str) -> bool:
        screening.core.ask("${=current-tracks/audio/id}", lambda text, _at: tracks.append(text))
        return tracks[-1:] == [number]

    for path, chosen, number in ((films[0], 2, "2"), (films[0], None, "2"), (films[1], None, "1")):
        screening.player.open_film(path, 1000, Frames(RATES["25"]), 0)
        if chosen is not None:
            screening.player.set_sound_track(chosen)
        qtbot.waitUntil(lambda: not screening.player.busy)
        tracks.clear()
        qtbot.waitUntil(lambda number=number: plays(number))
