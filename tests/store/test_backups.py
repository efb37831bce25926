"""A project as it was opened is kept in the program's own folder."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from example_projects import fail, write
from example_scripts import SCRIPT

from adstudio.core.errors import BadInputError
from adstudio.store import backups
from adstudio.store.backups import MAX_BACKUPS, add_backup, backups_of
from adstudio.store.project import ProjectFile


def test_a_damaged_project_does_not_displace_a_sound_backup(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.create(path, SCRIPT).close()
    ProjectFile.open(path, backups=folder).close()
    sound = [each.read_bytes() for each in backups_of(path, folder)]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE snapshot SET script = x'00'")
    connection.commit()
    connection.close()
    with pytest.raises(BadInputError, match="damaged"):
        ProjectFile.open(path, backups=folder)
    assert [each.read_bytes() for each in backups_of(path, folder)] == sound


def test_each_opening_keeps_the_file_as_it_was_and_the_same_only_once(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "backups"
    ProjectFile.create(path, SCRIPT).close()
    first = path.read_bytes()
    for _ in range(3):
        ProjectFile.open(path, backups=folder).close()
    with ProjectFile.open(path, backups=folder) as file:
        write(file.document(on_failure=fail), "one")
        file.save()
    ProjectFile.open(path, backups=folder, read_only=True).close()
    assert [backup.read_bytes() for backup in backups_of(path, folder)] == [first]
    second = path.read_bytes()
    ProjectFile.open(path, backups=folder).close()
    assert [backup.read_bytes() for backup in backups_of(path, folder)] == [second, first]
    with ProjectFile.open(backups_of(path, folder)[1], read_only=True) as file:
        assert file.saved_script == SCRIPT
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", path.name]


@pytest.mark.attack(9)
@pytest.mark.parametrize("days", [(0, -1), (0, 0), (3650, 0)], ids=["set back", "stands still", "was ahead"])
def test_the_newest_backup_is_found_and_stays_whatever_the_clock_says(
    days: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        day = days[0]

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime(2026, 1, 1, tzinfo=tz) + timedelta(days=cls.day)

    monkeypatch.setattr(backups, "datetime", Clock)
    project, folder = tmp_path / "film.adproj", tmp_path / "backups"
    for number in range(MAX_BACKUPS + 5):
        add_backup(project, b"%d" % number, folder)
    Clock.day = days[1]
    for number in range(MAX_BACKUPS + 5, MAX_BACKUPS + 8):
        add_backup(project, b"%d" % number, folder)
    expected = [b"%d" % number for number in range(MAX_BACKUPS + 7, 7, -1)]
    assert [backup.read_bytes() for backup in backups_of(project, folder)] == expected


def test_a_damaged_file_is_not_backed_up_and_the_last_good_backup_opens(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    ProjectFile.create(path, SCRIPT).close()
    ProjectFile.open(path, backups=folder).close()
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(BadInputError, match="restore it from a backup"):
        ProjectFile.open(path, backups=folder)
    (backup,) = backups_of(path, folder)
    with ProjectFile.open(backup, read_only=True) as file:
        ProjectFile.create(path, file.saved_script, like=file).close()
    with ProjectFile.open(path) as file:
        assert file.saved_script == SCRIPT


def test_each_project_has_ten_backups(tmp_path: Path) -> None:
    projects = [tmp_path / "a" / "film.adproj", tmp_path / "b" / "film.adproj", tmp_path / ("é" * 120 + ".adproj")]
    for number in range(MAX_BACKUPS + 5):
        for project in projects:
            add_backup(project, f"{project} {number}".encode(), tmp_path / "backups")
    for project in projects:
        found = [backup.read_bytes().decode() for backup in backups_of(project, tmp_path / "backups")]
        assert found == [f"{project} {number}" for number in range(MAX_BACKUPS + 4, 4, -1)]


def test_without_a_backup_the_project_opens_and_says_so(path: Path, tmp_path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    (tmp_path / "file").write_bytes(b"")
    with ProjectFile.open(path, backups=tmp_path / "file") as file:
        assert "no backup could be made" in file.oddities[0].what
        assert file.saved_script == SCRIPT
    assert backups_of(path, tmp_path / "nowhere") == []
