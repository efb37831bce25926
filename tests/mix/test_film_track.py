"""The film with a further sound track: everything else as it was, the new one recognised, everything at its time."""

from __future__ import annotations

import os
import subprocess
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_films import RATE, TITLE, beeping, jpeg, make_film, pictures_of, pieces, sound_of, stretches

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.media.opening import MediaError
from adstudio.media.sound_tracks import Purpose, chosen_track, tracks_of
from adstudio.mix.film_files import NewSound, suffix_for
from adstudio.mix.film_track import add_sound_track
from adstudio.mix.layout import FIVE_ONE, STEREO
from adstudio.mix.request import MixError, MixNoteKind
from adstudio.system.languages import three_letters

BEEPS = ((0.5, 0.6), (1.4, 1.5))
KINDS = {
    "mp4": {"form": "mp4", "subtitles": "mov_text"},
    "mov": {"form": "mov"},
    "mkv": {"form": "matroska", "subtitles": "subrip", "attachments": True},
    "webm": {"form": "webm", "video": "libvpx", "sound": "libopus", "subtitles": "webvtt"},
    "ts": {"form": "mpegts", "chapters": False},
}


def narration(seconds=2.0, language="en", layout=STEREO) -> NewSound:
    return NewSound(pieces(beeping(seconds, BEEPS), layout.channels), layout, language)


def packets_of(path, kind, number=0):
    with av.open(str(path)) as film:
        stream = [each for each in film.streams if each.type == kind][number]
        return [bytes(packet) for packet in film.demux(stream) if packet.size]


def measured(path, track=-1) -> list[float]:
    return [time for stretch in stretches(sound_of(path, track)) for time in stretch]


