"""The identity that a project will have: the same until it is written, whatever befalls the file that keeps it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adstudio.connections.provisional_ids import LARGEST, MOST, forget_identity, identity_of


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "data" / "unfinished.json"


def test_it_stays_until_the_project_is_written(place: Path, tmp_path: Path) -> None:
    one = identity_of(tmp_path / "p.adproj", "print", place)
    assert len(bytes.fromhex(one)) == 16
    assert identity_of(tmp_path / "p.adproj", "print", place) == one
    assert identity_of(tmp_path / "q.adproj", "print", place) != one
    assert identity_of(tmp_path / "p.adproj", "another film", place) != one
    forget_identity(tmp_path / "p.adproj", "print", place)
    assert identity_of(tmp_path / "p.adproj", "print", place) != one


def test_the_oldest_are_forgotten(place: Path, tmp_path: Path) -> None:
    found = [identity_of(tmp_path / f"{n}.adproj", "", place) for n in range(MOST + 1)]
    assert identity_of(tmp_path / "1.adproj", "", place) == found[1]
    assert len(json.loads(place.read_bytes())["drafts"]) == MOST
    assert identity_of(tmp_path / "0.adproj", "", place) != found[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"[" * 90_000,
        b"{}",
        b'{"format": "adstudio-unfinished/1", "drafts": []}',
        b'{"format": "adstudio-unfinished/1", "drafts": {"p": 1}}',
        b'{"format": "adstudio-unfinished/2", "drafts": {}}',
        b"x" * (LARGEST + 1),
    ],
)
def test_what_is_no_such_file_is_written_anew(place: Path, tmp_path: Path, content: bytes) -> None:
    place.parent.mkdir()
    place.write_bytes(content)
    one = identity_of(tmp_path / "p.adproj", "", place)
    assert identity_of(tmp_path / "p.adproj", "", place) == one


def test_what_is_no_identity_is_not_used(place: Path, tmp_path: Path) -> None:
    identity_of(tmp_path / "p.adproj", "", place)
    kept = json.loads(place.read_bytes())
    (name,) = kept["drafts"]
    kept["drafts"][name] = "no identity"
    place.write_text(json.dumps(kept))
    assert len(bytes.fromhex(identity_of(tmp_path / "p.adproj", "", place))) == 16


def test_where_it_cannot_be_kept_there_is_one_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert len(bytes.fromhex(identity_of(tmp_path / "p.adproj", "", tmp_path / "file" / "unfinished.json"))) == 16


def test_it_is_for_its_user_alone(tmp_path):
    place = tmp_path / "unfinished.json"
    identity_of(tmp_path / "p.adproj", "film", place)
    place.chmod(0o644)
    identity_of(tmp_path / "p.adproj", "film", place)
    assert place.stat().st_mode & 0o777 == 0o600
