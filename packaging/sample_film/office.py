"""The lost property office: painted once, wide and large; closer shots are cut out of it and thrown out of focus."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from sample_film.paint import (
    HEIGHT,
    WIDTH,
    Canvas,
    Colour,
    Layer,
    Pen,
    blurred,
    glow,
    gradient,
    mixed,
    rgb,
    vignette,
)
from sample_film.props import books, furled_umbrella, hat, lamp, suitcase, tag, teddy, trumpet

COUNTER_TOP = 352.0
WINDOW = (236.0, 128.0, 372.0, 292.0)
DOOR = (54.0, 120.0, 190.0, 452.0)
LAMP = (640.0, 74.0)

_WALL, _WAINSCOT = rgb("3f5f58"), rgb("5d3d28")
_SHELF, _SHELF_DARK = rgb("8f6238"), rgb("4a2f20")
NIGHT = rgb("1b3047")


@lru_cache(maxsize=2)
def office_wide(day: int, hour: int, minute: int) -> Image.Image:
    """The whole room without people, counter or door leaf (those lie before the people)."""
    canvas = Canvas(over=2)
    canvas.image.paste(gradient((WIDTH * 2, HEIGHT * 2), (0, rgb("2d4742")), (0.5, _WALL), (1, rgb("4c6a5e"))), (0, 0))
    pen = canvas.pen()
    for x in range(0, WIDTH, 46):
        pen.line([(x, 0), (x, 300)], 1, mixed(_WALL, (0, 0, 0), 0.12))
    pen.rect(0, 306, WIDTH, 452, _WAINSCOT)
    pen.rect(0, 300, WIDTH, 310, mixed(_WAINSCOT, (255, 220, 170), 0.25))
    for x in range(8, WIDTH, 52):
        pen.rect(x, 322, x + 40, 440, mixed(_WAINSCOT, (0, 0, 0), 0.18), round_by=3)
        pen.rect(x + 3, 325, x + 37, 437, mixed(_WAINSCOT, (255, 200, 140), 0.06), round_by=3)
    pen.shape([(0, 452), (WIDTH, 452), (WIDTH, HEIGHT), (0, HEIGHT)], rgb("6e4a30"))
    for k in range(-8, 22):
        pen.line([(480 + (k * 60 - 420) * 0.82, 452), (480 + (k * 60 - 420) * 1.35, HEIGHT)], 1.6, rgb("54361f"))
    pen.rect(0, 448, WIDTH, 456, rgb("3b2619"))
    _door_frame(pen)
    _window(pen)
    _clock(pen, hour, minute)
    _calendar(pen, day)
    _shelves(pen)
    lamp(pen.at(*LAMP))
    picture = canvas.picture()
    for layer in (
        glow(LAMP[0], LAMP[1] + 60, 430, 330, rgb("ffcf87"), 0.5),
        glow(LAMP[0], LAMP[1], 120, 90, rgb("fff0c8"), 0.75),
        glow(120, 500, 240, 60, rgb("7fa6c4"), 0.22),
    ):
        layer.onto(picture)
    return vignette(picture, 0.5)


def office_near(room: Image.Image, x0: float, y0: float, width: float, softness: float) -> Image.Image:
    """A part of the room behind somebody, out of focus."""
    high = width * HEIGHT / WIDTH
    shut = room.copy()
    for layer in (window_bars(), office_door(0.0), shop_bell(0.0)):
        layer.onto(shut)
    part = shut.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC, box=(x0, y0, x0 + width, y0 + high))
    return vignette(blurred(part, softness), 0.3)


@lru_cache(maxsize=2)
def counter_wide() -> Layer:
    """The counter, which stands before Tom."""
    canvas = Canvas((316, 320, WIDTH, 520), over=2)
    pen = canvas.pen()
    top = COUNTER_TOP
    pen.rect(330, top, WIDTH, 500, rgb("7a4c2b"))
    for x in range(346, WIDTH, 104):
        pen.rect(x, top + 24, x + 88, 484, rgb("5f3a21"), round_by=4)
        pen.rect(x + 4, top + 28, x + 84, 480, rgb("84552f"), round_by=3)
    pen.rect(330, top, WIDTH, top + 12, rgb("4f2f1b"))
    pen.rect(318, top - 12, WIDTH, top + 5, rgb("b57d46"), round_by=4)
    pen.rect(318, top - 12, WIDTH, top - 7, rgb("d9a669"), round_by=3)
    pen.rect(330, 492, WIDTH, 506, rgb("3d2516"))
    return canvas.layer()


@lru_cache(maxsize=24)
def office_door(open_by: float) -> Layer:
    """The door's leaf, swung inward by 0 to 1, with its window and sign."""
    x0, y0, x1, y1 = DOOR
    canvas = Canvas((x0 - 12, y0 - 20, x1 + 40, y1 + 26), over=3)
    pen = canvas.pen()
    far = x1 - (x1 - x0) * (0.62 * open_by)
    sink = 16 * open_by

    def across(u: float, v: float) -> tuple[float, float]:
        x = x0 + (far - x0) * u
        skew = sink * u
        return x, (y0 - skew * 0.4) * (1 - v) + (y1 + skew) * v

    def panel(u0: float, v0: float, u1: float, v1: float, colour: Colour) -> None:
        pen.shape([across(u0, v0), across(u1, v0), across(u1, v1), across(u0, v1)], colour)

    panel(0, 0, 1, 1, rgb("2c4a55"))
    panel(0.03, 0.01, 0.97, 0.99, rgb("3c6270"))
    panel(0.14, 0.07, 0.86, 0.52, rgb("20333f"))
    panel(0.18, 0.085, 0.82, 0.505, rgb("2e4d68"))
    panel(0.18, 0.085, 0.45, 0.505, rgb("3a5f7d"))
    panel(0.485, 0.085, 0.515, 0.505, rgb("20333f"))
    panel(0.14, 0.6, 0.86, 0.92, rgb("2c4a55"))
    panel(0.17, 0.615, 0.83, 0.905, rgb("426b79"))
    bx, by = across(0.9, 0.56)
    pen.ellipse(bx, by, 5, 5, rgb("e2b558"))
    return canvas.layer()


