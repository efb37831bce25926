"""The film's picture: each shot's drawings in order, twelve and a half a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw, ImageFont

from adstudio.sample.source import FRAME_MS, FilmSource
from adstudio.sample.timeline import SpokenLine

SIZE = (960, 540)
"""Width and height of the picture."""

FRAMES_A_DRAWING = 2


def drawings(source: FilmSource, lines: Sequence[SpokenLine]) -> Iterator[tuple[Image.Image, int]]:
    """Every drawing, with the number of frames that it stands."""
    del lines
    font = ImageFont.load_default(28)
    for shot in source.shots:
        frames = (shot.end - shot.start) // FRAME_MS
        for first in range(0, frames, FRAMES_A_DRAWING):
            image = Image.new("RGB", SIZE, (24, 40 + 9 * (source.shots.index(shot) % 12), 70))
            ImageDraw.Draw(image).text((60, 60), f"{shot.id} {first}", font=font)
            yield image, min(FRAMES_A_DRAWING, frames - first)
