"""Real films, mixed, and the result measured from the file: the program's sample, and a trailer of 1957."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import av
import numpy as np
import pytest
from mix_sounds import RATE, ffmpeg_meter, line, place_of, read_wav, voice
from mix_sounds import request as render_request

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of
from adstudio.media.probe import probe
from adstudio.mix.lines import MixLine
from adstudio.mix.preparing import dialogue_of
from adstudio.mix.request import MixKind, MixReport
from adstudio.mix.service import render
from adstudio.presets.library import preset_named
from adstudio.sample_film import copy_sample_film
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

QUIET = 10 ** (-60 / 20)
"""Where the film itself is below this, how far it is down cannot be measured."""


@dataclass(frozen=True)
class Mixed:
    """A film's own sound, its mix, the narration alone and each line, as their files have them."""

    script: Script
    lines: tuple[MixLine, ...]
    film: np.ndarray
    mix: np.ndarray
    stem: np.ndarray
    folder: Path
    report: MixReport

    def down(self, start: int, end: int) -> float | None:
        """How far the film is down from one time to another (ms), in dB; None where it is silent."""
        film, bed = self.film[:, start * 48 : end * 48], self.bed[:, start * 48 : end * 48]
        own = np.sqrt((film**2).mean())
        return None if own < QUIET else 20 * np.log10(np.abs((film * bed).sum()) / (film**2).sum()) - self.gain

    @cached_property
    def bed(self) -> np.ndarray:
        """The film as it is in the mix."""
        return self.mix - self.stem

    @cached_property
    def gain(self) -> float:
        """What the whole was turned up by, in dB: that of the film under dialogue."""
        cues = [cue for cue in dialogue_of(self.script) if cue.length > 500]
        film = np.concatenate([self.film[:, cue.start * 48 : cue.end * 48] for cue in cues], axis=1)
        bed = np.concatenate([self.bed[:, cue.start * 48 : cue.end * 48] for cue in cues], axis=1)
        return 20 * np.log10((film * bed).sum() / (film**2).sum())


def decoded(path: Path, length: int) -> np.ndarray:
    """The film's sound in stereo, from film time 0, by its presentation times."""
    found = np.zeros((2, length))
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        resampler = av.AudioResampler("fltp", "stereo", RATE)
        start = (container.start_time or 0) / 1_000_000
        place: int | None = None
        for frame in container.decode(stream):
            if place is None:
                place = round((float(frame.pts * frame.time_base) - start) * RATE)
            for each in resampler.resample(frame):
                samples = each.to_ndarray()[:, max(-place, 0) :]
                at = max(place, 0)
                found[:, at : at + samples.shape[1]] = samples[:, : max(length - at, 0)]
                place += each.samples
    return found


def narrated_in_gaps(script: Script) -> tuple[MixLine, ...]:
    """A line in each gap of two seconds or more, which fills most of it; one gap in three is filled to the brim."""
    found: list[MixLine] = []
    for number, gap in enumerate((gap for gap in gaps_of(script).gaps if gap.length >= 2_000), 1):
        room = 0 if number % 3 == 0 else 350
        start, length = gap.start + room, min(gap.length - 2 * room, 4_000)
        found.append(line(f"e{number}", start, length, gap=gap, load=voice(length, number, level=0.05)))
    return tuple(found)


@pytest.fixture(scope="module", params=["sample", "plan9"])
def mixed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Mixed:
    folder = tmp_path_factory.mktemp("mixed")
    if request.param == "sample":
        sample = copy_sample_film(folder / "sample")
        video, subtitles = sample.film, sample.srt
    else:
        there = request.getfixturevalue("shared_data") / "film" / "plan9-trailer"
        video, subtitles = there / "plan9.av1.mp4", there / "captions.en.vtt"
    end = probe(video).duration
    script = Script(Film(video.name, end), cues=dialogue(read_subtitles(subtitles)).cues)
    lines = narrated_in_gaps(script)
    assert lines
    settings = preset_named("uk").mix_settings
    of = render_request(MixKind.MIX, folder / "mix.wav", script, *lines, settings=settings, video=video)
    report = render(of)
    render(replace(of, kind=MixKind.STEM, target=folder / "stem.wav"))
    render(replace(of, kind=MixKind.LINES, target=folder / "lines"))
    mix, stem = read_wav(folder / "mix.wav"), read_wav(folder / "stem.wav")
    return Mixed(script, lines, decoded(video, end * 48), mix, stem, folder, report)


def test_loudness_and_true_peak_are_those_of_r_128(mixed: Mixed) -> None:
    loudness, peak = ffmpeg_meter(mixed.mix)
    assert loudness == pytest.approx(-23, abs=0.5)
    assert peak <= -1
    assert mixed.mix.shape == (2, mixed.script.film.end * 48)


def test_the_film_is_down_by_the_depth_under_each_line(mixed: Mixed) -> None:
    measured = 0
    for each in mixed.lines:
        down = mixed.down(each.start + 20, each.start + each.length - 20)
        if down is not None:
            measured += 1
            assert down == pytest.approx(-9, abs=0.3), each
    assert measured >= len(mixed.lines) // 2


def test_dialogue_is_never_dipped(mixed: Mixed) -> None:
    measured = 0
    for cue in dialogue_of(mixed.script):
        for start in range(cue.start, cue.end - 50, 50):
            down = mixed.down(start, start + 50)
            if down is not None:
                measured += 1
                assert down == pytest.approx(0, abs=0.1), (cue, start)
    assert measured > 100


def test_ramps_lie_in_the_gap_and_have_their_lengths(mixed: Mixed) -> None:
    checked = 0
    for each in mixed.lines:
        gap = each.gap
        if gap is None or each.start - gap.start < 300 or gap.start == 0:
            continue
        middle = mixed.down(each.start - 160, each.start - 140)
        before = mixed.down(gap.start, each.start - 300)
        if middle is not None and before is not None:
            checked += 1
            assert middle == pytest.approx(-4.5, abs=0.5)
            assert before == pytest.approx(0, abs=0.1)
    assert checked or all((each.gap or Span(0, 0)).start in (0, each.start) for each in mixed.lines)


def test_each_line_is_within_five_milliseconds_of_its_time(mixed: Mixed) -> None:
    for each, rendered in zip(mixed.lines, mixed.report.lines, strict=True):
        assert (each.id, each.start) == (rendered.id, rendered.start)
        own = read_wav(mixed.folder / "lines" / f"{each.number:04d}-{each.id}.wav")[0]
        first = max(each.start - 200, 0) * 48
        place = first + place_of(own, mixed.mix.mean(axis=0)[first : (each.start + each.length + 200) * 48])
        assert abs(place / 48 - each.start) <= 1, "a line is at its sample"
