"""The station from outside, at dusk: wall, lit window, the door of the lost property office, wet ground."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from sample_film.paint import HEIGHT, WIDTH, Canvas, Colour, Pen, blurred, glow, gradient, mixed, rgb, vignette

GROUND = 424.0
DOOR_X = 352.0
_DOOR = (318.0, 290.0, 386.0, 424.0)
_WINDOWS = ((118.0, 0), (210.0, 0), (452.0, 1), (566.0, 0), (700.0, 0), (800.0, 0))


@lru_cache(maxsize=2)
def station(*, lit: bool) -> Image.Image:
    """The whole view; `lit`: whether the office's lights are on."""
    canvas = Canvas(over=2)
    sky = gradient(
        (WIDTH * 2, HEIGHT * 2),
        (0, rgb("141d35")), (0.3, rgb("2a3a5c")), (0.52, rgb("5a5f80")), (0.66, rgb("9a7b86")), (1, rgb("9a7b86")),
    )  # fmt: skip
    canvas.image.paste(sky, (0, 0))
    pen = canvas.pen()
    _hills(pen)
    _building(pen, lit=lit)
    picture = canvas.picture()
    for x in (70.0, 884.0):
        glow(x, 214, 150, 150, rgb("ffd692"), 0.75).onto(picture)
    if lit:
        glow(452, 352, 170, 120, rgb("ffc878"), 0.5).onto(picture)
    glow(352, 262, 120, 90, rgb("ffd692"), 0.62).onto(picture)
    return vignette(_reflected(picture), 0.4)


