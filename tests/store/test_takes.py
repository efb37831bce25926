"""The recordings of takes in a project file, and how long its voice has spoken."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from example_projects import fail, write
from example_scripts import E1, E2, E3, SCRIPT

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.narration import Take
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Replace
from adstudio.speech.voice_lengths import Manner, VoiceLengths
from adstudio.store import project_sounds, sounds
from adstudio.store.backups import backups_of
from adstudio.store.project import ProjectFile

SOUND = b"RIFF" + bytes(range(256)) * 300
LENGTHS = VoiceLengths().with_measured(Manner("espeak-ng", "", 180, 0, "en"), "1.51", {"Aloud.": 640}).to_bytes()
KEY = sha256(SOUND).hexdigest()
OTHER_SOUND = b"another recording"
OTHER = sha256(OTHER_SOUND).hexdigest()
SPOKEN = replace(E3, variants=(Variant("Aloud.", takes=(Take("t1", KEY, 800, "Aloud."),), take="t1"),))
WITH_TAKE: Script = replace(SCRIPT, eventualities=(E1, E2, SPOKEN))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    with ProjectFile.create(path, WITH_TAKE) as file:
        assert file.store_sound(SOUND) == KEY
        assert file.store_sound(SOUND) == KEY
        file.set_lengths(LENGTHS)
    return path


def test_a_sound_is_there_once_and_stays_when_the_project_is_opened_again(project: Path) -> None:
    with ProjectFile.open(project) as file:
        assert (file.sound(KEY), file.lengths) == (SOUND, LENGTHS)
    connection = sqlite3.connect(project)
    assert connection.execute("SELECT count(*) FROM sound WHERE number >= 0").fetchone() == (1,)
    connection.close()
    with ProjectFile.open(project, read_only=True) as file:
        assert file.sound(KEY) == SOUND
        with pytest.raises(OutsideFailureError, match="read-only"):
            file.store_sound(b"another")


def test_save_as_takes_the_sounds_of_the_script_along_and_no_others(project: Path, tmp_path: Path) -> None:
    with ProjectFile.open(project) as file:
        unused = file.store_sound(b"of no take")
        with ProjectFile.create(tmp_path / "copy.adproj", WITH_TAKE, like=file) as copy:
            assert (copy.sound(KEY), copy.lengths) == (SOUND, LENGTHS)
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
        file.store_sound(SOUND)
        assert file.sound(KEY) == SOUND


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
        assert (file.sound(KEY), file.lengths) == (SOUND, LENGTHS)
        file.document(on_failure=fail)


def keys_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {key.hex() for (key,) in connection.execute("SELECT key FROM sound WHERE number >= 0")}


@pytest.fixture
def deleting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if few bytes were worth it."""
    monkeypatch.setattr(project_sounds, "WORTH_DELETING", 5)


@pytest.mark.usefixtures("deleting")
def test_a_recording_that_nothing_names_is_gone_after_the_next_opening(project: Path) -> None:
    with ProjectFile.open(project) as file:
        unused = file.store_sound(b"of no take")
    assert keys_in(project) == {KEY, unused}
    ProjectFile.open(project, read_only=True).close()
    assert keys_in(project) == {KEY, unused}
    ProjectFile.open(project).close()
    assert keys_in(project) == {KEY}


def test_few_of_them_are_not_worth_it(project: Path) -> None:
    with ProjectFile.open(project) as file:
        unused = file.store_sound(b"of no take")
    ProjectFile.open(project).close()
    assert keys_in(project) == {KEY, unused}


