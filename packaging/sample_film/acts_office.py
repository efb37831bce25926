"""What happens in the office, wide: Nora’s two visits, and Tom alone (1.2, 1.10, 3.2)."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import GREEN, NORA, TOM, TOM_RED_TIE
from sample_film.office import COUNTER_TOP, WINDOW, counter_wide, office_door, office_wide, shop_bell, window_bars
from sample_film.paint import Canvas, Layer, Point, between, eased, rgb, steps, stride
from sample_film.props import furled_umbrella
from sample_film.stage import Draw, Stage
from sample_film.weather import rain

SIZE = 0.56
"""How large people are in the wide view."""

_TOM_AT = (640.0, 234.0)
_NORA_AT = (270.0, 238.0)
_DOORWAY = 122.0
_HANG: tuple[Point, Point] = ((-82.0, 214.0), (82.0, 214.0))


def room(stage: Stage) -> Image.Image:
    """The office on the evening of the shot."""
    return office_wide(11, 7, 2) if stage.shot.id.startswith("3") else office_wide(4, 7, 48)


def office(stage: Stage) -> Draw:
    """The wide view: 1.2, 1.10 and 3.2."""
    return {"1.2": _first_visit, "1.10": _alone}.get(stage.shot.id, _second_visit)(stage)


def _with_window(stage: Stage, t: float, passing: Layer | None = None, x: float = 0.0) -> Image.Image:
    picture = room(stage).copy()
    x0, y0, x1, y1 = (round(v) for v in WINDOW)
    if passing:
        pane = picture.crop((x0, y0, x1, y1))
        passing.onto(pane, x - x0, 196 - y0)
        picture.paste(pane, (x0, y0))
    rain(picture, stage.drawing(t), box=WINDOW, density=2.2, long=26, strength=130)
    window_bars().onto(picture)
    return picture


def _door_at(stage: Stage, t: float) -> float:
    start, end = stage.shot.moments["door"]
    return steps(eased(t, (start, start + 0.45)) - eased(t, (end - 0.55, end)))


def _bell_at(stage: Stage, t: float) -> float:
    since = t - stage.shot.moments["door"][0] - 0.15
    return round(22 * math.sin(since * 17) * math.exp(-since * 1.6)) if since > 0 else 0.0


def _drips(picture: Image.Image, t: float, x: float) -> None:
    draw = ImageDraw.Draw(picture)
    draw.ellipse((x - 44, 494, x + 42, 508), fill=rgb("4f3a30"))
    draw.ellipse((x - 30, 497, x + 26, 504), fill=rgb("6b6a70"))
    for k, dx in enumerate((-46, -20, 12, 40)):
        fall = (t * 1.7 + k * 0.37) % 1.0
        y = 424 + 76 * fall * fall
        draw.line((x + dx, y, x + dx, y + 5), fill=rgb("bcd6e2"), width=2)


def _nora_comes(stage: Stage, picture: Image.Image, t: float, gloved: bool) -> None:
    walk = stage.go("enter", t)
    open_by = _door_at(stage, t)
    bell = shop_bell(_bell_at(stage, t))
    if t < stage.shot.moments["enter"][0]:
        office_door(open_by).onto(picture)
        bell.onto(picture)
        return
    moving = walk < 1
    pose = Pose(
        turn=0.8,
        legs=True,
        stride=stride(t, 1.25) if moving else None,
        left=(-60.0, 206.0),
        right=(70.0, 206.0),
        right_glove=GREEN if gloved else None,
        holds=(("bag", -1, 0.0),),
    )
    face = Face(gaze=(0.8, 0.0), wet=1.0, lids=1.0 if stage.blink(t, 1) else 0.24, smile=0.3 if gloved else 0.0)
    nora = person(NORA, pose, face, SIZE)
    x = _DOORWAY + (_NORA_AT[0] - _DOORWAY) * walk
    if walk < 0.25:
        nora.onto(picture, x, _NORA_AT[1])
        office_door(open_by).onto(picture)
    else:
        office_door(open_by).onto(picture)
        _drips(picture, t, x)
        nora.onto(picture, x, _NORA_AT[1])
    bell.onto(picture)


def _first_visit(stage: Stage) -> Draw:
    def draw(t: float) -> Image.Image:
        picture = _with_window(stage, t)
        up, hair = steps(stage.go("look_up", t)), stage.shot.moments["hair"]
        hand = _HANG[0]
        if hair[0] < t < hair[1]:
            share = (t - hair[0]) / (hair[1] - hair[0])
            lift = steps(min(eased(share, (0, 0.3)), 1 - eased(share, (0.8, 1))))
            hand = between(_HANG[0], (-44 + 50 * steps(eased(share, (0.3, 0.75))), -98), lift)
        writing = stage.on("write", t)
        pen_hand = (12.0 + (4 if writing and stage.drawing(t) % 2 else 0), 166.0)
        pose = Pose(
            turn=round(-0.1 - 0.6 * up, 2),
            nod=round(1.3 * (1 - up), 2),
            left=hand,
            right=between(pen_hand, _HANG[1], steps(stage.go("hair", t))),
            holds=(("pen", 1, 0.0),) if up < 0.5 else (),
        )
        face = Face(
            gaze=(-0.8 * up, 1.0 - up),
            lids=1.0 if stage.blink(t, 2) else 0.24 + 0.4 * (1 - up),
            brow=0.6 * up,
            mouth=stage.mouth("tom", t),
            smile=0.35 * up,
        )
        person(TOM, pose, face, SIZE).onto(picture, *_TOM_AT)
        counter_wide().onto(picture)
        _open_book(picture)
        _nora_comes(stage, picture, t, gloved=False)
        return picture

    return draw


@lru_cache(maxsize=1)
def _book() -> Layer:
    canvas = Canvas((590, 318, 720, 350), over=3)
    pen = canvas.pen()
    pen.shape([(596, 346), (712, 346), (702, 330), (606, 330)], rgb("5c2f26"))
    pen.shape([(600, 343), (654, 345), (654, 331), (609, 330)], rgb("f1e6c8"))
    pen.shape([(654, 345), (708, 343), (699, 330), (654, 331)], rgb("dccfae"))
    for k in range(4):
        pen.line([(612 - k * 2, 333 + k * 3), (648, 334 + k * 3)], 1, rgb("8a7a64"))
    return canvas.layer()


def _open_book(picture: Image.Image) -> None:
    _book().onto(picture)


@lru_cache(maxsize=1)
def _lying_umbrella() -> Layer:
    canvas = Canvas((-120, -40, 140, 40), over=3)
    furled_umbrella(canvas.pen().at(84, 4, 0.72, turn=-88), 240)
    return canvas.layer()


def _alone(stage: Stage) -> Draw:
    moments = stage.shot.moments
    passer = Pose(turn=0.9, legs=True, right=(40.0, -104.0), holds=(("bag-overhead", 1, 0.0),), elbows=(1.0, 0.6))

    def draw(t: float) -> Image.Image:
        passing = stage.go("pass", t) if stage.on("pass", t) else None
        nora = None
        if passing is not None:
            walking = person(NORA, passer_at(t), Face(lids=0.6, wet=1.0), 0.33, (168, 184, 214))
            nora = walking
        x = 200 + 220 * ((t - moments["pass"][0]) / (moments["pass"][1] - moments["pass"][0]))
        picture = _with_window(stage, t, nora, x)
        office_door(_door_at(stage, t)).onto(picture)
        shop_bell(_bell_at(stage, t)).onto(picture)
        lift, grab, run = steps(stage.go("lift", t)), stage.go("grab", t), stage.go("run", t)
        look = moments["look"]
        window = steps(eased(t, (look[0] - 0.4, look[0])) - eased(t, (look[1] - 1.4, look[1] - 0.8)))
        bowed = steps(eased(t, (look[1] - 1.2, look[1] - 0.4)) - eased(t, moments["grab"]))
        carrying = grab > 0.5
        pose = Pose(
            turn=round(-0.2 - 0.65 * window - 0.6 * grab, 2),
            nod=round(1.4 * bowed, 2),
            tilt=round(-5.0 * bowed, 1),
            left=(-60.0, 176.0) if grab < 0.5 else (-74.0, 130.0),
            right=between((70.0, 300.0), (52.0, 172.0), lift) if grab < 0.5 else (40.0, 150.0),
            legs=True,
            stride=stride(t, 1.7) if run > 0 else None,
            lean=-6.0 * round(run, 1) if run < 1 else -6.0,
            holds=(("umbrella", -1, -40.0),)
            if carrying
            else ((("umbrella", 1, -70.0 * lift),) if 0 < lift < 1 else ()),
        )
        face = Face(
            gaze=(-0.9 * window, bowed),
            lids=1.0 if stage.blink(t, 2) else 0.24 + 0.4 * bowed,
            worry=0.9 * max(window, bowed),
            brow=0.2,
            mouth=stage.mouth("tom", t),
            smile=-0.4,
        )
        tom = person(TOM, pose, face, SIZE)
        at = _TOM_AT[0] - 530 * run
        if at > 350:
            tom.onto(picture, at, _TOM_AT[1])
        counter_wide().onto(picture)
        if lift >= 1 and not carrying:
            _lying_umbrella().onto(picture, 596, COUNTER_TOP - 20)
        if at <= 350:
            tom.onto(picture, at, _TOM_AT[1] + 6)
        return picture

    def passer_at(t: float) -> Pose:
        return Pose(
            turn=passer.turn,
            legs=True,
            stride=round((t * 1.5) % 1.0 * 8) / 8,
            right=passer.right,
            holds=passer.holds,
            elbows=passer.elbows,
        )

    return draw


def _second_visit(stage: Stage) -> Draw:
    def draw(t: float) -> Image.Image:
        picture = _with_window(stage, t)
        hide, tie = steps(stage.go("hide", t)), stage.shot.moments["tie"]
        at_tie = steps(eased(t, (tie[0], tie[0] + 0.3)) - eased(t, (tie[1] - 0.3, tie[1])))
        wiggle = 3.0 if stage.on("tie", t) and stage.drawing(t) % 4 < 2 else 0.0
        came = steps(stage.go("enter", t))
        pose = Pose(
            turn=round(-0.15 - 0.5 * came, 2),
            nod=round(1.0 * (1 - hide) + 0.35 * at_tie, 2),
            left=between(between((-62.0, 96.0), (-60.0, 330.0), hide), (-14 + wiggle, 62), at_tie),
            right=between(_HANG[1], (14 + wiggle, 70), at_tie),
            holds=(("umbrella", -1, -24.0),) if hide < 1 else (),
        )
        face = Face(
            gaze=(-0.7 * came, 0.7 * (1 - hide)),
            lids=1.0 if stage.blink(t, 2) else 0.26,
            worry=0.4 * (1 - came),
            brow=0.3,
            mouth=stage.mouth("tom", t),
            smile=0.5 * came,
        )
        person(TOM_RED_TIE, pose, face, SIZE).onto(picture, *_TOM_AT)
        counter_wide().onto(picture)
        _open_book(picture)
        _nora_comes(stage, picture, t, gloved=True)
        return picture

    return draw
