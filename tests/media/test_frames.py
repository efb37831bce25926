"""Pictures to cut faces out of: of a film at a time, of a file; and files that are none."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pytest
from media_clips import even, make_clip
from PIL import Image as PictureFile
from worker_process import running

from adstudio.core.errors import BadInputError
from adstudio.media import opening
from adstudio.media.frames import film_picture
from adstudio.media.messages import PROTOCOL, GrabFrame, Image, LoadImage
from adstudio.system.worker import Failed


def opened(data):
    return PictureFile.open(io.BytesIO(data)).convert("RGB")


def colour(data):
    return np.asarray(opened(data)).reshape(-1, 3).mean(0)


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """Ten seconds with a cut at 4 s: reddish before it, bluish after it (see `media_clips.picture`)."""
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    make_clip(path, even(25, 10), [4])
    return path


@pytest.mark.parametrize(("at", "shown"), [(0, 0), (3_999, 0), (4_000, 2), (9_960, 2), (60_000, 2)])
def test_the_picture_that_is_shown_at_a_time(film, at, shown):
    assert np.argmax(colour(film_picture(film, at))) == shown


def test_upright_and_with_square_pixels(tmp_path):
    make_clip(tmp_path / "turned.mp4", even(25, 1), rotation=90)
    make_clip(tmp_path / "wide.mp4", even(25, 1), pixel=Fraction(2, 1))
    assert opened(film_picture(tmp_path / "turned.mp4", 0)).size == (72, 128)
    assert opened(film_picture(tmp_path / "wide.mp4", 0)).size == (256, 72)


def test_pictures_larger_than_any_film_has_are_not_decoded(film, monkeypatch):
    monkeypatch.setattr(opening, "MOST_PIXELS", 128 * 72 - 1)
    with pytest.raises(BadInputError, match="has no frame"):
        film_picture(film, 0)


def test_what_has_no_pictures(tmp_path):
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(BadInputError):
        film_picture(tmp_path / "film.mp4", 0)


def run(request):
    with running(PROTOCOL, request) as process:
        (event,) = process.events()
        assert b"Traceback" not in process.log()
        return process.wait(), event


def test_a_process_of_its_own_makes_them(film, tmp_path):
    PictureFile.new("RGB", (3000, 1500), "red").save(tmp_path / "face.png")
    code, found = run(LoadImage(tmp_path / "face.png"))
    assert code == 0
    assert isinstance(found, Image)
    assert opened(found.data).size == (1920, 960)
    code, found = run(GrabFrame(film, 5_000))
    assert code == 0
    assert isinstance(found, Image)
    assert found.data == film_picture(film, 5_000)


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(100), b"<svg/>"])
def test_it_says_why_not(tmp_path, content):
    (tmp_path / "face.png").write_bytes(content)
    code, failed = run(LoadImage(tmp_path / "face.png"))
    assert code == 2
    assert isinstance(failed, Failed)
    assert str(tmp_path / "face.png") in failed.message
