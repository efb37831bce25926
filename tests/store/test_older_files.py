"""Files of older versions, as the program of that time wrote them, open with all that is in them."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, write
from example_scripts import E1, E2, E3, SCRIPT

from adstudio.core.errors import BadInputError
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.script import Opening
from adstudio.core.steps import Insert, SetPeople
from adstudio.core.timebase import Span
from adstudio.store import layout
from adstudio.store.content import At
from adstudio.store.project import ProjectFile

VERSION_2 = Path(__file__).resolve().parents[1] / "data" / "version_2.adproj"
"""Made by the last program that knew no openings: the core's example script; a note saved with a plan; after that a
note, a deletion of e2 with a move of e1 behind e3, a line written and undone, and the silence deleted."""

VERSION_3 = VERSION_2.with_name("version_3.adproj")
"""Made by the last program that knew no confidence: the core's example script; the film renamed, saved with a plan;
after that, at once, a note on e1 joined to the line before and e2 deleted; then the film renamed once more."""

VERSION_4 = VERSION_2.with_name("version_4.adproj")
"""Made by the last program that knew no people: the core's example script; a note saved with a plan; after that the
penalties taken away, at once e2 deleted and the film renamed, a note and its undoing."""

VERSION_5 = VERSION_2.with_name("version_5.adproj")
"""Made by the last program that did not mark all human work: the core's example script; e2 given a duration, saved with
a plan; after that e1 moved to the end, e3 given a duration, a note and its undoing."""

OLD_E2 = replace(E2, confidence=None, source="", weighed=False, worked=False)
OLD_FILM = replace(SCRIPT.film, screenplay="")
OLD = replace(SCRIPT, people=(), prompts=())
SAVED = replace(OLD, film=OLD_FILM, openings=(), eventualities=(replace(E1, note="one"), OLD_E2, E3))
LAST = replace(SAVED, silences=(), eventualities=(E3, replace(E1, note="two")))


def changed(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_file_without_openings_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan) == (SAVED, LAST, PLAN)
        assert found.oddities == ()
        assert found.last_step_at is not None
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["Replace", "Several", "Remove"]
        document.apply(Insert(Opening("o1", Span(10, 20))))
        opened = document.script
    assert path.with_name("film (version 2).adproj").read_bytes() == VERSION_2.read_bytes()
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert document.script == opened
        while document.undo():
            pass
        assert document.script == SAVED


def test_reading_an_older_file_writes_nothing(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    path.chmod(0o444)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.last_script == LAST
    assert path.read_bytes() == VERSION_2.read_bytes()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_damaged_unsaved_steps_of_an_older_file_are_set_aside(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, "UPDATE journal SET step = x'7b7d' WHERE seq = 3")
    with ProjectFile.open(path) as found:
        assert found.saved_script == found.last_script == SAVED
        assert found.saved_plan == PLAN
        assert "change 3 does not add up" in found.oddities[0].what
        write(found.document(At.LAST_SAVE, on_failure=fail), "three")
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["film (damaged).adproj", "film (version 2).adproj", "film.adproj"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshot SET script = CAST(replace(CAST(script AS TEXT), 'She parks', 'He parks') AS BLOB)",
        "UPDATE journal SET step = x'7b7d' WHERE seq = 1",
        "UPDATE state SET saved = 2",
        "DELETE FROM state",
        "DELETE FROM snapshot",
    ],
)
def test_damage_to_what_was_saved_is_not_made_sound(path: Path, statement: str) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, statement)
    before = path.read_bytes()
    with pytest.raises(BadInputError, match="is damaged"):
        ProjectFile.open(path)
    assert path.read_bytes() == before


def test_a_plan_of_another_state_is_still_not_taken(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, "UPDATE plan SET plan = CAST(replace(CAST(plan AS TEXT), '650', '651') AS BLOB)")
    with ProjectFile.open(path) as found:
        assert found.saved_plan is None
        assert "made anew" in found.oddities[0].what


def test_the_files_are_of_the_versions_they_say() -> None:
    for number, file in ((2, VERSION_2), (3, VERSION_3), (4, VERSION_4), (5, VERSION_5)):
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        assert connection.execute("PRAGMA user_version").fetchone()[0] == number
        connection.close()
        assert number < layout.VERSION


def test_a_file_without_confidence_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_3, path)
    first = replace(OLD, film=replace(OLD_FILM, title="Named anew"), eventualities=(E1, OLD_E2, E3))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.saved_plan, found.oddities) == (first, PLAN, ())
        document = found.document(on_failure=fail)
        assert document.script.film == replace(OLD_FILM, title="Named once more")
        assert document.script.eventualities == (replace(E1, note="two", joined=True), E3)
        while document.undo():
            pass
        assert document.script == first
        while document.redo():
            pass
        write(document, "three")
    assert path.with_name("film (version 3).adproj").read_bytes() == VERSION_3.read_bytes()


def test_a_file_without_people_opens_whole_and_offline(path: Path) -> None:
    shutil.copyfile(VERSION_4, path)
    saved = replace(OLD, eventualities=(replace(E1, note="one"), replace(E2, weighed=False, worked=False), E3))
    last = replace(
        saved,
        film=replace(saved.film, title="Named anew"),
        eventualities=(replace(E1, note="one"), E3),
        rules=replace(saved.rules, penalties=()),
    )
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan) == (saved, last, PLAN)
        assert (found.policy, found.policies, found.oddities) == (OFFLINE, (), ())
        identity = found.identity
        assert len(bytes.fromhex(identity)) == 16
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["SetRules", "Several"]
        assert document.redo()
        assert document.script.eventuality("e1").note == "two"
        while document.undo():
            pass
        assert document.script == saved
        document.apply(SetPeople((), SCRIPT.people))
        found.set_policy(Policy("on premises", (Host("gpu.house", 8000),)))
        peopled = document.script
    assert path.with_name("film (version 4).adproj").read_bytes() == VERSION_4.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script, found.identity, found.policy.rule) == (peopled, identity, "on premises")
        assert found.oddities == ()


def test_a_file_without_marks_of_human_work_opens_whole_and_what_can_be_told_is_marked(path: Path) -> None:
    shutil.copyfile(VERSION_5, path)
    timed = replace(E2, variants=(replace(E2.variants[0], duration=4200),), worked=True)
    other = replace(E3, variants=(replace(E3.variants[0], duration=1800),), worked=True)
    saved = replace(SCRIPT, eventualities=(E1, timed, E3))
    last = replace(saved, eventualities=(timed, other, E1))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan, found.oddities) == (saved, last, PLAN, ())
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["Move", "Replace"]
        assert document.redo()
        while document.undo():
            pass
        assert document.script == saved
    assert path.with_name("film (version 5).adproj").read_bytes() == VERSION_5.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.oddities) == (saved, ())


@pytest.mark.parametrize("file", [VERSION_2, VERSION_3, VERSION_4], ids=lambda file: file.stem)
def test_every_older_file_is_offline_with_an_identity_of_its_own(path: Path, file: Path) -> None:
    shutil.copyfile(file, path)
    with ProjectFile.open(path) as found:
        identity = found.identity
        assert (found.policy, found.last_script.people, found.last_script.prompts) == (OFFLINE, (), ())
    with ProjectFile.open(path, read_only=True) as found:
        assert (found.identity, found.policy, found.oddities) == (identity, OFFLINE, ())
    other = path.with_name("other.adproj")
    shutil.copyfile(file, other)
    with ProjectFile.open(other) as found:
        assert found.identity != identity
