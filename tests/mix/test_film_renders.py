"""Control tracks and films by the service, measured from their files."""

from __future__ import annotations

import wave
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from made_films import RATE, make_film, pictures_of, sound_of, stretches
from mix_sounds import line, request, script, voice

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.film import SourceFile
from adstudio.core.mix_settings import MixSettings
from adstudio.core.progress import Progress, Stage
from adstudio.core.timebase import Span
from adstudio.media.sound_tracks import Purpose, tracks_of
from adstudio.mix import control_file
from adstudio.mix.control_decoder import read_control_track
from adstudio.mix.duck import envelope
from adstudio.mix.messages import note_message
from adstudio.mix.preparing import dialogue_of
from adstudio.mix.request import MixError, MixKind, MixNoteKind, MixStoppedError, files_of
from adstudio.mix.service import render
from adstudio.subtitles.reading import read_subtitles

QUIET = MixSettings(target_loudness=None)
GAP = Span(0, 6000)


def channels_of(path: Path) -> np.ndarray:
    """The 16-bit samples of a WAV file, a row for each channel."""
    with wave.open(str(path)) as file:
        assert file.getsampwidth() == 2
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels()).T


def tone_over(seconds: float) -> tuple[tuple[float, float], ...]:
    return ((0.0, seconds),)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Ten seconds of a tone."""
    return make_film(tmp_path / "film.mp4", "mp4", seconds=10, beeps=tone_over(10))


# Control track


def test_the_control_track_says_how_far_the_mix_goes_down(tmp_path: Path, film: Path) -> None:
    gap = Span(0, 5950)
    lines = [line("a1", 1000, 1200, gap=gap), line("a2", 5200, 700, gap=gap, duck=155)]
    of = script(10_000, Span(gap.end, 8000))
    target = tmp_path / "control.wav"
    report = render(request(MixKind.CONTROL, target, of, *lines, settings=QUIET, video=film, bits=16))
    narration, control = channels_of(target)
    assert len(narration) == 480_000
    assert report.channels == 2
    reading = read_control_track([control.astype(np.int16)])
    assert (len(reading.messages), reading.faults) == (100, ())
    points = envelope(lines, dialogue_of(of), QUIET, 10_000)
    for message in reading.messages:
        at = message.start / 48
        level = next(
            (
                one.level + (other.level - one.level) * (at - one.ms) / (other.ms - one.ms)
                for one, other in pairwise(points)
                if one.ms <= at <= other.ms and other.ms > one.ms
            ),
            0,
        )
        # A receiver holds it for 100 ms: what would last into dialogue is none.
        assert abs(message.message.fade * 3 + (0 if at <= gap.end < at + 100 else level)) <= 3  # 0.3 dB
    deepest = {message.message.fade for message in reading.messages}
    assert {0, 30, 52} <= deepest  # up, 9 dB, and 15.5 dB to the nearest step
    # The narration is where it is in the mix, in the other channel.
    loud = stretches(narration / 32_768, 0.005, apart=0.3)
    assert [time for stretch in loud for time in stretch] == pytest.approx([1.0, 2.2, 5.2, 5.9], abs=0.03)


@pytest.mark.parametrize("end", [1, 99, 100, 101, 4321])
def test_a_control_track_of_any_length(tmp_path: Path, end: int) -> None:
    target = tmp_path / "control.wav"
    render(request(MixKind.CONTROL, target, script(end), line("a1", 0, 50), settings=QUIET, bits=16))
    _, control = channels_of(target)
    assert len(control) == end * 48
    assert len(read_control_track([control.astype(np.int16)]).messages) == end // 100


def test_a_control_track_that_does_not_read_back_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flipped(fades):
        for number, piece in enumerate(real(fades)):
            yield -piece if number == 3 else piece

    real = control_file.control_signal
    monkeypatch.setattr(control_file, "control_signal", flipped)
    with pytest.raises(OutsideFailureError, match="read back"):
        render(request(MixKind.CONTROL, tmp_path / "control.wav", script(2000), line("a1", 0, 50), settings=QUIET))
    assert list(tmp_path.iterdir()) == []


# The film with a further track


def test_the_films_new_track_is_the_mix(tmp_path: Path, film: Path) -> None:
    lines = [line("a1", 1000, 1200, gap=GAP), line("a2", 3000, 700, gap=GAP)]
    of = script(10_000, Span(6000, 8000))
    target, mix = tmp_path / "with ad.mp4", tmp_path / "mix.wav"
    report = render(request(MixKind.FILM, target, of, *lines, settings=QUIET, video=film))
    assert report.files == (target,)
    render(request(MixKind.MIX, mix, of, *lines, settings=QUIET, video=film, bits=16))
    new, mixed = sound_of(target), channels_of(mix)[0] / 32_768
    # The same to the ear: what AAC changes is 30 dB below.
    count = min(len(new), len(mixed))
    assert np.sqrt(((new[:count] - mixed[:count]) ** 2).mean()) < np.sqrt((mixed**2).mean()) / 30
    assert [track.purpose for track in tracks_of(target)] == [Purpose.FILM, Purpose.DESCRIPTION]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["film.mp4", "mix.wav", "with ad.mp4"]


@pytest.mark.parametrize("kind", [MixKind.FILM, MixKind.EXTENDED])
def test_a_film_cannot_be_written_without_one_or_over_itself(tmp_path: Path, film: Path, kind: MixKind) -> None:
    with pytest.raises(MixError, match="no film"):
        render(request(kind, tmp_path / "with ad.mp4", script(1000), line("a1", 0, 100)))
    before = film.read_bytes()
    with pytest.raises(BadInputError, match=r"film\.mp4 would replace .*: choose another name"):
        render(request(kind, film, script(1000), line("a1", 0, 100), video=film))
    assert film.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


# The extended film


def test_an_extended_line_is_spoken_while_the_picture_is_held(tmp_path: Path, film: Path) -> None:
    target = tmp_path / "extended.mp4"
    lines = [
        line("a1", 1000, 500, gap=GAP),
        line("x1", 3000, 1000, extended=True, load=voice(1000, 5, level=0.4)),
        line("a2", 5000, 500, gap=GAP),
    ]
    of = script(10_000, Span(2500, 3500))  # the picture is held within dialogue
    report = render(request(MixKind.EXTENDED, target, of, *lines, settings=QUIET, video=film))
    assert report.length == 11_250
    assert [(each.id, each.start) for each in report.lines] == [("a1", 1000), ("x1", 3000), ("a2", 6250)]
    pictures = pictures_of(target)
    held = [time for time, number in pictures if number == 75]
    assert (held[0], held[-1]) == (pytest.approx(3.0, abs=0.01), pytest.approx(4.25, abs=0.03))
    assert [number for _, number in pictures if number != 75] == [number for number in range(250) if number != 75]
    sound = sound_of(target)
    level = [20 * np.log10(np.sqrt((part**2).mean()) + 1e-9) for part in np.array_split(sound[: 11 * RATE], 220)]
    # 50 ms each: the tone, the narration over silence, a breath of silence, the tone again, without ducking around it.
    assert level[50] == pytest.approx(level[56], abs=0.5)
    assert level[56] == pytest.approx(level[87], abs=0.5)
    assert min(level[62:78]) > -60
    assert max(level[82:84]) < -60
    spoken = stretches(sound[round(2.99 * RATE) : round(4.25 * RATE)], 0.01, apart=0.1)
    assert spoken[-1][1] == pytest.approx(1.01, abs=0.02)


def test_captions_of_the_extended_film_lie_beside_it(tmp_path: Path, film: Path) -> None:
    own = tmp_path / "film.srt"
    own.write_text("1\n00:00:02,500 --> 00:00:03,500\n<i>Who is there?</i>\n", "utf-8")
    of = script(10_000, Span(2500, 3500), subtitles=SourceFile(str(own), own.name, 0, ""))
    extended = line("x1", 3000, 1000, extended=True)
    report = render(request(MixKind.EXTENDED, tmp_path / "extended.mp4", of, extended, settings=QUIET, video=film))
    assert report.files == tuple(tmp_path / f"extended{suffix}" for suffix in (".mp4", ".srt", ".descriptions.vtt"))
    assert set(report.files) <= set(files_of(MixKind.EXTENDED, tmp_path / "extended.mp4"))
    assert report.files[1].read_text("utf-8") == "1\n00:00:02,500 --> 00:00:04,750\n<i>Who is there?</i>\n"
    assert own.read_text("utf-8").count("00:00:03,500") == 1
    # Never over the film's own.
    with pytest.raises(BadInputError, match=r"film\.srt would replace.*another name"):
        render(request(MixKind.EXTENDED, tmp_path / "film.mkv", of, extended, settings=QUIET, video=film))


def test_the_script_of_the_extended_film_lies_beside_it(tmp_path: Path, film: Path) -> None:
    lines = [
        line("a1", 1000, 500, gap=GAP, text="Ann opens the door."),
        line("x2", 3000, 1000, extended=True, text="Behind it, <two> men."),
        line("a3", 5000, 500, gap=GAP, text="She closes it."),
        line("a4", 9900, 500, text="The end."),
        line("a5", 10_500, 500, text="Never spoken."),
    ]
    render(request(MixKind.EXTENDED, tmp_path / "extended.mp4", script(10_000), *lines, settings=QUIET, video=film))
    cues = read_subtitles(tmp_path / "extended.descriptions.vtt").cues
    assert [(cue.start, cue.end, cue.text) for cue in cues] == [
        (1000, 1500, "Ann opens the door."),
        (3000, 4000, "Behind it, <two> men."),
        (6250, 6750, "She closes it."),
        (11_150, 11_250, "The end."),
    ]


def test_an_extended_film_without_extended_lines_is_refused_before_any_work(tmp_path: Path, film: Path) -> None:
    seen: list[Progress] = []
    of = request(MixKind.EXTENDED, tmp_path / "ext.mp4", script(10_000), line("a1", 0, 100), settings=QUIET, video=film)
    with pytest.raises(MixError, match="no line is marked as extended"):
        render(of, seen.append)
    assert seen == []
    with pytest.raises(MixError, match="WebM cannot hold"):
        render(replace(of, lines=(line("x1", 0, 100, extended=True),), target=tmp_path / "ext.webm"), seen.append)
    assert seen == []
    assert list(tmp_path.iterdir()) == [film]


def test_a_line_that_would_interrupt_another_is_spoken_after_it(tmp_path: Path, film: Path) -> None:
    target = tmp_path / "extended.mp4"
    lines = [line("a1", 1000, 1500, gap=GAP), line("x2", 1200, 400, extended=True)]
    report = render(request(MixKind.EXTENDED, target, script(10_000), *lines, settings=QUIET, video=film))
    assert [(each.id, each.start) for each in report.lines] == [("a1", 1000), ("x2", 2500)]
    (note,) = [note for note in report.notes if note.kind is MixNoteKind.HELD_LATER]
    assert note.lines == ("x2",)
    assert note_message(note, lines).startswith("1 line starts within another line")


@pytest.mark.parametrize("kind", [MixKind.CONTROL, MixKind.FILM, MixKind.EXTENDED])
@pytest.mark.parametrize("stage", [Stage.MIXING, None])
def test_cancelling_leaves_nothing(tmp_path: Path, film: Path, kind: MixKind, stage: Stage | None) -> None:
    """In the middle of the mix, and in the last stage of all."""
    last = Stage.READING_CONTROL_TRACK if kind is MixKind.CONTROL else Stage.WRITING_FILM
    seen: list[Stage] = []
    suffix = ".wav" if kind is MixKind.CONTROL else ".mp4"
    wanted = request(kind, tmp_path / f"out{suffix}", script(10_000), line("x1", 100, 200, extended=True), video=film)

    def stop() -> bool:
        return bool(seen) and seen[-1] is (stage or last)

    with pytest.raises(MixStoppedError):
        render(wanted, lambda progress: seen.append(progress.stage), stop)
    assert [each.name for each in tmp_path.iterdir()] == ["film.mp4"]


@pytest.mark.parametrize("kind", [MixKind.CONTROL, MixKind.FILM, MixKind.EXTENDED])
def test_a_full_disk_leaves_nothing(tmp_path: Path, tiny_disk: Path, kind: MixKind) -> None:
    film = make_film(tmp_path / "long.mp4", "mp4", seconds=30, beeps=tone_over(30))
    target = tiny_disk / ("out.wav" if kind is MixKind.CONTROL else "out.mp4")
    lines = line("a1", 100, 200), line("x1", 3000, 100, extended=True)
    with pytest.raises(OutsideFailureError, match="disk is full"):
        render(request(kind, target, script(30_000), *lines, settings=QUIET, video=film))
    assert list(tiny_disk.iterdir()) == []


def test_every_note_has_a_sentence() -> None:
    from adstudio.mix.request import MixNote

    for kind in MixNoteKind:
        text = note_message(MixNote(kind, ("a1",), ("one", "two"), 1000, 5), [line("a1", 0, 100)])
        assert text.endswith(".")
        assert "{" not in text


def test_surround_films(tmp_path: Path) -> None:
    film = tmp_path / "film.mkv"
    plain = make_film(tmp_path / "plain.mp4", "mp4", seconds=2, tracks=())
    with av.open(str(plain)) as old, av.open(str(film), "w") as out:
        picture = out.add_stream_from_template(old.streams.video[0])
        sound = out.add_stream("flac", rate=RATE, layout="5.1")
        for packet in old.demux(old.streams.video[0]):
            if packet.size:
                packet.stream = picture
                out.mux(packet)
        samples = (np.random.default_rng(1).standard_normal((1, 6 * 2 * RATE)) * 3000).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="5.1")
        frame.sample_rate, frame.pts = RATE, 0
        out.mux(sound.encode(frame))
        out.mux(sound.encode(None))
    for suffix in (".mkv", ".mp4"):
        target = tmp_path / f"with ad{suffix}"
        report = render(request(MixKind.FILM, target, script(2000), line("a1", 500, 500), settings=QUIET, video=film))
        assert report.channels == 6
        with av.open(str(target)) as written:
            assert [each.codec_context.channels for each in written.streams.audio] == [6, 6]


def test_the_extended_request_moves_only_times() -> None:
    from adstudio.mix.extended_request import extended_request
    from adstudio.mix.pauses import Pause, PauseMap

    lines = (line("a1", 100, 50, gap=Span(0, 900)), line("x1", 500, 100, extended=True), line("a2", 500, 50, gain=3))
    wanted = request(MixKind.EXTENDED, Path("x.mp4"), script(1000, Span(400, 600), Span(700, 650 + 100)), *lines)
    longer = extended_request(wanted, PauseMap((Pause(500, 350, "x1"),)))
    assert [(each.id, each.start, each.gap, each.gain) for each in longer.lines] == [
        ("a1", 100, Span(0, 1250), 0),
        ("x1", 500, None, 0),
        ("a2", 850, None, 3),
    ]
    assert [(cue.start, cue.end) for cue in longer.script.cues] == [(400, 950), (1050, 1100)]
    assert longer.script.film.end == 1350
    assert replace(longer.script, film=wanted.script.film, cues=wanted.script.cues) == wanted.script
