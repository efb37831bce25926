"""Drives without locks, played by a kernel call that fails or grants every lock."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "core"))
from example_scripts import SCRIPT

from adstudio.core.errors import OutsideFailureError
from adstudio.store.project import ProjectFile
from adstudio.system.file_locks import require_locks

pytestmark = pytest.mark.attack(15)


def refusing(number: int):
    def call(descriptor: int, command: int, lock: bytes) -> bytes:
        raise OSError(number, os.strerror(number))

    return call


def granting(descriptor: int, command: int, lock: bytes) -> bytes:
    return lock


def test_an_ordinary_drive_keeps_locks(tmp_path: Path) -> None:
    require_locks(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", [refusing(errno.ENOLCK), refusing(errno.EOPNOTSUPP), granting])
def test_a_drive_without_locks_is_named_as_that(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, SCRIPT).close()
    before = path.read_bytes()
    monkeypatch.setattr(fcntl, "fcntl", call)
    with pytest.raises(OutsideFailureError, match="does not keep file locks"):
        ProjectFile.open(path)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script == SCRIPT
    assert [each.name for each in tmp_path.iterdir()] == ["film.adproj"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [errno.EINVAL, errno.EIO])
def test_a_system_that_cannot_be_asked_is_trusted(number: int, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(fcntl, "fcntl", refusing(number))
    require_locks(tmp_path)


def test_a_folder_that_cannot_be_written_is_left_to_others(tmp_path: Path) -> None:
    require_locks(tmp_path / "missing")
