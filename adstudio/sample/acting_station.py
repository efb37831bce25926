"""What happens outside: the station's wall, the platform, the pillar, the bench, the train's door."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from adstudio.sample.acting_office import between, steps
from adstudio.sample.faces import Face
from adstudio.sample.figure import Pose, person
from adstudio.sample.looks import GREEN, GUARD, NORA, NORA_SEATED, TOM, TOM_CAP
from adstudio.sample.paint import HEIGHT, WIDTH, Canvas, Layer, Pen, eased, font, glow, gradient, mixed, rgb, vignette
from adstudio.sample.platform import (
    BENCH,
    NIGHT_LIGHT,
    bench,
    lamplight,
    pillar,
    platform_behind,
    platform_far,
    platform_near,
    train,
)
from adstudio.sample.props import glove, handbag
from adstudio.sample.stage import Draw, Stage
from adstudio.sample.station import DOOR_X, GROUND, station
from adstudio.sample.weather import rain, splashes

_DUSK = (188, 192, 214)
_FAR = 0.275
_FAR_NECK = GROUND - 470 * _FAR - 1


def outside(stage: Stage) -> Draw:
    """The station from outside: 1.1 and 3.9."""
    return _leaving(stage) if "walk" in stage.shot.moments else _arriving(stage)


def _stride(t: float, pace: float) -> float:
    return round((t * pace) % 1.0 * 10) / 10


def _arriving(stage: Stage) -> Draw:
    ground = station(lit=True)
    title = _title(stage.title, stage.shot.action[0][:0] or "")

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        start, end = stage.shot.moments["run"]
        if t >= start:
            share = min((t - start) / (end - start), 1.0)
            moving = share < 1
            pose = Pose(
                turn=-0.9,
                legs=True,
                stride=_stride(t, 1.9) if moving else None,
                lean=-7.0 if moving else 0.0,
                left=(-44.0, 60.0) if moving else (-96.0, 120.0),
                right=(30.0, 70.0) if moving else (78.0, 210.0),
                holds=(("bag", 1, 0.0),) if not moving else (),
            )
            person(NORA, pose, Face(lids=0.6, worry=0.6, gaze=(-0.7, 0.0)), _FAR, _DUSK).onto(
                picture, WIDTH + 30 - (WIDTH + 30 - DOOR_X - 22) * share, _FAR_NECK
            )
        _weather(stage, picture, t)
        show = eased(t, (stage.shot.moments["title"][0], stage.shot.moments["title"][0] + 0.7))
        show -= eased(t, (stage.shot.moments["title"][1] - 0.7, stage.shot.moments["title"][1]))
        _fade_in(picture, title, show)
        dark = 1 - eased(t, (0.0, 0.8))
        return _darkened(picture, dark)

    return draw


def _leaving(stage: Stage) -> Draw:
    moments = stage.shot.moments
    card = _title(stage.title, stage.credit)

    def draw(t: float) -> Image.Image:
        picture = station(lit=t < moments["dark"][0] + 0.2).copy()
        if t >= moments["out"][0]:
            walk = min(max((t - moments["walk"][0]) / (moments["walk"][1] - moments["walk"][0]), 0.0), 1.0)
            x = DOOR_X - (DOOR_X + 90) * walk
            stride = _stride(t, 1.0) if walk > 0 else None
            opened = t > moments["out"][0] + 0.5
            nora = Pose(turn=-0.75, legs=True, stride=stride, left=(-66.0, 150.0), left_glove=GREEN, right_glove=GREEN)
            tom = Pose(
                turn=-0.75 if walk > 0 else 0.4,
                legs=True,
                stride=stride if stride is None else (stride + 0.3) % 1.0,
                right=(44.0, 78.0),
                holds=(("open-umbrella" if opened else "umbrella", 1, 3.0),),
            )
            person(TOM_CAP, tom, Face(smile=0.9, gaze=(0.7, 0.0)), _FAR, _DUSK).onto(picture, x - 16, _FAR_NECK - 3)
            person(NORA, nora, Face(smile=0.9, gaze=(-0.5, 0.0), blush=0.5), _FAR, _DUSK).onto(
                picture, x + 18, _FAR_NECK
            )
        _weather(stage, picture, t)
        start, end = moments["card"]
        picture = _darkened(picture, 0.45 * eased(t, (start, start + 0.8)))
        _fade_in(picture, card, eased(t, (start, start + 0.8)))
        return _darkened(picture, eased(t, (end - 1.0, end - 0.1)))

    return draw


def _weather(stage: Stage, picture: Image.Image, t: float) -> None:
    rain(picture, stage.drawing(t), density=1.5)
    splashes(picture, stage.drawing(t), (0, 436, WIDTH, HEIGHT), 18)


def _title(title: str, below: str) -> Image.Image:
    mask = Image.new("L", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(mask)
    letters = font(50)
    wide = sum(draw.textlength(c, letters) + 7 for c in title.upper()) - 7
    x = (WIDTH - wide) / 2
    for letter in title.upper():
        draw.text((x, 92), letter, 255, letters, anchor="ls")
        x += draw.textlength(letter, letters) + 7
    draw.line((WIDTH / 2 - 46, 112, WIDTH / 2 + 46, 112), fill=200, width=2)
    if below:
        draw.text((WIDTH / 2, 140), below, 220, font(19), anchor="ms")
    return mask


def _fade_in(picture: Image.Image, mask: Image.Image, share: float) -> None:
    if share > 0.01:
        strength = round(share * 255)
        picture.paste((250, 244, 230), (0, 0), mask.point([v * strength // 255 for v in range(256)]))


def _darkened(picture: Image.Image, share: float) -> Image.Image:
    if share < 0.01:
        return picture
    return picture.point([round(v * (1 - share)) for v in range(256)] * 3)


def platform(stage: Stage) -> Draw:
    """The platform, wide: 2.1 and 2.7."""
    return _departing(stage) if "depart" in stage.shot.moments else _waiting(stage)


@lru_cache(maxsize=1)
def _platform_ground() -> Image.Image:
    return platform_far().copy()


def _platform_front(picture: Image.Image) -> None:
    platform_near().onto(picture)
    for light in lamplight():
        light.onto(picture)


@lru_cache(maxsize=1)
def _still_platform() -> Image.Image:
    picture = platform_far().copy()
    _platform_front(picture)
    return vignette(picture, 0.35)


def _waiting(stage: Stage) -> Draw:
    def draw(t: float) -> Image.Image:
        picture = _still_platform().copy()
        pose = Pose(
            turn=round(-0.25 + 0.6 * (eased(t, (2.4, 3.0)) - eased(t, (5.4, 6.0))), 1),
            left=(-24.0, 150.0),
            right=(24.0, 150.0),
            holds=(("bag", 1, 0.0),),
        )
        face = Face(lids=1.0 if stage.blink(t, 1) else 0.3, worry=0.4, gaze=(0.2, 0.0))
        person(NORA_SEATED, pose, face, 0.44, NIGHT_LIGHT).onto(picture, 466, 262)
        rain(picture, stage.drawing(t), box=(0, 118, WIDTH, 400), density=1.6)
        return picture

    return draw


def _departing(stage: Stage) -> Draw:
    moments = stage.shot.moments

    def draw(t: float) -> Image.Image:
        picture = _platform_ground().copy()
        start, end = moments["depart"]
        share = max(0.0, (t - start) / (end - start))
        shift = -560 + 1620 * share**1.9
        if shift < WIDTH:
            train().onto(picture, shift, 0)
        rain(picture, stage.drawing(t), box=(0, 118, WIDTH, 400), density=1.6)
        _platform_front(picture)
        walk, pick, heart = stage.go("walk", t), stage.go("pick", t), steps(stage.go("heart", t + 0.2))
        if pick < 0.55:
            _bench_glove().onto(picture, 548, BENCH[2] - 1)
        if t >= moments["walk"][0]:
            stoop = steps(math.sin(math.pi * pick))
            holding = pick >= 0.55
            pose = Pose(
                turn=-0.8 if pick < 1 else 0.75,
                legs=True,
                stride=_stride(t, 1.1) if 0 < walk < 1 else None,
                lean=round(-14.0 * stoop, 1),
                left=between(
                    between((-70.0, 200.0), (-120.0, 190.0), stoop), (14.0, 70.0), steps(eased(t, (6.0, 6.8)))
                ),
                right=(70.0, 200.0),
                holds=(("umbrella", 1, 172.0), *((("glove", -1, 0.0),) if holding else ())),
                tilt=round(4 * heart if t > 6.4 else 0, 1),
            )
            face = Face(
                gaze=(0.7, -0.1) if pick >= 1 else (-0.6, 0.6),
                lids=1.0 if stage.blink(t, 2) else 0.26,
                smile=round(0.9 * eased(t, (6.4, 7.4)), 1),
                brow=0.4,
                mouth=stage.mouth("tom", t),
                wet=1.0,
            )
            x = 1010 - 350 * walk
            person(TOM, pose, face, 0.5, NIGHT_LIGHT).onto(picture, x, 236)
        return picture

    return draw


@lru_cache(maxsize=1)
def _bench_glove() -> Layer:
    canvas = Canvas((-40, -30, 50, 20), over=4)
    glove(canvas.pen().at(-20, 2, 0.34, turn=80), GREEN)
    return canvas.layer()


def at_pillar(stage: Stage) -> Draw:
    """Tom at the pillar: 2.2 and 2.5."""
    behind = platform_behind(250, 150, 420, 4.5)
    column = pillar(770)
    return _watching(stage, behind, column) if "gape" in stage.shot.moments else _calling(stage, behind, column)


def _seen_nora(picture: Image.Image, t: float) -> None:
    pose = Pose(turn=-0.9, left=(-24.0, 150.0), right=(24.0, 150.0), holds=(("bag", 1, 0.0),))
    layer = person(NORA_SEATED, pose, Face(lids=0.5), 0.82, (150, 152, 176))
    layer.onto(picture, 300, 268)
    del t


def _calling(stage: Stage, behind: Image.Image, column: Layer) -> Draw:
    def draw(t: float) -> Image.Image:
        picture = behind.copy()
        _seen_nora(picture, t)
        rain(picture, stage.drawing(t), density=0.9, long=48, strength=80)
        arrive, lower = steps(stage.go("arrive", t)), steps(stage.go("lower", t))
        start, end = stage.shot.moments["wave"]
        up = steps(eased(t, (start, start + 0.4)) - eased(t, (end - 0.2, end + 0.4)))
        swing = round(18 * math.sin((t - start) * 9)) if start < t < end else 0
        pose = Pose(
            turn=-0.6,
            lean=round(-5 * (1 - arrive), 1),
            left=between((-110.0, 120.0), (-96.0 + swing * 0.5, -92.0), up),
            right=(84.0, 206.0),
            holds=(("umbrella", -1, -30.0 + swing if up > 0.3 else -48.0),),
            nod=round(0.5 * lower, 2),
        )
        face = Face(
            gaze=(-0.8, 0.0),
            lids=1.0 if stage.blink(t, 2) else 0.2,
            mouth=max(stage.mouth("tom", t), 0.34 if t < 1.0 else 0.0),
            worry=0.8,
            brow=0.3,
            smile=-0.2,
            wet=1.0,
        )
        bounce = 7 * abs(math.sin(t * 11)) if arrive < 1 else 0.0
        person(TOM, pose, face, 1.12, (216, 216, 232)).onto(picture, 600 + 480 * (1 - arrive), 306 - bounce)
        column.onto(picture, 110, 0)
        return picture

    return draw


def _watching(stage: Stage, behind: Image.Image, column: Layer) -> Draw:
    warm = glow(0, 0, 420, 420, rgb("ffe6b0"), 0.75)

    def draw(t: float) -> Image.Image:
        picture = behind.copy()
        _seen_nora(picture, t)
        rain(picture, stage.drawing(t), density=0.9, long=48, strength=80)
        gape, smile = steps(stage.go("gape", t + 0.0)), steps(stage.go("smile", t))
        gaped = steps(eased(t, (0.2, 0.9)) - eased(t, (2.0, 2.4)))
        start, end = stage.shot.moments["light"]
        lit = start < t < end
        pose = Pose(
            turn=-0.5,
            left=(-70.0, 160.0),
            right=(84.0, 200.0),
            tilt=round(-3 * gape, 1),
            holds=(("umbrella", -1, 150.0),),
        )
        face = Face(
            gaze=(-0.9, 0.2),
            lids=1.0 if stage.blink(t, 2) and gape > 0.9 else 0.1,
            mouth=max(stage.mouth("tom", t), round(0.55 * gaped, 2)),
            brow=round(0.9 * gape - 0.3 * smile, 2),
            worry=0.4,
            smile=round(0.8 * smile, 2),
            wet=1.0,
        )
        light = (255, 240, 206) if lit else (206, 208, 226)
        person(TOM, pose, face, 1.3, light).onto(picture, 610, 300)
        column.onto(picture, -12, 0)
        if lit:
            sweep = (t - start) / (end - start)
            warm.onto(picture, -200 + 1300 * sweep, 220)
        return picture

    return draw


def on_bench(stage: Stage) -> Draw:
    """2.3: Nora alone; a glove out of her bag."""
    behind = platform_behind(300, 110, 380, 6)
    seat = Canvas(over=2)
    bench(seat.pen(light=(196, 200, 220)).at(480, 560, 3.1), 330)
    back = seat.layer()

    def draw(t: float) -> Image.Image:
        picture = behind.copy()
        rain(picture, stage.drawing(t), density=0.8, long=52, strength=70)
        back.onto(picture)
        left = steps(eased(t, (0.3, 0.7)) - eased(t, (1.2, 1.5)))
        right = steps(eased(t, (1.3, 1.7)) - eased(t, (2.1, 2.5)))
        opened, drawn = steps(stage.go("open", t)), steps(stage.go("glove", t))
        down = steps(eased(t, (2.3, 2.8)))
        pose = Pose(
            turn=round(-0.8 * left + 0.8 * right, 2),
            nod=round(0.9 * down, 2),
            left=(-46.0, 150.0),
            right=between((46.0, 150.0), (64.0, 84.0), drawn)
            if opened >= 1
            else between((46.0, 150.0), (20.0, 140.0), opened),
            holds=(("glove", 1, 0.0),) if opened >= 1 and drawn > 0.15 else (),
        )
        face = Face(
            gaze=(round(-0.9 * left + 0.9 * right, 2), round(down, 2)),
            lids=1.0 if stage.blink(t, 1) else round(0.22 + 0.3 * down, 2),
            worry=0.3,
            smile=round(0.5 * drawn, 2),
        )
        person(NORA, pose, face, 1.3, (232, 228, 236)).onto(picture, 480, 262)
        bag = _near_bag(opened)
        bag.onto(picture)
        return picture

    return draw


@lru_cache(maxsize=20)
def _near_bag(opened: float) -> Layer:
    canvas = Canvas((300, 330, 660, HEIGHT + 90), over=2)
    handbag(canvas.pen(light=(232, 228, 236)).at(480, 600, 1.75), open_by=opened)
    return canvas.layer()


_DOORWAY = (566.0, 92.0, 742.0, 470.0)


def at_train(stage: Stage) -> Draw:
    """2.6: at the train's open door; a look back at the bench."""
    body = _train_side()
    inside = _train_inside()
    near = _glove_bench()

    def draw(t: float) -> Image.Image:
        picture = inside.copy()
        step, back, enter = stage.go("step", t), stage.shot.moments["look_back"], stage.go("in", t)
        reach = steps(eased(t, (0.2, 0.9)) - eased(t, (1.8, 2.4)))
        guard = Pose(
            turn=-0.6,
            left=between((-76.0, 200.0), (-130.0, 120.0), reach),
            right=(84.0, 150.0),
            holds=(("lantern", 1, 0.0),),
            legs=True,
        )
        face = Face(gaze=(-0.7, 0.2), lids=1.0 if stage.blink(t, 3) else 0.26, mouth=stage.mouth("guard", t), smile=0.3)
        person(GUARD, guard, face, 0.6).onto(picture, 660 + 34 * enter, 182)
        looking = steps(eased(t, (back[0], back[0] + 0.5)) - eased(t, (back[1] + 0.9, back[1] + 1.4)))
        climbing = enter > 0
        pose = Pose(
            turn=round(0.8 - 1.6 * looking, 2),
            legs=True,
            stride=_stride(t, 1.2) if (0 < step < 1) or 0 < enter < 1 else None,
            left=(-70.0, 200.0),
            right=(86.0, 190.0),
            holds=(("bag", -1, 0.0),),
            nod=round(0.3 * looking, 2),
        )
        expression = Face(
            gaze=(round(0.7 - 1.5 * looking, 2), round(0.5 * looking, 2)),
            lids=1.0 if stage.blink(t, 1) else 0.24,
            mouth=stage.mouth("nora", t),
            smile=round(0.15 + 0.75 * eased(t, (4.2, 4.8)), 1),
            worry=0.3,
        )
        x, y = 330 + 170 * step + 130 * enter, 166 - 24 * enter
        nora = person(NORA, pose, expression, 0.7, (236, 230, 232))
        if climbing:
            nora.onto(picture, x, y)
        body.onto(picture)
        if not climbing:
            nora.onto(picture, x, y)
        if enter > 0.6:
            _sliding_door().onto(picture, -180 * (1 - eased(t, (7.3, 8.0))), 0)
        near.onto(picture)
        rain(picture, stage.drawing(t), box=(0, 0, 300, HEIGHT), density=0.8, strength=70)
        return picture

    return draw


