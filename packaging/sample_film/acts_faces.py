"""One face in the picture: Nora (1.3, 1.7, 3.3, 3.6) and Tom (1.4, 1.6, 3.5)."""

from __future__ import annotations

import math

from PIL import Image

from sample_film.acts_office import room
from sample_film.faces import Face
from sample_film.figure import Pose, person
from sample_film.looks import GREEN, NORA, TOM, TOM_RED_TIE
from sample_film.office import office_near
from sample_film.paint import between, eased, steps
from sample_film.stage import Draw, Stage, Still

_HEAD = 1.36


def nora(stage: Stage) -> Draw:
    """Nora's face: 1.3, 1.7, 3.3 and 3.6."""
    behind = office_near(room(stage), 30, 64, 430, 6)
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
    pose = Pose(turn=0.35, nod=round(0.8 * glance + 0.7 * smile, 2), tilt=round(9.0 * smile, 1))
    face = Face(
        gaze=(round(0.6 + 0.2 * glance, 2), round(glance, 2)),
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
    behind = office_near(room(stage), 420, 40, 420, 6)
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
        lids=round(0.24 + 0.22 * down, 2),
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
