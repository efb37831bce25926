"""A new project opens with its characters, and what a describer said of them stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.core.cast import CharacterSource, Person, Pronouns
from adstudio.core.document import Document
from adstudio.core.errors import BadInputError
from adstudio.core.script import Script, Silence
from adstudio.core.timebase import Span
from adstudio.drafting.draft_cast import cast_of_project
from adstudio.drafting.events import DraftEvent, Finished
from adstudio.drafting.report import report_from
from adstudio.drafting.request import DraftRequest, Existing, Sources
from adstudio.drafting.service import DraftRun
from adstudio.presets.library import preset_named
from adstudio.store.project import ProjectFile
from adstudio.system.files import write_atomically

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample"
LABELLED = Sources(
    subtitles=SAMPLE / "dialogue.sdh.srt",
    candidates=SAMPLE / "candidates.json",
    end=164_000,
    settings=preset_named("house").settings,
)
SPEAKERS = {"Tom", "Nora", "Announcer", "Guard"}
ANNA = "name,description\nAnna Stone,the cook\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.adproj"


def run(path: Path, sources: Sources, existing: Existing = Existing.REFUSE) -> Finished:
    events: list[DraftEvent] = []
    DraftRun(DraftRequest(path, sources, existing=existing), events.append).run()
    (finished,) = (event for event in events if isinstance(event, Finished))
    return finished


def script_of(path: Path) -> Script:
    with ProjectFile.open(path, read_only=True) as project:
        return project.saved_script


def changed(path: Path, change: Callable[[Script], Script]) -> None:
    script = change(script_of(path))
    ProjectFile.create(path, script, replacing=True).close()


def names(script: Script) -> set[str]:
    return {person.name for person in script.people}


def test_whom_labels_name_is_in_the_cast_and_in_the_report(path: Path) -> None:
    finished = run(path, LABELLED)
    assert names(script_of(path)) == SPEAKERS
    assert finished.report is not None
    assert set(finished.report.characters) == SPEAKERS
    with ProjectFile.open(path, read_only=True) as project:
        stored = report_from(project.report)
    assert stored is not None
    assert stored.characters == finished.report.characters


def test_without_labels_nobody_is_invented(path: Path) -> None:
    run(path, replace(LABELLED, subtitles=SAMPLE / "dialogue.srt"))
    assert script_of(path).people == ()


def test_a_screenplay_gives_the_names_in_full_and_what_people_are(path: Path) -> None:
    run(
        path,
        replace(
            LABELLED,
            candidates=None,
            subtitles=SAMPLE / "dialogue.srt",
            screenplay=SAMPLE / "screenplay.fountain",
        ),
    )
    people = {person.name: person for person in script_of(path).people}
    assert set(people) == SPEAKERS
    assert people["Nora"].aliases == ("Nora Vale",)
    assert people["Nora"].described_as == "the woman in the mustard coat"
    assert people["Tom"].described_as == "the clerk"
    assert people["Guard"].described_as == ""
    assert all(CharacterSource.SCREENPLAY in person.sources for person in people.values())


def test_a_cast_list_joins_them(path: Path, tmp_path: Path) -> None:
    listed = tmp_path / "cast.csv"
    write_atomically(listed, ANNA.encode())
    run(path, replace(LABELLED, cast_list=listed))
    assert names(script_of(path)) == {*SPEAKERS, "Anna Stone"}
    write_atomically(listed, b"\x89PNG\r\n\x1a\n\0\0\0")
    with pytest.raises(BadInputError, match=r"cast\.csv"):
        run(path.with_name("other.adproj"), replace(LABELLED, cast_list=listed))
    assert not path.with_name("other.adproj").exists()


def test_what_the_describer_said_of_the_cast_stays_when_a_project_is_replaced(path: Path) -> None:
    film = replace(LABELLED, video=SAMPLE / "film.mp4", end=None)
    run(path, film)
    nora = Person("n", "Nora Vale", ("Nora",), "the girl in the rain", Pronouns.SHE, first_named=5_000)
    changed(path, lambda script: script.with_changes(people=(nora, Person.named("Ida"))))
    run(path, film, Existing.REPLACE)
    people = {person.name: person for person in script_of(path).people}
    assert set(people) == {"Nora Vale", "Ida", "Tom", "Announcer", "Guard"}
    assert replace(people["Nora Vale"], sources=frozenset()) == nora


def test_who_was_deleted_does_not_come_back_when_a_draft_resumes(path: Path) -> None:
    run(path, LABELLED)
    script = script_of(path)
    left = script.with_changes(people=script.people[:1])
    assert cast_of_project(LABELLED, left, path) == (left.people, ())
    assert {person.name for person in cast_of_project(LABELLED, script.with_changes(people=()), path)[0]} == SPEAKERS


def test_a_cast_that_comes_to_an_existing_project_is_one_step_that_can_be_undone(path: Path, tmp_path: Path) -> None:
    run(path, LABELLED)
    # What people have worked on is not saved over: what comes is in it as steps.
    changed(path, lambda script: script.with_changes(silences=(Silence("q1", Span(100_000, 110_000)),)))
    listed = tmp_path / "cast.csv"
    write_atomically(listed, ANNA.encode())
    run(path, replace(LABELLED, cast_list=listed), Existing.RESUME)
    with ProjectFile.open(path) as project:
        document: Document = project.document(on_failure=lambda _: None)
        assert names(document.script) == {*SPEAKERS, "Anna Stone"}
        assert document.undo()
        assert names(document.script) == SPEAKERS
        assert not document.undo(), "it was the only one"
