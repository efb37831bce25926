"""How the people of the film are dressed: their colours, and the parts that are theirs alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sample_film.paint import Colour, Pen, Point, mixed, rgb, side_of, smooth

Part = Callable[[Pen, float], None]

GREEN = rgb("4f9a5f")
RED = rgb("d2382d")


def _nothing(_pen: Pen, _turn: float) -> None:
    return


@dataclass(frozen=True)
class Look:
    """Somebody's colours and parts; each part is painted with the pen of the body or the head, and the turn."""

    skin: Colour
    shade: Colour
    lips: Colour
    eyes: Colour
    brows: Colour
    lash: Colour
    sleeve: Colour
    legs: Colour
    shoes: Colour
    torso: Part
    waist: float = 258.0
    bare_forearms: bool = False
    collar: Part = field(default=_nothing)
    hair_back: Part = field(default=_nothing)
    hair_front: Part = field(default=_nothing)
    jaw: Part = field(default=_nothing)
    glasses: Part = field(default=_nothing)


# --- Nora ------------------------------------------------------------------------------------------------------------
_COAT, _COAT_DARK, _COAT_LIGHT = rgb("e0a12f"), rgb("b9782a"), rgb("f0bb55")
_NORA_HAIR, _NORA_HAIR_LIGHT = rgb("43262a"), rgb("6b3c36")
_SCARF, _SCARF_DARK = rgb("2f7f86"), rgb("1f5f68")
_NORA_SKIN, _NORA_SHADE = rgb("f0bd98"), rgb("cf8d70")


def _coat(pen: Pen, turn: float) -> None:
    pen.limb([(turn * 5, -22), (turn * 2, 14)], [34, 42], _NORA_SHADE)
    outline: list[Point] = [
        (-22, 2), (-58, 14), (-76, 44), (-72, 110), (-64, 170), (-78, 250), (-92, 322), (0, 332),
        (92, 322), (78, 250), (64, 170), (72, 110), (76, 44), (58, 14), (22, 2),
    ]  # fmt: skip
    pen.blob(outline, _COAT)
    body = smooth(outline, closed=True)
    far = 1 if turn <= 0 else -1
    pen.shape(side_of(body, far, 33), mixed(_COAT, _COAT_DARK, 0.55))
    mid = turn * 12
    pen.line([(mid, 40), (mid + 2, 170), (mid, 326)], 2.6, _COAT_DARK)
    for y in (86, 132, 178, 226):
        pen.ellipse(mid + 13, y, 5.6, 5.6, _COAT_DARK)
        pen.ellipse(mid + 12.4, y - 0.8, 4.2, 4.2, rgb("7b4b22"))
    for side in (-1, 1):
        pen.line([(side * 36 + mid, 206), (side * 62 + mid * 0.6, 198)], 3, _COAT_DARK)


def _seated_coat(pen: Pen, turn: float) -> None:
    pen.limb([(turn * 5, -22), (turn * 2, 14)], [34, 42], _NORA_SHADE)
    upper: list[Point] = [
        (-22, 2), (-58, 14), (-76, 44), (-72, 110), (-66, 170), (-70, 216),
        (70, 216), (66, 170), (72, 110), (76, 44), (58, 14), (22, 2),
    ]  # fmt: skip
    for side in (-1, 1):
        pen.limb([(side * 22, 262), (side * 24, 396)], [42, 28], rgb("3b3550") if side > 0 else rgb("2c2740"))
        pen.limb([(side * 22, 402), (side * 30, 408)], [24, 18], rgb("5a2f2a"))
    pen.blob(
        [(-76, 206), (-84, 244), (-74, 288), (0, 296), (74, 288), (84, 244), (76, 206)], mixed(_COAT, _COAT_LIGHT, 0.3)
    )
    pen.blob([(-74, 262), (-74, 288), (0, 296), (74, 288), (74, 262), (0, 276)], _COAT_DARK)
    pen.blob(upper, _COAT)
    body = smooth(upper, closed=True)
    far = 1 if turn <= 0 else -1
    pen.shape(side_of(body, far, 32), mixed(_COAT, _COAT_DARK, 0.55))
    mid = turn * 12
    pen.line([(mid, 40), (mid + 1, 208)], 2.6, _COAT_DARK)
    for y in (86, 132, 178):
        pen.ellipse(mid + 13, y, 5.6, 5.6, _COAT_DARK)
        pen.ellipse(mid + 12.4, y - 0.8, 4.2, 4.2, rgb("7b4b22"))