@pytest.mark.usefixtures("deleting")
def test_a_project_that_is_written_anew_is_the_same_otherwise(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    with ProjectFile.open(project) as file:
        file.store_sound(b"of no take")
        write(file.document(on_failure=fail), "unsaved")
        before = file.last_step_at, file.identity
    project.chmod(0o640)
    with ProjectFile.open(project, backups=folder) as file:
        assert file.recoverable
        assert len(file.unsaved_steps) == 1
        assert file.identity == before[1]
        assert (file.saved_script, file.sound(KEY), file.oddities) == (WITH_TAKE, SOUND, ())
        file.document(on_failure=fail)
        file.save()
    assert project.stat().st_mode & 0o777 == 0o640
    assert len(backups_of(project, folder)) == 1


@pytest.mark.usefixtures("deleting")
def test_a_recording_stays_while_undo_or_the_last_save_brings_it_back(project: Path) -> None:
    without = Replace(SPOKEN, replace(SPOKEN, variants=(Variant("Aloud."),)))
    with ProjectFile.open(project) as file:
        file.document(on_failure=fail).apply(without)  # and the program is killed: the step is not saved
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        assert document.undo()
        assert file.sound(KEY) == SOUND
        assert document.redo()
        file.save()
    ProjectFile.open(project).close()
    assert keys_in(project) == set()


def test_save_as_takes_along_what_undo_brings_back(project: Path, tmp_path: Path) -> None:
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        document.apply(Replace(SPOKEN, replace(SPOKEN, variants=(Variant("Aloud."),))))
        with ProjectFile.create(tmp_path / "copy.adproj", document.script, like=file) as copy:
            copy.attach(document, on_failure=fail)
            assert document.undo()
            assert copy.sound(KEY) == SOUND


def test_backups_share_one_copy_of_each_recording(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    two = (*SPOKEN.variants[0].takes, Take("t2", OTHER, 5, "Aloud."))
    more = replace(SPOKEN, variants=(replace(SPOKEN.variants[0], takes=two),))
    for step in (None, Replace(SPOKEN, more), None):
        with ProjectFile.open(project, backups=folder) as file:
            if step is not None:
                assert file.store_sound(OTHER_SOUND) == OTHER
                file.document(on_failure=fail).apply(step)
                file.save()
    backups = backups_of(project, folder)
    assert len(backups) == 2
    (shared,) = (entry for entry in folder.iterdir() if entry.is_dir())
    assert {entry.name for entry in shared.iterdir()} == {f"{KEY}.flac", f"{OTHER}.flac"}
    assert all(keys_in(backup) == set() for backup in backups)
    assert all(entry.stat().st_mode & 0o077 == 0 for entry in (shared, *shared.iterdir()))


def test_a_backup_has_its_takes_where_it_lies_and_saved_elsewhere(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    (backup,) = backups_of(project, folder)
    with ProjectFile.open(backup, read_only=True) as file:
        assert file.sound(KEY) == SOUND
        with ProjectFile.create(tmp_path / "copy.adproj", file.saved_script, like=file) as copy:
            assert copy.sound(KEY) == SOUND


def test_a_backup_put_back_in_the_projects_place_gets_its_takes_back(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    (backup,) = backups_of(project, folder)
    project.write_bytes(backup.read_bytes())
    ProjectFile.open(project, backups=folder).close()
    assert keys_in(project) == {KEY}
    with ProjectFile.open(project) as file:
        assert (file.sound(KEY), file.saved_script) == (SOUND, WITH_TAKE)


def test_a_damaged_copy_of_a_recording_is_not_taken_for_it(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    (backup,) = backups_of(project, folder)
    (copy,) = next(entry for entry in folder.iterdir() if entry.is_dir()).iterdir()
    copy.write_bytes(b"x" + copy.read_bytes())
    with ProjectFile.open(backup, read_only=True) as file, pytest.raises(BadInputError, match="missing or damaged"):
        file.sound(KEY)


def test_copies_that_no_backup_needs_are_deleted_in_the_end(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    shared = next(entry for entry in folder.iterdir() if entry.is_dir())
    old = shared / f"{OTHER}.flac"
    old.write_bytes(OTHER_SOUND)
    ProjectFile.open(project, backups=folder).close()
    assert old.exists()  # it may be that of a backup made at the same time
    two_days_ago = (folder.stat().st_mtime - 2 * 24 * 3600,) * 2
    os.utime(old, two_days_ago)
    os.utime(shared / f"{KEY}.flac", two_days_ago)
    ProjectFile.open(project, backups=folder).close()
    assert {entry.name for entry in shared.iterdir()} == {f"{KEY}.flac"}


def test_a_folder_that_cannot_hold_recordings_is_told_and_the_project_opens(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    shared = next(entry for entry in folder.iterdir() if entry.is_dir())
    for entry in shared.iterdir():
        entry.unlink()
    shared.rmdir()
    shared.write_bytes(b"a file in its place")
    with ProjectFile.open(project, backups=folder) as file:
        assert "no backup could be made" in file.oddities[0].what
        assert file.sound(KEY) == SOUND


def test_recordings_beyond_what_a_file_may_hold_are_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sounds, "MAX_SOUNDS", len(SOUND) + 10)
    with ProjectFile.open(project) as file:
        file.store_sound(b"0123456789")
        with pytest.raises(OutsideFailureError, match="no room for more takes"):
            file.store_sound(b"x")


@pytest.mark.usefixtures("deleting")
def test_rows_that_mean_nothing_stay_where_recordings_go(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    with ProjectFile.open(project) as file:
        file.store_sound(b"of no take")
    ProjectFile.open(project, backups=folder).close()
    (backup,) = backups_of(project, folder)
    for path in (project, backup):
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM sound WHERE number < 0").fetchone() == (2,)
            assert connection.execute("SELECT count(*) FROM journal WHERE seq < 0").fetchone() == (2,)
