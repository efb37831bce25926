"""The hand rests: the file is brought into a shape that opens fast, and nothing else about it changes."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, fill, write
from example_scripts import SCRIPT

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Insert, Several
from adstudio.store import database, journal
from adstudio.store.content import RestorePoint, changes_in
from adstudio.store.project import ProjectFile

LARGER = replace(
    SCRIPT, eventualities=(*SCRIPT.eventualities, *(Eventuality(f"b{i}", (Variant(f"Line {i}"),)) for i in range(60)))
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SNAPSHOT_WHEN_IDLE", 5)
    monkeypatch.setattr(journal, "SNAPSHOT_AT_LATEST", 20)


def rows(path: Path, what: str) -> list[int]:
    """The first column of what a file that was closed holds."""
    connection = sqlite3.connect(path)
    found = [row[0] for row in connection.execute(what)]
    connection.close()
    return found


def rest(project: ProjectFile) -> None:
    """A rest that is long enough for all there is to do."""
    while project.tidy():
        pass


def snapshots(path: Path) -> list[int]:
    return rows(path, "SELECT seq FROM snapshot ORDER BY seq")


def test_a_rest_after_enough_changes_writes_the_script_whole(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        for number in range(13):
            write(document, f"{number}")
            rest(created)
        last = document.script
    assert snapshots(path) == [0, 10]
    assert rows(path, "SELECT saved FROM state") == [0]
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (SCRIPT, last)
        document = found.document(on_failure=fail)
        while document.undo():
            pass
        assert document.script == SCRIPT
        assert not document.changed


def test_a_crash_between_two_bites_of_a_rest_loses_nothing(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        seen: set[tuple[int, ...]] = set()
        for number in range(12):
            write(document, f"{number}")
            more = True
            while more:
                more = created.tidy()
                copy = path.with_name("copy.adproj")
                copy.write_bytes(path.read_bytes())
                with ProjectFile.open(copy) as found:
                    assert (found.saved_script, found.last_script) == (SCRIPT, document.script)
                    assert found.oddities == ()
                seen.add(tuple(snapshots(copy)))
    # Two whole scripts after the save stand in the file for a moment; the older of them goes in the next bite.
    assert seen == {(0,), (0, 5), (0, 5, 10), (0, 10)}


def test_an_edit_between_two_bites_of_a_rest_is_written_as_ever(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        for number in range(30):
            write(document, f"{number}")
            created.tidy()
        last = document.script
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (SCRIPT, last)


def test_a_rest_with_little_to_do_writes_nothing(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, plan=PLAN) as created:
        document = created.document(on_failure=fail)
        write(document, "1", "2", "3", "4")
    before = path.read_bytes()
    with ProjectFile.open(path) as found:
        found.tidy()
        found.document(on_failure=fail)
        for _ in range(5):
            found.tidy()
    with ProjectFile.open(path, read_only=True) as found:
        found.document(on_failure=fail)
        found.tidy()
    found.tidy()
    assert path.read_bytes() == before


def test_what_a_crash_left_behind_is_tidied_at_the_first_rests(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        write(created.document(on_failure=fail), *"123456")
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        for _ in range(2):
            found.tidy()
        last = document.script
    assert snapshots(path) == [0, 6]
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (SCRIPT, last)
        assert len(found.document(on_failure=fail).past) == 6


def test_the_last_save_chosen_gives_nothing_up_at_a_rest(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, *"1234567")
        last = document.script
    before = path.read_bytes()
    with ProjectFile.open(path) as found:
        found.document(RestorePoint.LAST_SAVE, on_failure=fail)
        for _ in range(3):
            found.tidy()
    assert path.read_bytes() == before
    with ProjectFile.open(path) as found:
        assert found.last_script == last


def test_the_bound_holds_under_ceaseless_editing(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, *(f"{number}" for number in range(50)))
    assert snapshots(path) == [0, 40]


def test_each_change_in_a_step_counts(path: Path) -> None:
    lines = tuple(Insert(Eventuality(f"n{number}", (Variant("A line"),))) for number in range(19))
    assert changes_in(Several("", (lines[0], Several("", lines[1:])))) == 19
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        document.apply(Several("Nineteen", lines))
        write(document, "twenty", "one more")
        last = document.script
    assert snapshots(path) == [0, 2]
    with ProjectFile.open(path) as found:
        assert found.last_script == last


def test_a_save_waits_for_nothing_and_the_rest_follows(path: Path) -> None:
    with ProjectFile.create(path, LARGER) as created:
        document = created.document(on_failure=fail)
        write(document, *"123456")
        created.save()
        saved = document.script
        # Not every line was encoded ahead by six steps: the whole script is left for the rest.
        assert snapshots_inside(created) == [0]
        rest(created)
        assert snapshots_inside(created) == [6]
        write(document, "7")
    assert rows(path, "SELECT seq FROM journal WHERE seq > 0") == [7]
    with ProjectFile.open(path) as found:
        assert found.saved_script == saved
        assert found.last_script.eventuality("e1").note == "7"


def snapshots_inside(created: ProjectFile) -> list[int]:
    return [row[0] for row in created._file.connection.execute("SELECT seq FROM snapshot ORDER BY seq")]


def test_a_step_that_could_not_be_written_is_not_passed_over(path: Path) -> None:
    reported: list[AdstudioError] = []
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        write(document, *"123456", "x" * 100_001)
        for _ in range(3):
            created.tidy()
        assert snapshots_inside(created) == [0]
        assert len(reported) == 1
        document.undo()
        created.tidy()
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").note == "6"


def test_a_step_that_the_disk_refused_is_not_passed_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, connection: sqlite3.Connection) -> None:
        raise OutsideFailureError("the disk is full")

    reported: list[AdstudioError] = []
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        write(document, *"123456")
        with monkeypatch.context() as patch:
            patch.setattr(database, "transaction", refuse)
            write(document, "7")
        assert [str(error) for error in reported] == ["the disk is full"]
        assert created.unwritten == 1
        for _ in range(3):
            created.tidy()
    with ProjectFile.open(path) as found:
        assert found.oddities == ()
        assert found.last_script.eventuality("e1").note == "7"


def test_a_rest_in_the_middle_of_a_change_is_none(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = Document(SCRIPT)
        document.subscribe(lambda change: created.tidy())
        created.attach(document, on_failure=fail)
        write(document, *(f"{number}" for number in range(12)))
        last = document.script
    with ProjectFile.open(path) as found:
        assert found.oddities == ()
        assert found.last_script == last


def test_a_full_disk_does_not_make_a_rest_fail(tiny_disk: Path) -> None:
    wide = replace(SCRIPT, eventualities=tuple(replace(e, note="wide " * 9_000) for e in SCRIPT.eventualities))
    path = tiny_disk / "film.adproj"
    with ProjectFile.create(path, wide) as created:
        document = created.document(on_failure=fail)
        write(document, *"123456")
        fill(tiny_disk)
        created.tidy()
        last: Script = document.script
    with ProjectFile.open(path, read_only=True) as found:
        assert (found.saved_script, found.last_script) == (wide, last)


def test_going_on_after_changes_were_recovered(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, *"123")
        created.save()
        saved = document.script
        write(document, *"4567")
        recovered = document.script
        write(document, *"89")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE journal SET step = x'00' WHERE seq = 8")
    connection.commit()
    connection.close()
    with ProjectFile.open(path) as found:
        assert "damaged" in found.oddities[0].what
        document = found.document(on_failure=fail)
        found.tidy()
        assert document.script == recovered
        write(document, "ten")
    with ProjectFile.open(path) as found:
        assert found.oddities == ()
        assert found.saved_script == saved
        assert found.last_script.eventuality("e1").note == "ten"