def _coat_collar(pen: Pen, turn: float) -> None:
    mid = turn * 11
    pen.blob([(-34, -14), (0 + mid * 0.3, -4), (34, -14), (42, 10), (16 + mid, 30), (-16 + mid, 30), (-42, 10)], _SCARF)
    pen.curve([(-34, 0), (mid * 0.6, 14), (36, 0)], 2.6, _SCARF_DARK)
    pen.curve([(-30, 10), (mid, 23), (32, 10)], 2.2, _SCARF_DARK)
    pen.blob([(6 + mid, 22), (20 + mid, 26), (24 + mid, 62), (6 + mid, 64)], _SCARF)
    pen.line([(14 + mid, 30), (15 + mid, 62)], 2, _SCARF_DARK)
    for side in (-1, 1):
        lapel: list[Point] = [
            (side * 40, -4), (side * 62, 14), (side * 52 + mid, 62),
            (side * 18 + mid, 78), (side * 10 + mid, 54), (side * 30 + mid * 0.6, 22),
        ]  # fmt: skip
        pen.shape(lapel, _COAT_LIGHT if side * turn <= 0 and side < 0 else mixed(_COAT_LIGHT, _COAT_DARK, 0.3))
        pen.line([lapel[2], lapel[3], lapel[4]], 1.8, _COAT_DARK)


def _bob_back(pen: Pen, turn: float) -> None:
    x = -turn * 7
    right = ((38, -58), (55, -20), (55, 22), (47, 52), (18, 60))
    outline = [(x, -68.0), *((x + u, v) for u, v in right), *((x - u, v) for u, v in reversed(right))]
    pen.blob(outline, mixed(_NORA_HAIR, (0, 0, 0), 0.18))


def _bob_front(pen: Pen, turn: float) -> None:
    x = turn * 6
    pen.blob(
        [
            (-47 - turn * 4, 46),
            (-56, 18),
            (-54, -24),
            (-36, -58),
            (0, -70),
            (10 + x, -62),
            (-6 + x, -34),
            (-28 + x, -18),
            (-37, 4),
            (-34, 40),
        ],
        _NORA_HAIR,
    )
    pen.blob(
        [
            (47 - turn * 4, 46),
            (56, 18),
            (54, -24),
            (38, -58),
            (4, -70),
            (-8 + x, -62),
            (14 + x, -36),
            (32 + x * 0.8, -22),
            (38, 4),
            (35, 40),
        ],
        mixed(_NORA_HAIR, (0, 0, 0), 0.1),
    )
    pen.curve([(-6 + x, -62), (-30, -48), (-45, -18), (-46, 14)], 4, _NORA_HAIR_LIGHT)
    pen.curve([(4 + x, -60), (-18, -46), (-34, -24)], 2.6, _NORA_HAIR_LIGHT)
    pen.curve([(14 + x, -61), (36, -46), (46, -18)], 2.6, mixed(_NORA_HAIR_LIGHT, _NORA_HAIR, 0.4))


NORA = Look(
    skin=_NORA_SKIN,
    shade=_NORA_SHADE,
    lips=rgb("b0413f"),
    eyes=rgb("3f6b58"),
    brows=rgb("4a2a2a"),
    lash=rgb("3a2026"),
    sleeve=_COAT,
    legs=rgb("3b3550"),
    shoes=rgb("5a2f2a"),
    torso=_coat,
    collar=_coat_collar,
    hair_back=_bob_back,
    hair_front=_bob_front,
)

NORA_SEATED = replace(NORA, torso=_seated_coat)

# --- Tom -------------------------------------------------------------------------------------------------------------
_TOM_SKIN, _TOM_SHADE = rgb("b0734e"), rgb("864f37")
_TOM_HAIR, _TOM_GREY = rgb("34302f"), rgb("8d8882")
_SHIRT, _SHIRT_DARK = rgb("f1e9da"), rgb("c9bda8")
_VEST, _VEST_DARK = rgb("33506e"), rgb("223850")


