"""What happens in the office: wide, over the counter, and with one face in the picture."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from adstudio.sample.faces import Face
from adstudio.sample.figure import Pose, person
from adstudio.sample.looks import GREEN, NORA, TOM, TOM_CAP, TOM_RED_TIE, Look
from adstudio.sample.office import (
    COUNTER_TOP,
    DOOR,
    WINDOW,
    counter_wide,
    office_door,
    office_near,
    office_wide,
    shop_bell,
    window_bars,
)
from adstudio.sample.paint import HEIGHT, WIDTH, Canvas, Layer, Point, eased, rgb
from adstudio.sample.props import furled_umbrella
from adstudio.sample.stage import Draw, Stage, Still
from adstudio.sample.weather import rain

_SIZE = 0.56
_TOM_AT = (640.0, 234.0)
_NORA_AT = (270.0, 238.0)
_DOORWAY = 122.0
_HANG: tuple[Point, Point] = ((-82.0, 214.0), (82.0, 214.0))


def _room(stage: Stage) -> Image.Image:
    return office_wide(11, 7, 2) if stage.shot.id.startswith("3") else office_wide(4, 7, 48)


def between(one: Point, other: Point, share: float) -> Point:
    """A point on the way from one to another."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def steps(value: float) -> float:
    """A movement in eighteen steps, so that equal poses are painted once."""
    return round(value * 18) / 18


def office(stage: Stage) -> Draw:
    """The wide view: 1.2, 1.10 and 3.2."""
    return {"1.2": _first_visit, "1.10": _alone}.get(stage.shot.id, _second_visit)(stage)


def _with_window(stage: Stage, t: float, passing: Layer | None = None, x: float = 0.0) -> Image.Image:
    picture = _room(stage).copy()
    box = tuple(round(v) for v in WINDOW)
    if passing:
        pane = picture.crop(box)
        passing.onto(pane, x - box[0], 196 - box[1])
        picture.paste(pane, box[:2])
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
        stride=round((t * 1.25) % 1.0 * 10) / 10 if moving else None,
        left=(-60.0, 206.0),
        right=(70.0, 206.0),
        right_glove=GREEN if gloved else None,
        holds=(("bag", -1, 0.0),),
    )
    face = Face(gaze=(0.8, 0.0), wet=1.0, lids=1.0 if stage.blink(t, 1) else 0.24, smile=0.3 if gloved else 0.0)
    nora = person(NORA, pose, face, _SIZE)
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
        person(TOM, pose, face, _SIZE).onto(picture, *_TOM_AT)
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
            stride=round((t * 1.7) % 1.0 * 10) / 10 if run > 0 else None,
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
        tom = person(TOM, pose, face, _SIZE)
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
            left=between(between((-50.0, 120.0), (-60.0, 300.0), hide), (-14 + wiggle, 62), at_tie),
            right=between(_HANG[1], (14 + wiggle, 70), at_tie),
            holds=(("umbrella", -1, 100.0 - 60 * hide),) if hide < 1 else (),
        )
        face = Face(
            gaze=(-0.7 * came, 0.7 * (1 - hide)),
            lids=1.0 if stage.blink(t, 2) else 0.26,
            worry=0.4 * (1 - came),
            brow=0.3,
            mouth=stage.mouth("tom", t),
            smile=0.5 * came,
        )
        person(TOM_RED_TIE, pose, face, _SIZE).onto(picture, *_TOM_AT)
        counter_wide().onto(picture)
        _open_book(picture)
        _nora_comes(stage, picture, t, gloved=True)
        return picture

    return draw


