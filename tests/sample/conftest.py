from __future__ import annotations

from dataclasses import replace

import pytest
from sample_watching import Watched, watch

from adstudio.sample_film import SampleFilm
from sample_film.source import FilmSource, Shot, read_source


@pytest.fixture(scope="session")
def source() -> FilmSource:
    return read_source()


@pytest.fixture(scope="session")
def watched(sample_film: SampleFilm) -> Watched:
    return watch(sample_film.film)


@pytest.fixture(scope="session")
def short_source(source: FilmSource) -> FilmSource:
    """Two scenes of one short shot each: as many kinds of work as the whole film has, in four seconds."""

    def moved(shot: Shot, start: int) -> Shot:
        return replace(shot, start=start, end=start + 2000, sounds=shot.sounds[:1])

    shots = {shot.id: shot for shot in source.shots}
    first, third = source.scenes[0], source.scenes[2]
    return replace(
        source,
        scenes=(
            replace(first, shots=(moved(shots["1.4"], 0),), elements=()),
            replace(third, shots=(moved(shots["3.4"], 2000),), elements=()),
        ),
        references={"british": (), "american": ()},
    )
