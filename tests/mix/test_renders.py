"""Renders, measured from their files: levels, ducks, places of lines, and what is left where something goes wrong."""

from __future__ import annotations

import os
import resource
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mix_sounds import (
    RATE,
    ffmpeg_meter,
    film_file,
    level,
    line,
    noise,
    place_of,
    read_wav,
    request,
    script,
    sine,
    voice,
    wav_chunks,
)

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.mix_settings import MixSettings
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Opening
from adstudio.core.timebase import RATES, Span
from adstudio.mix.lines import MixLine
from adstudio.mix.messages import note_message, report_message
from adstudio.mix.narration_sound import line_samples
from adstudio.mix.request import MIXES, MixError, MixKind, MixNote, MixNoteKind, MixReport, MixStoppedError
from adstudio.mix.service import render
from adstudio.speech.sound import Sound

END = 30_000
CUES = (Span(3_000, 8_000), Span(12_000, 14_000), Span(20_000, 21_000))
LINES = (
    line("e1", 9_000, 2_000, gap=Span(8_000, 12_000)),
    line("e2", 14_200, 3_000, gap=Span(14_000, 20_000)),
    line("e3", 17_600, 2_000, gap=Span(14_000, 20_000)),
    line("e4", 24_000, 2_500, gap=Span(21_000, 30_000)),
)
KEPT = MixSettings(target_loudness=None)


