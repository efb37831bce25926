"""Nearer, on the platform: Tom at the pillar (2.2 and 2.5), Nora on the bench (2.3)."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image

from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import NORA, NORA_SEATED, TOM
from sample_film.paint import HEIGHT, Canvas, Layer, between, eased, glow, rgb, steps
from sample_film.platform import bench, pillar, platform_behind
from sample_film.props import handbag
from sample_film.stage import Draw, Stage
from sample_film.weather import rain


def at_pillar(stage: Stage) -> Draw:
    """Tom at the pillar: 2.2 and 2.5."""
    behind = platform_behind(250, 150, 420, 4.5)
    column = pillar(770)
    return _watching(stage, behind, column) if "gape" in stage.shot.moments else _calling(stage, behind, column)


def _seen_nora(picture: Image.Image) -> None:
    pose = Pose(turn=-0.9, left=(-24.0, 150.0), right=(24.0, 150.0), holds=(("bag", 1, 0.0),))
    layer = person(NORA_SEATED, pose, Face(lids=0.5), 0.82, (150, 152, 176))
    layer.onto(picture, 300, 268)


def _calling(stage: Stage, behind: Image.Image, column: Layer) -> Draw:
    def draw(t: float) -> Image.Image:
        picture = behind.copy()
        _seen_nora(picture)
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
        _seen_nora(picture)
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
