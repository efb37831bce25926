"""Platform two at night: canopy, lamps, bench, and the train that stops there."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import NORA
from sample_film.paint import (
    HEIGHT,
    WIDTH,
    Canvas,
    Layer,
    Pen,
    blurred,
    glow,
    gradient,
    mixed,
    rgb,
    vignette,
)

EDGE = 408.0
"""Where the platform's far edge lies in the wide view."""

BENCH = (372.0, 588.0, 372.0)
"""The bench's left and right end and the height of its seat in the wide view."""

LAMPS = (236.0, 724.0)
NIGHT_LIGHT = (206, 208, 226)
_IRON, _IRON_LIGHT = rgb("1c2b38"), rgb("2f4656")
_CREAM, _BLUE = rgb("e6d9b8"), rgb("2b4a6b")


@lru_cache(maxsize=1)
def platform_far() -> Image.Image:
    """What lies beyond the platform: night, fields, the other track."""
    canvas = Canvas(over=2)
    canvas.image.paste(
        gradient(
            (WIDTH * 2, HEIGHT * 2),
            (0, rgb("0b1426")),
            (0.45, rgb("16263c")),
            (0.72, rgb("24384c")),
            (1, rgb("24384c")),
        ),
        (0, 0),
    )
    pen = canvas.pen()
    pen.blob([(-60, 360), (140, 296), (380, 322), (620, 286), (1020, 330), (1020, 460), (-60, 460)], rgb("15243a"))
    for k, x in enumerate(range(-20, 1000, 44)):
        pen.ellipse(x, 356 - (k * 11) % 14, 34, 30 + (k * 7) % 13, rgb("101c2e"))
    for x, y in ((84, 318), (96, 322), (840, 308), (868, 316), (152, 330)):
        pen.rect(x, y, x + 5, y + 6, rgb("f0c36c"))
    pen.rect(0, 372, WIDTH, EDGE + 8, rgb("0f1824"))
    for y in (384, 396):
        pen.line([(0, y), (WIDTH, y)], 2.6, rgb("4c5f70"))
    return canvas.picture()


@lru_cache(maxsize=1)
def platform_near() -> Layer:
    """The platform itself, which stands before the train: ground, bench, columns, canopy."""
    canvas = Canvas(over=2)
    pen = canvas.pen()
    _ground(pen)
    for x in (120.0, 840.0):
        _column(pen, x)
    bench(pen.at(480, BENCH[2]), 216)
    _canopy(pen)
    _sign(pen)
    layer = canvas.layer()
    picture = layer.image
    for x in LAMPS:
        for light in (glow(x, 470, 190, 70, rgb("ffd38a"), 0.42), glow(x, 126, 60, 60, rgb("ffe9b8"), 0.95)):
            picture.alpha_composite(
                light.image, (max(light.x, 0), max(light.y, 0)), (max(-light.x, 0), max(-light.y, 0))
            )
    return Layer(picture, 0, 0)


@lru_cache(maxsize=1)
def lamplight() -> tuple[Layer, ...]:
    """The cones of light below the lamps, laid over everything."""
    return tuple(glow(x, 250, 210, 250, rgb("ffd08a"), 0.26) for x in LAMPS)


@lru_cache(maxsize=1)
def platform_empty() -> Image.Image:
    """The wide view without people or train."""
    picture = platform_far().copy()
    platform_near().onto(picture)
    for light in lamplight():
        light.onto(picture)
    return vignette(picture, 0.4)


def platform_behind(x0: float, y0: float, width: float, softness: float) -> Image.Image:
    """A part of it behind somebody, out of focus."""
    high = width * HEIGHT / WIDTH
    part = platform_empty().resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC, box=(x0, y0, x0 + width, y0 + high))
    return vignette(blurred(part, softness), 0.35)


@lru_cache(maxsize=1)
def train() -> Layer:
    """Three carriages with lit windows, as they pass behind the bench; Nora sits in the last one, which is leftmost."""
    canvas = Canvas((0, 150, 2000, 404), over=2)
    pen = canvas.pen()
    for k in range(3):
        _carriage(pen.at(10 + k * 664, 0))
    layer = canvas.layer()
    window = Image.new("RGBA", (78, 76))
    nora = person(NORA, Pose(turn=-0.7), Face(smile=0.5, gaze=(-0.6, 0.0)), 0.33, (255, 236, 206))
    window.paste(nora.image, (39 + nora.x, 52 + nora.y), nora.image)
    layer.image.alpha_composite(window, (142, 206 - 150))
    return layer


def _carriage(pen: Pen) -> None:
    pen.rect(0, 168, 650, 388, _BLUE, round_by=14)
    pen.rect(0, 196, 650, 292, _CREAM)
    pen.rect(0, 158, 650, 176, rgb("3a4250"), round_by=8)
    pen.rect(0, 292, 650, 297, rgb("b98d3e"))
    for x in range(28, 630, 102):
        if x == 334:
            pen.rect(x + 8, 190, x + 76, 382, mixed(_BLUE, (0, 0, 0), 0.3))
            pen.rect(x + 12, 194, x + 72, 380, mixed(_BLUE, (255, 255, 255), 0.06))
            pen.rect(x + 22, 204, x + 62, 282, rgb("ffd27c"), round_by=5)
            continue
        pen.rect(x - 3, 201, x + 85, 287, rgb("5b4a34"), round_by=9)
        pen.rect(x, 204, x + 82, 284, rgb("ffd27c"), round_by=7)
        pen.rect(x, 204, x + 82, 226, rgb("ffe5aa"), round_by=7)
        pen.rect(x, 262, x + 82, 284, rgb("a8473c"), round_by=5)
        pen.line([(x + 41, 204), (x + 41, 222)], 2, rgb("b98d3e"))
    pen.rect(12, 384, 638, 398, rgb("12161e"))


