"""One guard for all writers: no source of a film is replaced, whatever leads to it, and nothing else is refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from example_scripts import SCRIPT
from test_older_files import VERSION_8

from adstudio.core.cast import Person
from adstudio.core.errors import BadInputError
from adstudio.core.film import SourceFile
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Script
from adstudio.delivery.formats import deliver
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile
from adstudio.store.source_guard import require_not_source

pytestmark = pytest.mark.attack(1)
PLAN = Plan(Status.OPTIMAL, "exact")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "film"
    folder.mkdir()
    for name in ("dialogue.srt", "script.fountain", "prose.txt", "lines.json", "anna.jpg", "film.mp4"):
        (folder / name).write_bytes(name.encode() * 20)
    return folder


@pytest.fixture
def script(folder: Path) -> Script:
    def source(name: str) -> SourceFile:
        return source_file(folder / name, folder / "p.adproj")

    video = source("film.mp4")
    assert SCRIPT.film.media is not None
    media = replace(
        SCRIPT.film.media,
        path=video.path,
        relative_path=video.relative_path,
        size=video.size,
        fingerprint=video.fingerprint,
    )
    film = replace(
        SCRIPT.film,
        media=media,
        subtitles=source("dialogue.srt"),
        screenplay=source("script.fountain"),
        other_sources=(source("prose.txt"), source("lines.json")),
    )
    return replace(
        SCRIPT, film=film, people=(Person.named("Anna", b"\xff\xd8", source("anna.jpg")), Person.named("Tom"))
    )


def test_every_kind_of_source_is_remembered_whole(folder: Path, script: Script) -> None:
    names = ["film.mp4", "dialogue.srt", "script.fountain", "prose.txt", "lines.json", "anna.jpg"]
    assert [source.path for source in script.sources] == [str(folder / name) for name in names]
    assert [source.relative_path for source in script.sources] == names
    assert all(source.size == 20 * len(name) for source, name in zip(script.sources, names, strict=True))
    assert len({source.fingerprint for source in script.sources}) == len(names)


def test_a_copy_of_a_source_is_not_said_to_be_that_one(folder: Path, script: Script) -> None:
    copy = Path(shutil.copy(folder / "film.mp4", folder / "copy.mp4"))
    with pytest.raises(BadInputError, match=r"copy\.mp4 has the same content as .*film\.mp4.*choose another name"):
        require_not_source(copy, script=script, project=folder / "p.adproj")
    with pytest.raises(BadInputError, match="would replace"):
        require_not_source(folder / "film.mp4", script=script, project=folder / "p.adproj")


def test_an_export_replaces_no_source_nor_the_project(folder: Path, script: Script, monkeypatch) -> None:
    project = folder / "p.adproj"
    project.write_bytes(b"a project")
    monkeypatch.chdir("/")
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        with pytest.raises(BadInputError, match="choose another name"):
            deliver(path, "srt", script, PLAN, project)
        assert path.read_bytes() == content
    deliver(folder / "out.srt", "srt", script, PLAN, project)
    deliver(folder / "out.srt", "srt", script, PLAN, project)


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to], ids=["symbolic", "hard"])
def test_save_as_replaces_no_source(folder: Path, script: Script, link) -> None:
    with ProjectFile.create(folder / "p.adproj", script) as project:
        for number, source in enumerate(script.sources):
            path = folder / f"{number}.adproj"
            content = Path(source.path).read_bytes()
            link(path, Path(source.path))
            with pytest.raises(BadInputError, match="choose another name"):
                ProjectFile.create(path, script, like=project)
            assert path.read_bytes() == Path(source.path).read_bytes() == content


def test_a_source_on_another_mount_is_known_by_its_content(folder: Path, script: Script, tmp_path: Path) -> None:
    # As if the same files were reached through a mount that gives them other numbers.
    shutil.copytree(folder, tmp_path / "mounted")
    for name in ("dialogue.srt", "film.mp4", "anna.jpg"):
        with pytest.raises(BadInputError):
            require_not_source(tmp_path / "mounted" / name, script=script, project=folder / "p.adproj")


def test_a_source_that_is_missing_is_not_replaced_by_another_file(folder: Path, script: Script) -> None:
    (folder / "dialogue.srt").unlink()
    with pytest.raises(BadInputError):
        require_not_source(folder / "dialogue.srt", script=script, project=folder / "p.adproj")


def test_what_only_has_a_source_s_name_is_free(folder: Path, script: Script, tmp_path: Path) -> None:
    subtitles = replace(script.film.subtitles, path=str(tmp_path / "far" / "d.srt"), relative_path="../far/d.srt")
    elsewhere = replace(script, film=replace(script.film, subtitles=subtitles))
    (folder / "d.srt").write_text("an earlier export")
    require_not_source(folder / "d.srt", script=elsewhere, project=folder / "p.adproj")


def test_an_empty_source_makes_no_empty_file_one(folder: Path, script: Script) -> None:
    (folder / "prose.txt").write_bytes(b"")
    empty = source_file(folder / "prose.txt", folder / "p.adproj")
    others = replace(script, film=replace(script.film, other_sources=(empty,)))
    (folder / "new.srt").touch()
    require_not_source(folder / "new.srt", script=others, project=folder / "p.adproj")


@pytest.mark.parametrize("place", ["film/work", "film", "."])
def test_names_in_older_projects_are_looked_for_beside_and_above_them(tmp_path: Path, place: str, monkeypatch) -> None:
    project = tmp_path / "film" / "work" / "p.adproj"
    project.parent.mkdir(parents=True)
    shutil.copyfile(VERSION_8, project)
    monkeypatch.chdir("/")
    with ProjectFile.open(project) as opened:
        script = opened.last_script
    for name in ("dialogue.srt", "candidates.json"):
        source = tmp_path / place / name
        source.write_text("mine")
        with pytest.raises(BadInputError, match="choose another name"):
            require_not_source(source, script=script, project=project)


def test_names_in_older_projects_are_looked_for_where_a_command_is_started(tmp_path: Path, monkeypatch) -> None:
    project = tmp_path / "p.adproj"
    shutil.copyfile(VERSION_8, project)
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "dialogue.srt").write_text("mine")
    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.last_script
    require_not_source(tmp_path / "else" / "dialogue.srt", script=script, project=project)
    # Its usual name is no reason to refuse what is not there.
    require_not_source(tmp_path / "candidates.json", script=script, project=project)
    monkeypatch.chdir(tmp_path / "else")
    with pytest.raises(BadInputError):
        require_not_source(Path("dialogue.srt"), script=script, project=project)
