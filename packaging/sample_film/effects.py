"""Single sounds: door, bell, steps, train. Each is one channel, about 1 at its peak; levels are set in the mix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sample_film.music import finale, phrase, theme
from sample_film.speech import Samples
from sample_film.synthesis import chance, clock_of, in_room, noise, put, samples_in, swell, tone


def _levelled(sound: Samples) -> Samples:
    return (sound / (np.max(np.abs(sound)) + 1e-9)).astype(np.float32)


def _door(_: float) -> Samples:
    t = clock_of(0.9)
    creak = np.sign(np.sin(2 * np.pi * np.cumsum(60 + 40 * np.sin(t * 7)) / 48_000)) * swell(
        0.9, (0, 0), (0.3, 1), (0.9, 0)
    )
    out = noise("creak", 0.9, 500, 2200) * creak * 0.10
    put(out, noise("latch", 0.08, 300, 3000) * np.exp(-clock_of(0.08) * 60), 0.0, 0.5)
    put(out, tone(92, 0.4, dies=0.06), 0.55, 1.6)
    return _levelled(in_room(out.astype(np.float32), "office", 0.6, 0.4))


def _bell(_: float) -> Samples:
    out = np.zeros(samples_in(2.2), np.float32)
    for second, gain in ((0.0, 1.0), (0.17, 0.7), (0.36, 0.8), (0.62, 0.4)):
        for k, (ratio, level) in enumerate(((1.0, 1.0), (2.41, 0.6), (3.9, 0.35), (5.6, 0.2))):
            put(out, tone(1480 * ratio, 1.5, dies=0.42 / (k + 1)), second, gain * level)
    return _levelled(in_room(out, "office", 0.6, 0.3))


def _steps(lasts: float, *, wet: bool) -> Samples:
    dice = chance("wet steps" if wet else "steps")
    out = np.zeros(samples_in(lasts + 0.5), np.float32)
    pace = 0.31 if wet else 0.42
    for k in range(max(1, int(lasts / pace))):
        at = k * pace + float(dice.uniform(0, 0.03))
        strength = float(dice.uniform(0.7, 1.0))
        t = clock_of(0.16)
        put(out, noise(f"heel{k}", 0.16, 120, 900) * np.exp(-t * 45), at, strength)
        put(out, tone(85 + 15 * (k % 2), 0.14, dies=0.03), at, strength * 1.2)
        if wet:
            put(out, noise(f"splash{k}", 0.16, 2000, 7000) * np.exp(-t * 28), at + 0.02, strength * 0.35)
    return _levelled(out)


def _pen(lasts: float) -> Samples:
    dice = chance("pen")
    out = np.zeros(samples_in(lasts + 0.1), np.float32)
    at = 0.0
    while at < lasts - 0.2:
        stroke = float(dice.uniform(0.07, 0.2))
        t = clock_of(stroke)
        put(
            out,
            noise(f"pen{at:.2f}", stroke, 2500, 7500) * np.sin(np.pi * t / stroke) ** 2,
            at,
            float(dice.uniform(0.5, 1)),
        )
        at += stroke + float(dice.uniform(0.03, 0.14))
    return _levelled(out)


def _scrape(lasts: float) -> Samples:
    t = clock_of(lasts)
    grain = 0.6 + 0.4 * np.sin(2 * np.pi * 23 * t + 3 * np.sin(5 * t))
    return _levelled(noise("scrape", lasts, 180, 1800) * grain * np.sin(np.pi * t / lasts))


def _thud(_: float) -> Samples:
    t = clock_of(0.25)
    return _levelled(tone(110, 0.25, dies=0.04) + 0.25 * noise("thud", 0.25, 200, 1500) * np.exp(-t * 50))


def _rustle(_: float) -> Samples:
    t = clock_of(0.7)
    return _levelled(noise("cloth", 0.7, 900, 5000) * (np.sin(np.pi * t / 0.7) ** 2) * (0.6 + 0.4 * np.sin(t * 60)))


def _click(_: float) -> Samples:
    out = noise("click", 0.06, 1200, 6000) * np.exp(-clock_of(0.06) * 120)
    return _levelled(out + tone(420, 0.06, dies=0.01))


def _unfurl(_: float) -> Samples:
    t = clock_of(0.5)
    flap = noise("umbrella", 0.5, 150, 2500) * np.exp(-((t - 0.16) ** 2) / 0.003)
    return _levelled(flap + 0.6 * tone(70, 0.5, dies=0.06))


def _chime(_: float) -> Samples:
    out = np.zeros(samples_in(1.8), np.float32)
    for second, pitch in ((0.0, 659.3), (0.34, 523.3)):
        put(out, tone(pitch, 1.4, dies=0.45) + 0.3 * tone(pitch * 2, 1.4, dies=0.2), second)
    return _levelled(in_room(out, "platform", 1.0, 0.35))


def _horn(lasts: float) -> Samples:
    t = clock_of(lasts)
    waver = 1 + 0.004 * np.sin(2 * np.pi * 5 * t)
    out = np.zeros_like(t)
    for pitch in (311.1, 370.0):
        phase = 2 * np.pi * np.cumsum(pitch * waver) / 48_000
        out += sum(np.sin(k * phase) / k for k in range(1, 9))
    out *= swell(lasts, (0, 0), (0.12, 1), (lasts - 0.4, 0.9), (lasts, 0))
    return _levelled(in_room(out.astype(np.float32), "valley", 1.6, 0.5))


def _rolling(lasts: float, levels: Samples, pace: tuple[float, float]) -> Samples:
    # Wheels over rail joints: pairs of beats, their distance running from the first pace to the second.
    out = noise("rumble", lasts, 35, 160) * levels + 0.25 * noise("air", lasts, 300, 2500) * levels
    at = 0.1
    while at < lasts:
        share = at / lasts
        level = float(levels[min(samples_in(at), len(levels) - 1)])
        for offset in (0.0, 0.11):
            put(out, noise("joint", 0.12, 150, 1800) * np.exp(-clock_of(0.12) * 45), at + offset, 1.1 * level)
        at += pace[0] + (pace[1] - pace[0]) * share
    return _levelled(out.astype(np.float32))


def _train_far(lasts: float) -> Samples:
    return _rolling(lasts, swell(lasts, (0, 0.05), (lasts, 0.6)), (0.62, 0.55))


def _train_near(lasts: float) -> Samples:
    return _rolling(lasts, swell(lasts, (0, 0.5), (lasts, 1.0)), (0.55, 0.7))


def _depart(lasts: float) -> Samples:
    return _rolling(lasts, swell(lasts, (0, 0.2), (1.2, 1.0), (lasts, 0.0)), (0.8, 0.42))


def _brakes(lasts: float) -> Samples:
    t = clock_of(lasts)
    fall = 2400 - 500 * t / lasts
    squeal = np.sin(2 * np.pi * np.cumsum(fall) / 48_000) * 0.4 + 0.5 * noise("brakes", lasts, 1800, 4200)
    squeal *= swell(lasts, (0, 0.3), (lasts * 0.5, 1), (lasts, 0))
    return _levelled(
        (squeal * 0.35 + noise("rumble", lasts, 35, 140) * swell(lasts, (0, 1), (lasts, 0))).astype(np.float32)
    )


def _idle(lasts: float) -> Samples:
    t = clock_of(lasts)
    edge = swell(lasts, (0, 0), (0.3, 1), (lasts - 0.3, 1), (lasts, 0))
    return _levelled(
        (noise("idle", lasts, 40, 220) * (0.8 + 0.2 * np.sin(2 * np.pi * 11 * t)) * edge).astype(np.float32)
    )


def _slide(lasts: float) -> Samples:
    t = clock_of(lasts)
    out = noise("slide", lasts, 300, 2200) * np.sin(np.pi * t / lasts) * 0.4
    put(out, tone(75, 0.3, dies=0.05), max(0.0, lasts - 0.3), 1.6)
    return _levelled(out.astype(np.float32))


_MAKERS: dict[str, tuple[Callable[[float], Samples], float]] = {
    "bell": (_bell, -27),
    "brakes": (_brakes, -19),
    "chime": (_chime, -24),
    "click": (_click, -24),
    "depart": (_depart, -12),
    "door": (_door, -18),
    "finale": (finale, -16),
    "horn": (_horn, -19),
    "idle": (_idle, -22),
    "pen": (_pen, -27),
    "phrase": (phrase, -19),
    "rustle": (_rustle, -26),
    "scrape": (_scrape, -24),
    "slide": (_slide, -18),
    "steps": (lambda lasts: _steps(lasts, wet=False), -19),
    "steps-wet": (lambda lasts: _steps(lasts, wet=True), -19),
    "theme": (theme, -17),
    "thud": (_thud, -18),
    "train-far": (_train_far, -19),
    "train-near": (_train_near, -16),
    "unfurl": (_unfurl, -15),
}


def effect(name: str, lasts: float) -> tuple[Samples, float]:
    """The sound of that name, and the level of its peak in the mix (dB below full scale).

    Raises:
        KeyError: for a sound that nobody has made.
    """
    make, level = _MAKERS[name]
    return make(lasts), level
