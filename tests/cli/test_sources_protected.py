"""Attacks on what a film is made of: whichever command writes, from wherever, under whatever name, sources stay."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import PATIENCE, SRT, Ran, command

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.steps import SetFilm
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile

pytestmark = [pytest.mark.flood, pytest.mark.attack(1)]

FOUNTAIN = "INT. HALL - NIGHT\n\nA heavy oak door opens slowly.\n\nANNA\nGood evening.\n\nTOM\nWho is there?\n"
PROSE = "[00:00:04] A heavy oak door opens slowly. [00:00:13] A man steps out of the shadow.\n"
REPOSITORY = Path(__file__).resolve().parents[2]
TEXTS = {"candidates": "lines.json", "screenplay": "script.fountain", "description": "prose.txt"}


@pytest.fixture(autouse=True)
def _parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, with one connection to a server that does not answer."""
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home" / kind.lower()))
    place = tmp_path / "home" / "config" / "adstudio" / "connections.json"
    place.parent.mkdir(parents=True)
    write_connections([SavedConnection("house", "vllm", "m", "http://127.0.0.1:9/v1")], place)


@pytest.fixture
def folder(tmp_path: Path, candidates: Path) -> Path:
    """What a film may be made of."""
    folder = tmp_path / "film"
    folder.mkdir()
    (folder / "dialogue.srt").write_text(SRT)
    candidates.rename(folder / TEXTS["candidates"])
    (folder / TEXTS["screenplay"]).write_text(FOUNTAIN)
    (folder / TEXTS["description"]).write_text(PROSE)
    return folder


@pytest.fixture
def drafted(folder: Path, run, monkeypatch: pytest.MonkeyPatch):
    """Drafts a project there, all names typed as a describer would who is in that folder."""

    def draft(kind: str = "candidates", project: str = "p.adproj") -> Path:
        if kind != "candidates":
            pytest.importorskip("spacy")
        monkeypatch.chdir(folder)
        more = ("--any-screenplay",) if kind == "screenplay" else ()
        ran = run("draft", "--subtitles", "dialogue.srt", f"--{kind}", TEXTS[kind], *more, "--end", "20", "-o", project)
        assert ran.code == 0, ran.err
        return folder / project

    return draft


def refused(ran: Ran, source: Path, content: bytes) -> None:
    ran.refused(2, "choose another name")
    assert source.read_bytes() == content


@pytest.mark.parametrize("kind", TEXTS)
def test_no_source_is_replaced_from_another_folder(drafted, run, tmp_path: Path, monkeypatch, kind: str) -> None:
    project = drafted(kind)
    monkeypatch.chdir(tmp_path)
    for source in (project.with_name("dialogue.srt"), project.with_name(TEXTS[kind])):
        content = source.read_bytes()
        for form in ("srt", "json", "problem", "plan"):
            refused(run("export", project, "--format", form, "-o", source), source, content)


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "p.adproj", "--format", "srt"),
        ("export", "p.adproj", "--format", "problem", "--scene", "s1"),
        ("export", "p.adproj", "--format", "csv", "--unsaved"),
        ("solve", "p.adproj"),
        ("solve", "p.adproj", "--backend", "llm", "--llm", "house", "--on-premises", "--plain-http"),
        ("polish", "p.adproj", "--llm", "house", "--on-premises", "--plain-http"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["dialogue.srt", "lines.json"])
def test_no_command_replaces_a_source(drafted, run, tmp_path, monkeypatch, arguments, name: str) -> None:
    project = drafted()
    source, content = project.with_name(name), project.with_name(name).read_bytes()
    monkeypatch.chdir(tmp_path)
    named = [project if each == "p.adproj" else each for each in arguments]
    refused(run(*named, "-o", f"film/{name}"), source, content)


def _hard_link(source: Path) -> Path:
    link = source.with_name("hard.srt")
    link.hardlink_to(source)
    return link


def _link(source: Path) -> Path:
    link = source.with_name("other.srt")
    link.symlink_to(source)
    return link


def _link_to_folder(source: Path) -> Path:
    link = source.parent.with_name("elsewhere")
    link.symlink_to(source.parent)
    return link / source.name


def _links_in_a_row(source: Path) -> Path:
    return _hard_link(_link_to_folder(_link(source)))


def _by_proc(source: Path) -> Path:
    os.chdir(source.parent)
    return Path("/proc/self/cwd") / source.name


def _by_root(source: Path) -> Path:
    return Path(f"/proc/self/root{source}")


def _roundabout(source: Path) -> Path:
    return Path(f"{source.parent}//./../{source.parent.name}/{source.name}")


WAYS = [_hard_link, _link, _link_to_folder, _links_in_a_row, _by_proc, _by_root, _roundabout]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("name", ["dialogue.srt", "lines.json"])
def test_no_source_is_replaced_under_another_name(drafted, run, tmp_path, monkeypatch, way, name: str) -> None:
    source = drafted().with_name(name)
    project, content = source.with_name("p.adproj"), source.read_bytes()
    monkeypatch.chdir(tmp_path)
    target = way(source)
    if not target.exists():
        pytest.skip("this system has no /proc")
    refused(run("export", project, "--format", "json", "-o", target), source, content)


