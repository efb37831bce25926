"""Named versions of a script in its project file: nothing but deleting one takes it away."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, write
from example_scripts import E1, E3, SCRIPT

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.narration import Take
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Replace
from adstudio.store import json_rewriting, layout, project_sounds, project_versions, version_rows
from adstudio.store.backups import backups_of
from adstudio.store.codec import CodecError, encode
from adstudio.store.project import ProjectFile
from adstudio.store.version_rows import VersionContent

LONG = replace(
    SCRIPT,
    eventualities=(*SCRIPT.eventualities, *(Eventuality(f"n{i}", (Variant(f"Line {i}."),)) for i in range(400))),
)
SOUND = b"RIFF" + bytes(range(256)) * 300


@pytest.fixture
def project(path: Path) -> Path:
    with ProjectFile.create(path, SCRIPT, plan=PLAN) as file:
        file.versions.keep(SCRIPT, PLAN, name="First", note="before the meeting", by="Anna")
    return path


def names(path: Path) -> list[str]:
    with ProjectFile.open(path, read_only=True) as file:
        assert file.oddities == ()
        return [version.name for version in file.versions.all]


def test_a_version_is_there_with_script_plan_and_what_is_known_of_it(project: Path) -> None:
    with ProjectFile.open(project, read_only=True) as file:
        (version,) = file.versions.all
        assert (version.name, version.note, version.by, version.number) == ("First", "before the meeting", "Anna", 1)
        assert (version.lines, version.spoken, version.sounds) == (3, 1, ())
        assert abs(version.at - layout.now()) < 600_000
        assert file.versions.content(1) == VersionContent(SCRIPT, PLAN)
        with pytest.raises(OutsideFailureError, match="read-only"):
            file.versions.keep(SCRIPT, PLAN, name="Second")
        with pytest.raises(BadInputError, match="no such version"):
            file.versions.content(2)


def test_undo_saving_and_closing_without_saving_leave_versions_alone(project: Path) -> None:
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        write(document, "one", "two")
        edited = document.script
        file.versions.keep(edited, None, name="Edited")
        document.undo()
        document.undo()
        assert file.versions.content(2) == VersionContent(edited, None)
        write(document, "other")
        file.discard()
    assert names(project) == ["First", "Edited"]
    with ProjectFile.open(project) as file:
        assert (file.recoverable, file.saved_script, file.saved_plan) == (False, SCRIPT, PLAN)
        assert file.versions.content(2).script == edited


def test_a_version_that_was_kept_before_a_crash_is_there(project: Path) -> None:
    file = ProjectFile.open(project)
    document = file.document(on_failure=fail)
    write(document, "one")
    file.versions.keep(document.script, None, name="Second")
    content = project.read_bytes()  # as the disk has it when the program is killed
    file.close()
    project.write_bytes(content)
    with ProjectFile.open(project) as file:
        assert file.recoverable
        assert file.versions.content(2).script == file.last_script


def test_a_version_is_renamed_and_deleted(project: Path) -> None:
    with ProjectFile.open(project) as file:
        file.versions.keep(SCRIPT, None, name="Second")
        file.versions.relabel(1, name="Approved", note="by the broadcaster")
        assert [version.name for version in file.versions.all] == ["Approved", "Second"]
        file.versions.delete(2)
        with pytest.raises(BadInputError, match="no such version"):
            file.versions.relabel(2, name="x", note="")
    with ProjectFile.open(project) as file:
        (version,) = file.versions.all
        assert (version.name, version.note, version.by) == ("Approved", "by the broadcaster", "Anna")
        assert file.versions.keep(SCRIPT, None, name="Third").number not in (1, 2)


def test_save_as_takes_versions_along_under_their_numbers(project: Path, tmp_path: Path) -> None:
    with ProjectFile.open(project) as file:
        file.versions.delete(file.versions.keep(SCRIPT, None, name="Second").number)
        third = file.versions.keep(LONG, None, name="Third")
        with ProjectFile.create(tmp_path / "copy.adproj", SCRIPT, like=file) as copy:
            assert copy.versions.all == file.versions.all
            assert copy.versions.content(third.number).script == LONG
    assert names(tmp_path / "copy.adproj") == ["First", "Third"]


def test_backups_have_versions(project: Path, tmp_path: Path) -> None:
    ProjectFile.open(project, backups=tmp_path / "backups").close()
    (backup,) = backups_of(project, tmp_path / "backups")
    assert names(backup) == ["First"]


def with_take(path: Path) -> Script:
    """Records a take, keeps the script that has it, and takes it out of the script again."""
    with ProjectFile.open(path) as file:
        document = file.document(on_failure=fail)
        take = Take("t1", file.store_sound(SOUND), 800, "Aloud.")
        spoken = replace(E3, variants=(Variant("Aloud.", takes=(take,), take="t1"),))
        document.apply(Replace(E3, spoken))
        recorded = document.script
        file.versions.keep(recorded, None, name="Recorded")
        document.apply(Replace(spoken, E3))
        file.save()
    return recorded


def test_recordings_that_only_a_version_names_stay(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_sounds, "WORTH_DELETING", 5)
    recorded = with_take(project)
    folder = tmp_path / "backups"
    ProjectFile.open(project, backups=folder).close()
    with ProjectFile.open(project) as file:
        (key,) = file.versions.all[-1].sounds
        assert file.sound(key) == SOUND
        assert file.versions.content(2).script == recorded
        with ProjectFile.create(tmp_path / "copy.adproj", SCRIPT, like=file) as copy:
            assert copy.sound(key) == SOUND
    (backup,) = backups_of(project, folder)
    project.write_bytes(backup.read_bytes())
    with ProjectFile.open(project, backups=folder) as file:
        assert file.sound(key) == SOUND
        file.versions.delete(2)
    ProjectFile.open(project).close()
    with ProjectFile.open(project) as file, pytest.raises(BadInputError, match="missing or damaged"):
        file.sound(key)


def test_what_was_deleted_is_gone_from_the_file_once_that_is_worth_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_sounds, "WORTH_DELETING", 5)
    with ProjectFile.open(project) as file:
        file.versions.keep(LONG, PLAN, name="A secret name")
        file.versions.keep(SCRIPT, None, name="Third")
        file.versions.delete(2)
    assert b"A secret name" in project.read_bytes()
    ProjectFile.open(project).close()
    assert b"A secret name" not in project.read_bytes()
    assert names(project) == ["First", "Third"]
    with closing(sqlite3.connect(project)) as connection:
        assert connection.execute("SELECT count(*) FROM version WHERE number < 0").fetchone() == (2,)


def test_a_version_is_stored_compactly(path: Path) -> None:
    with ProjectFile.create(path, LONG) as file:
        before = path.stat().st_size
        for number in range(10):
            file.versions.keep(LONG, PLAN, name=f"{number}")
    assert path.stat().st_size - before < 2 * len(encode(LONG))


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


@pytest.mark.parametrize("column", ["label", "content"])
def test_a_damaged_version_is_reported_and_all_else_is_there(project: Path, column: str) -> None:
    with ProjectFile.open(project) as file:
        file.versions.keep(LONG, None, name="Second")
    changed(project, f"UPDATE version SET {column} = substr({column}, 2) WHERE number = 1")
    with ProjectFile.open(project) as file:
        assert [version.name for version in file.versions.all] == ["Second"]
        (oddity,) = file.oddities
        assert "an entry of its kept versions cannot be read; a backup may have them" in oddity.what
        assert (file.saved_script, file.versions.content(2).script) == (SCRIPT, LONG)
        assert file.versions.keep(SCRIPT, None, name="Third").number == 3


def test_a_version_that_is_damaged_while_the_project_is_open_is_refused(project: Path) -> None:
    with ProjectFile.open(project) as file:
        file._file.connection.execute("UPDATE version SET content = x'00' WHERE number = 1")
        with pytest.raises(BadInputError, match=r"version “First” is damaged .*; a backup may have it"):
            file.versions.content(1)


def test_what_is_rescued_from_a_damaged_file_has_its_versions(project: Path) -> None:
    with ProjectFile.open(project) as file:
        file.versions.relabel(1, name="Renamed", note="")
        file.versions.keep(LONG, PLAN, name="Long")
    with closing(sqlite3.connect(project)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'report'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(project.read_bytes())
    data[(root - 1) * size] = 0xFF  # the tree of a table that holds nothing
    project.write_bytes(data)
    with ProjectFile.open(project) as file:
        assert len(file.oddities) == 1
        assert [version.name for version in file.versions.all] == ["Renamed", "Long"]
        assert file.versions.content(3) == VersionContent(LONG, PLAN)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"no such thing", "cannot be unpacked"),
        (zlib.compress(b'{"script":1,"plan":null}'), "script"),
        (zlib.compress(encode(SCRIPT))[:-20], "cut off"),
        (zlib.compress(b" " * 20_000), "too large"),
        (zlib.compress(b'"variants":' * 1100), "more than"),
    ],
)
def test_contents_that_cannot_be_are_refused(content: bytes, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_rows, "MAX_VALUE", 15_000)
    monkeypatch.setattr(version_rows, "MAX_LINES", 1000)
    with pytest.raises(CodecError, match=what):
        version_rows.unpacked(content)


def test_more_versions_than_a_project_may_have_are_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ProjectFile.open(project) as file:
        monkeypatch.setattr(project_versions, "MAX_BYTES", 100)
        with pytest.raises(OutsideFailureError, match="no room for more versions"):
            file.versions.keep(SCRIPT, None, name="x")
        monkeypatch.setattr(project_versions, "MAX_BYTES", 10**6)
        monkeypatch.setattr(project_versions, "MAX_VERSIONS", 1)
        with pytest.raises(OutsideFailureError, match="no room for more versions"):
            file.versions.keep(SCRIPT, None, name="x")
        with pytest.raises(BadInputError, match="cannot hold this version"):
            file.versions.relabel(1, name="x" * 201, note="")
    assert names(project) == ["First"]


def test_a_migration_takes_versions_along(project: Path) -> None:
    with ProjectFile.open(project) as file:
        file.versions.keep(SCRIPT, None, name="Second")
        file.versions.relabel(1, name="Renamed", note="")
    changed(project, "UPDATE version SET content = x'00' WHERE number = 2")
    edits = json_rewriting.Edits(lambda line: line.update(note=f"{line['id']} of old"))
    with closing(sqlite3.connect(project)) as connection:
        json_rewriting.rewrite(project, connection, edits)
        connection.commit()
    with ProjectFile.open(project) as file:
        assert file.saved_script.eventuality("e1") == replace(E1, note="e1 of old")
        assert [version.name for version in file.versions.all] == ["Renamed"]
        content = file.versions.content(1)
        assert [line.note for line in content.script.eventualities] == ["e1 of old", "e2 of old", "e3 of old"]
        assert content.plan == PLAN


def test_a_write_after_another_program_kept_a_version_is_refused(project: Path) -> None:
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        write(document, "one")
        content = project.read_bytes()
        file.versions.keep(document.script, None, name="Second")
        newer = project.read_bytes()
        project.write_bytes(content)
        with pytest.raises(OutsideFailureError, match="changed from another computer"):
            file.versions.keep(document.script, None, name="Third")
        project.write_bytes(newer)
        file.versions.keep(document.script, None, name="Third")
    assert names(project) == ["First", "Second", "Third"]
