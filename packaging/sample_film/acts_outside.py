"""What happens outside, wide: before the station (1.1 and 3.9) and on the platform (2.1 and 2.7)."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import GREEN, NORA, NORA_SEATED, TOM, TOM_CAP
from sample_film.paint import HEIGHT, WIDTH, Canvas, Layer, between, eased, font, steps, stride, vignette
from sample_film.platform import BENCH, NIGHT_LIGHT, lamplight, platform_far, platform_near, train
from sample_film.props import glove
from sample_film.stage import Draw, Stage
from sample_film.station import DOOR_X, GROUND, station
from sample_film.weather import rain, splashes

_DUSK = (188, 192, 214)
_FAR = 0.275
_FAR_NECK = GROUND - 470 * _FAR - 1


def outside(stage: Stage) -> Draw:
    """The station from outside: 1.1 and 3.9."""
    return _leaving(stage) if "walk" in stage.shot.moments else _arriving(stage)


def _arriving(stage: Stage) -> Draw:
    ground = station(lit=True)
    title = _title(stage.title, "")

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        start, end = stage.shot.moments["run"]
        if t >= start:
            share = min((t - start) / (end - start), 1.0)
            moving = share < 1
            pose = Pose(
                turn=-0.9,
                legs=True,
                stride=stride(t, 1.9) if moving else None,
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
            pace = stride(t, 1.0) if walk > 0 else None
            opened = t > moments["out"][0] + 0.5
            nora = Pose(turn=-0.75, legs=True, stride=pace, left=(-66.0, 150.0), left_glove=GREEN, right_glove=GREEN)
            tom = Pose(
                turn=-0.75 if walk > 0 else 0.4,
                legs=True,
                stride=None if pace is None else (pace + 0.3) % 1.0,
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
                stride=stride(t, 1.1) if 0 < walk < 1 else None,
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
