"""The project file: what was saved and done comes back exactly, and nothing but Save moves the mark."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, note, write
from example_scripts import E1, EVERY_EXAMPLE, SCRIPT, fitting_steps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.core.cast import Person
from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.script import Script
from adstudio.core.steps import SetPeople, Several, Step
from adstudio.store import content, journal
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

NAMES = ["film.adproj", "#1 %20 &.adproj", "-dash.adproj", "a?mode=ro.adproj", "日本.adproj", "n" * 200 + ".adproj"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_one_single_file_when_closed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "Gün ter – ä" / "日本" / name
    path.parent.mkdir(parents=True)
    with ProjectFile.create(path, SCRIPT, plan=PLAN) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        created.save()
        write(document, "two")
    assert [entry.name for entry in path.parent.iterdir()] == [name]
    with ProjectFile.open(path, read_only=True) as found:
        assert found.saved_script.eventuality("e1").note == "one"
        assert found.last_script.eventuality("e1").note == "two"
    assert [entry.name for entry in path.parent.iterdir()] == [name]


def test_a_new_project_holds_the_whole_script_and_its_plan(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, plan=PLAN) as created:
        assert created.saved_script == created.last_script == SCRIPT
        assert created.saved_plan == PLAN
        assert not created.recoverable
        assert created.oddities == ()
        document = created.document(on_failure=fail)
        assert document.plan == PLAN
        assert not document.changed
        assert not document.undo()


def test_looking_writes_nothing(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    for read_only in (False, True):
        with ProjectFile.open(path, read_only=read_only) as found:
            found.document(on_failure=fail).undo()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_every_kind_of_step_is_journalled_undone_and_redone(path: Path) -> None:
    for step in EVERY_EXAMPLE:
        with ProjectFile.create(path, SCRIPT) as created:
            document = created.document(on_failure=fail)
            document.apply(step)
            document.undo()
            document.redo()
            done = document.script
        with ProjectFile.open(path) as found:
            assert found.saved_script == SCRIPT
            assert found.last_script == done
            document = found.document(on_failure=fail)
            document.undo()
            assert document.script == SCRIPT
            assert not document.changed


def test_only_save_moves_the_mark(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one", "two")
        created.save()
        saved = document.script
        write(document, "three")
        document.undo()
        document.undo()
        document.redo()
        write(document, "four")
    for _ in range(3):
        with ProjectFile.open(path) as found:
            assert found.saved_script == saved
            assert found.last_script.eventuality("e1").note == "four"
            assert found.recoverable
            document = found.document(on_failure=fail)
            assert document.changed
            write(document, "five")
            document.undo()
    with ProjectFile.open(path) as found:
        assert found.saved_script == saved


def test_after_a_crash_the_undo_list_leads_back_to_the_last_save(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        created.save()
        saved = document.script
        write(document, "two", "three", "four")
        document.undo()
        expected = document.past[1:], document.future
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert (document.past, document.future) == expected
        assert document.redo()
        assert document.script.eventuality("e1").note == "four"
        assert [document.undo() for _ in range(21)] == [True] * 3 + [False] * 18
        assert document.script == saved
        assert not document.changed
        assert document.redo()
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").note == "two"


@pytest.mark.parametrize("limit", [1000, 2])
def test_what_was_withdrawn_cannot_be_redone_after_a_crash(
    path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """A step, and several made as one; whether the kept history knows of their coming or not."""
    monkeypatch.setattr(content, "MAX_RECOVERED_STEPS", limit)
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one", "two")
        document.undo()
        document.withdraw()
        write(document, "three")
        script, past = document.script, document.past
        both = Several("Both", (note("four", script), note("five", note("four", script).apply(script))))
        document.apply(both)
        document.undo()
        document.redo()
        document.withdraw()
        assert (document.script, document.past, document.future) == (script, past, ())
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert document.script == script
        assert document.past == (past if limit == 1000 else ())
        assert document.future == ()
        write(document, "six")
        document.undo()
        assert document.script == script


def test_undone_beyond_the_save_then_killed(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one", "two")
        created.save()
        saved = document.script
        document.undo()
        document.undo()
    with ProjectFile.open(path) as found:
        assert found.recoverable
        assert found.last_script == SCRIPT
        document = found.document(on_failure=fail)
        assert document.changed
        assert not document.undo()
        assert document.redo()
        assert document.redo()
        assert document.script == saved == found.saved_script
        assert not document.changed


def test_choosing_the_last_save_gives_nothing_up_until_the_first_step(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        write(created.document(on_failure=fail), "one", "two")
    with ProjectFile.open(path) as found:
        document = found.document(RestorePoint.LAST_SAVE, on_failure=fail)
        assert document.script == SCRIPT
        assert not document.changed
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").note == "two"
        write(found.document(RestorePoint.LAST_SAVE, on_failure=fail), "other")
    with ProjectFile.open(path) as found:
        assert found.saved_script == SCRIPT
        assert found.last_script.eventuality("e1").note == "other"
        document = found.document(on_failure=fail)
        document.undo()
        assert document.script == SCRIPT


def test_choosing_the_last_save_and_saving_it(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        write(created.document(on_failure=fail), "one")
    with ProjectFile.open(path) as found:
        found.document(RestorePoint.LAST_SAVE, on_failure=fail)
        found.save()
    with ProjectFile.open(path) as found:
        assert not found.recoverable
        assert found.saved_script == found.last_script == SCRIPT


def test_closing_without_saving_takes_the_steps_out(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        created.save()
        write(document, "two")
        created.discard()
    with ProjectFile.open(path) as found:
        assert not found.recoverable
        assert found.last_script.eventuality("e1").note == "one"
        document = found.document(on_failure=fail)
        write(document, "three")
        found.save()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "three"


def test_done_and_undone_is_nothing_to_ask_about(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        document.undo()
    with ProjectFile.open(path) as found:
        assert not found.recoverable
        document = found.document(on_failure=fail)
        write(document, "two")
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.script == SCRIPT
        assert not document.changed


def test_a_plan_is_only_used_with_the_script_it_was_saved_with(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        assert document.plan is None
        write(document, "one")
        document.keep_plan(document.revision, PLAN)
        created.save()
        write(document, "two")
    with ProjectFile.open(path) as found:
        assert found.saved_plan == PLAN
        assert found.document(on_failure=fail).plan is None
    with ProjectFile.open(path) as found:
        document = found.document(RestorePoint.LAST_SAVE, on_failure=fail)
        assert document.plan == PLAN
        write(document, "three")
        found.save()
    with ProjectFile.open(path) as found:
        assert found.saved_plan is None


def test_a_plan_that_belongs_to_another_state_is_not_trusted(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, plan=PLAN) as created:
        write(created.document(on_failure=fail), "one")
        created.save()
    other = path.with_name("other.adproj")
    ProjectFile.create(other, SCRIPT, plan=PLAN).close()
    row = sqlite3.connect(other)
    plan = row.execute("SELECT seq, plan, sum FROM plan").fetchone()
    row.close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO plan VALUES (?, ?, ?)", plan)
    connection.close()
    with ProjectFile.open(path) as found:
        assert found.saved_plan is None
        assert "will be re-planned" in found.oddities[0].what


@pytest.mark.parametrize(("per_snapshot", "at_save"), [(1, 1), (3, 2), (5, 10)])
def test_snapshots_in_between_change_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, per_snapshot: int, at_save: int
) -> None:
    monkeypatch.setattr(journal, "SNAPSHOT_AT_LATEST", per_snapshot)
    monkeypatch.setattr(journal, "SNAPSHOT_WHEN_IDLE", at_save)
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        for number in range(20):
            write(document, f"{number}")
            if number % 7 == 6:
                created.save()
                saved = document.script
            if number % 3 == 1:
                created.tidy()
        document.undo()
        last, past, future = document.script, document.past[14:], document.future
    with ProjectFile.open(path) as found:
        assert found.saved_script == saved
        assert found.last_script == last
        document = found.document(on_failure=fail)
        assert (document.past, document.future) == (past, future)
        while document.undo():
            pass
        assert document.script == saved


def test_saves_keep_the_file_small(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        for number in range(600):
            write(document, f"{number}")
            if number % 10 == 0:
                created.save()
        created.save()
    assert path.stat().st_size < 1_500_000
    connection = sqlite3.connect(path)
    (changes,) = connection.execute("SELECT count(*) FROM journal WHERE seq > 0").fetchone()
    assert changes <= journal.SNAPSHOT_WHEN_IDLE
    assert connection.execute("SELECT count(*) FROM snapshot").fetchone() == (1,)
    connection.close()


def test_a_very_long_unsaved_history_keeps_its_newest_steps(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_RECOVERED_STEPS", 10)
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, *(f"{number}" for number in range(30)))
        past = document.past[-10:]
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert document.past == past
        while document.undo():
            pass
        assert document.script.eventuality("e1").note == "19"
        assert document.changed


def act_out(data: st.DataObject, path: Path) -> None:
    current, saved, in_file = ProjectFile.create(path, SCRIPT), SCRIPT, SCRIPT
    redo_in_file: tuple[Step, ...] = ()
    try:
        document = current.document(on_failure=fail)
        for number in range(data.draw(st.integers(1, 15))):
            acts = ["do", "do", "do", "undo", "redo", "withdraw", "rest", "save", "crash", "crash back"]
            act = data.draw(st.sampled_from(acts))
            if act == "do":
                document.apply(data.draw(fitting_steps(document.script, new_id=100 * number)))
                in_file, redo_in_file = document.script, ()
            elif act in ("undo", "redo", "withdraw"):
                if getattr(document, act)():
                    in_file, redo_in_file = document.script, document.future
            elif act == "rest":
                current.tidy()
            elif act == "save":
                current.save()
                saved = in_file = document.script
                redo_in_file = document.future
            else:
                # A closed file holds what a killed one does: closing writes nothing.
                current.close()
                current = ProjectFile.open(path)
                assert current.saved_script == saved
                assert current.last_script == in_file
                # Returning to the last save changes nothing before the next step; a project closed in order has no undo
                # list at all.
                again = current.document(on_failure=fail).future
                assert again == redo_in_file[: len(again)]
                current.close()
                current = ProjectFile.open(path)
                document = current.document(
                    RestorePoint.LAST_SAVE if act == "crash back" else RestorePoint.LAST_STEP, on_failure=fail
                )
                assert document.script == (saved if act == "crash back" else in_file)
            assert document.changed or document.script == saved
    finally:
        current.close()
    with ProjectFile.open(path) as found:
        assert found.saved_script == saved
        assert found.last_script == in_file


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_sequence_comes_back_exactly(tmp_path: Path, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "SNAPSHOT_AT_LATEST", data.draw(st.integers(1, 8)))
        patch.setattr(journal, "SNAPSHOT_WHEN_IDLE", data.draw(st.integers(1, 8)))
        act_out(data, tmp_path / "any.adproj")


def test_a_step_beyond_the_limits_is_reported_and_the_rest_is_not_lost(path: Path) -> None:
    reported: list[AdstudioError] = []
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=reported.append)
        write(document, "fine", "x" * 100_001)
        assert [type(error) for error in reported] == [BadInputError]
        assert "longer than 100,000 characters" in str(reported[0])
        assert created.unwritten
        for write_it in (created.save, created.write_again):
            with pytest.raises(BadInputError) as refused:
                write_it()
            assert (str(path) in str(refused.value), "undo it" in str(refused.value)) == (True, True)
        document.undo()
        assert created.unwritten == 0 or document.script.eventuality("e1").note == "fine"
        write(document, "fine again")
        assert created.unwritten == 0
        created.save()
    with ProjectFile.open(path) as found:
        assert found.saved_script.eventuality("e1").note == "fine again"


def test_a_step_beyond_the_limits_is_reported_once_more_on_closing_and_the_file_is_free(path: Path) -> None:
    created = ProjectFile.create(path, SCRIPT)
    write(created.document(on_failure=lambda error: None), "fine", "x" * 100_001)
    with pytest.raises(BadInputError, match="cannot store this change"):
        created.close()
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").note == "fine"


READ_ONLY_ACTS: dict[str, Callable[[ProjectFile], object]] = {
    "save": ProjectFile.save,
    "write again": ProjectFile.write_again,
    "discard": ProjectFile.discard,
    "policy": lambda file: file.set_policy(Policy("on premises", (Host("gpu.house", 8000),))),
    "report": lambda file: file.set_report(b"another"),
    "lengths": lambda file: file.set_lengths(b"{}"),
    "recording": lambda file: file.store_sound(b"RIFF a take"),
}


@pytest.mark.parametrize("act", READ_ONLY_ACTS)
def test_nothing_is_written_to_a_project_opened_read_only(path: Path, act: str) -> None:
    with ProjectFile.create(path, SCRIPT, report=b"a report") as created:
        write(created.document(on_failure=fail), "one")
    before = path.read_bytes(), path.stat().st_mtime_ns
    with ProjectFile.open(path, read_only=True) as found:
        write(found.document(on_failure=fail), "in memory only")
        with pytest.raises(OutsideFailureError, match="opened read-only: save a copy under another name"):
            READ_ONLY_ACTS[act](found)
        assert (found.report, found.lengths, found.policy, found.recoverable) == (b"a report", b"", OFFLINE, True)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_script_beyond_the_limits_is_refused_and_nothing_is_written(path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot hold this script"):
        ProjectFile.create(path, replace(SCRIPT, eventualities=(E1, E1)))
    assert not path.exists()


def test_a_listener_that_changes_the_document_again_does_not_upset_the_journal(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = Document(SCRIPT)
        document.subscribe(lambda change: change.revision == 1 and write(document, "second"))
        created.attach(document, on_failure=fail)
        write(document, "first", "third")
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").note == "third"


def test_save_as_goes_on_in_the_copy_with_the_same_document(path: Path) -> None:
    copy = path.with_name("copy.adproj")
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        document.keep_plan(document.revision, PLAN)
        ProjectFile.create(copy, document.script, plan=PLAN, like=created).close()
    with ProjectFile.open(copy) as found:
        assert found.saved_plan == PLAN
        found.attach(document, on_failure=fail)
        document.mark_saved()
        write(document, "two")
        document.undo()
        document.undo()
    with ProjectFile.open(copy) as found:
        assert found.last_script == SCRIPT
        assert found.saved_script.eventuality("e1").note == "one"
        with pytest.raises(ValueError, match="another script"):
            found.attach(Document(SCRIPT), on_failure=fail)
    with ProjectFile.open(path) as found:
        assert found.saved_script == SCRIPT
        assert found.last_script.eventuality("e1").note == "one"


def test_an_empty_script_is_a_project_too(path: Path) -> None:
    with ProjectFile.create(path, Script(Film("", 0))) as created:
        assert created.saved_script == Script(Film("", 0))


def test_faces_given_again_and_again_do_not_fill_the_file(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        for number in range(20):
            people = (Person.named("Anna", bytes([number]) * 400_000),)
            document.apply(SetPeople(document.script.people, people))
            created.save()
        done = document.script
    # Each step holds two faces, in base64 a third longer: all of them would make 21 MB.
    assert path.stat().st_size < 5_000_000
    with ProjectFile.open(path) as found:
        assert found.saved_script == done
