"""Things: umbrella, glove, bag, suitcase, hat and what else is lost on trains."""

from __future__ import annotations

import math

from sample_film.looks import GREEN, RED
from sample_film.paint import Colour, Pen, Point, mixed, rgb

WOOD = rgb("8a5a34")
TAG = rgb("ecd9ae")
_STRING = rgb("d8cbb0")


def tag(pen: Pen, x: float, y: float, size: float = 1.0, text: str = "", turn: float = 0.0) -> None:
    """A manila label on a string; its hole is at the point."""
    own = pen.at(x, y, size, turn=turn)
    own.line([(0, -10), (0, 2)], 1.4, _STRING)
    own.shape([(-4, 0), (4, 0), (9, 6), (9, 30), (-9, 30), (-9, 6)], TAG)
    own.ellipse(0, 5, 1.8, 1.8, rgb("a4553c"))
    if text:
        own.text(0, 18, text, 4.4, rgb("43322a"), turn=turn)
    else:
        for k in range(3):
            own.line([(-5, 13 + k * 5), (5 - k, 13 + k * 5)], 1, rgb("a08a68"))


def furled_umbrella(pen: Pen, length: float = 200.0, colour: Colour = RED) -> None:
    """A rolled umbrella along its stick: the origin is the grip's lower end, the tip lies at −`length` upward."""
    dark, light = mixed(colour, (40, 0, 10), 0.35), mixed(colour, (255, 220, 200), 0.28)
    pen.line([(0, -length), (0, -length + 24)], 3.4, rgb("8f8a86"))
    pen.line([(0, -30), (0, -62)], 5, rgb("8f8a86"))
    pen.curve([(0, -34), (0, 4), (8, 17), (20, 17), (27, 6), (26, -2)], 8.4, mixed(WOOD, (0, 0, 0), 0.25))
    pen.curve([(0, -34), (0, 4), (8, 17), (20, 17), (27, 6), (26, -2)], 6.2, rgb("b67b45"))
    pen.blob(
        [
            (-5, -length + 16),
            (5, -length + 16),
            (13, -length * 0.55),
            (15, -66),
            (7, -56),
            (-7, -56),
            (-15, -66),
            (-13, -length * 0.55),
        ],
        colour,
    )
    pen.blob(
        [(0, -length + 22), (5, -length + 18), (13, -length * 0.55), (15, -66), (7, -58), (3, -length * 0.5)], dark
    )
    pen.curve([(-3, -length + 26), (-8, -length * 0.55), (-10, -70)], 2.2, light)
    pen.line([(-13, -length * 0.42), (13, -length * 0.38)], 4, dark)
    pen.ellipse(9, -length * 0.395, 3, 3, rgb("e9c46a"))


def open_umbrella(pen: Pen, colour: Colour = RED, stick: float = 150.0) -> None:
    """An open umbrella: the origin is the grip, the canopy stands above it."""
    dark, light = mixed(colour, (40, 0, 10), 0.32), mixed(colour, (255, 200, 170), 0.22)
    pen.line([(0, -stick - 4), (0, 0)], 5, rgb("8f8a86"))
    pen.curve([(0, -8), (0, 10), (8, 20), (17, 14)], 6.5, rgb("b67b45"))
    top = -stick - 78
    rim = [(-150 + k * 60, -stick + (6 if k % 5 else 16)) for k in range(6)]
    dome = [(150 * math.cos(math.radians(a)), -stick + 12 - 92 * math.sin(math.radians(a))) for a in range(0, 181, 10)]
    scallops: list[Point] = []
    for k in range(5):
        (x0, _), (x1, _) = rim[k], rim[k + 1]
        scallops += [(x0 + (x1 - x0) * s / 6, -stick + 12 - 12 * math.sin(math.pi * s / 6)) for s in range(7)]
    pen.shape([*dome, *scallops], colour)
    for k, shade in ((0, dark), (1, mixed(colour, dark, 0.4)), (3, light), (4, mixed(colour, dark, 0.25))):
        x0, x1 = rim[k][0], rim[k + 1][0]
        panel = [(0, top - 2), (x0 * 0.72, -stick - 50), (x0, -stick + 12)]
        panel += [(x0 + (x1 - x0) * s / 6, -stick + 12 - 12 * math.sin(math.pi * s / 6)) for s in range(7)]
        panel += [(x1 * 0.72, -stick - 50)]
        if k in (1, 3):
            pen.shape(panel, shade)
    pen.line([(0, top - 14), (0, top + 6)], 4, rgb("8f8a86"))