def _train_inside() -> Image.Image:
    picture = gradient((WIDTH, HEIGHT), (0, rgb("ffdf9c")), (0.6, rgb("f0b868")), (1, rgb("9a6a3c")))
    canvas = Canvas(over=2)
    pen = canvas.pen()
    pen.rect(600, 150, 660, 300, rgb("b98d52"), round_by=6)
    pen.rect(606, 156, 654, 294, rgb("23364e"), round_by=5)
    pen.rect(560, 452, 760, 480, rgb("5a3d28"))
    canvas.layer().onto(picture)
    return picture


@lru_cache(maxsize=1)
def _train_side() -> Layer:
    canvas = Canvas(over=2)
    pen = canvas.pen()
    x0, y0, x1, y1 = _DOORWAY
    cream, blue = rgb("d6caac"), rgb("27435f")
    for left, right in ((0.0, x0), (x1, float(WIDTH))):
        pen.rect(left, 0, right, 64, rgb("2b3340"))
        pen.rect(left, 60, right, 130, blue)
        pen.rect(left, 118, right, 300, cream)
        pen.rect(left, 300, right, 308, rgb("b98d3e"))
        pen.rect(left, 308, right, 470, blue)
        pen.rect(left, 440, right, 470, mixed(blue, (0, 0, 0), 0.3))
    pen.rect(x0, 0, x1, y0, blue)
    pen.rect(x0, 0, x1, 64, rgb("2b3340"))
    for x in (36.0, 300.0, 790.0):
        pen.rect(x - 6, 132, x + 216, 286, rgb("5b4a34"), round_by=16)
        pen.rect(x, 138, x + 210, 280, rgb("ffd27c"), round_by=12)
        pen.rect(x, 138, x + 210, 176, rgb("ffe6b0"), round_by=12)
        pen.rect(x, 244, x + 210, 280, rgb("a8473c"), round_by=8)
        pen.line([(x + 105, 138), (x + 105, 172)], 3, rgb("b98d3e"))
    for x in (x0, x1):
        pen.rect(x - 7, y0 - 6, x + 7, y1, rgb("e2b558"), round_by=3)
    pen.rect(x0 - 7, y0 - 8, x1 + 7, y0 + 4, rgb("e2b558"), round_by=3)
    pen.rect(x0 - 20, 466, x1 + 20, 482, rgb("8a8f96"))
    pen.rect(0, 482, WIDTH, HEIGHT, rgb("2c3644"))
    pen.rect(0, 478, WIDTH, 490, rgb("c9c3a8"))
    pen.rect(0, 490, WIDTH, 494, rgb("161d28"))
    pen.ellipse(650, 516, 200, 9, rgb("8a7a58"))
    pen.text(856, 356, "WEXCOMBE", 24, rgb("e6d9b8"))
    layer = canvas.layer()
    for light in (glow(654, 300, 260, 260, rgb("ffd08a"), 0.2), glow(654, 510, 260, 40, rgb("ffd08a"), 0.5)):
        layer.image.alpha_composite(
            light.image.crop(
                (0, 0, min(light.image.width, WIDTH - light.x), min(light.image.height, HEIGHT - light.y))
            ),
            (light.x, light.y),
        )
    # The doorway itself stays open.
    layer.image.paste((0, 0, 0, 0), (round(x0) + 7, round(y0) + 4, round(x1) - 7, 466))
    return layer


@lru_cache(maxsize=1)
def _sliding_door() -> Layer:
    x0, y0, x1, _ = _DOORWAY
    canvas = Canvas((x0 + 7, y0 + 4, x1 - 7, 466), over=2)
    pen: Pen = canvas.pen()
    pen.rect(x0, y0, x1, 470, rgb("2f5273"))
    pen.rect(x0 + 34, 130, x1 - 34, 280, rgb("5b4a34"), round_by=14)
    pen.rect(x0 + 40, 136, x1 - 40, 274, rgb("ffd27c"), round_by=10)
    pen.rect(x0, 300, x1, 308, rgb("b98d3e"))
    return canvas.layer()


@lru_cache(maxsize=1)
def _glove_bench() -> Layer:
    canvas = Canvas((-20, 330, 330, HEIGHT), over=3)
    pen = canvas.pen(light=(214, 214, 228))
    bench(pen.at(140, 470, 1.25), 230)
    glove(pen.at(150, 466, 0.52, turn=78), GREEN)
    return canvas.layer()
