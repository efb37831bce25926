"""Nora and Tom together at the counter (1.8 and 3.8)."""

from __future__ import annotations

import math

from PIL import Image

from sample_film.acts_office import SIZE, room
from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import GREEN, NORA, TOM, TOM_CAP, TOM_RED_TIE, Look
from sample_film.office import counter_wide, office_near
from sample_film.paint import HEIGHT, WIDTH, Canvas, Layer, Point, between, steps
from sample_film.stage import Draw, Stage, Still


def counter(stage: Stage) -> Draw:
    """Both of them at the counter: 1.8 and 3.8."""
    view = (196.0, 66.0, 540.0)
    zoom = WIDTH / view[2]
    behind = office_near(room(stage), *view, 2.2)
    before = Canvas(over=1)
    whole = counter_wide()
    before.image.alpha_composite(whole.image, (whole.x, whole.y))
    box = (view[0], view[1], view[0] + view[2], view[1] + view[2] * HEIGHT / WIDTH)
    bar = Layer(before.image.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC, box=box), 0, 0)
    late = stage.shot.id.startswith("3")
    size = SIZE * zoom

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
