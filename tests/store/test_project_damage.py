"""Foreign, damaged, newer and older project files: a sentence, the right content, or a copy set aside."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from example_projects import fail, note, write
from example_scripts import SCRIPT

from adstudio.core.errors import BadInputError
from adstudio.core.steps import StepError
from adstudio.store import layout
from adstudio.store.project import ProjectFile


def foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE moz_places (id INTEGER)")
    connection.commit()
    connection.close()


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "no such project"),
        (lambda path: path.mkdir(), "is a folder"),
        (os.mkfifo, "device or pipe"),
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_bytes(bytes(100_000)), "not an adstudio project"),
        (lambda path: path.write_bytes(b"1\n00:00:01,000 --> 00:00:02,000\nHello\n"), "not an adstudio project"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "not an adstudio project|damaged"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(100_000)), "not an adstudio project|damaged"),
        (foreign_database, "another program’s database"),
        (sparse, "too large for a project"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_project_is_refused_with_a_sentence(
    path: Path, make: Callable[[Path], None], reason: str, read_only: bool
) -> None:
    make(path)
    with pytest.raises(BadInputError, match=reason):
        ProjectFile.open(path, read_only=read_only)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name][: path.exists()]


@pytest.mark.parametrize("what", ["newer", "older than any"])
def test_a_file_of_an_unknown_version_is_refused_and_untouched(path: Path, what: str) -> None:
    ProjectFile.create(path, SCRIPT).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {layout.VERSION + 1 if what == 'newer' else 0}")
    connection.close()
    before = path.read_bytes()
    reason = f"file version {layout.VERSION + 1}, supported up to {layout.VERSION}"
    for read_only in (False, True):
        with pytest.raises(BadInputError, match=reason if what == "newer" else "damaged"):
            ProjectFile.open(path, read_only=read_only)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM snapshot; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE more (x)",
        "DROP TABLE plan",
        "DELETE FROM state",
        "DELETE FROM snapshot",
        "UPDATE state SET saved = 99",
        "UPDATE snapshot SET script = CAST(script || ' ' AS BLOB)",
        "UPDATE snapshot SET script = CAST(replace(CAST(script AS TEXT), 'She parks', 'He parks') AS BLOB)",
        "UPDATE journal SET act = 'undo' WHERE seq = 1",
        "DELETE FROM journal WHERE seq = 1",
        "DELETE FROM journal WHERE seq <= 2",
        "PRAGMA journal_mode = WAL",
    ],
)
def test_a_file_that_was_tampered_with_is_refused(path: Path, statement: str) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        write(created.document(on_failure=fail), "one", "two")
        created.save()
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    for read_only in (False, True):
        with pytest.raises(BadInputError, match=r"restore it from a backup"):
            ProjectFile.open(path, read_only=read_only)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET step = x'00' WHERE seq = 3",
        "UPDATE journal SET step = 'x' WHERE seq = 4",
        "UPDATE journal SET at = 5 WHERE seq = 4",
        "DELETE FROM journal WHERE seq = 3",
        "DELETE FROM journal WHERE seq = 4",
    ],
)
def test_unsaved_steps_are_recovered_up_to_the_damage(path: Path, statement: str) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one", "two")
        created.save()
        saved = document.script
        write(document, "three")
        recovered = saved if "seq = 3" in statement else document.script
        write(document, "four")
    connection = sqlite3.connect(path)
    if "'x'" in statement:
        # What SQLite itself would refuse to write.
        statement = statement.replace("'x'", "x'7b7d'")
    connection.execute(statement)
    connection.commit()
    connection.close()
    as_it_was = path.read_bytes()
    with ProjectFile.open(path, read_only=True) as found:
        assert found.last_script == recovered
        assert "damaged" in found.oddities[0].what
    assert path.read_bytes() == as_it_was
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, recovered)
        assert found.recoverable == (recovered != saved)
        assert "saved as film (damaged).adproj" in found.oddities[0].what
        document = found.document(on_failure=fail)
        write(document, "five")
    assert path.with_name("film (damaged).adproj").read_bytes() == as_it_was
    with ProjectFile.open(path) as found:
        assert found.oddities == ()
        assert found.last_script.eventuality("e1").note == "five"


def test_steps_that_add_up_but_do_not_fit_are_damage_too(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        step = note("other", SCRIPT)
        with pytest.raises(StepError):
            step.apply(document.script)
        chain = created._journal._last_sum
        created._file.connection.execute("BEGIN")
        from adstudio.store.codec import encode_step

        chain = layout.write_row(created._file.connection, chain, 2, act="do", step=encode_step(step), at=0)
        layout.write_state(created._file.connection, 0, 2, chain)
        created._file.connection.execute("COMMIT")
    with ProjectFile.open(path) as found:
        assert found.last_script == SCRIPT
        assert "change 2 does not fit" in found.oddities[0].what


VERSION_1 = """
CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, chain BLOB NOT NULL, script BLOB NOT NULL, sum BLOB NOT NULL) STRICT
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), saved INTEGER NOT NULL, last INTEGER NOT NULL,
 last_sum BLOB NOT NULL, sum BLOB NOT NULL) STRICT
