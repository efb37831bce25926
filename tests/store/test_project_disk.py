"""The project file and its surroundings: the lock, full and read-only disks, strays, other programs."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, fill, write
from example_scripts import SCRIPT

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.core.steps import Insert, Several
from adstudio.store.project import ProjectFile


def test_a_second_editor_is_refused_and_so_is_replacing_an_open_project(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        for again in (
            lambda: ProjectFile.open(path),
            lambda: ProjectFile.open(path, read_only=True),
            lambda: ProjectFile.create(path, SCRIPT),
        ):
            with pytest.raises(OutsideFailureError, match="in use by another window"):
                again()
        write(created.document(on_failure=fail), "still mine")
        created.save()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "still mine"


HOLD = """
import sys, time
from pathlib import Path
from adstudio.store.project import ProjectFile
project = ProjectFile.open(Path(sys.argv[1]))
print("open", flush=True)
time.sleep(60)
"""


def test_the_lock_of_another_process_goes_when_it_is_killed(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    holder = subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        for read_only in (False, True):
            with pytest.raises(OutsideFailureError, match="in use by another window"):
                ProjectFile.open(path, read_only=read_only)
    finally:
        holder.kill()
        holder.communicate()
    ProjectFile.open(path).close()


def test_a_project_that_is_replaced_while_open_is_not_written_into_the_void(path: Path) -> None:
    reported: list[AdstudioError] = []
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        shutil.copy(path, path.with_name("sync"))
        path.with_name("sync").replace(path)
        write(document, "one")
        assert "replaced or removed by another program" in str(reported[0])
        with pytest.raises(OutsideFailureError, match="another name"):
            created.save()
        ProjectFile.create(path.with_name("rescued.adproj"), document.script, like=created).close()
        with pytest.raises(OutsideFailureError):
            created.close()
    with ProjectFile.open(path.with_name("rescued.adproj")) as found:
        assert found.saved_script.eventuality("e1").note == "one"


def test_a_full_disk_is_reported_and_nothing_is_lost(tiny_disk: Path) -> None:
    path = tiny_disk / "film.adproj"
    reported: list[AdstudioError] = []
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        write(document, "one")
        created.save()
        write(document, "two")
        assert reported == []
        fill(tiny_disk)
        for number in range(100):
            write(document, f"{number} " + "long " * 1000)
        assert {type(error) for error in reported} == {OutsideFailureError}
        assert "disk is full" in str(reported[0])
        with pytest.raises(OutsideFailureError, match="disk is full"):
            created.save()
        assert document.changed
        with pytest.raises(OutsideFailureError, match="disk is full"):
            ProjectFile.create(tiny_disk / "copy.adproj", document.script, like=created)
        assert {entry.name for entry in tiny_disk.iterdir()} <= {"filler", "film.adproj", "film.adproj-journal"}
        with pytest.raises(OutsideFailureError):
            created.close()
    with ProjectFile.open(path) as found:
        # Everything up to the step that found the disk full.
        assert found.saved_script.eventuality("e1").note == "one"
        written = found.last_script.eventuality("e1").note
        assert written == "two" or int(written.split()[0]) + 1 == 100 - len(reported)
    (tiny_disk / "filler").unlink()
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        write(document, "room again")
        found.save()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "room again"


def test_what_a_full_disk_refused_is_written_when_there_is_room(tiny_disk: Path) -> None:
    reported: list[AdstudioError] = []
    with ProjectFile.create(tiny_disk / "film.adproj", SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        fill(tiny_disk)
        write(document, *(f"{number} " + "long " * 1000 for number in range(30)))
        assert created.unwritten
        (tiny_disk / "filler").unlink()
        write(document, "and on")
        assert created.unwritten == 0
        past = document.past
    with ProjectFile.open(tiny_disk / "film.adproj") as found:
        assert found.document(on_failure=fail).past == past


def test_a_version_that_a_full_disk_refuses_is_not_there_and_nothing_else_is_lost(tiny_disk: Path) -> None:
    path = tiny_disk / "film.adproj"
    with ProjectFile.create(path, SCRIPT) as created:
        created.versions.keep(SCRIPT, PLAN, name="First")
        write(created.document(on_failure=fail), "one")
        fill(tiny_disk)
        for _ in range(2):
            with pytest.raises(OutsideFailureError, match="disk is full"):
                created.versions.keep(SCRIPT, PLAN, name="Second", note="words " * 1600)
        assert [version.name for version in created.versions.all] == ["First"]
        (tiny_disk / "filler").unlink()
        created.versions.keep(SCRIPT, PLAN, name="Third")
    with ProjectFile.open(path) as found:
        assert [version.name for version in found.versions.all] == ["First", "Third"]
        assert all(found.versions.content(each.number).plan == PLAN for each in found.versions.all)
        assert (found.last_script.eventuality("e1").note, found.oddities) == ("one", ())


def _store_recording(project: ProjectFile, document: Document) -> None:
    project.store_sound(os.urandom(3_000_000))


def _make_a_large_step(project: ProjectFile, document: Document) -> None:
    old = document.script.eventuality("e1")
    added = tuple(replace(old, id=f"n{number}", note=os.urandom(4000).hex()) for number in range(700))
    document.apply(Several("Import", tuple(map(Insert, added))))


@pytest.mark.parametrize("act", [_store_recording, _make_a_large_step])
def test_a_write_that_the_disk_cuts_short_leaves_nothing_behind(
    tiny_disk: Path, act: Callable[[ProjectFile, Document], None]
) -> None:
    path = tiny_disk / "film.adproj"
    ProjectFile.create(path, SCRIPT, plan=PLAN).close()
    before = path.read_bytes()
    fill(tiny_disk)
    # Room for a part of it. It is larger than SQLite's cache, so the file grows before the disk is full.
    with (tiny_disk / "filler").open("r+b") as filler:
        filler.truncate((tiny_disk / "filler").stat().st_size - 200_000)
    failures: list[AdstudioError] = []
    with contextlib.suppress(OutsideFailureError), ProjectFile.open(path) as opened:
        document = opened.document(on_failure=failures.append)
        try:
            act(opened, document)
        except OutsideFailureError as error:
            failures.append(error)
        # Before it is closed too: a process killed now leaves a whole project.
        assert path.stat().st_size == len(before)
    assert "disk is full" in str(failures[0])
    assert path.read_bytes() == before
    assert {entry.name for entry in tiny_disk.iterdir()} == {"filler", "film.adproj"}


def test_a_disk_that_can_only_be_read(tiny_disk: Path) -> None:
    path = tiny_disk / "film.adproj"
    ProjectFile.create(path, SCRIPT, plan=PLAN).close()
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    with pytest.raises(OutsideFailureError, match="read"):
        ProjectFile.open(path)
    with pytest.raises(OutsideFailureError, match="read"):
        ProjectFile.create(path, SCRIPT)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script == SCRIPT
        assert found.saved_plan == PLAN
        document = found.document(on_failure=fail)
        write(document, "in memory only")
        with pytest.raises(OutsideFailureError, match="read-only"):
            found.save()
    assert [entry.name for entry in tiny_disk.iterdir()] == ["film.adproj"]


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process grows beyond this, as after `ulimit -f`."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", ["journal", "project"])
def test_a_limit_on_the_size_of_files_is_said_by_every_write_and_read_and_the_save_stays(path: Path, size: str) -> None:
    """It stops SQLite in its journal; or in the project, and then in rolling back, so that each read fails too."""
    created = ProjectFile.create(path, SCRIPT)
    reported: list[AdstudioError] = []
    document = created.document(on_failure=reported.append)
    key = created.store_sound(b"RIFF")
    before = path.stat().st_size
    with largest_file(600 if size == "journal" else before // 2):
        write(document, "x" * 100_000)
        acts: list[Callable[[], object]] = [created.save, created.write_again, created.close]
        acts[:0] = [lambda: created.store_sound(b"more"), lambda: created.versions.keep(SCRIPT, PLAN, name="A", by="B")]
        for act in acts:
            with pytest.raises(OutsideFailureError, match="larger than this disk allows: choose another disk"):
                act()
    assert "larger than this disk allows" in str(reported[0])
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script == SCRIPT
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.recoverable) == (SCRIPT, False)
        assert found.sound(key) == b"RIFF"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_file_marked_read_only(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    path.chmod(0o444)
    with pytest.raises(OutsideFailureError, match="marked read-only"):
        ProjectFile.open(path)
    with pytest.raises(OutsideFailureError, match="marked read-only"):
        ProjectFile.create(path, SCRIPT)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script == SCRIPT


def test_permissions_of_a_rewritten_project_stay(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    path.chmod(0o640)
    ProjectFile.create(path, SCRIPT).close()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_stray_journal_of_a_deleted_project_does_not_spoil_a_new_one(path: Path) -> None:
    hot = path.with_name("hot.adproj")
    ProjectFile.create(hot, SCRIPT).close()
    connection = sqlite3.connect(hot, isolation_level=None)
    connection.execute("PRAGMA cache_size = 0")
    connection.execute("BEGIN")
    connection.execute("UPDATE snapshot SET script = randomblob(200000)")
    stray = Path(f"{path}-journal")
    shutil.copy(f"{hot}-journal", stray)
    connection.close()
    assert stray.stat().st_size > 512
    ProjectFile.create(path, SCRIPT).close()
    with ProjectFile.open(path) as found:
        assert found.saved_script == SCRIPT


def test_reading_a_project_whose_editor_died_in_a_transaction_writes_nothing(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 0")
    connection.execute("BEGIN")
    connection.execute("UPDATE snapshot SET script = randomblob(200000)")
    copy = path.parent / "died" / "film.adproj"
    copy.parent.mkdir()
    shutil.copy(path, copy)
    shutil.copy(f"{path}-journal", f"{copy}-journal")
    connection.close()
    before = {entry.name: entry.read_bytes() for entry in copy.parent.iterdir()}
    with ProjectFile.open(copy, read_only=True) as found:
        assert found.saved_script == SCRIPT
    assert {entry.name: entry.read_bytes() for entry in copy.parent.iterdir()} == before
    with ProjectFile.open(copy) as found:
        assert found.saved_script == SCRIPT
    assert [entry.name for entry in copy.parent.iterdir()] == ["film.adproj"]


AS_NOBODY = """
import os, platform, secrets, sys  # before the rights go: the interpreter may lie where nobody else reads
from pathlib import Path
from adstudio.core.errors import AdstudioError
from adstudio.system.files import read_bounded, write_atomically
from adstudio.store.project import ProjectFile
folder = Path(sys.argv[1])
path = folder / "film.adproj"
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
def reported(act):
    try:
        act()
        print("done")
    except AdstudioError as error:
        print(error.exit_code, error)