def _waistcoat(tie: Colour) -> Part:
    def torso(pen: Pen, turn: float) -> None:
        pen.limb([(turn * 5, -22), (turn * 2, 12)], [38, 46], _TOM_SHADE)
        outline: list[Point] = [
            (-24, 0), (-62, 12), (-80, 42), (-74, 120), (-66, 180), (-66, 234), (0, 242),
            (66, 234), (66, 180), (74, 120), (80, 42), (62, 12), (24, 0),
        ]  # fmt: skip
        pen.blob(outline, _SHIRT)
        mid = turn * 12
        body = smooth(outline, closed=True)
        sides = [(x, y) for x, y in body if y > 108]
        vest: list[Point] = [(mid - 3, 108), (-46, 8), (-58, 60), *sides, (58, 60), (46, 8), (mid + 3, 108)]
        pen.shape(vest, _VEST)
        far = 1 if turn <= 0 else -1
        pen.shape(
            [(far * 46, 8), (far * 58, 60), *side_of(sides, far, 32), (far * 33, 110)]
            if far > 0
            else [(far * 33, 110), (far * 46, 8), (far * 58, 60), *side_of(sides, far, 32)],
            mixed(_VEST, rgb("1d2438"), 0.4),
        )
        pen.shape([(mid - 7, 14), (mid + 7, 14), (mid + 10, 98), (mid, 112), (mid - 10, 98)], tie)
        pen.shape([(mid - 8, 8), (mid + 8, 8), (mid + 6, 25), (mid - 6, 25)], mixed(tie, (0, 0, 0), 0.2))
        pen.line([(mid, 112), (mid + 1, 240)], 2.2, _VEST_DARK)
        for y in (132, 158, 184, 210):
            pen.ellipse(mid + 7, y, 3.8, 3.8, rgb("c9a25a"))
        pen.line([(-50, 168), (-26, 172)], 2.6, _VEST_DARK)
        pen.line([(30, 172), (54, 168)], 2.6, _VEST_DARK)

    return torso


def _shirt_collar(pen: Pen, turn: float) -> None:
    mid = turn * 9
    pen.shape([(-30, -8), (mid - 2, 12), (mid - 16, 34), (-42, 10)], _SHIRT)
    pen.shape([(30, -8), (mid + 2, 12), (mid + 16, 34), (42, 10)], mixed(_SHIRT, _SHIRT_DARK, 0.45))
    pen.line([(mid - 2, 12), (mid - 16, 34), (-40, 11)], 1.6, _SHIRT_DARK)


def _tom_hair_back(pen: Pen, turn: float) -> None:
    pen.blob(
        [(-46 - turn * 5, 8), (-49, -24), (-34, -58), (0, -66), (36, -58), (49, -24), (46 - turn * 5, 8), (0, 14)],
        mixed(_TOM_HAIR, (0, 0, 0), 0.2),
    )


def _tom_hair_front(pen: Pen, turn: float) -> None:
    x = turn * 6
    pen.blob(
        [
            (-43, 2),
            (-49, -22),
            (-40, -54),
            (-8, -70),
            (26, -67),
            (46, -44),
            (47, -18),
            (43, 0),
            (39, -20),
            (32 + x * 0.5, -36),
            (6 + x, -37),
            (-20 + x, -34),
            (-36, -22),
        ],
        _TOM_HAIR,
    )
    pen.curve([(-26 + x, -60), (0 + x, -50), (30 + x, -50)], 3.2, _TOM_GREY)
    pen.curve([(-36 + x * 0.4, -50), (-12 + x, -42), (16 + x, -42)], 2.2, mixed(_TOM_GREY, _TOM_HAIR, 0.4))
    for side in (-1, 1):
        if side * turn < 0.6:
            pen.blob(
                [
                    (side * 45 - turn * 4, -22),
                    (side * 37 - turn * 3, -20),
                    (side * 37 - turn * 3, 8),
                    (side * 43 - turn * 4, 6),
                ],
                _TOM_GREY,
            )


def _beard(pen: Pen, turn: float) -> None:
    x = turn * 12
    outer: list[Point] = [(-41, 2), (-42, 26), (-27, 48), (x * 0.5, 63), (27, 48), (42, 26), (41, 2)]
    inner: list[Point] = [
        (32 + x * 0.3, 12),
        (24 + x, 20),
        (9 + x, 17),
        (x, 20),
        (-9 + x, 17),
        (-24 + x, 20),
        (-32 + x * 0.3, 12),
    ]
    pen.blob([*outer, *inner], _TOM_HAIR, steps=5)
    pen.blob(
        [(x - 17, 31), (x, 26), (x + 17, 31), (x + 12, 43), (x, 47), (x - 12, 43)], mixed(_TOM_SKIN, _TOM_HAIR, 0.55)
    )
    pen.curve([(-24 + x * 0.6, 47), (x * 0.6, 58), (24 + x * 0.6, 47)], 3, _TOM_GREY)
    pen.curve([(-36, 26), (-28, 40)], 2.4, _TOM_GREY)
    pen.curve([(36, 26), (28, 40)], 2.4, _TOM_GREY)


