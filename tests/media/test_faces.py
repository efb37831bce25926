"""Faces for models: small, upright, without metadata, the same bytes each time; and files that are none."""

from __future__ import annotations

import contextlib
import io
from random import Random

import numpy as np
import pytest
from PIL import ExifTags, Image

from adstudio.core.errors import BadInputError
from adstudio.media.faces import FaceError, face_of
from adstudio.media.faces import picture as face_picture


def picture(path, width=800, height=400, *, mode="RGB", **saving):
    pixels = np.zeros((height, width, len(mode)), np.uint8)
    pixels[:, : width // 2, 0] = 255  # the left half is red
    if mode == "RGBA":
        pixels[..., 3] = 0
    Image.fromarray(pixels, mode=None).save(path, **saving)
    return path


def opened(data):
    return Image.open(io.BytesIO(data))


def test_small_and_the_same_each_time(tmp_path):
    path = picture(tmp_path / "face.png")
    made = face_picture(path)
    assert made == face_picture(path)
    with opened(made) as found:
        assert (found.format, found.size, found.mode) == ("JPEG", (256, 128), "RGB")


def test_a_face_that_a_project_keeps_is_made_the_same(tmp_path):
    path = picture(tmp_path / "face.png")
    assert face_of(path.read_bytes(), "Anna") == face_picture(path)
    with pytest.raises(FaceError, match="the face of Anna is not a readable image"):
        face_of(b"nothing", "Anna")


def test_upright_and_without_what_the_file_tells_beside(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    exif[0x010F] = "Camera of somebody"
    path = picture(tmp_path / "face.jpg", exif=exif)
    assert b"Camera of somebody" in path.read_bytes()
    made = face_picture(path)
    assert b"Camera" not in made
    with opened(made) as found:
        assert found.size == (128, 256)
        assert not found.getexif()
        top = found.getpixel((64, 20))
        assert top[0] > 200 > top[1], "what was on the left is above"


def test_what_is_transparent_is_white(tmp_path):
    with opened(face_picture(picture(tmp_path / "face.png", mode="RGBA"))) as found:
        assert min(found.getpixel((10, 10))) > 250


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(100), b"<svg/>", b"GIF89a" + bytes(50)]
)
def test_what_is_no_picture(tmp_path, content):
    path = tmp_path / "face.png"
    path.write_bytes(content)
    with pytest.raises(FaceError, match="JPEG or PNG"):
        face_picture(path)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_whatever_byte_is_wrong_it_is_read_or_refused(form, recwarn):
    notes = Image.Exif()
    notes[ExifTags.Base.Orientation], notes[ExifTags.Base.ImageDescription] = 6, "x"
    made = io.BytesIO()
    Image.new("RGB", (40, 30), "brown").save(made, form, exif=notes)
    random = Random(5)
    for place in range(min(len(made.getvalue()), 200)):
        data = bytearray(made.getvalue())
        for value in {0, 1, 26, 255, random.randrange(256)}:
            data[place] = value
            with contextlib.suppress(FaceError):
                face_of(bytes(data), "Ann")
    assert [str(each.message) for each in recwarn] == []


def test_cut_short_too_small_too_large_or_missing(tmp_path):
    whole = picture(tmp_path / "face.jpg").read_bytes()
    (tmp_path / "face.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FaceError, match="JPEG or PNG"):
        face_picture(tmp_path / "face.jpg")
    with pytest.raises(FaceError, match="too small"):
        face_picture(picture(tmp_path / "small.png", 10, 10))
    large = tmp_path / "large.png"
    Image.new("1", (20_000, 20_000)).save(large)
    with pytest.raises(FaceError, match="more than 50 million pixels"):
        face_picture(large)
    with pytest.raises(BadInputError, match="no such picture"):
        face_picture(tmp_path / "none.png")