@pytest.mark.parametrize("kind", KINDS)
def test_the_new_track_is_recognised_and_in_time(tmp_path: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", **KINDS[kind])
    target = tmp_path / f"with ad.{kind}"
    add_sound_track(film, target, narration())
    main, new = tracks_of(target)
    assert new.purpose is Purpose.DESCRIPTION
    assert new.language == "eng"
    assert not new.default
    assert main.purpose is Purpose.FILM
    assert chosen_track((main, new)) is main
    if kind != "ts":
        assert new.title == "Audio description"
    assert measured(target) == pytest.approx([time for beep in BEEPS for time in beep], abs=0.005)


@pytest.mark.parametrize(("kind", "flagged"), [("mp4", True), ("mkv", True), ("ts", True), ("mov", False)])
def test_it_is_flagged_for_the_visually_impaired_where_the_format_can(tmp_path: Path, kind: str, flagged: bool) -> None:
    film = make_film(tmp_path / f"film.{kind}", **KINDS[kind])
    target = tmp_path / f"with ad.{kind}"
    notes = add_sound_track(film, target, narration())
    with av.open(str(target)) as found:
        assert bool(found.streams.audio[-1].disposition & Disposition.visual_impaired) is flagged
    assert [note.names for note in notes if note.kind is MixNoteKind.NOT_FLAGGED] == (
        [] if flagged else [("QuickTime",)]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_picture_and_sound_are_copied_as_they_are(tmp_path: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", tracks=("Main", "Director"), **KINDS[kind])
    target = tmp_path / f"with ad.{kind}"
    notes = add_sound_track(film, target, narration())
    # In MPEG-TS a picture's delimiters are written anew.
    if kind != "ts":
        assert packets_of(target, "video") == packets_of(film, "video")
    for number in (0, 1):
        assert packets_of(target, "audio", number) == packets_of(film, "audio", number)
    assert pictures_of(target) == [(pytest.approx(time, abs=0.001), each) for time, each in pictures_of(film)]
    assert [note.kind for note in notes if note.kind is not MixNoteKind.NOT_FLAGGED] == []


@pytest.mark.parametrize("kind", ["mp4", "mkv", "webm"])
def test_subtitles_chapters_and_titles_stay(tmp_path: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", **KINDS[kind])
    target = tmp_path / f"with ad.{kind}"
    assert MixNoteKind.TRACKS_LEFT_OUT not in {note.kind for note in add_sound_track(film, target, narration())}
    assert packets_of(target, "subtitle") == packets_of(film, "subtitle")
    with av.open(str(target)) as found:
        assert found.metadata["title"] == TITLE
        assert [each["metadata"]["title"] for each in found.chapters()] == ["One", "Two"]
        assert [each["start"] * each["time_base"] for each in found.chapters()] == [0, 1]
        assert found.streams.subtitles[0].language == "eng"
        assert found.streams.video[0].language == "eng"
        assert bool(found.streams.audio[0].disposition & Disposition.default)
        packet = next(each for each in found.demux(found.streams.subtitles[0]) if each.size > 2)
        assert packet.pts * packet.time_base == Fraction(1, 2)
    assert tracks_of(target)[0].title == "Main"


def test_fonts_and_covers_stay_in_matroska(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", **KINDS["mkv"])
    target = tmp_path / "with ad.mkv"
    add_sound_track(film, target, narration())
    with av.open(str(target)) as found:
        font = next(each for each in found.streams if each.type == "attachment")
        assert (font.name, font.data) == ("f.ttf", b"1234" * 10)
        cover = next(each for each in found.streams.video if each.disposition & Disposition.attached_pic)
        assert bytes(next(each for each in found.demux(cover) if each.size)) == jpeg()


def test_what_another_format_cannot_hold_is_listed(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", **KINDS["mkv"])
    target = tmp_path / "with ad.mp4"
    (note,) = add_sound_track(film, target, narration())
    assert note.kind is MixNoteKind.TRACKS_LEFT_OUT
    assert note.names == ("srt subtitles (English SDH, eng)", "f.ttf attachment")
    with av.open(str(target)) as found:
        cover = next(each for each in found.streams.video if each.disposition & Disposition.attached_pic)
        assert bytes(next(each for each in found.demux(cover) if each.size)) == jpeg()


def test_a_subtitle_beyond_the_end_that_is_left_out_is_no_damage(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska", subtitles="subrip", subtitle_ms=8000)
    (note,) = add_sound_track(film, tmp_path / "with ad.mp4", narration())
    assert (note.kind, note.names) == (MixNoteKind.TRACKS_LEFT_OUT, ("srt subtitles (English SDH, eng)",))


def test_chapters_that_mpeg_ts_lacks_are_listed(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    (note,) = add_sound_track(film, tmp_path / "with ad.ts", narration())
    assert (note.kind, note.names) == (MixNoteKind.TRACKS_LEFT_OUT, ("chapters",))


@pytest.mark.parametrize("source", ["mp4", "mov", "mkv", "ts"])
@pytest.mark.parametrize("target", ["mp4", "mov", "mkv", "ts"])
def test_from_any_format_to_any_other_the_time_is_the_same(tmp_path: Path, source: str, target: str) -> None:
    film = make_film(tmp_path / f"film.{source}", KINDS[source]["form"], beeps=((1.0, 1.2),))
    written = tmp_path / f"with ad.{target}"
    add_sound_track(film, written, narration())
    assert measured(written, 0) == pytest.approx([1.0, 1.2], abs=0.03)
    assert measured(written) == pytest.approx([0.5, 0.6, 1.4, 1.5], abs=0.005)
    # A picture and the sound at its time are as far apart as they were.
    lag = [time - other for (time, _), (other, _) in zip(pictures_of(written), pictures_of(film), strict=True)]
    assert max(map(abs, lag)) < 0.0011
    assert measured(written, 0) == pytest.approx(measured(film, 0), abs=0.0011)


def test_a_film_without_sound_gets_its_first_track(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4", tracks=())
    target = tmp_path / "with ad.mp4"
    add_sound_track(film, target, narration())
    (only,) = tracks_of(target)
    assert (only.purpose, only.default) == (Purpose.DESCRIPTION, True)
    assert measured(target) == pytest.approx([0.5, 0.6, 1.4, 1.5], abs=0.005)


def test_a_sound_file_gets_a_second_track(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska", video=None)
    add_sound_track(film, tmp_path / "with ad.mkv", narration())
    assert [each.purpose for each in tracks_of(tmp_path / "with ad.mkv")] == [Purpose.FILM, Purpose.DESCRIPTION]


def test_the_picture_stays_turned(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4", rotation=90)
    for suffix in (".mp4", ".mkv"):
        target = tmp_path / f"with ad{suffix}"
        add_sound_track(film, target, narration())
        with av.open(str(target)) as found:
            assert next(found.decode(video=0)).rotation == 90


@pytest.mark.parametrize("tag", ["hvc1", "hev1"])
def test_which_form_of_a_codec_it_is_stays(tmp_path: Path, tag: str, capfd: pytest.CaptureFixture[str]) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4", video="libx265", hidden_tag=tag)
    add_sound_track(film, tmp_path / "with ad.mp4", narration())
    with av.open(str(tmp_path / "with ad.mp4")) as found:
        assert found.streams.video[0].codec_context.codec_tag == tag


def test_surround_sound(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    target = tmp_path / "with ad.mp4"
    add_sound_track(film, target, narration(layout=FIVE_ONE))
    with av.open(str(target)) as found:
        assert found.streams.audio[-1].codec_context.channels == 6


@pytest.mark.parametrize("seconds", [0.0, 0.5, 4.0])
def test_sound_shorter_or_longer_than_the_film(tmp_path: Path, seconds: float) -> None:
    film = make_film(tmp_path / "film.mkv", "matroska")
    target = tmp_path / "with ad.mkv"
    add_sound_track(film, target, NewSound(pieces(beeping(seconds, ((0.2, 0.3),))), STEREO, "en"))
    assert len(pictures_of(target)) == 50
    if seconds:
        assert len(sound_of(target)) / RATE == pytest.approx(seconds, abs=0.06)


@pytest.mark.parametrize(
    ("tag", "code"),
    [("en", "eng"), ("de-AT", "deu"), ("pt_BR", "por"), ("fra", "fra"), ("EN", "eng"), ("", "und"), ("x-y", "und"),
     ("zh-Hant", "zho"), ("q1z", "und"), ("cy", "cym")],
)  # fmt: skip
def test_languages_have_three_letters(tag: str, code: str) -> None:
    assert three_letters(tag) == code


@pytest.mark.parametrize("kind", ["mp4", "ts"])
def test_an_unknown_language(tmp_path: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", **KINDS[kind])
    add_sound_track(film, tmp_path / f"with ad.{kind}", narration(language=""))
    assert tracks_of(tmp_path / f"with ad.{kind}")[-1].language == ""


# What cannot be done


def test_a_picture_that_the_format_cannot_hold_is_refused_by_name(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    with pytest.raises(MixError, match=r"WebM cannot hold the film’s h264 video \(eng\): .*\.mkv"):
        add_sound_track(film, tmp_path / "with ad.webm", narration())
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


def test_a_format_that_is_not_written_is_refused(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    with pytest.raises(MixError, match=r"film\.avi: .* ends in \.mp4"):
        add_sound_track(film, tmp_path / "film.avi", narration())
    assert suffix_for(Path("a.AVI")) == ".mkv"
    assert suffix_for(Path("a.MP4")) == ".mp4"


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"no film" * 1000)
    with pytest.raises(MediaError):
        add_sound_track(tmp_path / "film.mp4", tmp_path / "with ad.mp4", narration())
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


def test_cancelling_leaves_nothing(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    (tmp_path / "with ad.mp4").write_bytes(b"old")
    seen: list[float] = []

    def stop(fraction: float) -> None:
        seen.append(fraction)
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_sound_track(film, tmp_path / "with ad.mp4", narration(), on_fraction=stop)
    assert seen == sorted(seen)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["film.mp4", "with ad.mp4"]
    assert (tmp_path / "with ad.mp4").read_bytes() == b"old"


def test_sound_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")

    def failing():
        yield from pieces(beeping(0.5, ()))
        raise OutsideFailureError("the voice is gone")

    with pytest.raises(OutsideFailureError, match="voice"):
        add_sound_track(film, tmp_path / "with ad.mp4", NewSound(failing(), STEREO))
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


@pytest.mark.parametrize("kind", ["mp4", "mkv", "ts"])
def test_a_full_disk_leaves_nothing(tmp_path: Path, tiny_disk: Path, kind: str) -> None:
    film = make_film(tmp_path / f"film.{kind}", seconds=2, **KINDS[kind])
    loud = np.random.default_rng(1).uniform(-1, 1, 60 * RATE)
    with pytest.raises(OutsideFailureError, match="disk is full"):
        add_sound_track(film, tiny_disk / f"with ad.{kind}", NewSound(pieces(loud, size=48_000), STEREO))
    assert list(tiny_disk.iterdir()) == []


@pytest.mark.parametrize("kind", ["mp4", "mkv", "ts"])
def test_a_truncated_film_is_copied_as_far_as_it_goes_and_said_so(tmp_path: Path, kind: str) -> None:
    film = tmp_path / f"film.{kind}"
    made = make_film(film, KINDS[kind]["form"], seconds=20, beeps=((0, 20),))
    if kind == "mp4":  # its index is at the end: begin with it, as files for the web do
        film = tmp_path / "fast.mp4"
        with av.open(str(made)) as old, av.open(str(film), "w", options={"movflags": "faststart"}) as out:
            tracks = {each.index: out.add_stream_from_template(each) for each in old.streams if each.type != "data"}
            for packet in old.demux():
                if packet.size and packet.stream.index in tracks:
                    packet.stream = tracks[packet.stream.index]
                    out.mux(packet)
    data = film.read_bytes()
    film.write_bytes(data[: len(data) // 2])
    target = tmp_path / f"with ad.{kind}"
    notes = add_sound_track(film, target, narration(20.0))
    damage = [note for note in notes if note.kind is MixNoteKind.FILM_DAMAGED]
    if kind != "ts":  # which does not say how long it is
        assert len(damage) == 1
        assert 5_000 < (damage[0].at or 0) < 15_000
    assert len(pictures_of(target)) > 100


def test_a_track_of_which_nothing_is_known_is_listed(tmp_path: Path) -> None:
    """Of the sound in this MPEG-TS only its entry in the list of tracks is left."""
    film = make_film(tmp_path / "film.ts", "mpegts")
    data = film.read_bytes()
    packets = [data[at : at + 188] for at in range(0, len(data), 188)]
    film.write_bytes(b"".join(each for each in packets if (each[1] & 0x1F) << 8 | each[2] != 0x101))
    notes = add_sound_track(film, tmp_path / "with ad.ts", narration())
    assert [note.kind for note in notes] == [MixNoteKind.TRACKS_LEFT_OUT]
    assert [name.split()[:2] for name in notes[0].names] == [["aac", "sound"]]


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_films_are_copied_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    whole = tmp_path / f"whole.{kind}"
    if not whole.exists():
        make_film(whole, seconds=1, **KINDS[kind])
    damaged = bytearray(whole.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), max_size=40)):
        damaged[place] = (damaged[place] + 1 + place % 255) % 256
    film = tmp_path / f"film.{kind}"
    film.write_bytes(damaged[: data.draw(st.integers(1, len(damaged)))])
    target = tmp_path / "with ad.mkv"
    target.unlink(missing_ok=True)
    try:
        add_sound_track(film, target, narration(1))
    except AdstudioError:
        assert not target.exists()
    else:
        assert tracks_of(target)[-1].purpose is Purpose.DESCRIPTION
    assert not list(tmp_path.glob("*.tmp"))


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    film = make_film(tmp_path / "film.mp4", "mp4")
    with pytest.raises(OutsideFailureError, match="folder does not exist"):
        add_sound_track(film, tmp_path / "none" / "with ad.mp4", narration())


def test_memory_does_not_grow_with_the_film(tmp_path: Path) -> None:
    """Five minutes of sound, against half a minute."""
    film = make_film(tmp_path / "film.mkv", "matroska", seconds=300, rate=1, tracks=(), chapters=False)
    program = (
        "import resource, sys, numpy as np\nfrom pathlib import Path\n"
        "from adstudio.mix.film_files import NewSound\nfrom adstudio.mix.film_track import add_sound_track\n"
        "from adstudio.mix.layout import STEREO\n"
        "block = np.zeros((2, 48_000), np.float32)\n"
        "seconds = int(sys.argv[3])\n"
        "blocks = (block for _ in range(seconds))\n"
        "add_sound_track(Path(sys.argv[1]), Path(sys.argv[2]), NewSound(blocks, STEREO))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )

    def most(seconds: int) -> int:
        arguments = [os.sys.executable, "-c", program, str(film), str(tmp_path / "out.mkv"), str(seconds)]
        return int(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)

    assert most(300) - most(30) < 20_000  # kB; the sound alone has 101,000 more