def glove(pen: Pen, colour: Colour = GREEN, *, straight: float = 1.0) -> None:
    """A woollen glove lying flat, fingers up; its cuff's middle is the origin. Below 1 its fingers still curl."""
    dark, light = mixed(colour, (0, 30, 20), 0.35), mixed(colour, (255, 255, 200), 0.2)
    curl = 1 - straight
    fingers = ((-25, -60, -9), (-9, -72, -3), (8, -72, 3), (24, -62, 9))
    for k, (x, y, lean) in enumerate(fingers):
        long = (46, 56, 54, 42)[k] * (1 - 0.38 * curl)
        bend = curl * (16 - 7 * k)
        tip = (x + lean + bend, y - long)
        mid = (x + lean * 0.5 + bend * 0.2, y - long * 0.55)
        pen.limb([(x, y + 14), mid, tip], [20, 19, 15], dark)
        pen.limb([(x, y + 14), mid, tip], [16.5, 16, 12.5], colour)
        pen.line([(x - 3, y), (mid[0] - 3, mid[1])], 1.6, light)
    pen.limb([(-22, -26), (-46, -50), (-56, -78)], [24, 20, 15], dark)
    pen.limb([(-22, -26), (-46, -50), (-56, -78)], [20, 16, 12], colour)
    palm = [(-33, -10), (-35, -44), (-32, -72), (0, -80), (31, -72), (34, -40), (31, -10)]
    pen.blob([(x * 1.05, y) for x, y in palm], dark)
    pen.blob(palm, colour)
    for k in range(5):
        pen.curve(
            [(-26 + k * 2, -22 - k * 11), (0, -19 - k * 11), (26 - k, -23 - k * 11)], 1.5, mixed(colour, dark, 0.55)
        )
    pen.rect(-34, -16, 34, 22, dark, round_by=7)
    pen.rect(-32, -15, 32, 20, mixed(colour, dark, 0.3), round_by=6)
    for k in range(8):
        pen.line([(-27 + k * 7.7, -12), (-27 + k * 7.7, 17)], 2.6, mixed(colour, light, 0.35))


def handbag(pen: Pen, *, open_by: float = 0.0) -> None:
    """A brown leather bag seen from the front; its bottom's middle is the origin."""
    leather, dark, light = rgb("7b3f2b"), rgb("572a1f"), rgb("9a5637")
    pen.curve([(-38, -82), (-30, -128), (0, -140), (30, -128), (38, -82)], 7, dark)
    pen.blob([(-66, 0), (-72, -40), (-56, -92), (0, -98), (56, -92), (72, -40), (66, 0), (0, 6)], leather)
    if open_by > 0:
        pen.blob([(-54, -86), (0, -92 - 16 * open_by), (54, -86), (0, -80 + 8 * open_by)], rgb("2a1512"))
    flap = -48 - 34 * open_by
    pen.blob(
        [(-60, -88), (0, -96), (60, -88), (54, flap + 4), (0, flap + 18), (-54, flap + 4)],
        light if open_by < 0.5 else dark,
    )
    pen.rect(-8, flap + 4, 8, flap + 22, rgb("d9b25c"), round_by=3)
    pen.curve([(-64, -8), (0, -1), (64, -8)], 2.4, dark)


def suitcase(pen: Pen, width: float, height: float, colour: Colour, *, straps: bool = True) -> None:
    """A suitcase standing on its bottom edge, whose middle is the origin."""
    dark, light = mixed(colour, (20, 10, 10), 0.35), mixed(colour, (255, 240, 210), 0.2)
    w = width / 2
    pen.curve(
        [(-width * 0.14, -height), (-width * 0.12, -height - 9), (width * 0.12, -height - 9), (width * 0.14, -height)],
        4.5,
        dark,
    )
    pen.rect(-w, -height, w, 0, dark, round_by=8)
    pen.rect(-w + 2, -height + 2, w - 2, -4, colour, round_by=7)
    pen.rect(-w + 5, -height + 5, w - 5, -height + 10, light, round_by=2)
    if straps:
        for side in (-1, 1):
            pen.rect(side * w * 0.5 - 5, -height, side * w * 0.5 + 5, -2, dark)
            pen.rect(side * w * 0.5 - 5, -height * 0.6, side * w * 0.5 + 5, -height * 0.6 + 8, rgb("d2aa58"))
    for sx in (-1, 1):
        pen.rect(sx * (w - 9), -14, sx * w, -2, light, round_by=4)


