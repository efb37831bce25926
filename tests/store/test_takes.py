"""The recordings of takes in a project file, and how long its voice has spoken."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from example_projects import fail
from example_scripts import E1, E2, E3, SCRIPT

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.narration import Take
from adstudio.core.script import Script, Variant
from adstudio.store.project import ProjectFile

SOUND = b"RIFF" + bytes(range(256)) * 300
KEY = sha256(SOUND).hexdigest()
SPOKEN = replace(E3, variants=(Variant("Aloud.", takes=(Take("t1", KEY, 800, "Aloud."),), take="t1"),))
WITH_TAKE: Script = replace(SCRIPT, eventualities=(E1, E2, SPOKEN))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    with ProjectFile.create(path, WITH_TAKE) as file:
        assert file.store_sound(SOUND) == KEY
        assert file.store_sound(SOUND) == KEY
        file.set_lengths(b'{"a": 1}')
    return path


def test_a_sound_is_there_once_and_stays_when_the_project_is_opened_again(project: Path) -> None:
    with ProjectFile.open(project) as file:
        assert (file.sound(KEY), file.lengths) == (SOUND, b'{"a": 1}')
    connection = sqlite3.connect(project)
    assert connection.execute("SELECT count(*) FROM sound").fetchone() == (1,)
    connection.close()
    with ProjectFile.open(project, read_only=True) as file:
        assert file.sound(KEY) == SOUND
        with pytest.raises(OutsideFailureError, match="read-only"):
            file.store_sound(b"another")


def test_save_as_takes_the_sounds_of_the_script_along_and_no_others(project: Path, tmp_path: Path) -> None:
    with ProjectFile.open(project) as file:
        unused = file.store_sound(b"of no take")
        with ProjectFile.create(tmp_path / "copy.adproj", WITH_TAKE, like=file) as copy:
            assert (copy.sound(KEY), copy.lengths) == (SOUND, b'{"a": 1}')
            with pytest.raises(BadInputError, match="missing or damaged"):
                copy.sound(unused)


def test_a_damaged_sound_is_refused_and_damaged_lengths_are_forgotten(project: Path) -> None:
    connection = sqlite3.connect(project)
    connection.execute("UPDATE sound SET data = x'00'")
    connection.execute("UPDATE lengths SET lengths = x'00'")
    connection.commit()
    connection.close()
    with ProjectFile.open(project) as file:
        assert (file.lengths, file.oddities) == (b"", ())
        with pytest.raises(BadInputError, match="record it again"):
            file.sound(KEY)


def test_what_is_rescued_from_a_damaged_file_has_its_sounds(project: Path) -> None:
    connection = sqlite3.connect(project)
    (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'report'").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    data = bytearray(project.read_bytes())
    data[(root - 1) * size] = 0xFF  # the tree of a table that holds nothing
    project.write_bytes(data)
    with ProjectFile.open(project) as file:
        assert len(file.oddities) == 1
        assert (file.sound(KEY), file.lengths) == (SOUND, b'{"a": 1}')
        file.document(on_failure=fail)
