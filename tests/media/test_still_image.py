"""Pictures to cut faces out of: of a film at a time, of a file; and files that are none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from media_clips import even, make_clip
from PIL import Image

from adstudio.core.errors import BadInputError
from adstudio.media import opening
from adstudio.media.still_image import Failed, Still, film_picture, of_film, of_picture, read_said


def opened(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


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
    with pytest.raises(BadInputError, match="shows no picture"):
        film_picture(film, 0)


def test_what_has_no_pictures(tmp_path):
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(BadInputError):
        film_picture(tmp_path / "film.mp4", 0)


def run(arguments):
    done = subprocess.run(
        [sys.executable, "-I", "-m", "adstudio.media.still_image", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, read_said(done.stdout)


def test_a_process_of_its_own_makes_them(film, tmp_path):
    Image.new("RGB", (3000, 1500), "red").save(tmp_path / "face.png")
    code, still = run(of_picture(tmp_path / "face.png"))
    assert code == 0
    assert isinstance(still, Still)
    assert opened(still.data).size == (1920, 960)
    code, still = run(of_film(film, 5_000))
    assert code == 0
    assert isinstance(still, Still)
    assert still.data == film_picture(film, 5_000)


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(100), b"<svg/>"])
def test_it_says_why_not(tmp_path, content):
    (tmp_path / "face.png").write_bytes(content)
    code, failed = run(of_picture(tmp_path / "face.png"))
    assert code == 2
    assert isinstance(failed, Failed)
    assert str(tmp_path / "face.png") in failed.sentence


@pytest.mark.parametrize("request_", ["{}", "[]", "null", '{"film": "/x", "at": "soon"}', "no json"])
def test_what_is_no_request(request_):
    code, failed = run([request_])
    assert code == 2
    assert isinstance(failed, Failed)


@pytest.mark.parametrize("line", [b"", b"null", b"{}", b'{"still": 3}', b'{"still": "!"}', b"[" * 50_000])
def test_what_is_no_answer_is_none(line):
    assert read_said(line) is None


def test_a_still_that_is_too_large_is_none():
    assert read_said(json.dumps({"still": "A" * 12_000_000})) is None
