"""`adstudio save`: a way out of unsaved changes without a window."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import PATIENCE, Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT

from adstudio.core.document import Document, History, HistoryEntry
from adstudio.core.script import Origin, Variant
from adstudio.core.steps import Replace, Step
from adstudio.editing.labels import label_of
from adstudio.editing.lines import delete_lines
from adstudio.editing.unsaved_steps import UnsavedSteps, unsaved_steps
from adstudio.store.project import ProjectFile

KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from adstudio.core.steps import Replace
from adstudio.store.project import ProjectFile

document = ProjectFile.open(Path(sys.argv[1])).document(on_failure=print)
line = document.script.eventuality("e2")
document.apply(Replace(line, replace(line, note="before the crash")))
os.kill(os.getpid(), signal.SIGKILL)
"""


def fail(error: Exception) -> None:
    raise error


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "my film.adproj"
    ProjectFile.create(path, SCRIPT).close()
    return path


def edits(document: Document) -> tuple[Step, Step]:
    """Rewords e2 and deletes e4."""
    line = document.script.eventuality("e2")
    reworded = Replace(line, replace(line, variants=(Variant("Tom sits."),), origin=Origin.HUMAN))
    document.apply(reworded)
    deleted = delete_lines(document.script, ("e4",))
    assert deleted is not None
    document.apply(deleted)
    return reworded, deleted


@pytest.fixture
def unsaved(project: Path) -> Path:
    """The project with two steps after its last save."""
    with ProjectFile.open(project) as file:
        edits(file.document(on_failure=fail))
    return project


def states(project: Path) -> tuple[object, object, bool]:
    with ProjectFile.open(project, read_only=True) as file:
        return file.saved_script, file.last_script, file.recoverable


def test_what_a_killed_editor_leaves_is_saved_with_its_plan_and_other_commands_go_on(run: Run, project: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, project], timeout=PATIENCE, check=False)
    run("versions", project, "keep", "First").refused(2, f"adstudio save '{project}'", "--discard")
    ran = run("save", project)
    assert (ran.code, len(ran.out.splitlines())) == (0, 1)
    assert "1 unsaved step" in ran.err
    with ProjectFile.open(project, read_only=True) as file:
        assert not file.recoverable
        assert file.saved_script.eventuality("e2").note == "before the crash"
        assert file.saved_plan is not None
    assert run("versions", project, "keep", "First").code == 0


def test_the_steps_are_listed_by_their_names_before_they_are_discarded(run: Run, unsaved: Path) -> None:
    before, (saved, last, recoverable) = unsaved.read_bytes(), states(unsaved)
    assert (recoverable, saved) == (True, SCRIPT)
    with ProjectFile.open(unsaved, read_only=True) as file:
        names = [label_of(step, file.last_script) for step in file.unsaved_steps]
    dry = run("save", unsaved, "--discard", "--dry-run")
    assert (dry.code, dry.out.decode().splitlines()) == (0, names)
    assert "nothing was changed" in dry.err
    assert unsaved.read_bytes() == before
    ran = run("save", unsaved, "--discard")
    assert (ran.code, ran.out) == (0, dry.out)
    assert "discarded 2 unsaved steps" in ran.err
    assert states(unsaved) == (SCRIPT, SCRIPT, False)
    assert last != SCRIPT


def test_a_project_without_unsaved_changes_stays_as_it_is(run: Run, project: Path) -> None:
    before = project.read_bytes()
    for more in ((), ("--discard",), ("--dry-run",)):
        ran = run("save", project, *more)
        assert (ran.code, ran.out) == (0, b"")
        assert "no unsaved changes" in ran.err
    assert project.read_bytes() == before


def test_a_saved_step_that_was_undone_is_a_change_and_one_done_and_undone_since_is_none(
    run: Run, project: Path
) -> None:
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        reworded, deleted = edits(document)
        file.save()
        document.undo()
    ran = run("save", project, "--dry-run")
    name = label_of(deleted, document.script)
    assert ran.out.decode().splitlines() == [f"Undone: {name}"]
    assert run("save", project).code == 0
    saved, last, recoverable = states(project)
    assert (saved, recoverable) == (last, False)
    assert saved == reworded.apply(SCRIPT)


def test_of_a_history_only_what_leads_from_the_save_to_the_last_step_is_unsaved() -> None:
    document = Document(SCRIPT)
    first, second = edits(document)
    names = tuple(label_of(step, document.script) for step in (first, second))
    entries = HistoryEntry(first, 0, 1), HistoryEntry(second, 1, 2)

    def found(past: tuple[HistoryEntry, ...], future: tuple[HistoryEntry, ...], saved: int) -> UnsavedSteps:
        revision = past[-1].after if past else future[-1].before
        return unsaved_steps(History(past, future, revision, saved), document.script)

    assert found(entries, (), 0) == UnsavedSteps(names, (), complete=True)
    assert found(entries, (), 1) == UnsavedSteps(names[1:], (), complete=True)
    assert found(entries[:1], entries[1:], 0) == UnsavedSteps(names[:1], (), complete=True)
    assert found((), entries[::-1], 2) == UnsavedSteps((), names[::-1], complete=True)
    # The save is no longer reached by undo: it was left by an undo and another step, or lies too far back.
    assert found(entries, (), 7) == UnsavedSteps(names, (), complete=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", "{script}", "{project}"),
        ("takes", "import", "{project}", "{folder}"),
        ("cast", "{project}", "--collect"),
        ("words", "{project}"),
        ("speakers", "{project}"),
        ("conform", "{project}"),
        ("versions", "{project}", "keep", "First"),
        ("versions", "{project}", "restore-line", "First", "e2"),
    ],
    ids=lambda arguments: " ".join(arguments[:1]),
)
def test_every_refusal_names_the_command_that_ends_it(
    run: Run, unsaved: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    script = tmp_path / "ad.csv"
    script.write_text("in,text\n0:10,Ruth turns.\n", "utf-8")
    before = unsaved.read_bytes()
    filled = [each.format(script=script, project=unsaved, folder=tmp_path) for each in arguments]
    run(*filled).refused(2, "unsaved changes", f"adstudio save '{unsaved}'")
    assert unsaved.read_bytes() == before


def test_a_draft_that_finds_only_unsaved_steps_names_it_too(
    run: Run, srt: Path, candidates: Path, tmp_path: Path
) -> None:
    project = tmp_path / "p.adproj"
    words = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", project)
    assert run(*words).code == 0
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        line = document.script.eventualities[0]
        document.apply(Replace(line, replace(line, salience=1)))
    for more in ((), ("--force",)):
        run(*words, *more).refused(2, "unsaved steps", "adstudio save")
    assert run("save", project, "--discard").code == 0
    assert run(*words, "--force").code == 0
