"""`adstudio versions`: keeping, listing, comparing, renaming and deleting versions, and taking a line back."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT

from adstudio.core.errors import OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.core.script import Origin, Script, Variant
from adstudio.core.steps import Replace
from adstudio.delivery import export
from adstudio.editing.lines import delete_lines
from adstudio.store.project import ProjectFile


def fail(error: Exception) -> None:
    raise error


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, SCRIPT).close()
    return path


def edit(project: Path) -> None:
    """Rewords e2 and deletes e4."""
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=fail)
        line = document.script.eventuality("e2")
        document.apply(Replace(line, replace(line, variants=(Variant("Tom sits."),), origin=Origin.HUMAN)))
        step = delete_lines(document.script, ("e4",))
        assert step is not None
        document.apply(step)
        file.save()


def test_a_version_is_kept_compared_and_a_line_taken_back_from_it(run: Run, project: Path) -> None:
    ran = run("versions", project)
    assert (ran.code, ran.out) == (0, b"")
    assert "no versions" in ran.err
    ran = run("versions", project, "keep", "First", "--note", "as sent", "--by", "Anna")
    assert ran.code == 0
    assert "1 · First · " in ran.err
    edit(project)
    (row,) = run("versions", project, "list").out.decode().splitlines()
    assert row.startswith("1 · First · ")
    assert row.endswith(" · Anna · 3 of 4 items described · as sent")
    ran = run("versions", project, "compare", "first")
    assert ran.code == 0
    rows = ran.out.decode().splitlines()
    assert rows[0] == (
        "e2: reworded, author · 00:00:05:05–00:00:05:20, machine → 00:00:05:05–00:00:05:20, person"
        " · Tom [-waits.-] {+sits.+}"
    )
    assert rows[1].startswith("e4: gone · ")
    assert rows[1].endswith(" · [-A train leaves.-]")
    assert len(rows) == 2
    assert ran.err.strip() == "First → the current script: 1 gone, 1 reworded, 2 the same"
    assert len(run("versions", project, "compare", "First", "current", "--all").out.decode().splitlines()) == 4
    before = project.read_bytes()
    run("versions", project, "compare", "1", "1")
    assert project.read_bytes() == before
    ran = run("versions", project, "restore-line", "First", "e2", "--lock")
    assert ran.code == 0
    assert ran.err.strip().endswith("e2 is as in “First”, locked, and is spoken at 00:00:05:05")
    assert run("versions", project, "restore-line", "First", "e4").code == 0
    ran = run("versions", project, "compare", "First")
    assert ran.out.decode().splitlines()[0].startswith("e2: locks · ")
    with ProjectFile.open(project, read_only=True) as file:
        assert not file.recoverable
        assert file.saved_plan is not None
        assert file.saved_script.eventuality("e2").variants == SCRIPT.eventuality("e2").variants
        assert file.saved_script.eventuality("e2").pin.start == 5200


def test_a_comparison_is_printed_as_json(run: Run, project: Path) -> None:
    run("versions", project, "keep", "First", "--by", "")
    edit(project)
    found = json.loads(run("versions", project, "compare", "First", "--json").out)
    assert (found["format"], found["old"], found["new"]) == ("adstudio-comparison/1", "First", "the current script")
    assert [(line["element"], line["changes"][0]) for line in found["lines"]] == [("e2", "reworded"), ("e4", "gone")]
    reworded, gone = found["lines"]
    assert reworded["new"]["text"] == "Tom sits."
    assert (reworded["old"]["origin"], reworded["new"]["origin"]) == ("machine", "human")
    for side, text in (("old", reworded["old"]["text"]), ("new", "Tom sits.")):
        words = (piece["text"] for piece in reworded["words"] if piece["where"] in ("both", side))
        assert " ".join(words) == " ".join(text.split())
    assert gone["new"] is None
    assert sum(found["counts"].values()) == 4
    every = json.loads(run("versions", project, "compare", "First", "--json", "--all").out)
    assert len(every["lines"]) == 4
    assert found["lines"] == [line for line in every["lines"] if line["changes"]]


def test_versions_are_renamed_and_deleted(run: Run, project: Path) -> None:
    run("versions", project, "keep", "First", "--note", "n")
    assert "renamed: 1 · Second" in run("versions", project, "rename", "First", "Second").err
    assert run("versions", project).out.decode().rstrip().endswith(" · n")
    assert run("versions", project, "delete", "Second").code == 0
    assert run("versions", project).out == b""


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("keep",), "takes the name of the new version"),
        (("compare",), "takes the name of a version"),
        (("list", "x"), "takes no name"),
        (("restore-line", "First"), "the id of a line"),
        (("restore-line", "First", "e9"), "has no line “e9”: its lines are e1"),
        (("restore-line", "Second", "e1"), "there is no version “Second”: the versions are “First”"),
        (("compare", "First", "Second"), "there is no version"),
        (("keep", "first"), "already"),
        (("keep", "current"), "what the present script is called"),
        (("list", "--all"), "--all only applies to compare"),
        (("list", "--json"), "--json only applies to compare"),
        (("compare", "First", "--lock"), "--lock only applies to restore-line"),
        (("delete", "First", "--note", "x"), "--note only applies to keep and rename"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    run: Run, project: Path, arguments: tuple[str, ...], what: str
) -> None:
    with ProjectFile.open(project) as file:
        file.versions.keep(SCRIPT, None, name="First")
    before = project.read_bytes()
    run("versions", project, *arguments).refused(2, what)
    assert project.read_bytes() == before


def test_what_stops_while_it_is_planned_leaves_the_project_as_it_was(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("versions", project, "keep", "First")
    edit(project)
    before = project.read_bytes()
    planned = export.plan_to_export

    def stopped(script: Script, plan: Plan | None) -> Plan:
        if "e4" in script.eventuality_index:
            raise OutsideFailureError("stopped")
        return planned(script, plan)

    monkeypatch.setattr(export, "plan_to_export", stopped)
    run("versions", project, "restore-line", "First", "e4").refused(3, "stopped")
    assert project.read_bytes() == before


def test_a_project_with_unsaved_changes_is_not_changed(run: Run, project: Path) -> None:
    with ProjectFile.open(project) as file:
        file.versions.keep(SCRIPT, None, name="First")
        document = file.document(on_failure=fail)
        line = document.script.eventuality("e2")
        document.apply(Replace(line, replace(line, note="unsaved")))
    before = project.read_bytes()
    for arguments in (("keep", "x"), ("restore-line", "First", "e2")):
        run("versions", project, *arguments).refused(2, "unsaved changes")
    ran = run("versions", project, "compare", "First")
    assert ran.code == 0
    assert "unsaved changes, which are not included" in ran.err
    assert run("versions", project).err == ""
    assert project.read_bytes() == before