def counter(stage: Stage) -> Draw:
    """Both of them at the counter: 1.8 and 3.8."""
    view = (196.0, 66.0, 540.0)
    zoom = WIDTH / view[2]
    behind = office_near(_room(stage), *view, 2.2)
    before = Canvas(over=1)
    whole = counter_wide()
    before.image.alpha_composite(whole.image, (whole.x, whole.y))
    box = (view[0], view[1], view[0] + view[2], view[1] + view[2] * HEIGHT / WIDTH)
    bar = Layer(before.image.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC, box=box), 0, 0)
    late = stage.shot.id.startswith("3")
    size = _SIZE * zoom

    def place(x: float, y: float) -> Point:
        return (x - view[0]) * zoom, (y - view[1]) * zoom

    still = Still()

    def draw(t: float) -> Image.Image:
        arm = steps(stage.go("arm", t)) if late else 0.0
        laugh = steps(stage.go("laugh", t)) if late else 0.0
        nod = steps(math.sin(math.pi * stage.go("nod", t))) if not late else 0.0
        leave = stage.go("leave", t) if not late else 0.0
        to_head = steps(math.sin(math.pi * min(arm * 2, 1.0)))
        look: Look = (TOM_CAP if arm > 0.25 else TOM_RED_TIE) if late else TOM
        offered = steps(max(0.0, arm * 2 - 1))
        tom = Pose(
            turn=-0.65,
            left=between(between((-66.0, 180.0), (-16.0, -112.0), to_head), (-128.0, 96.0), offered),
            right=(66.0, 176.0),
            tilt=-3.0 * laugh,
        )
        face = Face(
            gaze=(-0.7, 0.0),
            lids=1.0 if stage.blink(t, 2) else 0.24 + 0.25 * laugh,
            mouth=max(stage.mouth("tom", t), 0.33 * round(laugh)),
            smile=0.15 + 0.8 * (laugh if late else 0) + (0.3 if late else 0),
            brow=0.3 * laugh,
        )
        nora = Pose(
            turn=0.65 if leave == 0 else round(0.65 - 1.45 * min(1, leave * 3), 1),
            nod=round(1.1 * nod + 0.4 * laugh, 2),
            left=(-70.0, 200.0),
            right=between((70.0, 196.0), (98.0, 150.0), offered),
            holds=(("bag", -1, 0.0),),
            right_glove=GREEN if late else None,
            left_glove=GREEN if late else None,
        )
        nora_face = Face(
            gaze=(0.7 if leave == 0 else -0.6, 0.0),
            lids=1.0 if stage.blink(t, 1) else 0.24 + 0.3 * laugh,
            mouth=max(stage.mouth("nora", t), 0.33 * round(laugh)),
            smile=0.1 + (0.85 if late else 0.1),
            blush=0.5 if late else 0.0,
            wet=0.0 if late else 1.0,
        )
        x, y = place(322, 238)
        x, y = x - 420 * leave, y + (6 * abs(math.sin(t * 8)) if leave else 0)

        def paint() -> Image.Image:
            picture = behind.copy()
            person(look, tom, face, size).onto(picture, *place(560, 234))
            bar.onto(picture)
            person(NORA, nora, nora_face, size).onto(picture, x, y)
            return picture

        return still.show((look, tom, face, nora, nora_face, x, y), paint)

    return draw


_HEAD = 1.36


def nora(stage: Stage) -> Draw:
    """Nora's face: 1.3, 1.7, 3.3 and 3.6."""
    behind = office_near(_room(stage), 30, 64, 430, 6)
    acts = {"1.3": _nora_asks, "1.7": _nora_smiles, "3.3": _nora_hands}

    still = Still()

    def draw(t: float) -> Image.Image:
        pose, face = acts.get(stage.shot.id, _nora_laughs)(stage, t)
        bob = round(3 * math.sin(t * 14)) if face.smile > 0.95 else 0

        def paint() -> Image.Image:
            picture = behind.copy()
            person(NORA, pose, face, _HEAD).onto(picture, 470, 288 + bob)
            return picture

        return still.show((pose, face, bob), paint)

    return draw


def _lids(stage: Stage, t: float, who: int, lids: float = 0.24) -> float:
    return 1.0 if stage.blink(t, who) else lids


def _nora_asks(stage: Stage, t: float) -> tuple[Pose, Face]:
    start, end = stage.shot.moments["wipe"]
    share = min(max((t - start) / (end - start), 0), 1)
    raised = steps(eased(share, (0, 0.3)) - eased(share, (0.8, 1)))
    swipe = steps(eased(share, (0.3, 0.75)))
    pose = Pose(
        turn=0.35,
        tilt=round(4.0 * raised, 1),
        left=between((-90.0, 190.0), (-26 - 16 * swipe, -44 + 14 * swipe), raised),
    )
    face = Face(
        gaze=(0.6, 0.0),
        lids=_lids(stage, t, 1, 0.24 + 0.5 * raised),
        mouth=stage.mouth("nora", t),
        wet=1.0 if swipe < 0.6 else 0.0,
        worry=0.4,
    )
    return pose, face


def _nora_smiles(stage: Stage, t: float) -> tuple[Pose, Face]:
    glance, smile = steps(stage.go("glance", t)), steps(stage.go("smile", t))
    pose = Pose(turn=0.35, nod=round(0.5 * glance + 1.0 * smile, 2), tilt=round(9.0 * smile, 1))
    face = Face(
        gaze=(round(0.6 - 0.2 * glance, 2), round(glance, 2)),
        lids=_lids(stage, t, 1, round(0.24 + 0.26 * glance + 0.12 * smile, 2)),
        mouth=stage.mouth("nora", t),
        smile=round(0.1 + 0.85 * smile, 2),
        brow=round(0.4 * glance, 2),
        blush=round(0.5 * smile, 2),
    )
    return pose, face