@lru_cache(maxsize=24)
def shop_bell(swing: float) -> Layer:
    """The bell over the door, swung by so many degrees."""
    canvas = Canvas((186, 92, 236, 142), over=3)
    pen = canvas.pen()
    pen.curve([(190, 104), (206, 98), (214, 104)], 3, rgb("2b2a2a"))
    bell = pen.at(214, 104, turn=swing)
    bell.blob([(-3, 2), (3, 2), (7, 12), (12, 19), (-12, 19), (-7, 12)], rgb("e6bb57"))
    bell.ellipse(0, 20, 3, 3, rgb("8a6424"))
    return canvas.layer()


def _door_frame(pen: Pen) -> None:
    x0, y0, x1, y1 = DOOR
    pen.rect(x0 - 13, y0 - 14, x1 + 13, y1 + 2, rgb("3a2618"))
    pen.rect(x0 - 9, y0 - 10, x1 + 9, y1 + 2, rgb("7c5433"))
    pen.rect(x0, y0, x1, y1, NIGHT)
    pen.rect(x0, y0 + 230, x1, y1, rgb("2a3f4d"))
    for k in range(5):
        pen.rect(x0 + 8 + k * 27, y0 + 236 + k * 7, x0 + 30 + k * 22, y0 + 239 + k * 7, rgb("6f8ea1"))


def _window(pen: Pen) -> None:
    x0, y0, x1, y1 = WINDOW
    pen.rect(x0 - 11, y0 - 11, x1 + 11, y1 + 11, rgb("3a2618"))
    pen.rect(x0 - 8, y0 - 8, x1 + 8, y1 + 8, rgb("7c5433"))
    pen.rect(x0, y0, x1, y1, NIGHT)
    pen.rect(x0, y0 + 96, x1, y1, rgb("243c50"))
    pen.ellipse(x0 + 104, y0 + 40, 12, 12, rgb("e9c277"))
    pen.line([(x0 + 104, y0 + 52), (x0 + 104, y1)], 3, rgb("0f1c2a"))


@lru_cache(maxsize=24)
def window_bars() -> Layer:
    """The window's glazing bars and sill, which stand before what passes outside."""
    x0, y0, x1, y1 = WINDOW
    canvas = Canvas((x0 - 20, y0 - 14, x1 + 20, y1 + 26), over=3)
    pen = canvas.pen()
    bar = rgb("7c5433")
    pen.rect((x0 + x1) / 2 - 3, y0, (x0 + x1) / 2 + 3, y1, bar)
    pen.rect(x0, (y0 + y1) / 2 - 3, x1, (y0 + y1) / 2 + 3, bar)
    pen.rect(x0 - 16, y1 + 8, x1 + 16, y1 + 18, rgb("8f6238"))
    return canvas.layer()


