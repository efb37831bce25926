"""What a journal beside a project may do to it: complete it where it needs that, and nothing where it does not."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from example_scripts import SCRIPT

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Replace
from adstudio.store import new_file, recovery
from adstudio.store.project import ProjectFile

pytestmark = pytest.mark.attack(3)

OTHER = replace(SCRIPT, eventualities=tuple(Eventuality(f"b{i}", (Variant(f"Line {i} " * 50),)) for i in range(300)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.adproj"


def torn(folder: Path, script: Script = SCRIPT) -> Path:
    """A project whose editor died while it wrote: half-written pages, and the journal that restores them."""
    live = folder / "live" / "film.adproj"
    live.parent.mkdir(parents=True)
    ProjectFile.create(live, script).close()
    died = folder / "died" / "film.adproj"
    died.parent.mkdir()
    with closing(sqlite3.connect(live, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 0")
        connection.execute("BEGIN")
        connection.execute("UPDATE snapshot SET script = randomblob(200000)")
        shutil.copy(live, died)
        shutil.copy(f"{live}-journal", f"{died}-journal")
    assert Path(f"{died}-journal").stat().st_size > 512
    return died


def logged(folder: Path) -> Path:
    """A `-wal` of another project."""
    other = folder / "other.adproj"
    ProjectFile.create(other, OTHER).close()
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE snapshot SET script = randomblob(2000)")
    log = folder / "log"
    shutil.copy(f"{other}-wal", log)
    connection.close()
    return log


def contents(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


@pytest.mark.parametrize("kind", ["journal", "wal"])
def test_a_stray_side_file_changes_nothing_and_is_set_aside(path: Path, tmp_path: Path, kind: str) -> None:
    stray = Path(f"{torn(tmp_path / 'elsewhere', OTHER)}-journal") if kind == "journal" else logged(tmp_path)
    bytes_of_stray = stray.read_bytes()
    ProjectFile.create(path, SCRIPT).close()
    whole = path.read_bytes()
    shutil.copy(stray, f"{path}-{kind}")
    before = contents(path.parent)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script == SCRIPT
        (oddity,) = found.oddities
        assert "not used" in str(oddity)
    assert contents(path.parent) == before
    with ProjectFile.open(path) as found:
        assert found.saved_script == SCRIPT
        (oddity,) = found.oddities
    assert path.read_bytes() == whole
    (aside,) = path.parent.glob(f"film.adproj-{kind} (*)")
    assert aside.read_bytes() == bytes_of_stray
    assert aside.name in str(oddity)
    with ProjectFile.open(path) as found:
        assert found.oddities == ()


def test_a_project_that_needs_its_journal_gets_it(tmp_path: Path) -> None:
    died = torn(tmp_path)
    before = contents(died.parent)
    with ProjectFile.open(died, read_only=True) as found:
        assert (found.saved_script, found.oddities) == (SCRIPT, ())
    assert contents(died.parent) == before
    with ProjectFile.open(died) as found:
        assert (found.saved_script, found.oddities) == (SCRIPT, ())
    assert list(contents(died.parent)) == ["film.adproj"]


def test_a_journal_of_a_write_that_was_complete_is_not_needed_and_goes(path: Path, tmp_path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as file:
        document = file.document(on_failure=lambda error: None)
        old = document.script.eventualities[0]
        earlier = path.read_bytes()
        document.apply(Replace(old, replace(old, note="the last thing written")))
    with closing(sqlite3.connect(tmp_path / "earlier", isolation_level=None)) as connection:
        # A journal that would restore the state before that step.
        (tmp_path / "earlier").write_bytes(earlier)
        connection.execute("PRAGMA cache_size = 0")
        connection.execute("BEGIN")
        connection.execute("UPDATE snapshot SET script = randomblob(200000)")
        shutil.copy(tmp_path / "earlier-journal", f"{path}-journal")
    with ProjectFile.open(path) as found:
        assert found.last_script.eventualities[0].note == "the last thing written"
        assert found.oddities == ()
    assert not Path(f"{path}-journal").exists()


def test_what_cannot_be_read_either_way_is_left_as_it_is(path: Path, tmp_path: Path) -> None:
    died = torn(tmp_path)
    journal = Path(f"{died}-journal")
    data = bytearray(journal.read_bytes())
    data[600:] = b"\x55" * (len(data) - 600)
    journal.write_bytes(data)
    died.write_bytes(died.read_bytes()[:16_384] + b"\x00" * 40_000)
    before = contents(died.parent)
    for read_only in (True, False):
        with pytest.raises(BadInputError):
            ProjectFile.open(died, read_only=read_only)
        assert contents(died.parent) == before


def test_a_replacement_that_fails_leaves_the_old_project_as_it_was(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stray = Path(f"{torn(tmp_path / 'elsewhere', OTHER)}-journal")
    ProjectFile.create(path, SCRIPT).close()
    shutil.copy(stray, f"{path}-journal")

    def full(*_: object, **__: object) -> None:
        raise OutsideFailureError("the disk is full")

    monkeypatch.setattr(new_file, "write_atomically", full)
    with pytest.raises(OutsideFailureError, match="full"):
        ProjectFile.create(path, OTHER)
    with ProjectFile.open(path) as found:
        assert found.saved_script == SCRIPT
    assert [each.read_bytes() for each in path.parent.glob("film.adproj-journal (*)")] == [stray.read_bytes()]


def test_the_journal_of_a_project_that_was_moved_away_survives_a_new_one(path: Path, tmp_path: Path) -> None:
    died = torn(tmp_path)
    moved = died.with_name("moved.adproj")
    died.rename(moved)
    ProjectFile.create(died, OTHER).close()
    (aside,) = died.parent.glob("film.adproj-journal (*)")
    aside.rename(f"{moved}-journal")
    with ProjectFile.open(moved) as found:
        assert found.saved_script == SCRIPT


def test_a_second_stray_does_not_take_the_place_of_the_first(path: Path, tmp_path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    strays: list[bytes] = []
    for number in range(3):
        stray = Path(f"{torn(tmp_path / str(number), OTHER)}-journal")
        strays.append(stray.read_bytes())
        shutil.copy(stray, f"{path}-journal")
        ProjectFile.open(path).close()
    assert [each.read_bytes() for each in sorted(path.parent.glob("film.adproj-journal (*)"))] == strays


@pytest.mark.parametrize("missing", [1, 3])
def test_a_file_that_was_not_extended_in_time_is_rebuilt(path: Path, missing: int) -> None:
    """Its first page already names pages that were still to be written when its editor died."""
    with ProjectFile.create(path, SCRIPT) as file:
        document = file.document(on_failure=lambda error: None)
        old = document.script.eventualities[0]
        document.apply(Replace(old, replace(old, note="acknowledged")))
    data = bytearray(path.read_bytes())
    data[28:32] = (int.from_bytes(data[28:32]) + missing).to_bytes(4)
    path.write_bytes(data)
    for read_only in (True, False):
        with ProjectFile.open(path, read_only=read_only) as found:
            assert found.last_script.eventualities[0].note == "acknowledged"
            assert all(f"{path} was damaged; all changes" in oddity.what for oddity in found.oddities)
            assert not any("Oddity" in oddity.what for oddity in found.oddities)


def test_a_project_that_is_open_is_not_repaired(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT):
        before = path.stat()
        with pytest.raises(OutsideFailureError, match="in use by another window"):
            recovery.repair(path)
        assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
