"""Rain: a few pictures of streaks that follow one another, and drops that run down a pane."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from sample_film.paint import HEIGHT, WIDTH, Box

_PICTURES = 9


@lru_cache(maxsize=6)
def _streaks(box: Box, density: float, long: float, slant: float, strength: int) -> tuple[Image.Image, ...]:
    dice = np.random.default_rng(41)
    x0, y0, x1, y1 = box
    wide, high = round(x1 - x0), round(y1 - y0)
    count = round(density * wide * high / 4000)
    starts = dice.uniform((-60, -long), (wide + 60, high), (count, 2))
    depth = dice.uniform(0.35, 1.0, count)
    pictures: list[Image.Image] = []
    for k in range(_PICTURES):
        mask = Image.new("L", (wide * 2, high * 2))
        draw = ImageDraw.Draw(mask)
        for (x, y), near in zip(starts, depth, strict=True):
            fallen = (y + long + k * (high + long) / _PICTURES * (2 if near > 0.7 else 1)) % (high + long) - long
            reach = long * near
            ink = round(strength * near)
            begin = ((x - slant * fallen) * 2, fallen * 2)
            draw.line(
                [begin, (begin[0] - slant * reach * 2, (fallen + reach) * 2)], fill=ink, width=2 if near > 0.6 else 1
            )
        pictures.append(mask.reduce(2))
    return tuple(pictures)


def rain(
    picture: Image.Image,
    drawing: int,
    *,
    box: Box = (0, 0, WIDTH, HEIGHT),
    density: float = 1.3,
    long: float = 34,
    slant: float = 0.16,
    strength: int = 120,
) -> None:
    """Let it rain on a part of a picture; `drawing` counts the film's drawings."""
    mask = _streaks(box, density, long, slant, strength)[drawing % _PICTURES]
    picture.paste((196, 220, 236), (round(box[0]), round(box[1])), mask)


def splashes(picture: Image.Image, drawing: int, box: Box, count: int = 14) -> None:
    """Rings where drops meet the ground."""
    draw = ImageDraw.Draw(picture)
    x0, y0, x1, y1 = box
    for k in range(count):
        age = (drawing + k * 5) % 6
        dice = np.random.default_rng(k * 977 + (drawing + k * 5) // 6)
        x, y = dice.uniform(x0, x1), dice.uniform(y0, y1)
        r = 1 + age * 1.4
        draw.ellipse(
            (x - r * 2, y - r * 0.6, x + r * 2, y + r * 0.6), outline=(150 - age * 10, 175 - age * 10, 190 - age * 10)
        )
