"""Hands from near, for the close-ups: the wrist's middle is the origin, the fingers point up."""

from __future__ import annotations

from collections.abc import Callable

from sample_film.paint import Colour, Pen, Point, mixed, rgb
from sample_film.props import fountain_pen

Sleeve = Callable[[Pen], None]


def coat_sleeve(pen: Pen) -> None:
    """Nora's sleeve, from the wrist downward."""
    pen.limb([(0, 34), (4, 150), (14, 420)], [74, 90, 124], rgb("b9782a"))
    pen.limb([(0, 34), (4, 150), (14, 420)], [68, 83, 117], rgb("e0a12f"))
    pen.rect(-41, 18, 42, 62, rgb("b9782a"), round_by=9)
    pen.rect(-38, 20, 39, 58, rgb("f0bb55"), round_by=8)


def shirt_sleeve(pen: Pen) -> None:
    """Tom's bare forearm, and his rolled sleeve far down."""
    pen.limb([(0, 0), (4, 150), (14, 420)], [48, 72, 100], rgb("864f37"))
    pen.limb([(-2, 0), (1, 150), (10, 420)], [44, 65, 92], rgb("b0734e"))
    pen.limb([(6, 230), (14, 420)], [96, 124], rgb("f1e9da"))
    pen.rect(-50, 180, 60, 232, rgb("c9bda8"), round_by=10)
    pen.rect(-48, 182, 56, 228, rgb("f1e9da"), round_by=9)


def flat_hand(
    pen: Pen, skin: Colour, shade: Colour, sleeve: Sleeve, *, thumb: int = -1, curl: float = 0.0, nails: bool = True
) -> None:
    """A hand seen from its back; `thumb` says on which side its thumb is (−1 left)."""
    pen.limb([(0, 60), (0, 0)], [52, 46], skin)
    sleeve(pen)
    own = pen if thumb < 0 else pen.at(0, 0, mirror=True)
    own.limb([(-26, -16), (-50, -46), (-52, -78)], [30, 23, 15], shade)
    own.limb([(-25, -17), (-48, -46), (-51, -76)], [26, 19, 12], skin)
    for x, long, lean in ((-24, 58, -6), (-8, 68, -2), (9, 64, 2), (24, 50, 7)):
        tip = (x + lean, -66 - long * (1 - 0.45 * curl))
        own.limb([(x, -50), (x + lean * 0.4, -66 - long * 0.5), tip], [21, 18, 13], shade)
        own.limb([(x, -50), (x + lean * 0.4, -66 - long * 0.5), tip], [18, 15.5, 11], skin)
        if nails:
            own.ellipse(tip[0], tip[1] + 1, 4, 5.5, mixed(skin, (255, 225, 215), 0.55))
        own.curve([(x - 6, -78), (x, -80), (x + 6, -78)], 1.6, mixed(skin, shade, 0.7))
    palm: list[Point] = [(-24, 8), (-33, -22), (-33, -58), (-10, -76), (12, -76), (33, -58), (33, -22), (23, 8)]
    own.blob(palm, skin)
    for x in (-17, 0, 17):
        own.curve([(x, -58), (x * 0.9, -34)], 1.8, mixed(skin, shade, 0.55))


def open_palm(pen: Pen, skin: Colour, shade: Colour, sleeve: Sleeve, *, thumb: int = 1) -> None:
    """A hand turned palm up."""
    palm_skin = mixed(skin, (255, 222, 196), 0.4)
    pen.limb([(0, 60), (0, 0)], [52, 46], palm_skin)
    sleeve(pen)
    own = pen if thumb > 0 else pen.at(0, 0, mirror=True)
    own.limb([(24, -14), (52, -38), (64, -66)], [32, 24, 16], shade)
    own.limb([(23, -15), (50, -38), (62, -64)], [28, 20, 13], palm_skin)
    for x, long, lean in ((24, 50, 10), (8, 62, 3), (-9, 60, -4), (-24, 44, -11)):
        path = [(x, -50), (x + lean * 0.5, -66 - long * 0.5), (x + lean, -66 - long)]
        own.limb(path, [21, 19, 14], shade)
        own.limb(path, [18, 16, 12], palm_skin)
        own.curve([(path[1][0] - 7, path[1][1]), (path[1][0] + 7, path[1][1])], 1.5, mixed(palm_skin, shade, 0.5))
    own.blob([(-24, 8), (-35, -22), (-34, -56), (0, -74), (34, -56), (35, -22), (23, 8)], palm_skin)
    own.curve([(-28, -52), (-4, -44), (22, -58)], 2, mixed(palm_skin, shade, 0.6))
    own.curve([(-26, -36), (0, -30), (14, -40)], 2, mixed(palm_skin, shade, 0.6))
    own.curve([(20, -60), (4, -36), (8, 0)], 2, mixed(palm_skin, shade, 0.6))


def writing_hand(pen: Pen, skin: Colour, shade: Colour, sleeve: Sleeve) -> None:
    """A right hand that holds a pen; here the nib is the origin, the wrist lies below to the right."""
    wrist = pen.at(62, 112, turn=-22)
    wrist.limb([(0, 60), (0, 0)], [52, 46], skin)
    sleeve(wrist)
    wrist.blob([(-24, 10), (-38, -22), (-34, -56), (-8, -70), (20, -62), (34, -30), (25, 8)], shade)
    wrist.blob([(-23, 8), (-36, -22), (-32, -54), (-8, -67), (19, -59), (32, -30), (24, 6)], skin)
    for k, (x, y) in enumerate(((25, -40), (18, -54))):
        wrist.limb([(x, y), (x - 20, y - 22), (x - 34, y - 10)], [22, 19, 14], shade)
        wrist.limb([(x, y), (x - 20, y - 22), (x - 34, y - 10)], [19, 16, 12], mixed(skin, shade, 0.12 * k))
    fountain_pen(pen.at(0, 0, turn=36))
    pen.limb([(56, 52), (36, 10), (13, -13)], [25, 20, 13], shade)
    pen.limb([(56, 52), (36, 10), (13, -13)], [21, 17, 11], skin)
    pen.limb([(24, 74), (10, 34), (14, -2)], [26, 21, 13], shade)
    pen.limb([(25, 74), (11, 34), (15, -1)], [22, 17, 11], skin)
    pen.ellipse(16, -3, 4, 5, mixed(skin, (255, 225, 215), 0.55))
