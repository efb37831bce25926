"""The extended film: the picture held and seen to be, sound and subtitles at their times, nothing else changed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition
from made_films import RATE, TITLE, beeping, make_film, pictures_of, pieces, sound_of, stretches

from adstudio.core.errors import OutsideFailureError
from adstudio.media.sound_tracks import Purpose, tracks_of
from adstudio.mix.extended_film import held, write_extended_film
from adstudio.mix.film_files import NewSound
from adstudio.mix.layout import STEREO
from adstudio.mix.pauses import Pause, PauseMap
from adstudio.mix.request import MixError, MixNoteKind

PAUSES = PauseMap((Pause(1000, 500, "a"), Pause(3000, 300, "b"), Pause(3000, 200, "c")))
BEEPS = ((1.1, 1.4), (3.6, 3.7))
LENGTH = 5000


def narration(seconds: float = 5.0) -> NewSound:
    return NewSound(pieces(beeping(seconds, BEEPS)), STEREO, "de")


def number_at(pictures: list[tuple[float, int]], at: float) -> int:
    """The picture that is seen at a time."""
    return [number for time, number in pictures if time <= at + 0.001][-1]


@pytest.mark.parametrize("kind", ["mp4", "mov", "mkv"])
def test_the_picture_is_held_for_each_pause(tmp_path: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", {"mkv": "matroska"}.get(kind, kind), seconds=4)
    target = tmp_path / f"extended.{kind}"
    assert write_extended_film(film, target, narration(), PAUSES, LENGTH) == ()
    pictures = pictures_of(target)
    # At 1 s picture 25 appears, and is seen until the first pause is over; 75 through both pauses at 3 s.
    expected = [(0.0, 0), (0.97, 24), (1.0, 25), (1.25, 25), (1.5, 25), (1.55, 26), (3.45, 73), (3.5, 75), (3.99, 75)]
    expected += [(4.05, 76), (4.97, 99)]
    assert [(at, number_at(pictures, at)) for at, _ in expected] == expected
    times = [time for time, _ in pictures]
    # It is repeated at the film's rate, so that no picture is seen for long: at most half a frame more than a frame.
    assert max(np.diff(times)) <= 0.0605
    assert min(np.diff(times)) >= 0.0195
    assert [number for _, number in pictures if number not in (25, 75)] == [
        number for number in range(100) if number not in (25, 75)
    ]


def test_the_sound_is_where_it_was_put(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4", seconds=4)
    target = tmp_path / "extended.mp4"
    write_extended_film(film, target, narration(), PAUSES, LENGTH)
    found = [time for stretch in stretches(sound_of(target)) for time in stretch]
    assert found == pytest.approx([time for beep in BEEPS for time in beep], abs=0.005)
    (only,) = tracks_of(target)
    assert (only.purpose, only.language, only.default) == (Purpose.DESCRIPTION, "deu", True)
    with av.open(str(target)) as written:
        assert written.duration / 1_000_000 == pytest.approx(5.0, abs=0.03)
        assert [each.codec_context.name for each in written.streams if each.type in ("video", "audio")] == [
            "h264",
            "aac",
        ]
        assert written.metadata["title"] == TITLE


def test_subtitles_and_chapters_are_at_their_extended_times(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska", seconds=4, subtitles="subrip")
    target = tmp_path / "extended.mkv"
    pauses = PauseMap((Pause(800, 500, "a"), Pause(1000, 300, "b")))  # the subtitle is shown from 0.5 to 1.2 s
    write_extended_film(film, target, narration(), pauses, 4800)
    with av.open(str(target)) as written:
        (text,) = [each for each in written.demux(written.streams.subtitles[0]) if each.size]
        assert (text.pts * text.time_base, text.duration * text.time_base) == (Fraction(1, 2), Fraction(3, 2))
        assert bytes(text) == b"Hello"
        assert written.streams.subtitles[0].language == "eng"
        # Chapter two starts as the picture is held for the second time.
        assert [
            (each["start"] * each["time_base"], each["end"] * each["time_base"]) for each in written.chapters()
        ] == [
            (0, Fraction(3, 2)),
            (Fraction(9, 5), Fraction(14, 5)),
        ]


def test_what_is_left_out_is_listed(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska", subtitles="subrip", attachments=True)
    (note,) = write_extended_film(film, tmp_path / "extended.mp4", narration(3), PauseMap(), 2000)
    assert note.kind is MixNoteKind.TRACKS_LEFT_OUT
    assert [name.split(" (")[0] for name in note.names] == ["srt subtitles", "f.ttf attachment", "mjpeg video"]


@pytest.mark.parametrize(("at", "first"), [(0, [0] * 10), (40, [0, 1, 1]), (50, [0, 1, 1])])
def test_pauses_at_and_near_the_start(tmp_path: Path, at: int, first: list[int]) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    target = tmp_path / "extended.mp4"
    write_extended_film(film, target, narration(3), PauseMap((Pause(at, 600, "a"),)), 2600)
    pictures = pictures_of(target)
    assert [number for _, number in pictures[: len(first)]] == first
    assert pictures[-1] == (pytest.approx(2.56, abs=0.001), 49)


@pytest.mark.parametrize("at", [1960, 1999, 2000])
def test_pauses_at_the_end_hold_the_last_picture(tmp_path: Path, at: int) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    target = tmp_path / "extended.mp4"
    write_extended_film(film, target, narration(3), PauseMap((Pause(at, 1000, "a"),)), 3000)
    pictures = pictures_of(target)
    assert pictures[-1] == (pytest.approx(2.96, abs=0.001), 49)
    assert [number for _, number in pictures].count(49) == 26


def test_a_turned_picture_stays_turned_and_odd_sizes_are_written(tmp_path: Path) -> None:
    film = make_film(
        tmp_path / "film.mkv", "matroska", video="libx264", pixel_format="yuv444p", size=(65, 49), rotation=90
    )
    target = tmp_path / "extended.mp4"
    (note,) = write_extended_film(film, target, narration(3), PAUSES, 3000)
    assert (note.kind, note.names) == (MixNoteKind.PICTURE_CHANGED, ("yuv444p",))
    with av.open(str(target)) as written:
        frame = next(written.decode(video=0))
        assert (frame.width, frame.height, frame.rotation, frame.format.name) == (64, 48, 90, "yuv420p")


def test_films_of_other_codecs(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.webm", "webm", video="libvpx", sound="libopus", seconds=4)
    target = tmp_path / "extended.mp4"
    write_extended_film(film, target, narration(), PAUSES, LENGTH)
    pictures = pictures_of(target)
    assert [number_at(pictures, at) for at in (0.97, 1.25, 1.55)] == [24, 25, 26]


# The frames by themselves: times in ticks of 1/90,000 s


def frames_at(*ms: int):
    return [(at * 90, f"frame {at}") for at in ms]


def shown(frames, pauses, length, step=40):
    return [(at / 90, name) for at, name in held(frames, pauses, length, step * 90)]


def test_frames_that_are_not_evenly_spaced() -> None:
    pauses = PauseMap((Pause(100, 200, "a"),))
    assert shown(frames_at(0, 90, 300), pauses, 500, 50) == [
        (0, "frame 0"),
        (90, "frame 90"),
        *[(at, "frame 90") for at in range(140, 475, 50)],
        (500, "frame 300"),
    ]


def test_a_first_frame_behind_a_pause_is_held_from_it() -> None:
    pauses = PauseMap((Pause(20, 100, "a"),))
    assert shown(frames_at(60, 100), pauses, 240, 40) == [
        (20, "frame 60"),
        (60, "frame 60"),
        (100, "frame 60"),
        (160, "frame 60"),
        (200, "frame 100"),
    ]


def test_frames_out_of_order_are_left_out() -> None:
    assert shown(frames_at(0, 40, 30, 40, 80), PauseMap(), 120) == [(0, "frame 0"), (40, "frame 40"), (80, "frame 80")]


def test_no_frames() -> None:
    assert shown([], PAUSES, 100) == []


# What cannot be done


def test_webm_is_refused_by_name(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    with pytest.raises(MixError, match=r"H\.264.*WebM.*\.mp4"):
        write_extended_film(film, tmp_path / "extended.webm", narration(), PAUSES, LENGTH)
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


def test_sound_alone_cannot_be_held(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska", video=None)
    with pytest.raises(MixError, match="no picture"):
        write_extended_film(film, tmp_path / "extended.mkv", narration(), PAUSES, LENGTH)


@pytest.mark.parametrize("after", [0.0, 0.4])
def test_cancelling_leaves_nothing(tmp_path: Path, after: float) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")

    def stop(fraction: float) -> None:
        if fraction >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_extended_film(film, tmp_path / "extended.mp4", narration(), PAUSES, 3000, stop)
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, tiny_disk: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4", seconds=1)
    loud = np.random.default_rng(1).uniform(-1, 1, 60 * RATE)
    with pytest.raises(OutsideFailureError, match="disk is full"):
        write_extended_film(film, tiny_disk / "x.mp4", NewSound(pieces(loud, size=48_000), STEREO), PAUSES, 60_000)
    assert list(tiny_disk.iterdir()) == []


def test_it_is_flagged_where_the_format_can(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    write_extended_film(film, tmp_path / "extended.mp4", narration(), PAUSES, 3000)
    with av.open(str(tmp_path / "extended.mp4")) as written:
        assert written.streams.audio[0].disposition & Disposition.visual_impaired
