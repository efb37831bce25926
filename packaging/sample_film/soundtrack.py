"""The film's sound: dialogue, ambience, single sounds and music, mixed to two channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sample_film.ambience import ambience
from sample_film.effects import effect
from sample_film.source import FilmSource
from sample_film.speech import SAMPLE_RATE, Samples
from sample_film.synthesis import filtered, in_room, put, samples_in
from sample_film.timeline import SpokenLine

DIALOGUE_LUFS = -22.0
"""The loudness of each line of dialogue: with the quiet between, the film comes near EBU R 128's −23."""

PEAK = 10 ** (-2.5 / 20)
"""No sample goes beyond this, so that the coded sound stays below −1 dB of full scale."""

_BLEND_S = 0.25
_LEAN = {"nora": 0.42, "tom": 0.56, "announcer": 0.5, "guard": 0.6}


def mix(source: FilmSource, lines: Sequence[SpokenLine], heed: Callable[[float], None]) -> Samples:
    """The whole soundtrack (samples by 2), peak at most `PEAK`; `heed` hears the share that is done."""
    total = samples_in(source.end / 1000)
    sound = np.zeros((total, 2), np.float32)
    _lay_ambience(source, sound)
    heed(0.3)
    for done, shot in enumerate(source.shots):
        heed(0.3 + 0.5 * done / len(source.shots))
        for played in shot.sounds:
            one, level = effect(played.name, played.lasts)
            gain = 10 ** ((level + played.gain) / 20)
            for channel in (0, 1):
                put(sound[:, channel], one, shot.at(played.at) / 1000, gain)
    for line in lines:
        voice = _through(source.voices[line.voice].through, line.speech)
        voice = voice * 10 ** ((DIALOGUE_LUFS - _loudness(voice)) / 20)
        lean = _LEAN.get(line.voice, 0.5)
        for channel, share in ((0, 1 - lean), (1, lean)):
            put(sound[:, channel], voice, line.starts / 1000, 2 * share)
    heed(0.9)
    return _limited(sound)


def _lay_ambience(source: FilmSource, sound: Samples) -> None:
    loops = {name: ambience(name) for name in dict.fromkeys(shot.ambience for shot in source.shots)}
    blend = samples_in(_BLEND_S)
    ramp = np.linspace(0, 1, 2 * blend, dtype=np.float32)[:, None]
    runs: list[tuple[str, int, int]] = []
    for shot in source.shots:
        if runs and runs[-1][0] == shot.ambience:
            runs[-1] = (shot.ambience, runs[-1][1], shot.end)
        else:
            runs.append((shot.ambience, shot.start, shot.end))
    for name, start, end in runs:
        first = max(0, samples_in(start / 1000) - blend)
        last = min(len(sound), samples_in(end / 1000) + blend)
        stretch = np.take(loops[name], np.arange(first, last), axis=0, mode="wrap")
        if first > 0:
            stretch[: 2 * blend] *= np.sqrt(ramp)
        if last < len(sound):
            stretch[-2 * blend :] *= np.sqrt(1 - ramp)
        sound[first:last] += stretch
    edge = samples_in(0.4)
    sound[:edge] *= np.linspace(0.1, 1, edge, dtype=np.float32)[:, None]
    sound[-edge:] *= np.linspace(1, 0.1, edge, dtype=np.float32)[:, None]


def _through(what: str, speech: Samples) -> Samples:
    # What a line is heard through: the station's loudspeaker, or the air of a room; the length stays the same.
    if what == "loudspeaker":
        narrow = filtered(speech, 450, 3200, slope=0.5)
        return in_room(np.tanh(narrow * 2.5).astype(np.float32), "platform", 0.5, 0.35)[: len(speech)]
    return in_room(filtered(speech, 70, 7500), "near", 0.18, 0.16)[: len(speech)]


def _loudness(sound: Samples) -> float:
    # ITU-R BS.1770 over the whole line, heard from both sides: the filter's power response instead of the filter.
    power = np.abs(np.fft.rfft(sound)) ** 2
    frequency = np.maximum(np.fft.rfftfreq(len(sound), 1 / SAMPLE_RATE), 1.0)
    shelf = 10 ** (4.0 / 10 / (1 + (1500 / frequency) ** 4))
    high_pass = (frequency / 38.0) ** 4 / (1 + (frequency / 38.0) ** 2) ** 2
    mean_square = 2 * float(np.sum(power * shelf * high_pass)) / len(sound) ** 2
    return -0.691 + 10 * np.log10(2 * mean_square + 1e-12)


def _limited(sound: Samples) -> Samples:
    # Above a knee, peaks are bent towards the limit instead of cut.
    knee = PEAK * 0.7
    over = np.abs(sound) > knee
    bent = knee + (PEAK - knee) * np.tanh((np.abs(sound[over]) - knee) / (PEAK - knee))
    sound[over] = np.sign(sound[over]) * bent
    return sound