def bench(pen: Pen, width: float) -> None:
    """A slatted bench from the front; the middle of its seat's edge is the origin."""
    wood, dark, light = rgb("7d5636"), rgb("523620"), rgb("a57a4e")
    half = width / 2
    for x in (-half + 10, half - 10):
        pen.line([(x, -74), (x, 54)], 6, _IRON)
        pen.line([(x - 8, 54), (x + 8, 54)], 5, _IRON)
        pen.curve([(x, -20), (x + (9 if x > 0 else -9), -32), (x, -38)], 4, _IRON)
    for k in range(4):
        y = -72 + k * 17
        pen.rect(-half, y, half, y + 12, dark, round_by=2)
        pen.rect(-half, y, half, y + 10, wood, round_by=2)
        pen.rect(-half, y, half, y + 3, light, round_by=1)
    pen.rect(-half - 4, -4, half + 4, 12, dark, round_by=3)
    pen.rect(-half - 4, -4, half + 4, 8, wood, round_by=3)
    pen.rect(-half - 4, -4, half + 4, -1, light, round_by=1)


def _ground(pen: Pen) -> None:
    pen.rect(0, EDGE, WIDTH, HEIGHT, rgb("2c3644"))
    pen.rect(0, EDGE, WIDTH, EDGE + 9, rgb("c9c3a8"))
    pen.rect(0, EDGE + 9, WIDTH, EDGE + 13, rgb("161d28"))
    for k in range(-7, 26):
        pen.line([(480 + (k * 60 - 540) * 0.95, EDGE + 13), (480 + (k * 60 - 540) * 1.5, HEIGHT)], 1.2, rgb("232c39"))
    for y in (440, 474, 514):
        pen.line([(0, y), (WIDTH, y)], 1.2, rgb("232c39"))
    for x, y, w in ((150, 478, 110), (420, 506, 160), (700, 462, 90), (850, 508, 90)):
        pen.ellipse(x, y, w, 8, rgb("3b4a5e"))
        pen.ellipse(x + 8, y + 1, w * 0.7, 4, rgb("54687e"))


def _column(pen: Pen, x: float) -> None:
    pen.rect(x - 9, 92, x + 9, 470, _IRON)
    pen.rect(x - 9, 92, x - 4, 470, _IRON_LIGHT)
    pen.rect(x - 16, 448, x + 16, 474, _IRON, round_by=3)
    pen.rect(x - 14, 170, x + 14, 178, _IRON_LIGHT)
    for side in (-1, 1):
        pen.curve([(x, 164), (x + side * 34, 140), (x + side * 58, 98)], 6, _IRON)
        pen.curve([(x + side * 8, 132), (x + side * 26, 122), (x + side * 22, 106)], 3, _IRON)


def _canopy(pen: Pen) -> None:
    pen.rect(0, 0, WIDTH, 84, rgb("16222f"))
    for x in range(0, WIDTH, 60):
        pen.line([(x, 0), (x + (x - 480) * 0.12, 84)], 2, rgb("0f1823"))
    pen.rect(0, 78, WIDTH, 98, _IRON_LIGHT)
    pen.rect(0, 78, WIDTH, 82, rgb("46627a"))
    for x in range(0, WIDTH, 24):
        pen.shape([(x + 1, 97), (x + 23, 97), (x + 23, 106), (x + 12, 117), (x + 1, 106)], _IRON_LIGHT)
        pen.ellipse(x + 12, 105, 3, 3, _IRON)
    for x in LAMPS:
        pen.line([(x, 96), (x, 112)], 3, rgb("0c121a"))
        pen.shape([(x - 8, 112), (x + 8, 112), (x + 24, 126), (x - 24, 126)], rgb("0c121a"))
        pen.ellipse(x, 127, 13, 6, rgb("fff3cf"))


def _sign(pen: Pen) -> None:
    for x in (408, 552):
        pen.line([(x, 96), (x, 138)], 3, rgb("0c121a"))
    pen.rect(380, 134, 580, 174, rgb("efe9d8"), round_by=5)
    pen.rect(384, 138, 576, 170, rgb("234a70"), round_by=4)
    pen.text(480, 154, "ALDER HALT", 22, rgb("f7f1e2"))
    pen.line([(798, 96), (798, 120)], 3, rgb("0c121a"))


def pillar(x: float) -> Layer:
    """A column quite near, for somebody to stand behind."""
    canvas = Canvas((x - 60, 0, x + 60, HEIGHT), over=2)
    pen = canvas.pen()
    pen.rect(x - 44, 0, x + 44, HEIGHT, _IRON)
    for k, shade in enumerate((0.0, 0.16, 0.3, 0.16, 0.05)):
        pen.rect(x - 40 + k * 14, 0, x - 28 + k * 14, HEIGHT, mixed(_IRON_LIGHT, rgb("9fb4c4"), shade))
    pen.rect(x - 54, 60, x + 54, 78, _IRON_LIGHT, round_by=4)
    pen.rect(x - 54, 60, x + 54, 65, rgb("56748c"), round_by=2)
    return canvas.layer()
