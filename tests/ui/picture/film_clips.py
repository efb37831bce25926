"""Films whose pictures say which they are: made once, read back pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

BITS = 12
WIDTH, HEIGHT = 192, 96
RATE = Fraction(25)


def picture_of(number: int) -> np.ndarray:
    """Twelve bars, white for each 1 of the picture's number, the lowest bit first; the lower half is their negative."""
    bars = np.array([255 if number >> bit & 1 else 0 for bit in range(BITS)], np.uint8)
    row = np.repeat(bars, WIDTH // BITS)
    grey = np.vstack([np.tile(row, (HEIGHT // 2, 1)), np.tile(255 - row, (HEIGHT // 2, 1))])
    return np.repeat(grey[:, :, None], 3, axis=2)


def number_in(image: QImage) -> int:
    """Which picture it is, from any size of it; −1 where it is none of ours, or is upside down."""
    if image.isNull():
        return -1
    number = 0
    for bit in range(BITS):
        x = int((bit + 0.5) * image.width() / BITS)
        upper = image.pixelColor(x, image.height() // 4).lightness()
        lower = image.pixelColor(x, image.height() * 3 // 4).lightness()
        if abs(upper - lower) < 128:
            return -1
        number |= (upper > lower) << bit
    return number


def make_clip(
    path: Path,
    pictures: int = 150,
    rate: Fraction = RATE,
    *,
    sound: bool = True,
    first: int = 0,
    form: str | None = None,
    times: Sequence[int] | None = None,
) -> Path:
    """A film of so many pictures, with a tone of −12 dBFS; `first` is its first time in 1/90000 s.

    `times` are those of its pictures, in pictures of the rate.
    """
    import av

    with av.open(str(path), "w", format=form) as container:
        video = container.add_stream("libx264", rate=rate, options={"g": "50", "preset": "ultrafast", "crf": "18"})
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        audio = container.add_stream("aac", rate=48000, layout="mono") if sound else None
        video.codec_context.time_base = 1 / rate
        offset = round(Fraction(first, 90000) * rate)
        for number in range(pictures):
            frame = av.VideoFrame.from_ndarray(picture_of(number), format="rgb24")
            frame.pts, frame.time_base = (times[number] if times else number) + offset, 1 / rate
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if audio is not None:
            samples = int(pictures / rate * 48000)
            tone = (0.25 * np.sin(2 * np.pi * 440 * np.arange(samples) / 48000)).astype(np.float32)
            for start in range(0, samples, 1024):
                part = np.ascontiguousarray(tone[None, start : start + 1024])
                frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="mono")
                frame.sample_rate, frame.time_base = 48000, Fraction(1, 48000)
                frame.pts = start + round(Fraction(first, 90000) * 48000)
                container.mux(audio.encode(frame))
            container.mux(audio.encode(None))
    return path