CREATE TABLE plan (seq INTEGER PRIMARY KEY, plan BLOB NOT NULL, sum BLOB NOT NULL) STRICT
CREATE TABLE journal (seq INTEGER PRIMARY KEY, act TEXT NOT NULL, step BLOB NOT NULL, sum BLOB NOT NULL) STRICT
""".replace(",\n", ",").strip()
"""The tables as version 1 had them, written out so that a change of the code does not change the test."""


def version_1(path: Path) -> None:
    """A project as version 1 wrote it: no times of steps. One step saved, one not."""
    from adstudio.store.codec import encode, encode_step

    steps = [note("one", SCRIPT), note("two", note("one", SCRIPT).apply(SCRIPT))]
    connection = sqlite3.connect(path)
    for statement in (
        *VERSION_1.splitlines(),
        "PRAGMA application_id = 1094996820",
        "PRAGMA user_version = 1",
    ):
        connection.execute(statement)
    layout.write_snapshot(connection, 0, b"start", encode(SCRIPT))
    chain = b"start"
    for number, step in enumerate(steps, 1):
        data = encode_step(step)
        chain = layout.digest("journal", chain, number, "do", data)
        connection.execute("INSERT INTO journal VALUES (?, 'do', ?, ?)", (number, data, chain))
    layout.write_state(connection, 1, 2, chain)
    connection.commit()
    connection.close()


def test_an_older_file_is_migrated_with_a_copy_beside_it(path: Path) -> None:
    version_1(path)
    old = path.read_bytes()
    with ProjectFile.open(path, read_only=True) as found:
        assert found.last_script.eventuality("e1").note == "two"
    assert path.read_bytes() == old
    assert len(list(path.parent.iterdir())) == 1
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "one"
        assert found.last_script.eventuality("e1").note == "two"
        assert found.last_step_at is None
        document = found.document(on_failure=fail)
        assert len(document.past) == 1
        write(document, "three")
        found.save()
    assert path.with_name("film (version 1).adproj").read_bytes() == old
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "three"
        assert found.last_step_at is not None
    assert len(list(path.parent.iterdir())) == 2


def test_a_second_migration_keeps_the_first_copy(path: Path) -> None:
    for number in ("", " 2"):
        version_1(path)
        ProjectFile.open(path).close()
        assert path.with_name(f"film (version 1{number}).adproj").exists()
        path.unlink()
    assert path.with_name("film (version 1).adproj").exists()


def test_a_damaged_older_file_is_refused_and_not_hidden_by_migrating(path: Path) -> None:
    for statement in (
        "UPDATE snapshot SET script = CAST(replace(CAST(script AS TEXT), 'She parks', 'He parks') AS BLOB)",
        "UPDATE journal SET step = x'7b7d' WHERE seq = 1",
        "DELETE FROM journal WHERE seq = 2",
        "UPDATE state SET saved = 2",
        "DELETE FROM state",
    ):
        path.unlink(missing_ok=True)
        version_1(path)
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()
        before = path.read_bytes()
        with pytest.raises(BadInputError, match="is damaged"):
            ProjectFile.open(path)
        assert path.read_bytes() == before


def test_values_of_the_wrong_type_are_damage(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    for loosened in ("replace(sql, ' STRICT', '')",):
        connection.execute(f"UPDATE sqlite_schema SET sql = {loosened} WHERE name = 'snapshot'")
    connection.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE snapshot SET script = 'text'")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'snapshot'")
    connection.close()
    with pytest.raises(BadInputError, match="damaged"):
        ProjectFile.open(path)