def _reflected(picture: Image.Image) -> Image.Image:
    # The wet ground mirrors what stands on it, darker and blurred downward.
    ground = round(GROUND)
    high = HEIGHT - ground
    mirror = picture.crop((0, ground - high * 2, WIDTH, ground)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    mirror = blurred(mirror.resize((WIDTH, high)).resize((WIDTH // 6, high // 2)), 1.2).resize(
        (WIDTH, high), Image.Resampling.BICUBIC
    )
    fade = np.linspace(0.62, 0.32, high)[:, None, None]
    base = np.array(rgb("1c2436"))[None, None, :]
    mixed_in = np.asarray(mirror) * fade + base * (1 - fade)
    picture.paste(Image.fromarray(mixed_in.round().astype(np.uint8), "RGB"), (0, ground))
    canvas = Canvas((0, ground - 6, WIDTH, ground + 10), over=2)
    canvas.pen().rect(0, ground - 4, WIDTH, ground + 3, rgb("39415a"))
    canvas.pen().rect(0, ground + 2, WIDTH, ground + 5, rgb("141a2a"))
    canvas.layer().onto(picture)
    return picture


def _hills(pen: Pen) -> None:
    pen.blob(
        [(-60, 380), (80, 318), (260, 338), (470, 300), (700, 332), (880, 296), (1030, 340), (1030, 460), (-60, 460)],
        rgb("3f4763"),
    )
    pen.blob([(-60, 400), (140, 352), (380, 372), (640, 346), (1030, 384), (1030, 460), (-60, 460)], rgb("2b334d"))
    for k, x in enumerate(range(-10, 1000, 38)):
        pen.ellipse(x, 402 - (k * 13) % 9, 27, 22 + (k * 7) % 9, rgb("1f2840"))


def _building(pen: Pen, *, lit: bool) -> None:
    brick, dark = rgb("6a4247"), rgb("4a2d37")
    pen.rect(92, 262, 868, GROUND, brick)
    for row in range(27):
        y = 264 + row * 6
        pen.line([(92, y), (868, y)], 0.7, mixed(brick, dark, 0.6))
    for row, y in enumerate(range(268, 424, 18)):
        for x in range(96 + (row % 2) * 26, 860, 52):
            pen.rect(x, y, x + 15, y + 5, mixed(brick, rgb("8a5a58") if (x + row) % 3 else dark, 0.5))
    pen.rect(92, 404, 868, GROUND, dark)
    _roof(pen)
    for x, office in _WINDOWS:
        _window(pen, x, lit=lit and bool(office))
    _door(pen, lit=lit)
    _lamp_post(pen, 70)
    _lamp_post(pen, 884)
    pen.rect(596, 296, 668, 318, rgb("e8e2d0"), round_by=2)
    pen.rect(598, 298, 666, 316, rgb("24486a"), round_by=2)
    pen.text(632, 307, "ALDER HALT", 10.5, rgb("f4efe0"))
    for x in (640, 660):
        pen.rect(x - 44, 394, x + 38, 399, rgb("2a1d20"))


def _roof(pen: Pen) -> None:
    slate, dark = rgb("38425c"), rgb("283048")
    for x in (250, 720):
        pen.rect(x - 22, 142, x + 22, 206, rgb("553640"))
        pen.rect(x - 27, 136, x + 27, 147, rgb("6a444b"))
        for dx in (-11, 9):
            pen.rect(x + dx - 5, 122, x + dx + 5, 138, rgb("8a5348"))
    pen.shape([(56, 268), (142, 178), (818, 178), (904, 268)], slate)
    for row in range(7):
        y = 190 + row * 12
        inset = 86 * (1 - (y - 178) / 90)
        pen.line([(56 + inset, y), (904 - inset, y)], 1.3, dark)
    pen.line([(142, 178), (818, 178)], 5, rgb("4a5674"))
    pen.rect(52, 262, 908, 274, rgb("1e2539"))
    for x in range(60, 904, 20):
        pen.shape([(x, 273), (x + 16, 273), (x + 8, 285)], rgb("2e3a54"))
    for x in (140, 300, 420, 540, 680, 820):
        pen.line([(x, 274), (x, GROUND)], 3.4, rgb("262c40"))


def _window(pen: Pen, x: float, *, lit: bool) -> None:
    frame = rgb("d9cbb5") if lit else rgb("8a8590")
    glass: Colour = rgb("ffcd77") if lit else rgb("1d2a44")
    pen.rect(x - 36, 304, x + 36, 396, rgb("3b2630"))
    pen.rect(x - 32, 308, x + 32, 390, frame)
    pen.rect(x - 28, 312, x + 28, 386, glass)
    if lit:
        pen.rect(x - 28, 312, x + 28, 334, rgb("ffe1a0"))
        pen.rect(x - 24, 352, x + 26, 357, rgb("a5673f"))
        pen.rect(x - 18, 338, x - 2, 352, rgb("8a4a34"))
        pen.rect(x + 4, 342, x + 20, 352, rgb("55706b"))
        pen.rect(x - 28, 374, x + 28, 386, rgb("7a4c2b"))
    else:
        pen.shape([(x - 28, 350), (x - 4, 312), (x + 10, 312), (x - 28, 372)], rgb("2a3a58"))
    pen.rect(x - 2, 312, x + 2, 386, frame)
    pen.rect(x - 28, 346, x + 28, 350, frame)
    pen.rect(x - 40, 390, x + 40, 398, rgb("9a8f8a"))


def _door(pen: Pen, *, lit: bool) -> None:
    x0, y0, x1, y1 = _DOOR
    pen.rect(x0 - 8, y0 - 4, x1 + 8, y1, rgb("2c1d26"))
    pen.rect(x0, y0, x1, y1, rgb("2f5563"))
    pen.rect(x0 + 10, y0 + 10, x1 - 10, y0 + 62, rgb("ffcd77") if lit else rgb("1d2a44"))
    pen.rect((x0 + x1) / 2 - 2, y0 + 10, (x0 + x1) / 2 + 2, y0 + 62, rgb("2f5563"))
    pen.rect(x0 + 10, y0 + 76, x1 - 10, y1 - 10, rgb("24434f"))
    pen.ellipse(x1 - 7, y0 + 70, 3, 3, rgb("e2b558"))
    pen.rect(x0 - 28, y0 - 34, x1 + 28, y0 - 8, rgb("1f1820"), round_by=3)
    pen.rect(x0 - 26, y0 - 32, x1 + 26, y0 - 10, rgb("f1e6cb"), round_by=2)
    pen.text((x0 + x1) / 2, y0 - 21, "LOST PROPERTY", 13.5, rgb("7c2b27"))
    pen.curve([(x0 + 34, y0 - 36), (x0 + 34, y0 - 46), (x0 + 34, y0 - 44)], 3, rgb("15121a"))
    pen.shape([(x0 + 20, y0 - 38), (x0 + 48, y0 - 38), (x0 + 40, y0 - 48), (x0 + 28, y0 - 48)], rgb("15121a"))


def _lamp_post(pen: Pen, x: float) -> None:
    pen.line([(x, 226), (x, GROUND)], 5, rgb("12182a"))
    pen.rect(x - 8, GROUND - 20, x + 8, GROUND, rgb("12182a"))
    pen.shape([(x - 11, 226), (x + 11, 226), (x + 15, 202), (x - 15, 202)], rgb("ffe2a4"))
    pen.shape([(x - 18, 203), (x + 18, 203), (x, 188)], rgb("12182a"))
