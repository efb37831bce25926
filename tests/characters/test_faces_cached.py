from __future__ import annotations

from dataclasses import replace

import pytest
from face_values import face, faces
from hypothesis import given
from hypothesis import strategies as st

from adstudio.characters.faces import Faces, encode_faces, parse_faces
from adstudio.core.cast import FaceBox
from adstudio.core.errors import BadInputError
from adstudio.media.cache import DamagedCacheError

FOUND = replace(
    faces(face(500, 1), face(500, 2, 5000), face(1500, 1, crop=b"")), undecoded=2, left_out=3, complete=False
)


@pytest.mark.parametrize("found", [FOUND, Faces(()), faces(face(0, 3))])
def test_what_is_cached_reads_back_equal(found):
    assert parse_faces(encode_faces(found)) == found


@pytest.mark.parametrize("end", [0, 1, 40, 300, -1])
def test_a_truncated_file_is_damaged(end):
    with pytest.raises(DamagedCacheError):
        parse_faces(encode_faces(FOUND)[:end])


def impossible_box(*sides):
    """A box that no `FaceBox` can be, as a damaged file may have it."""
    box = object.__new__(FaceBox)
    box.__dict__.update(zip(("left", "top", "width", "height"), sides, strict=True))
    return box


@pytest.mark.parametrize(
    "damage",
    [
        {"time": -1},
        {"box": impossible_box(0, 0, 0, 5)},
        {"box": impossible_box(20_000, 0, 5, 5)},
        {"box": impossible_box(0, -50, 40, 40)},
        {"vector": b"\xff\xff\xff\x7f" * 128},
        {"vector": b"\x00\x00\x80\x7f" * 128},
    ],
)
def test_faces_that_cannot_be_are_damage(damage):
    with pytest.raises(DamagedCacheError):
        parse_faces(encode_faces(Faces((replace(FOUND.faces[0], **damage),))))


def test_faces_out_of_order_are_damage():
    with pytest.raises(DamagedCacheError):
        parse_faces(encode_faces(Faces(FOUND.faces[::-1])))


@given(st.binary(max_size=400))
def test_whatever_lies_there_is_refused_in_one_sentence(data):
    with pytest.raises(BadInputError):
        parse_faces(data)


def test_boxes_overlap_by_what_they_share():
    box = FaceBox(0, 0, 100, 100)
    assert box.overlap(box) == 1
    assert box.overlap(FaceBox(50, 0, 100, 100)) == pytest.approx(1 / 3)
    assert box.overlap(FaceBox(100, 0, 100, 100)) == 0


def test_faces_can_be_taken_out():
    left = FOUND.without([FOUND.faces[0], FOUND.faces[2]])
    assert left.faces == FOUND.faces[1:2]
    assert left.sampled == FOUND.sampled
