"""Heads and what they express: eyes, lids, brows, mouth, blush."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sample_film.paint import Colour, Pen, Point, mixed

if TYPE_CHECKING:
    from sample_film.looks import Look

HEAD: tuple[Point, ...] = (
    (0, -54), (28, -47), (42, -20), (40, 12), (27, 39), (0, 52), (-27, 39), (-40, 12), (-42, -20), (-28, -47),
)  # fmt: skip

_WHITE: Colour = (252, 248, 240)
_DARK: Colour = (46, 26, 34)


@dataclass(frozen=True)
class Face:
    """An expression: `gaze` and `smile` from −1 to 1, `lids` 0 open to 1 shut, the rest from 0.

    `brow` lifts both brows; `worry` lifts their inner ends (below 0: frowns).
    """

    gaze: Point = (0.0, 0.0)
    lids: float = 0.24
    brow: float = 0.0
    worry: float = 0.0
    mouth: float = 0.0
    smile: float = 0.1
    blush: float = 0.0
    wet: float = 0.0


def draw_head(pen: Pen, look: Look, face: Face, turn: float) -> None:
    """A head about its own centre, turned as the figure is."""
    look.hair_back(pen, turn)
    for side in (-1, 1):
        if side * turn < 0.55:
            x = side * 41 - turn * 9
            pen.ellipse(x, 4, 8, 12, mixed(look.skin, look.shade, 0.5 if side * turn > 0 else 0.2))
            pen.ellipse(x + side * 1, 4, 4, 7, look.shade)
    outline = [(x + turn * 3 * (1 if y > 0 else 0.3), y) for x, y in HEAD]
    # The far cheek lies in shadow.
    pen.blob(outline, mixed(look.skin, look.shade, 0.55))
    pen.blob([(x + (13 + turn * 6) * (42 - x) / 84, y * 0.985 - 0.5) for x, y in outline], look.skin)
    look.jaw(pen, turn)
    _cheeks(pen, look, face, turn)
    _nose(pen, look, turn)
    _mouth(pen, look, face, turn)
    for side in (-1, 1):
        _eye(pen, look, face, turn, side)
    look.glasses(pen, turn)
    look.hair_front(pen, turn)
    if face.wet > 0:
        for x, y in ((-35, -14), (-36, 26), (35, 24), (24, -32)):
            pen.limb([(x + turn * 6, y - 5), (x + turn * 6, y + 3)], [1.2, 4.6], (214, 236, 245))


def _cheeks(pen: Pen, look: Look, face: Face, turn: float) -> None:
    warm = 0.16 + face.blush * 0.55
    for side in (-1, 1):
        x = side * 25 * (1 - 0.2 * abs(turn)) + turn * 11
        pen.ellipse(x, 17, 9.5, 6.5, mixed(look.skin, (226, 84, 84), warm * 0.6))
        pen.ellipse(x, 17, 6, 4, mixed(look.skin, (226, 84, 84), warm))


def _nose(pen: Pen, look: Look, turn: float) -> None:
    x = turn * 15
    way = 1 if turn >= 0 else -1
    pen.curve([(x + way * 1, -1), (x + way * 6, 10), (x + way * 5, 15), (x - way * 3, 16)], 2.6, look.shade)


def _mouth(pen: Pen, look: Look, face: Face, turn: float) -> None:
    x, y = turn * 13, 31.0
    half = (12 + face.smile * 4) * (1 - 0.15 * abs(turn))
    rise = face.smile * 6
    if face.mouth < 0.08:
        pen.curve([(x - half, y - rise * 0.8), (x, y + rise * 0.6), (x + half, y - rise * 0.8)], 3.0, look.lips)
        return
    deep = 3 + face.mouth * 13
    half *= 1 - face.mouth * 0.25
    corner = y - rise * 0.7
    pen.blob(
        [(x - half, corner), (x, y - 2.4 - face.mouth * 3), (x + half, corner), (x, y + deep)],
        mixed(look.lips, _DARK, 0.25),
    )
    pen.blob(
        [
            (x - half * 0.82, corner + 1),
            (x, y - 0.6 - face.mouth * 3),
            (x + half * 0.82, corner + 1),
            (x, y + deep * 0.78),
        ],
        (74, 24, 30),
    )
    if face.mouth > 0.25:
        pen.blob(
            [(x - half * 0.6, corner + 1), (x, y - 0.5 - face.mouth * 3), (x + half * 0.6, corner + 1), (x, y + 1.5)],
            _WHITE,
        )
        pen.ellipse(x, y + deep * 0.62, half * 0.4, deep * 0.2, (205, 92, 88))


def _eye(pen: Pen, look: Look, face: Face, turn: float, side: int) -> None:
    x = side * 18 * (1 - 0.18 * abs(turn)) + turn * 13
    y = -3.0
    rx, ry = 8.0 * (1 - 0.22 * max(0.0, side * turn)), 6.8
    lids = min(max(face.lids, 0.0), 1.0)
    if lids < 0.85:
        pen.ellipse(x, y, rx, ry, _WHITE)
        gx, gy = x + face.gaze[0] * 3.8, y + face.gaze[1] * 3.2
        pen.ellipse(gx, gy, 4.7, 4.9, look.eyes)
        pen.ellipse(gx, gy, 2.5, 2.7, (24, 16, 22))
        pen.ellipse(gx + 1.6, gy - 1.9, 1.3, 1.3, _WHITE)
        edge = y - ry + 2 * ry * lids
        pen.shape(
            [(x - rx - 2, y - ry - 3), (x + rx + 2, y - ry - 3), (x + rx + 2, edge + 1), (x + rx * 0.4, edge - 1.5),
             (x - rx * 0.4, edge - 1.5), (x - rx - 2, edge + 1)],
            look.skin if side < 0 or turn > 0.4 else mixed(look.skin, look.shade, 0.25),
        )  # fmt: skip
        pen.curve([(x - rx - 1, edge + 2.4), (x, edge - 1.8), (x + rx + 1, edge + 2.4)], 2.6, look.lash)
        if lids > 0.45:
            pen.curve([(x - rx, y + ry * 0.72), (x, y + ry + 0.6), (x + rx, y + ry * 0.72)], 1.2, look.shade)
    else:
        pen.curve([(x - rx - 1, y + 1), (x, y + 4.6), (x + rx + 1, y + 1)], 2.8, look.lash)
    lift = face.brow * 7
    inner, outer = x - side * 9, x + side * 10
    pen.curve(
        [
            (inner, y - 15 - lift - face.worry * 6),
            (x, y - 18.5 - lift - face.worry * 1.5),
            (outer, y - 14 - lift + face.worry * 3),
        ],
        3.6,
        look.brows,
    )
