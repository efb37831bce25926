"""Decoding a film, for the tests of this folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest


def needs_voices() -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")


@dataclass(frozen=True)
class Watched:
    """The film as decoded: one small grey picture a frame, and the sound (samples by 2)."""

    pictures: np.ndarray
    sound: np.ndarray
    rate: int
    size: tuple[int, int]
    frame_rate: float
    codecs: tuple[str, str]
    tags: dict[str, str]


def watch(path: Path) -> Watched:
    with av.open(str(path)) as film:
        picture: Any = film.streams.video[0]
        sound: Any = film.streams.audio[0]
        pictures, pieces = [], []
        for packet in film.demux(picture, sound):
            for frame in packet.decode():
                if isinstance(frame, av.VideoFrame):
                    plane = frame.planes[0]
                    grey = np.frombuffer(plane, np.uint8).reshape(frame.height, plane.line_size)
                    pictures.append(grey[::6, : frame.width : 6].copy())
                else:
                    pieces.append(frame.to_ndarray())
        return Watched(
            np.stack(pictures),
            np.concatenate(pieces, axis=1).T,
            sound.rate,
            (picture.width, picture.height),
            float(picture.average_rate),
            (picture.codec.name, sound.codec.canonical_name),
            dict(film.metadata),
        )
