"""Names of versions, and finding versions by what a person writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from editing_scripts import SCRIPT

from adstudio.core.errors import BadInputError
from adstudio.store.project import ProjectFile
from adstudio.versions.keeping import (
    account_name,
    delete_version,
    free_name,
    keep_version,
    rename_version,
    version_content,
    version_named,
)


@pytest.fixture
def project(tmp_path: Path):
    with ProjectFile.create(tmp_path / "film.adproj", SCRIPT) as file:
        yield file


def test_a_version_is_found_by_its_name_or_number(project: ProjectFile) -> None:
    first = keep_version(project, SCRIPT, None, name=" Broadcast ", note=" n ", by="Anna")
    second = keep_version(project, SCRIPT, None, name="1st")
    assert (first.name, first.note) == ("Broadcast", "n")
    assert version_named(project.versions.all, "broadCAST") == first
    assert version_named(project.versions.all, "1ST") == second
    assert version_named(project.versions.all, "1") == first
    assert version_named(project.versions.all, "2") == second
    assert version_content(project, first.number).script == SCRIPT
    with pytest.raises(BadInputError, match="the versions are “Broadcast”, “1st”"):
        version_named(project.versions.all, "None")


@pytest.mark.parametrize(
    "name",
    ["", "  ", "x" * 201, "two\nlines", "two\u2028lines", "a\tb", "half \udcff", "Current", " broadcast", "1", " 12 "],
)
def test_a_name_that_cannot_be_is_refused(project: ProjectFile, name: str) -> None:
    keep_version(project, SCRIPT, None, name="Broadcast")
    with pytest.raises(BadInputError):
        keep_version(project, SCRIPT, None, name=name)
    assert len(project.versions.all) == 1


def test_a_version_that_has_a_number_for_a_name_keeps_it_and_may_get_a_note(project: ProjectFile) -> None:
    """Earlier ones may have one; new ones are known by their numbers, which such a name would hide."""
    version = project.versions.keep(SCRIPT, None, name="7")
    assert rename_version(project, version.number, name="7", note="as sent").note == "as sent"
    assert version_named(project.versions.all, "7").number == version.number


@pytest.mark.parametrize("name", ["نسخه\u200cی اول", "Version\u00a01", "👩\u200d👩\u200d👧"])
def test_a_name_may_be_in_any_script(project: ProjectFile, name: str) -> None:
    assert keep_version(project, SCRIPT, None, name=name).name == name


def test_a_version_may_be_renamed_to_its_own_name_in_other_letters(project: ProjectFile) -> None:
    version = keep_version(project, SCRIPT, None, name="Broadcast")
    assert rename_version(project, version.number, name="BROADCAST", note="x").name == "BROADCAST"
    with pytest.raises(BadInputError, match="at most"):
        rename_version(project, version.number, name="B", note="x" * 10_001)


def test_a_free_name_is_none_that_is_taken(project: ProjectFile) -> None:
    assert free_name(project.versions.all) == "Version 1"
    keep_version(project, SCRIPT, None, name="Version 2")
    assert free_name(project.versions.all) == "Version 3"
    keep_version(project, SCRIPT, None, name="version 3")
    delete_version(project, 1)
    assert free_name(project.versions.all) == "Version 2"


def test_who_uses_the_program_is_known_by_the_system() -> None:
    assert account_name().strip()