def notes(report: MixReport) -> dict[MixNoteKind, MixNote]:
    return {note.kind: note for note in report.notes}


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a minute of noise at −26 dBFS with a tone of 10 kHz, whose level shows how far the film is down."""
    samples = noise(-26, END / 1000) + sine(10_000, -32, END / 1000)
    return film_file(tmp_path_factory.mktemp("film") / "film.mkv", samples)


def tone(samples: np.ndarray, start: int, end: int) -> float:
    """The level of the 10 kHz tone from one time (ms) to another, in dB against that of the film."""
    part = samples[0, start * 48 : end * 48]
    window = np.hanning(len(part))
    carrier = np.exp(-2j * np.pi * 10_000 * np.arange(start * 48, end * 48) / RATE)
    amplitude = 2 * np.abs((part * window * carrier).sum()) / window.sum()
    return 20 * np.log10(amplitude / 10 ** (-32 / 20))


def silent_line(name: str, start: int, length: int, **others: object) -> MixLine:
    """A line of 200 Hz only, which leaves the tone alone."""

    def load() -> Sound:
        time = np.arange(length * 48) / RATE
        return Sound((0.1 * np.sin(2 * np.pi * 200 * time)).astype(np.float32), RATE)

    return line(name, start, length, load=load, **others)


@pytest.mark.parametrize(
    ("target", "peak", "bits"), [(-230, -10, 24), (-240, -20, 16), (-180, -10, 16), (-310, -60, 24)]
)
def test_the_mix_has_the_loudness_and_the_true_peak_of_the_settings(
    tmp_path: Path, film: Path, target: int, peak: int, bits: int
) -> None:
    settings = MixSettings(target_loudness=target, true_peak=peak)
    of = request(
        MixKind.MIX, tmp_path / "mix.wav", script(END, *CUES), *LINES, settings=settings, video=film, bits=bits
    )
    report = render(of)
    samples = read_wav(of.target)
    assert samples.shape == (2, END * 48)
    loudness, true_peak = ffmpeg_meter(samples)
    assert loudness == pytest.approx(target / 10, abs=0.3)
    assert true_peak <= peak / 10 + 0.02
    assert (report.loudness, report.true_peak) == (pytest.approx(loudness, abs=0.1), pytest.approx(true_peak, abs=0.1))
    assert [(each.id, each.start, each.length) for each in report.lines] == [
        (each.id, each.start, each.length) for each in LINES
    ]


@pytest.mark.parametrize(("every", "reached"), [(2 * RATE, True), (RATE // 12, False)])
def test_what_a_limiter_takes_away_is_made_up_for_or_named(tmp_path: Path, *, every: int, reached: bool) -> None:
    spiky = noise(-26, 12)
    spiky[:, 1_000::every] = 0.9
    film = film_file(tmp_path / "film.mkv", spiky)
    settings = MixSettings(target_loudness=-160)
    report = render(request(MixKind.MIX, tmp_path / "mix.wav", script(12_000), video=film, settings=settings))
    loudness, peak = ffmpeg_meter(read_wav(tmp_path / "mix.wav"))
    assert peak <= -1.0
    found = notes(report)
    assert (found[MixNoteKind.LIMITED].amount or 0) > 30
    assert (abs(loudness + 16) < 0.5) == reached
    missed = found.get(MixNoteKind.TARGET_MISSED)
    assert (missed is None) == reached
    if missed is not None:
        assert missed.amount == pytest.approx(-160 - loudness * 10, abs=2)


def test_the_level_is_kept_where_that_is_wanted(tmp_path: Path, film: Path) -> None:
    of = request(MixKind.MIX, tmp_path / "mix.wav", script(END, *CUES), *LINES, settings=KEPT, video=film)
    report = render(of)
    samples, source = read_wav(of.target), noise(-26, END / 1000) + sine(10_000, -32, END / 1000)
    assert samples[:, : 7_000 * 48] == pytest.approx(source[:, : 7_000 * 48], abs=2 / 2**15)
    assert report.programme_loudness == pytest.approx(ffmpeg_meter(source)[0], abs=0.1)


@pytest.mark.parametrize("above", [-60, 0, 35])
def test_narration_is_set_against_the_programme(tmp_path: Path, film: Path, above: int) -> None:
    settings = replace(KEPT, narration_level=above)
    report = render(
        request(MixKind.STEM, tmp_path / "stem.wav", script(END, *CUES), *LINES, settings=settings, video=film)
    )
    assert report.programme_loudness is not None
    assert report.narration_loudness == pytest.approx(report.programme_loudness + above / 10, abs=0.05)
    # In both channels of the mix it is as loud as that: from the file, by FFmpeg.
    mono = read_wav(tmp_path / "stem.wav")
    assert mono.shape == (1, END * 48)
    assert ffmpeg_meter(np.repeat(mono, 2, axis=0))[0] == pytest.approx(report.narration_loudness, abs=0.2)


def test_narration_may_have_a_loudness_of_its_own(tmp_path: Path, film: Path) -> None:
    settings = MixSettings(target_loudness=-200, narration_loudness=-280)
    report = render(request(MixKind.MIX, tmp_path / "a.wav", script(END, *CUES), *LINES, settings=settings, video=film))
    assert report.narration_loudness == pytest.approx(-28, abs=0.05)
    assert report.loudness == pytest.approx(-20, abs=0.2)


def test_a_narration_too_loud_for_the_target_is_named(tmp_path: Path, film: Path) -> None:
    settings = MixSettings(target_loudness=-300, narration_loudness=-150)
    report = render(request(MixKind.MIX, tmp_path / "a.wav", script(END, *CUES), *LINES, settings=settings, video=film))
    missed = notes(report)[MixNoteKind.TARGET_MISSED].amount
    assert report.loudness is not None
    assert missed == pytest.approx((-30 - report.loudness) * 10, abs=1)
    assert missed < -50


@pytest.mark.parametrize("kind", [MixKind.MIX, MixKind.STEM])
def test_each_line_is_at_its_sample(tmp_path: Path, film: Path, kind: MixKind) -> None:
    of = request(kind, tmp_path / "a.wav", script(END, *CUES), *LINES, video=film)
    render(of)
    samples = read_wav(of.target)[0]
    for each in LINES:
        assert place_of(line_samples(each, 0), samples) == each.start * 48


def test_the_film_is_down_by_the_depth_in_the_line_and_up_in_dialogue(tmp_path: Path, film: Path) -> None:
    settings = MixSettings(target_loudness=None, duck_depth=90, ramp_down=300, ramp_up=400, least_rise=700)
    lines = (
        silent_line("e1", 9_000, 2_000, gap=Span(8_000, 12_000)),
        silent_line("e2", 14_100, 2_000, gap=Span(14_000, 20_000), duck=60),
        silent_line("e3", 21_000, 2_000, gap=Span(21_000, 30_000)),
    )
    of = request(MixKind.MIX, tmp_path / "a.wav", script(END, *CUES), *lines, settings=settings, video=film)
    render(of)
    samples = read_wav(of.target)
    assert tone(samples, 9_000, 11_000) == pytest.approx(-9, abs=0.1)
    assert tone(samples, 14_100, 16_100) == pytest.approx(-6, abs=0.1)
    assert tone(samples, 21_020, 23_000) == pytest.approx(-9, abs=0.1)
    # Half-way down and up again, in decibels: the ramps have the lengths of the settings.
    assert tone(samples, 8_840, 8_860) == pytest.approx(-4.5, abs=0.3)
    assert tone(samples, 11_190, 11_210) == pytest.approx(-4.5, abs=0.3)
    for start, end in ((0, 8_700), (11_400, 14_000), (16_500, 21_000), (23_400, 30_000)):
        for first in range(start, end - 100, 100):
            assert tone(samples, first, first + 100) == pytest.approx(0, abs=0.25), first
    for cue in CUES:
        assert tone(samples, cue.start, cue.end) == pytest.approx(0, abs=0.05)


def test_dialogue_is_dipped_only_for_an_override_and_in_an_opening(tmp_path: Path, film: Path) -> None:
    over = silent_line("e1", 4_000, 2_000)
    of = request(MixKind.MIX, tmp_path / "a.wav", script(END, *CUES), over, settings=KEPT, video=film)
    report = render(of)
    assert tone(read_wav(of.target), 4_000, 6_000) == pytest.approx(0, abs=0.05)
    assert notes(report)[MixNoteKind.OVER_DIALOGUE].lines == ("e1",)

    report = render(replace(of, lines=(replace(over, override=True),)))
    assert tone(read_wav(of.target), 4_000, 6_000) == pytest.approx(-9, abs=0.1)
    assert MixNoteKind.OVER_DIALOGUE not in notes(report)

    opened = replace(of.script, openings=(Opening("o1", Span(3_500, 7_000)),))
    report = render(replace(of, script=opened))
    assert tone(read_wav(of.target), 4_000, 6_000) == pytest.approx(-9, abs=0.1)
    assert tone(read_wav(of.target), 7_000, 8_000) == pytest.approx(0, abs=0.05)
    assert MixNoteKind.OVER_DIALOGUE not in notes(report)


def test_lines_begin_and_end_without_a_click(tmp_path: Path) -> None:
    def load() -> Sound:
        # 200 Hz, from one crest to another: without fades, it would begin and end at full height.
        return Sound((0.1 * np.cos(2 * np.pi * 200 * np.arange(2_000 * 48) / RATE)).astype(np.float32), RATE)

    of = request(MixKind.STEM, tmp_path / "a.wav", script(10_000), line("e1", 2_000, 2_000, load=load), settings=KEPT)
    render(of)
    samples = read_wav(of.target)[0]
    full = np.abs(samples).max()
    # From sample to sample the tone rises by 2π · 200 / 48,000 at most, a raised cosine of 10 ms by π / 2 / 480.
    assert np.abs(np.diff(samples)).max() <= full * (2 * np.pi * 200 / RATE + np.pi / 2 / 480) * 1.02
    assert np.abs(samples[2_010 * 48 : 2_020 * 48]).max() == pytest.approx(full, rel=0.01)


def test_in_5_1_the_narration_is_in_the_centre_alone(tmp_path: Path) -> None:
    source = noise(-30, 20, channels=6)
    film = film_file(tmp_path / "film.wav", source, layout="5.1")
    of = request(MixKind.MIX, tmp_path / "a.wav", script(20_000), line("e1", 5_000, 3_000), video=film)
    of = replace(of, settings=replace(KEPT, duck_depth=0))
    report = render(of)
    samples = read_wav(of.target)
    assert (report.channels, samples.shape) == (6, (6, 20_000 * 48))
    others = [0, 1, 3, 4, 5]
    assert samples[others] == pytest.approx(source[others], abs=2 / 2**15)
    assert level(samples[2, 5_000 * 48 : 8_000 * 48]) > level(source[2]) + 3
    assert struct.unpack_from("<H", wav_chunks(of.target.read_bytes())["fmt "]) == (0xFFFE,)


def test_in_5_1_loudness_and_peak_are_those_of_the_settings(tmp_path: Path) -> None:
    film = film_file(tmp_path / "film.wav", noise(-30, 20, channels=6), layout="5.1")
    of = request(MixKind.MIX, tmp_path / "a.wav", script(20_000), line("e1", 5_000, 3_000), video=film)
    render(of)
    loudness, peak = ffmpeg_meter(read_wav(of.target), "5.1")
    assert loudness == pytest.approx(-23, abs=0.2)
    assert peak <= -1


def test_the_stem_and_the_film_alone_make_the_mix(tmp_path: Path, film: Path) -> None:
    settings = replace(KEPT, duck_depth=0)
    of = request(MixKind.MIX, tmp_path / "mix.wav", script(END, *CUES), *LINES, settings=settings, video=film)
    render(of)
    render(replace(of, kind=MixKind.STEM, target=tmp_path / "stem.wav"))
    render(replace(of, lines=(), target=tmp_path / "film.wav"))
    mix, stem, bed = (read_wav(tmp_path / f"{name}.wav") for name in ("mix", "stem", "film"))
    assert mix == pytest.approx(bed + stem, abs=3 / 2**23)


def test_lines_come_in_files_of_their_own(tmp_path: Path, film: Path) -> None:
    of = request(MixKind.STEM, tmp_path / "stem.wav", script(END, *CUES), *LINES, video=film)
    of = replace(of, script=script(END, *CUES, start_timecode="10:00:00:00", frame_rate=RATES["25"]))
    render(of)
    odd = replace(LINES[0], id="scene 1/é: ../x", number=7)
    report = render(replace(of, kind=MixKind.LINES, lines=(odd, *LINES[1:]), target=tmp_path / "lines"))
    names = ["0002-e2.wav", "0003-e3.wav", "0004-e4.wav", "0007-scene_1_é_.._x.wav"]
    assert sorted(file.name for file in (tmp_path / "lines").iterdir()) == names
    assert [each.file for each in report.lines] == [tmp_path / "lines" / name for name in (names[3], *names[:3])]
    stem = read_wav(tmp_path / "stem.wav")[0]
    for each in LINES[1:]:
        path = tmp_path / "lines" / f"000{each.number}-{each.id}.wav"
        samples = read_wav(path)[0]
        assert len(samples) == each.length * 48
        assert samples == pytest.approx(stem[each.start * 48 :][: len(samples)], abs=2 / 2**23)
        origin = struct.unpack_from("<Q", wav_chunks(path.read_bytes())["bext"], 338)[0]
        assert origin == (10 * 3600 * 1000 + each.start) * 48


def test_lines_go_into_a_folder_that_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    (folder / "0001-e1.wav").write_text("old")
    of = request(MixKind.LINES, folder, script(END), *LINES)
    render(of)
    assert (folder / "mine.txt").read_text() == "mine"
    assert read_wav(folder / "0001-e1.wav").shape == (1, 96_000)
    assert [path.name for path in tmp_path.iterdir()] == ["lines"]


def test_a_folder_is_written_to_whatever_it_lies_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk's own folder may lie in one of another disk, or in one that may not be written to."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mkdir = Path.mkdir

    def made(path: Path, *args: int, **others: bool) -> None:
        assert path.parent == folder
        mkdir(path, *args, **others)

    monkeypatch.setattr(Path, "mkdir", made)
    render(request(MixKind.LINES, folder, script(END), *LINES))
    assert len(list(folder.iterdir())) == len(LINES)
    assert list(tmp_path.iterdir()) == [folder]


def test_lines_whose_names_would_be_the_same_have_a_file_each(tmp_path: Path) -> None:
    long = "a" * 60
    # Parts of a joined line have one number.
    lines = [
        replace(each, id=name, number=1)
        for each, name in zip(LINES, (f"{long}-1", f"{long}-2", "a b", "A_b"), strict=True)
    ]
    report = render(request(MixKind.LINES, tmp_path / "lines", script(END), *lines))
    names = [f"0001-{long}.wav", f"0001-{long}-2.wav", "0001-a_b.wav", "0001-A_b-2.wav"]
    assert [each.file for each in report.lines] == [tmp_path / "lines" / name for name in names]
    for each, name in zip(lines, names, strict=True):
        assert read_wav(tmp_path / "lines" / name).shape == (1, each.length * 48)


def test_line_files_of_an_earlier_export_stay_and_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    render(request(MixKind.LINES, folder, script(END), *LINES))
    for other in ("notes.wav", "12-e1.wav", "0009-e9.txt"):
        (folder / other).write_text("mine")
    again = [replace(LINES[0], id="e0"), *LINES[1:3]]
    note = notes(render(request(MixKind.LINES, folder, script(END), *again)))[MixNoteKind.OTHER_LINES]
    assert note.names == ("0001-e1.wav", "0004-e4.wav")
    assert (folder / "0001-e1.wav").exists()
    said = "The folder also has 2 line files of an earlier export: 0001-e1.wav, 0004-e4.wav."
    assert note_message(note, again) == said
    for name in note.names:
        (folder / name).unlink()
    assert MixNoteKind.OTHER_LINES not in notes(render(request(MixKind.LINES, folder, script(END), *again)))


def test_lines_that_last_longer_than_planned_are_named(tmp_path: Path) -> None:
    planned = (1_999, 1_750, None, 1_900)
    lines = [replace(each, planned=ms) for each, ms in zip(LINES, planned, strict=True)]
    found = notes(render(request(MixKind.STEM, tmp_path / "a.wav", script(END), *lines)))
    note = found[MixNoteKind.LONGER_THAN_PLANNED]
    assert (note.lines, note.ms) == (("e2", "e4"), 1_250)
    assert note_message(note, lines) == (
        "2 lines last longer than planned, by up to 1.2 s: numbers 2, 4. Choose a voice in the project settings, so "
        "that the plan uses the lengths of that voice."
    )
    kept = [replace(each, planned=each.length) for each in LINES]
    assert MixNoteKind.LONGER_THAN_PLANNED not in notes(
        render(request(MixKind.STEM, tmp_path / "a.wav", script(END), *kept))
    )


@pytest.mark.parametrize("kind", list(MixKind))
def test_each_loudness_says_of_what_it_is(kind: MixKind) -> None:
    said = report_message(MixReport(kind, (), 60_000, 1, -27.1, -3.0, -23.0, -24.1))
    lines, mix = kind is MixKind.LINES, kind in MIXES
    assert ("−27.1 LUFS" in said) is not lines
    assert ("narration in the mix −24.1 LUFS" in said) is not mix
    assert ("narration −24.1 LUFS" in said) is mix


@pytest.mark.parametrize(
    ("rate", "start", "samples"),
    [
        ("25", "10:00:00:00", 36_000 * RATE),
        ("24", "01:00:00:12", 3_600 * RATE + RATE // 2),
        # 107,892 frames of 1001/30000 s in an hour of drop-frame timecode
        ("29.97 DF", "01:00:00;00", round(107_892 * 1001 / 30_000 * RATE)),
        ("23.976", "00:01:00:00", round(1_440 * 1001 / 24_000 * RATE)),
        ("25", "", 0),
    ],
)
def test_the_origin_is_the_start_timecode(tmp_path: Path, rate: str, start: str, samples: int) -> None:
    of = script(2_000, start_timecode=start, frame_rate=RATES[rate])
    render(request(MixKind.MIX, tmp_path / "a.wav", of, line("e1", 500, 1_000)))
    bext = wav_chunks((tmp_path / "a.wav").read_bytes())["bext"]
    assert struct.unpack_from("<Q", bext, 338) == (samples,)


def test_a_project_without_a_film_has_silence_under_the_narration(tmp_path: Path) -> None:
    of = request(MixKind.MIX, tmp_path / "a.wav", script(END), *LINES)
    report = render(of)
    samples = read_wav(of.target)
    assert not samples[:, : 9_000 * 48].any()
    assert MixNoteKind.NO_FILM in notes(report)
    assert ffmpeg_meter(samples)[0] == pytest.approx(-23, abs=0.2)


def test_a_silent_film_is_named(tmp_path: Path) -> None:
    film = film_file(tmp_path / "film.mkv", np.zeros((2, RATE * 5)))
    report = render(request(MixKind.MIX, tmp_path / "a.wav", script(5_000), line("e1", 1_000, 2_000), video=film))
    assert MixNoteKind.SILENT in notes(report)
    assert report.programme_loudness is None
    assert report.narration_loudness == pytest.approx(-23, abs=0.1)


def test_nothing_at_all_is_a_silent_file(tmp_path: Path) -> None:
    report = render(request(MixKind.MIX, tmp_path / "a.wav", script(2_500)))
    assert (report.loudness, report.true_peak) == (None, None)
    assert MixNoteKind.NO_LINES in notes(report)
    assert read_wav(tmp_path / "a.wav").shape == (2, 2_500 * 48)
    assert not read_wav(tmp_path / "a.wav").any()


def test_lines_past_the_end_are_cut_or_left_out_and_named(tmp_path: Path) -> None:
    lines = (line("e1", 3_000, 4_000), line("e2", 5_000, 1_000), line("e3", 1_000, 500))
    report = render(request(MixKind.STEM, tmp_path / "a.wav", script(5_000), *lines))
    found = notes(report)
    assert found[MixNoteKind.LINES_CUT].lines == ("e1",)
    assert found[MixNoteKind.LINES_BEYOND].lines == ("e2",)
    assert [(each.id, each.length) for each in report.lines] == [("e3", 500), ("e1", 2_000)]
    assert read_wav(tmp_path / "a.wav").shape == (1, 5_000 * 48)


def test_lines_that_sound_at_once_are_named_and_both_heard(tmp_path: Path) -> None:
    lines = (line("e1", 1_000, 2_000), line("e2", 2_500, 2_000))
    report = render(request(MixKind.STEM, tmp_path / "a.wav", script(6_000), *lines))
    assert notes(report)[MixNoteKind.LINES_OVERLAP].lines == ("e2",)
    samples = read_wav(tmp_path / "a.wav")[0]
    assert [place_of(line_samples(each, 0), samples) for each in lines] == [48_000, 120_000]


def test_extended_lines_are_left_to_an_extended_film(tmp_path: Path) -> None:
    lines = (line("e1", 1_000, 500), line("e2", 2_000, 500, extended=True))
    report = render(request(MixKind.STEM, tmp_path / "a.wav", script(5_000), *lines))
    assert notes(report)[MixNoteKind.EXTENDED_LEFT_OUT].lines == ("e2",)
    assert not read_wav(tmp_path / "a.wav")[0, 2_000 * 48 : 2_500 * 48].any()


def test_a_line_louder_than_the_others_stays_that(tmp_path: Path) -> None:
    lines = (line("e1", 1_000, 1_000, load=voice(1_000, 5)), line("e2", 3_000, 1_000, load=voice(1_000, 5), gain=-60))
    render(request(MixKind.STEM, tmp_path / "a.wav", script(5_000), *lines))
    samples = read_wav(tmp_path / "a.wav")[0]
    one, other = (level(samples[start : start + RATE]) for start in (RATE, 3 * RATE))
    assert one - other == pytest.approx(6, abs=0.01)


@pytest.mark.parametrize(
    ("kind", "there"),
    [(MixKind.MIX, False), (MixKind.MIX, True), (MixKind.STEM, False), (MixKind.LINES, False), (MixKind.LINES, True)],
)
def test_what_is_cancelled_leaves_nothing_and_what_was_there(
    tmp_path: Path, film: Path, kind: MixKind, *, there: bool
) -> None:
    target = tmp_path / "out.wav"
    if there:
        if kind is MixKind.LINES:
            target.mkdir()
        else:
            target.write_text("old")
    of = request(kind, target, script(END, *CUES), *LINES, video=film)
    seen: list[Progress] = []

    def stop() -> bool:
        # In the middle of writing.
        return any(each.stage is Stage.MIXING and (each.fraction or 0) >= 0.5 for each in seen)

    with pytest.raises(MixStoppedError):
        render(of, seen.append, stop)
    assert {each.stage for each in seen} == {Stage.MEASURING_SOUND, Stage.MIXING}
    assert list(tmp_path.iterdir()) == ([target] if there else [])
    if there:
        assert list(target.iterdir()) == [] if kind is MixKind.LINES else target.read_text() == "old"


@pytest.mark.parametrize("kind", [MixKind.MIX, MixKind.STEM, MixKind.LINES])
def test_a_disk_that_is_full_at_nine_tenths_leaves_nothing(
    tmp_path: Path, film: Path, kind: MixKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    import signal

    of = request(kind, tmp_path / "whole.wav", script(END, *CUES), *LINES, video=film)
    render(of)
    size = of.target.stat().st_size if of.target.is_file() else max(each.stat().st_size for each in of.target.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(signal, "SIGXFSZ", signal.SIGXFSZ)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size * 9 // 10, before[1]))
    try:
        with pytest.raises(OutsideFailureError) as failed:
            render(replace(of, target=tmp_path / "part.wav"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert str(tmp_path / "part.wav") in str(failed.value)
    assert "larger than this disk allows" in str(failed.value)
    assert [path.name for path in tmp_path.iterdir()] == ["whole.wav"]


def test_a_line_that_cannot_be_loaded_leaves_nothing(tmp_path: Path) -> None:
    def load() -> Sound:
        raise OutsideFailureError("the recording is gone")

    with pytest.raises(OutsideFailureError, match="the recording is gone"):
        render(request(MixKind.MIX, tmp_path / "a.wav", script(END), line("e1", 1_000, 1_000, load=load)))
    assert list(tmp_path.iterdir()) == []


def test_requests_that_cannot_be(tmp_path: Path) -> None:
    of = request(MixKind.MIX, tmp_path / "a.wav", script(END))
    with pytest.raises(MixError, match="choose 16 or 24"):
        render(replace(of, bits=20))
    for name in ("a.mp3", "a", "a.wav.flac"):
        for kind in (MixKind.MIX, MixKind.STEM, MixKind.CONTROL):
            with pytest.raises(MixError, match=r"ends in \.wav"):
                render(replace(of, kind=kind, target=tmp_path / name))
    with pytest.raises(MixError, match="no length"):
        render(replace(of, script=script(0)))
    for kind in (MixKind.MIX, MixKind.LINES):
        with pytest.raises(OutsideFailureError, match="folder does not exist"):
            render(replace(of, kind=kind, target=tmp_path / "none" / "a.wav"))


@pytest.mark.parametrize("kind", [MixKind.MIX, MixKind.STEM, MixKind.CONTROL, MixKind.LINES])
@pytest.mark.parametrize("fault", ["folder", "target"])
def test_a_target_that_cannot_be_written_is_refused_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: MixKind, fault: str
) -> None:
    target = tmp_path / "a.wav"
    if fault == "folder":
        monkeypatch.setattr(os, "access", lambda path, mode: not (mode == os.W_OK and Path(path) == tmp_path))
    elif kind is MixKind.LINES:
        target.write_bytes(b"mine")
    else:
        target.mkdir()
    seen: list[Progress] = []
    with pytest.raises((OutsideFailureError, BadInputError)) as refused:
        render(request(kind, target, script(END, *CUES), *LINES), seen.append)
    why = "you do not have permission" if fault == "folder" else "is a file" if target.is_file() else "is a folder"
    assert str(target) in str(refused.value)
    assert why in str(refused.value)
    assert seen == []


def test_lines_are_loaded_once_at_a_time_and_let_go(tmp_path: Path) -> None:
    """Of a film with many lines, only the sound of the present ones is in memory."""
    import gc
    import weakref

    alive: list[weakref.ref[Sound]] = []
    most = 0

    def loader(seed: int):
        def load() -> Sound:
            nonlocal most
            gc.collect()
            sound = voice(500, seed)()
            alive.append(weakref.ref(sound))
            most = max(most, sum(each() is not None for each in alive))
            return sound

        return load

    lines = [line(f"e{number}", number * 1_000, 500, load=loader(number)) for number in range(20)]
    render(request(MixKind.MIX, tmp_path / "a.wav", script(20_000), *lines))
    assert most <= 2
    assert len(alive) == 40, "each is loaded once in each pass"