def test_sources_that_moved_with_their_project_are_protected(drafted, run, tmp_path: Path, monkeypatch) -> None:
    project = drafted()
    project.parent.rename(tmp_path / "moved")
    monkeypatch.chdir(tmp_path)
    for name in ("dialogue.srt", "lines.json"):
        source = tmp_path / "moved" / name
        content = source.read_bytes()
        refused(run("export", source.with_name("p.adproj"), "--format", "json", "-o", source), source, content)


def test_a_source_is_known_by_its_content_wherever_it_lies(drafted, run, tmp_path: Path, monkeypatch) -> None:
    project = drafted()
    other = tmp_path / "far" / "other.json"
    other.parent.mkdir()
    project.with_name("lines.json").rename(other)
    monkeypatch.chdir(tmp_path)
    refused(run("export", project, "--format", "json", "-o", other), other, other.read_bytes())


def test_a_source_that_was_edited_since_is_protected(drafted, run, tmp_path: Path, monkeypatch) -> None:
    project = drafted()
    source = project.with_name("dialogue.srt")
    source.write_text(SRT.replace("Who", "What"))
    monkeypatch.chdir(tmp_path)
    refused(run("export", project, "--format", "srt", "-o", source), source, source.read_bytes())


def test_reports_replace_neither_sources_nor_faces(folder: Path, run, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    face = folder / "anna.jpg"
    face.write_bytes(b"\xff\xd8face")
    (folder / "film.mp4").write_bytes(b"pictures")
    model = ("--llm", "house", "--on-premises", "--plain-http", "--person", "ANNA=anna.jpg")
    ran = run("draft", "film.mp4", "--subtitles", "dialogue.srt", *model, "-o", "q.adproj", "--report", "anna.jpg")
    refused(ran, face, b"\xff\xd8face")


def test_a_report_replaces_no_source_of_the_project_there(drafted, run, folder: Path) -> None:
    project, source = drafted(), folder / "lines.json"
    content = source.read_bytes()
    ran = run(
        "draft", "--subtitles", "dialogue.srt", "--description", TEXTS["description"], "--end", "20", "-o", project,
        "--force", "--report", source,
    )  # fmt: skip
    refused(ran, source, content)


@pytest.mark.parametrize("report", ["q.adproj", "./q.adproj", "../film/q.adproj", "link.json"])
def test_a_report_and_the_project_cannot_be_the_same_file(folder: Path, run, monkeypatch, report: str) -> None:
    monkeypatch.chdir(folder)
    (folder / "link.json").symlink_to("q.adproj")
    asked = ("draft", "--subtitles", "dialogue.srt", "--candidates", "lines.json", "--end", "20", "-o", "q.adproj")
    run(*asked, "--report", report).refused(2, "--report and --output both name", "choose another name for one of them")
    assert not (folder / "q.adproj").exists()


def test_an_output_that_links_to_a_project_or_a_video_is_refused(drafted, run, folder: Path) -> None:
    drafted()
    shutil.copy(folder / "p.adproj", folder / "other.adproj")
    (folder / "film.mkv").write_bytes(b"pictures")
    for name in ("other.adproj", "film.mkv"):
        content = (folder / name).read_bytes()
        (folder / "script.srt").symlink_to(name)
        ran = run("export", "p.adproj", "--format", "srt", "-o", "script.srt")
        assert ran.code == 2, ran.err
        assert (folder / name).read_bytes() == content
        (folder / "script.srt").unlink()


def test_what_is_no_source_is_replaced_as_before(drafted, run, tmp_path: Path, monkeypatch) -> None:
    project = drafted()
    monkeypatch.chdir(tmp_path)
    # Of a source's name, elsewhere, and of a source's size.
    target = tmp_path / "dialogue.srt"
    target.write_bytes(bytes(len(SRT)))
    for _ in range(2):
        assert run("export", project, "--format", "srt", "-o", target).code == 0
    assert target.read_text().startswith("1\n")
    assert json.loads(run("export", project, "--format", "json").out)


def test_no_source_is_replaced_through_a_mount(drafted, folder: Path, tmp_path: Path) -> None:
    project = drafted()
    (tmp_path / "mounted").mkdir()
    mount = f"mount --bind {shlex.quote(str(folder))} mounted"
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, mount], cwd=tmp_path, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    # Edited since, so that only the file's identity tells.
    source = folder / "dialogue.srt"
    source.write_text(SRT.replace("Who", "What"))
    export = shlex.join(command("export", project, "--format", "srt", "-o", "mounted/dialogue.srt"))
    done = subprocess.run(
        [*alone, f"{mount} && {export}"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, "choose another name" in done.stderr) == (2, True), done
    assert source.read_text() == SRT.replace("Who", "What")


def test_sources_of_unsaved_steps_are_protected(drafted, run, folder: Path) -> None:
    project, source = drafted(), folder / TEXTS["description"]
    content = source.read_bytes()
    with ProjectFile.open(project) as opened:
        document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
        film = document.script.film
        document.apply(SetFilm(film, replace(film, other_sources=(source_file(source, project),))))
    for more in ((), ("--unsaved",)):
        refused(run("export", project, "--format", "srt", "-o", source, *more), source, content)
        saved = folder / "lines.json"
        ran = run("export", project, "--format", "srt", "-o", saved, *more)
        refused(ran, saved, saved.read_bytes())