def _round_glasses(pen: Pen, turn: float) -> None:
    frame = rgb("c79a4b")
    for side in (-1, 1):
        x = side * 18 * (1 - 0.18 * abs(turn)) + turn * 13
        ring: list[Point] = [(x - 13, -3), (x, -16), (x + 13, -3), (x, 10)]
        pen.curve(ring, 2.6, frame, closed=True)
        pen.line([(x + side * 13, -4), (side * 41 - turn * 6, -2)], 2.2, frame)
    pen.curve([(turn * 13 - 6, -4), (turn * 13, -7), (turn * 13 + 6, -4)], 2.6, frame)


def _tom(tie: Colour, hair_front: Part = _tom_hair_front) -> Look:
    return Look(
        skin=_TOM_SKIN,
        shade=_TOM_SHADE,
        lips=rgb("7a3b33"),
        eyes=rgb("3a2a20"),
        brows=rgb("2e2928"),
        lash=rgb("2a1d1c"),
        sleeve=_SHIRT,
        legs=rgb("3a3d47"),
        shoes=rgb("2b2320"),
        torso=_waistcoat(tie),
        waist=226.0,
        bare_forearms=True,
        collar=_shirt_collar,
        hair_back=_tom_hair_back,
        hair_front=hair_front,
        jaw=_beard,
        glasses=_round_glasses,
    )


def _cap(colour: Colour, band: Colour, hair: Part) -> Part:
    def front(pen: Pen, turn: float) -> None:
        hair(pen, turn)
        x = turn * 7
        pen.blob([(-52, -34), (-50, -62), (0 + x, -80), (50, -62), (52, -34), (0 + x, -28)], colour)
        pen.blob([(-47, -38), (0 + x, -30), (47, -38), (46, -26), (0 + x, -19), (-46, -26)], band)
        pen.blob(
            [(-34 + x * 2, -26), (x * 2, -21), (34 + x * 2, -26), (30 + x * 2, -15), (x * 2, -10), (-30 + x * 2, -15)],
            mixed(band, (0, 0, 0), 0.45),
        )

    return front


TOM = _tom(rgb("7d6a55"))
TOM_RED_TIE = _tom(RED)
TOM_CAP = _tom(RED, _cap(rgb("4a4f5c"), rgb("3a3e49"), _tom_hair_front))


# --- the guard -------------------------------------------------------------------------------------------------------
_UNIFORM, _UNIFORM_DARK = rgb("27384f"), rgb("18253a")


def _uniform(pen: Pen, turn: float) -> None:
    pen.limb([(turn * 5, -22), (turn * 2, 12)], [38, 46], rgb("b97f66"))
    pen.blob(
        [(-24, 0), (-64, 12), (-82, 42), (-76, 130), (-74, 288), (74, 288), (76, 130), (82, 42), (64, 12), (24, 0)],
        _UNIFORM,
    )
    mid = turn * 12
    pen.line([(mid, 30), (mid, 284)], 2.4, _UNIFORM_DARK)
    for y in (60, 104, 148, 192):
        pen.ellipse(mid - 14, y, 4.6, 4.6, rgb("d6b060"))
        pen.ellipse(mid + 14, y, 4.6, 4.6, rgb("d6b060"))


def _guard_collar(pen: Pen, turn: float) -> None:
    mid = turn * 9
    for side in (-1, 1):
        pen.shape([(side * 30, -8), (mid + side * 2, 14), (mid + side * 20, 40), (side * 44, 12)], _UNIFORM_DARK)


def _moustache(pen: Pen, turn: float) -> None:
    x = turn * 13
    pen.blob(
        [(x, 21), (x + 18, 25), (x + 26, 33), (x + 8, 28), (x, 27), (x - 8, 28), (x - 26, 33), (x - 18, 25)],
        rgb("d9d4c8"),
    )


def _short_hair(pen: Pen, turn: float) -> None:
    pen.blob([(-44, 0), (-48, -26), (0, -62), (48, -26), (44, 0), (38, -22), (0, -34), (-38, -22)], rgb("cfcabd"))
    del turn


GUARD = Look(
    skin=rgb("e3a98a"),
    shade=rgb("b97f66"),
    lips=rgb("9a4a44"),
    eyes=rgb("4a5b6b"),
    brows=rgb("cfcabd"),
    lash=rgb("4a3a38"),
    sleeve=_UNIFORM,
    legs=rgb("1f2c40"),
    shoes=rgb("191719"),
    torso=_uniform,
    collar=_guard_collar,
    hair_front=_cap(_UNIFORM, rgb("8d2a2a"), _short_hair),
    jaw=_moustache,
)
