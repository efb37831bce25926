"""The film's picture: each shot's drawings in order, twelve and a half a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PIL import Image

from sample_film import (
    acts_counter,
    acts_faces,
    acts_office,
    acts_outside,
    acts_platform,
    acts_train,
    closeups,
    ledger,
)
from sample_film.paint import HEIGHT, WIDTH
from sample_film.source import FRAME_MS, FilmSource
from sample_film.stage import DRAWING_MS, Draw, Stage, read_mouths
from sample_film.timeline import SpokenLine

SIZE = (WIDTH, HEIGHT)
"""Width and height of the picture."""

FRAMES_A_DRAWING = DRAWING_MS // FRAME_MS

_PLACES: dict[str, Callable[[Stage], Draw]] = {
    "bench": acts_platform.on_bench,
    "calendar": closeups.calendar,
    "counter": acts_counter.counter,
    "countertop": closeups.countertop,
    "glove": closeups.glove_on_bench,
    "ledger": ledger.ledger,
    "nora": acts_faces.nora,
    "office": acts_office.office,
    "pillar": acts_platform.at_pillar,
    "platform": acts_outside.platform,
    "station": acts_outside.outside,
    "tom": acts_faces.tom,
    "train": acts_train.at_train,
    "under": closeups.under,
}


def drawings(source: FilmSource, lines: Sequence[SpokenLine]) -> Iterator[tuple[Image.Image, int]]:
    """Every drawing, with the number of frames that it stands."""
    mouths = read_mouths(lines, source.end)
    for shot in source.shots:
        draw = _PLACES[shot.place](Stage(shot, mouths, source.title, source.credit))
        frames = (shot.end - shot.start) // FRAME_MS
        for first in range(0, frames, FRAMES_A_DRAWING):
            yield draw(first * FRAME_MS / 1000), min(FRAMES_A_DRAWING, frames - first)


def one_drawing(source: FilmSource, lines: Sequence[SpokenLine], shot_id: str, t: float) -> Image.Image:
    """The picture at one second of one shot."""
    shot = next(shot for shot in source.shots if shot.id == shot_id)
    stage = Stage(shot, read_mouths(lines, source.end), source.title, source.credit)
    return _PLACES[shot.place](stage)(t)
