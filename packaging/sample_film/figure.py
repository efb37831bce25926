"""The people of the film: one rig with poses and faces, dressed as Nora, Tom or the guard.

A figure's own units: the origin is the base of the neck, a head is about 112 high, the soles are at 470.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from sample_film.faces import Face, draw_head
from sample_film.looks import Look
from sample_film.paint import Canvas, Colour, Layer, Pen, Point, mixed
from sample_film.props import fountain_pen, furled_umbrella, glove, handbag, lantern, open_umbrella

UPPER_ARM, FOREARM = 94.0, 90.0
SOLE = 470.0


@dataclass(frozen=True)
class Pose:
    """How somebody stands: `turn` from −1 (left) to 1 (right), angles in degrees, hands in the figure's units.

    `stride` is the phase of a walk in turns, None for standing. `holds` names things, each with the hand that
    holds it (−1 the picture's left, 1 the right) and how it is turned.
    """

    turn: float = 0.0
    lean: float = 0.0
    tilt: float = 0.0
    nod: float = 0.0
    left: Point = (-82.0, 214.0)
    right: Point = (82.0, 214.0)
    left_over: bool = True
    right_over: bool = True
    stride: float | None = None
    legs: bool = False
    left_glove: Colour | None = None
    right_glove: Colour | None = None
    elbows: tuple[float, float] = (0.6, 0.6)
    holds: tuple[tuple[str, int, float], ...] = ()


def draw_figure(pen: Pen, look: Look, pose: Pose, face: Face) -> None:
    """Paint somebody."""
    bob = abs(math.sin(math.pi * 2 * pose.stride)) * 5 if pose.stride is not None else 0.0
    body = pen.at(0, -bob, turn=pose.lean)
    for side, over in ((-1, pose.left_over), (1, pose.right_over)):
        if not over:
            _arm(body, look, pose, side)
    if pose.legs:
        _legs(pen, look, pose)
    look.torso(body, pose.turn)
    draw_head(body.at(pose.turn * 7, -54 + pose.nod * 10, turn=pose.tilt), look, face, pose.turn)
    look.collar(body, pose.turn)
    for side, over in ((-1, pose.left_over), (1, pose.right_over)):
        if over:
            _arm(body, look, pose, side)


_HELD: dict[str, Callable[[Pen], None]] = {
    "umbrella": lambda pen: furled_umbrella(pen.at(0, 16)),
    "open-umbrella": lambda pen: open_umbrella(pen, stick=235),
    "bag": lambda pen: handbag(pen.at(0, 128, 0.95)),
    "bag-overhead": lambda pen: handbag(pen.at(36, 34, 0.9, turn=-8)),
    "glove": lambda pen: glove(pen.at(0, 26, 0.62)),
    "lantern": lantern,
    "pen": lambda pen: fountain_pen(pen.at(-8, 18, 0.6)),
}


def _arm(pen: Pen, look: Look, pose: Pose, side: int) -> None:
    shoulder = (side * (60 - 6 * abs(pose.turn)) + pose.turn * 4, 34.0)
    target = pose.left if side < 0 else pose.right
    elbow, hand = reach(shoulder, target, side, pose.elbows[0] if side < 0 else pose.elbows[1])
    sleeve = look.sleeve
    edge = mixed(sleeve, (20, 16, 30), 0.28)
    if look.bare_forearms:
        mid = (elbow[0] + (hand[0] - elbow[0]) * 0.08, elbow[1] + (hand[1] - elbow[1]) * 0.08)
        pen.limb([elbow, hand], [27, 19], look.skin)
        pen.limb([shoulder, elbow], [44, 37], edge)
        pen.limb([shoulder, elbow], [40, 33], sleeve)
        pen.line([elbow, mid], 38, edge)
        pen.line([elbow, mid], 34, mixed(sleeve, edge, 0.25))
    else:
        pen.limb([shoulder, elbow, hand], [45, 38, 33], edge)
        pen.ellipse(*elbow, 18.6, 18.6, edge)
        pen.limb([shoulder, elbow, hand], [41, 34, 29], sleeve)
        pen.ellipse(*elbow, 16.6, 16.6, sleeve)
        back = (hand[0] + (elbow[0] - hand[0]) * 0.1, hand[1] + (elbow[1] - hand[1]) * 0.1)
        pen.limb([back, hand], [32, 31], mixed(sleeve, (20, 16, 30), 0.14))
    for name, holder, turn in pose.holds:
        if holder == side:
            _HELD[name](pen.at(*hand, turn=turn))
    draw_hand(pen, look, elbow, hand, side, pose.left_glove if side < 0 else pose.right_glove)


def draw_hand(pen: Pen, look: Look, elbow: Point, hand: Point, side: int, glove: Colour | None = None) -> None:
    """A hand seen from some way off, at the end of a forearm."""
    colour = glove or look.skin
    dark = mixed(colour, (60, 20, 20), 0.25)
    angle = math.degrees(math.atan2(hand[1] - elbow[1], hand[0] - elbow[0]))
    wrist = pen.at(hand[0], hand[1], turn=angle)
    wrist.limb([(4, 0), (20, -7 * side), (29, -6 * side)], [10, 9, 7], dark)
    wrist.limb([(-4, 0), (14, 0), (27, 1)], [20, 25, 15], colour)
    wrist.limb([(6, -8 * side), (19, -12 * side), (27, -9 * side)], [9, 9, 7], colour)
    for across in (-3, 4):
        wrist.line([(18, across), (30, across)], 1.4, dark)


def reach(shoulder: Point, target: Point, side: int, bend: float) -> tuple[Point, Point]:
    """Elbow and hand of an arm that reaches for a target.

    The elbow points outward (`side`) and down; `bend` below 1 turns it towards the viewer.
    """
    dx, dy = target[0] - shoulder[0], target[1] - shoulder[1]
    far = math.hypot(dx, dy) or 1.0
    if far > (UPPER_ARM + FOREARM) * 0.995:
        scale = (UPPER_ARM + FOREARM) * 0.995 / far
        dx, dy, far = dx * scale, dy * scale, far * scale
    hand = (shoulder[0] + dx, shoulder[1] + dy)
    along = (UPPER_ARM**2 - FOREARM**2 + far**2) / (2 * far)
    off = math.sqrt(max(UPPER_ARM**2 - along**2, 0.0)) * bend
    ux, uy = dx / far, dy / far
    if -uy * side + ux * 1.1 < 0:
        off = -off
    return (shoulder[0] + ux * along - uy * off, shoulder[1] + uy * along + ux * off), hand


def _legs(pen: Pen, look: Look, pose: Pose) -> None:
    facing = 1 if pose.turn >= 0 else -1
    for side, colour in ((-1, mixed(look.legs, (0, 0, 0), 0.25)), (1, look.legs)):
        phase = math.sin(2 * math.pi * pose.stride + (math.pi if side < 0 else 0)) if pose.stride is not None else 0.0
        lift = max(0.0, math.cos(2 * math.pi * (pose.stride or 0) + (math.pi if side < 0 else 0)))
        lift = lift * 26 if pose.stride is not None else 0.0
        spread = 20 if pose.stride is None else 9
        hip = (side * (spread * 0.9 if look.waist > 240 else 22), look.waist)
        foot = (side * spread + facing * phase * 62, SOLE - 14 - lift)
        knee = ((hip[0] + foot[0]) / 2 + facing * (6 + lift * 0.7), (hip[1] + foot[1]) / 2)
        pen.limb([hip, knee, foot], [46 if look.waist > 240 else 62, 38, 27], colour)
        _shoe(pen, look, foot, facing)


def _shoe(pen: Pen, look: Look, foot: Point, facing: int) -> None:
    x, y = foot
    pen.limb([(x - 6 * facing, y + 4), (x + 22 * facing, y + 7)], [21, 14], look.shoes)


@lru_cache(maxsize=24)
def person(look: Look, pose: Pose, face: Face, size: float, light: Colour = (255, 255, 255)) -> Layer:
    """Somebody painted about the base of the neck, to be laid wherever they stand; the last few are kept."""
    low = 500 if pose.legs else 345
    over = 3 if size < 0.7 else 2
    reach_up = 400 if any(name.startswith(("open", "umbrella")) for name, _, _ in pose.holds) else 170
    canvas = Canvas((-230 * size, -reach_up * size, 230 * size, low * size), over=over)
    draw_figure(canvas.pen(light=light).at(0, 0, size), look, pose, face)
    return canvas.layer()