def _clock(pen: Pen, hour: int, minute: int) -> None:
    face = pen.at(334, 70)
    face.ellipse(0, 0, 33, 33, rgb("3a2618"))
    face.ellipse(0, 0, 28, 28, rgb("f2e8d2"))
    for k in range(12):
        face.at(0, 0, turn=k * 30).line([(0, -23), (0, -26)], 2, rgb("3a2618"))
    face.at(0, 0, turn=hour * 30 + minute / 2).line([(0, 3), (0, -14)], 3.4, rgb("2b2320"))
    face.at(0, 0, turn=minute * 6).line([(0, 4), (0, -21)], 2.4, rgb("2b2320"))


def _calendar(pen: Pen, day: int) -> None:
    pen.rect(248, 46, 288, 98, rgb("d8cbb0"), round_by=2)
    pen.rect(248, 46, 288, 58, rgb("b23a30"), round_by=2)
    pen.text(268, 77, str(day), 22, rgb("43322a"))


def _shelves(pen: Pen) -> None:
    left, right, top = 420, 930, 56
    rows = (134, 212, 290)
    pen.rect(left - 12, top - 14, right + 12, 306, _SHELF_DARK)
    pen.rect(left, top, right, 300, rgb("3a2419"))
    for x in (left - 12, 548, 676, 804, right):
        pen.rect(x, top - 14, x + 12, 306, _SHELF)
        pen.rect(x + 8, top - 14, x + 12, 306, mixed(_SHELF, (0, 0, 0), 0.3))
    pen.rect(left - 18, top - 22, right + 18, top - 10, mixed(_SHELF, (255, 220, 160), 0.2))
    for y in rows:
        pen.rect(left - 6, y, right + 6, y + 8, _SHELF)
        pen.rect(left - 6, y + 6, right + 6, y + 12, rgb("2d1b12"))
    _fill_shelves(pen, rows)


def _fill_shelves(pen: Pen, rows: tuple[int, int, int]) -> None:
    a, b, c = rows
    hat(pen.at(458, a), rgb("7a5a48"))
    hat(pen.at(514, a, 0.9), rgb("2f3640"), bowler=True)
    suitcase(pen.at(612, a), 92, 50, rgb("a4703f"))
    trumpet(pen.at(736, a - 20))
    books(pen.at(824, a), (rgb("8c3b35"), rgb("c49a4a"), rgb("3f6b6b"), rgb("6b4b6b"), rgb("a5673f")))
    hat(pen.at(896, a, 0.8), rgb("9c4f4a"))
    suitcase(pen.at(484, b), 100, 44, rgb("4f6b74"))
    hat(pen.at(484, b - 52, 0.8), rgb("c8a45c"))
    books(pen.at(566, b), (rgb("3f5f7d"), rgb("b65c3d"), rgb("6d7d4a"), rgb("c9b07a")))
    teddy(pen.at(644, b, 1.05))
    for k, colour in enumerate((rgb("35506b"), rgb("2f2c30"), rgb("6d7d4a"), rgb("8a6a9a"))):
        furled_umbrella(pen.at(706 + k * 26, b - 8, 0.34, turn=180 + (k - 1.5) * 5), 190, colour)
    suitcase(pen.at(868, b), 98, 56, rgb("7c3f38"))
    pen.rect(444, c - 38, 520, c, rgb("b08a58"), round_by=2)
    pen.rect(444, c - 38, 520, c - 28, rgb("8d6a3e"), round_by=2)
    suitcase(pen.at(614, c), 94, 58, rgb("5a6e4e"))
    hat(pen.at(718, c, 0.85), rgb("556b78"))
    books(pen.at(756, c), (rgb("c49a4a"), rgb("7a3b45")))
    suitcase(pen.at(866, c), 104, 40, rgb("94683e"))
    teddy(pen.at(850, c - 42, 0.62))
    for k, (x, y) in enumerate(
        ((474, a - 8), (530, a - 4), (640, a - 34), (752, a - 14), (896, a - 4), (520, b - 26), (662, b - 20),
         (770, b - 22), (906, b - 38), (500, c - 22), (648, c - 40), (734, c - 4), (906, c - 28))
    ):  # fmt: skip
        tag(pen, x, y, 0.62, turn=(-12, 8, 14, -6)[k % 4])