def hat(pen: Pen, colour: Colour, *, bowler: bool = False) -> None:
    """A hat on its brim, whose middle is the origin."""
    dark = mixed(colour, (0, 0, 0), 0.35)
    pen.ellipse(0, -4, 34, 7, dark)
    if bowler:
        pen.blob([(-22, -5), (-22, -26), (0, -38), (22, -26), (22, -5)], colour)
    else:
        pen.blob([(-22, -5), (-20, -30), (-6, -34), (0, -30), (8, -35), (20, -30), (22, -5)], colour)
    pen.rect(-22, -13, 22, -6, dark)
    pen.ellipse(0, -3, 34, 4.5, colour)


def trumpet(pen: Pen) -> None:
    """A trumpet lying along x; its bell points right."""
    brass, dark = rgb("e2b34a"), rgb("a5762a")
    pen.line([(-44, 0), (34, 0)], 4, brass)
    pen.shape([(28, -2), (46, -13), (48, 13), (28, 2)], brass)
    pen.ellipse(47, 0, 4, 13, dark)
    pen.curve([(-24, 0), (-30, 8), (-24, 14), (14, 14), (20, 8), (16, 0)], 3.2, brass)
    for x in (-12, -3, 6):
        pen.line([(x, -9), (x, 16)], 4.4, dark)
        pen.line([(x, -11), (x, -9)], 6, brass)
    pen.line([(-48, 0), (-44, 0)], 7, dark)


def teddy(pen: Pen) -> None:
    """A teddy bear sitting; its seat's middle is the origin."""
    fur, dark, light = rgb("a9743f"), rgb("7d5129"), rgb("d3a56d")
    for side in (-1, 1):
        pen.ellipse(side * 11, -50, 6.5, 6.5, dark)
        pen.ellipse(side * 16, -5, 10, 7, fur)
        pen.ellipse(side * 17, -22, 6, 11, fur, turn=side * -30)
    pen.ellipse(0, -18, 16, 18, fur)
    pen.ellipse(0, -16, 9, 11, light)
    pen.ellipse(0, -42, 15, 13.5, fur)
    pen.ellipse(0, -38, 7, 5.5, light)
    pen.ellipse(0, -40, 2.4, 1.8, rgb("2a1a14"))
    for side in (-1, 1):
        pen.ellipse(side * 6, -45, 1.8, 1.8, rgb("2a1a14"))


def books(pen: Pen, colours: tuple[Colour, ...]) -> None:
    """Books standing side by side from the origin to the right."""
    x = 0.0
    for k, colour in enumerate(colours):
        wide, high = 9 + (k * 5) % 6, 40 + (k * 17) % 16
        pen.rect(x, -high, x + wide, 0, colour, round_by=1)
        pen.rect(x + 1.5, -high + 6, x + wide - 1.5, -high + 9, mixed(colour, (255, 230, 170), 0.5))
        x += wide + 0.6


def lamp(pen: Pen) -> None:
    """A hanging lamp with a green shade; its bulb is the origin."""
    pen.line([(0, -200), (0, -24)], 2.4, rgb("1b1916"))
    pen.shape([(-10, -30), (10, -30), (46, 0), (-46, 0)], rgb("2d5a4c"))
    pen.shape([(-10, -30), (-2, -30), (-18, 0), (-46, 0)], rgb("3d7462"))
    pen.ellipse(0, 0, 46, 6, rgb("fff0c4"))
    pen.ellipse(0, 3, 13, 9, rgb("fffbe8"))


def lantern(pen: Pen) -> None:
    """A guard's lantern hanging from the origin."""
    pen.curve([(-13, 22), (-10, 4), (0, 0), (10, 4), (13, 22)], 3, rgb("20242c"))
    pen.rect(-14, 22, 14, 30, rgb("20242c"), round_by=3)
    pen.rect(-11, 30, 11, 58, rgb("ffd88a"))
    pen.ellipse(0, 46, 6, 9, rgb("fff6d8"))
    pen.line([(-11, 30), (-11, 58)], 3, rgb("20242c"))
    pen.line([(11, 30), (11, 58)], 3, rgb("20242c"))
    pen.rect(-15, 58, 15, 66, rgb("20242c"), round_by=3)


def fountain_pen(pen: Pen) -> None:
    """A pen whose nib is the origin and whose end points up and to the right."""
    pen.line([(3, -4), (16, -22)], 4, rgb("d9b25c"))
    pen.line([(13, -18), (62, -92)], 9, rgb("22304a"))
    pen.line([(34, -50), (38, -56)], 9.6, rgb("d9b25c"))