reported(lambda: ProjectFile.open(path))
reported(lambda: ProjectFile.open(path, read_only=True).close())
reported(lambda: ProjectFile.open(folder / "private.adproj", read_only=True))
reported(lambda: ProjectFile.create(folder / "new.adproj", ProjectFile.open(path, read_only=True).saved_script))
reported(lambda: write_atomically(folder / "new.srt", b""))
reported(lambda: read_bounded(folder / "private.adproj", 10**9, "project"))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_that_this_user_may_only_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ProjectFile.create(folder / "film.adproj", SCRIPT).close()
        ProjectFile.create(folder / "private.adproj", SCRIPT).close()
        (folder / "film.adproj").chmod(0o666)
        (folder / "private.adproj").chmod(0o600)
        folder.chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, name],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
        assert sorted(entry.name for entry in folder.iterdir()) == ["film.adproj", "private.adproj"]
    lines = done.stdout.splitlines()
    assert lines[1] == "done"
    for number, words in [
        (0, "read-only folder"),
        (2, "private.adproj"),
        (3, "new.adproj could not be written: you do not have permission"),
        (4, "new.srt could not be written: you do not have permission"),
        (5, "private.adproj: this project cannot be read"),
    ]:
        assert lines[number].startswith("3 ")
        assert words in lines[number]


@pytest.mark.attack(15)
def test_two_writers_on_a_drive_whose_locks_end_at_the_computer(path: Path, tmp_path: Path) -> None:
    """Each has the lock of its own computer; played by a copy that is written back into the open file."""
    failures: list[AdstudioError] = []
    ours = ProjectFile.create(path, SCRIPT)
    document = ours.document(on_failure=failures.append)
    write(document, "ours")
    ours.save()
    theirs = tmp_path / "theirs.adproj"
    shutil.copyfile(path, theirs)
    with ProjectFile.open(theirs) as other:
        write(other.document(on_failure=fail), "theirs")
        other.save()
    with path.open("r+b", buffering=0) as file:
        file.write(theirs.read_bytes())
    write(document, "ours again")
    assert ["another computer" in str(each) for each in failures] == [True]
    with pytest.raises(OutsideFailureError, match="another computer"):
        ours.save()
    with pytest.raises(OutsideFailureError, match="another computer"):
        ours.close()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "theirs"


def test_a_project_whose_time_alone_changed_is_written_as_before(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as file:
        document = file.document(on_failure=fail)
        write(document, "one")
        os.utime(path, (1, 1))
        write(document, "two")
        file.save()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "two"