def _nora_hands(stage: Stage, t: float) -> tuple[Pose, Face]:
    up = steps(eased(t, (stage.shot.moments["hands"][0], stage.shot.moments["hands"][0] + 1.0)))
    pose = Pose(
        turn=0.3,
        left=between((-88.0, 200.0), (4.0, 138.0), up),
        right=between((88.0, 200.0), (-4.0, 126.0), up),
        right_glove=GREEN,
        nod=round(0.3 * up, 2),
    )
    return pose, Face(gaze=(0.6, 0.0), lids=_lids(stage, t, 1), mouth=stage.mouth("nora", t), worry=0.5, smile=0.15)


def _nora_laughs(stage: Stage, t: float) -> tuple[Pose, Face]:
    moments = stage.shot.moments
    start, end = moments["mouth"]
    cover = steps(eased(t, (start, start + 0.6)) - eased(t, (end - 0.1, end + 0.4)))
    laugh = steps(eased(t, (moments["laugh"][0], moments["laugh"][0] + 0.8)))
    stare = steps(1 - eased(t, (start + 0.8, end)))
    pose = Pose(
        turn=0.3,
        nod=round(0.7 * stare, 2),
        tilt=round(6.0 * laugh, 1),
        left=between(between((-88.0, 200.0), (-30.0, 96.0), laugh), (2.0, 8.0), cover),
        right=(88.0, 200.0),
        right_glove=GREEN,
    )
    mouth = stage.mouth("nora", t)
    face = Face(
        gaze=(round(0.5 - 0.1 * stare, 2), round(stare, 2)),
        lids=_lids(stage, t, 1, round(0.2 + 0.3 * laugh, 2)),
        mouth=max(mouth, 0.34 if stare > 0.8 or (laugh > 0.9 and t > 5.0) else 0.0),
        smile=round(0.1 + 0.9 * laugh, 2),
        brow=round(0.9 * stare + 0.3 * laugh, 2),
        worry=round(0.5 * laugh, 2),
        blush=steps(eased(t, (start, end))),
    )
    return pose, face


def tom(stage: Stage) -> Draw:
    """Tom's face: 1.4, 1.6 and 3.5."""
    behind = office_near(_room(stage), 420, 40, 420, 6)
    acts = {"1.4": _tom_looks_down, "1.6": _tom_lies}
    look = TOM_RED_TIE if stage.shot.id.startswith("3") else TOM

    still = Still()

    def draw(t: float) -> Image.Image:
        pose, face = acts.get(stage.shot.id, _tom_smiles)(stage, t)

        def paint() -> Image.Image:
            picture = behind.copy()
            person(look, pose, face, _HEAD).onto(picture, 490, 294)
            return picture

        return still.show((pose, face), paint)

    return draw


def _tom_looks_down(stage: Stage, t: float) -> tuple[Pose, Face]:
    down = steps(stage.go("look_down", t) if t < 1.9 else 1.0) if t > 1.0 else 0.0
    pose = Pose(turn=-0.35, nod=round(1.1 * down, 2), tilt=round(4 * down, 1))
    return pose, Face(
        gaze=(round(-0.6 + 0.7 * down, 2), down),
        lids=_lids(stage, t, 2, round(0.24 + 0.3 * down, 2)),
        mouth=stage.mouth("tom", t),
        worry=round(0.6 * down, 2),
    )


def _tom_lies(stage: Stage, t: float) -> tuple[Pose, Face]:
    up = steps(stage.go("look_up", t))
    start, end = stage.shot.moments["shake"]
    shaking = math.sin((t - start) / (end - start) * 4 * math.pi) * 0.22 if start < t < end else 0.0
    start, end = stage.shot.moments["glasses"]
    share = min(max((t - start) / (end - start), 0), 1)
    push = steps(eased(share, (0, 0.35)) - eased(share, (0.65, 1)))
    pose = Pose(
        turn=round(-0.35 + shaking, 2),
        nod=round(1.1 * (1 - up), 2),
        tilt=round(4 * (1 - up), 1),
        right=between((92.0, 196.0), (14.0, -40.0), push),
    )
    face = Face(
        gaze=(-0.5, round(1 - up, 2)),
        lids=_lids(stage, t, 2, round(0.3 + 0.25 * (1 - up), 2)),
        mouth=stage.mouth("tom", t),
        smile=-0.1,
        brow=0.25,
        worry=0.3,
    )
    return pose, face


def _tom_smiles(stage: Stage, t: float) -> tuple[Pose, Face]:
    smile = steps(stage.go("smile", t))
    pose = Pose(turn=-0.12, tilt=round(-4 * smile, 1))
    face = Face(
        gaze=(0.0, 0.0),
        lids=_lids(stage, t, 2, round(0.2 + 0.16 * smile, 2)),
        mouth=stage.mouth("tom", t),
        smile=round(0.3 + 0.7 * smile, 2),
        brow=0.5,
    )
    return pose, face


__all__ = ["DOOR", "between", "counter", "nora", "office", "steps", "tom"]
