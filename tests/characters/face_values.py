"""Faces made for tests: people are directions in the space of vectors, and their faces lie around them."""

from __future__ import annotations

import numpy as np

from adstudio.characters.faces import Face, Faces
from adstudio.core.cast import FaceBox


def vector(person, nearness=0.1, seed=0):
    """A vector of a person; two of one person are about 1.4 × `nearness` apart, those of two people about 1."""
    direction = np.zeros(128)
    direction[person] = 0.7
    noise = np.random.default_rng(1000 * person + seed).normal(size=128)
    return (direction + nearness * noise / np.linalg.norm(noise)).astype("<f4").tobytes()


def face(time, person, left=1000, *, nearness=0.1, score=1000, crop=b"jpeg"):
    return Face(time, FaceBox(left, 2000, 1500, 2600), score, vector(person, nearness, time + left), crop)


def faces(*found, boundaries=(0, 10_000, 20_000, 30_000)):
    ordered = tuple(sorted(found, key=lambda each: (each.time, each.box)))
    return Faces(ordered, boundaries, tuple(sorted({each.time for each in ordered})))
