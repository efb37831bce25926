"""At the train’s open door (2.6)."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import GREEN, GUARD, NORA
from sample_film.paint import (
    HEIGHT,
    WIDTH,
    Canvas,
    Layer,
    Pen,
    between,
    eased,
    glow,
    gradient,
    mixed,
    rgb,
    steps,
    stride,
)
from sample_film.platform import bench
from sample_film.props import glove
from sample_film.stage import Draw, Stage
from sample_film.weather import rain

_DOORWAY = (566.0, 56.0, 742.0, 470.0)


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
        person(GUARD, guard, face, 0.66).onto(picture, 658 + 44 * min(enter * 2.5, 1.0), 154)
        looking = steps(eased(t, (back[0], back[0] + 0.5)) - eased(t, (back[1] + 0.9, back[1] + 1.4)))
        climbing = enter > 0.55
        pose = Pose(
            turn=round(0.8 - 1.6 * looking, 2),
            legs=True,
            stride=stride(t, 1.2) if (0 < step < 1) or 0 < enter < 1 else None,
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
        x, y = 330 + 170 * step + 118 * min(enter * 1.8, 1.0), 166 - 20 * min(enter * 1.8, 1.0)
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
        pen.rect(left, 0, right, 44, rgb("2b3340"))
        pen.rect(left, 40, right, 130, blue)
        pen.rect(left, 118, right, 300, cream)
        pen.rect(left, 300, right, 308, rgb("b98d3e"))
        pen.rect(left, 308, right, 470, blue)
        pen.rect(left, 440, right, 470, mixed(blue, (0, 0, 0), 0.3))
    pen.rect(x0, 0, x1, y0, blue)
    pen.rect(x0, 0, x1, 44, rgb("2b3340"))
    for x in (36.0, 300.0, 790.0):
        pen.rect(x - 6, 132, x + 216, 286, rgb("5b4a34"), round_by=16)
        pen.rect(x, 138, x + 210, 280, rgb("ffd27c"), round_by=12)
        pen.rect(x, 138, x + 210, 176, rgb("ffe6b0"), round_by=12)
        pen.rect(x, 244, x + 210, 280, rgb("a8473c"), round_by=8)
        pen.line([(x + 105, 138), (x + 105, 172)], 3, rgb("b98d3e"))
    for x in (x0, x1):
        pen.rect(x - 7, y0 - 6, x + 7, y1, rgb("e2b558"), round_by=3)
    pen.rect(x0 - 7, y0 - 8, x1 + 7, y0 + 4, rgb("e2b558"), round_by=3)
    pen.rect(0, 468, x0 + 2, 482, rgb("141b26"))
    pen.rect(x1 - 2, 468, WIDTH, 482, rgb("141b26"))
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
