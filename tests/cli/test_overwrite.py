"""`draft --force`: a project of the same film that is written over keeps its people and its wordings of prompts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.core.cast import Person
from adstudio.drafting.existing_project import with_given
from adstudio.store.project import ProjectFile

ANNA, TOM = Person.named("Anna"), Person.named("Tom")
OWN = (("system", "You describe in the house’s way."),)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def given_by_hand(project: Path) -> None:
    """As an editor gives them, and saves."""
    with closing(ProjectFile.open(project)) as opened:
        script = opened.saved_script.with_changes(people=(ANNA, TOM), prompts=OWN)
    ProjectFile.create(project, script, replacing=True).close()


def script_of(project: Path):
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        return opened.saved_script, opened.saved_plan


def test_whoever_is_given_anew_takes_the_place_of_those_of_the_name():
    anew = Person.named("ANNA", b"\xff\xd8face")
    eve = Person.named("Eve")
    assert with_given((ANNA, TOM), (eve, anew)) == (anew, TOM, eve)
    assert with_given((), (eve,)) == (eve,)
    assert with_given((TOM,), ()) == (TOM,)


def test_without_a_video_nobody_can_tell_that_it_is_the_same_film(run, srt: Path, candidates: Path, tmp_path: Path):
    project = tmp_path / "p.adproj"
    words = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", project)
    assert run(*words).code == 0
    given_by_hand(project)
    assert run(*words, "--force").code == 0
    script, plan = script_of(project)
    assert (script.people, script.prompts) == ((), ()), "without a video on both sides it may be another film"
    assert plan is not None


def test_versions_that_were_kept_are_not_discarded_by_force(run, srt: Path, candidates: Path, tmp_path: Path):
    project = tmp_path / "p.adproj"
    words = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", project)
    assert run(*words).code == 0
    assert run("versions", project, "keep", "First").code == 0
    before = project.read_bytes()
    run(*words, "--force").refused(2, "1 version of its script", "--force would discard")
    assert project.read_bytes() == before


def test_of_another_film_nothing_is_kept(run, candidates: Path, tmp_path: Path):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    other, _ = film_of(tmp_path / "other.mp4", 45)
    project, words = tmp_path / "p.adproj", ("--subtitles", srt, "--candidates", candidates, "--force")
    for shown, kept in ((film, True), (other, False)):
        assert run("draft", film, *words, "-o", project).code == 0
        given_by_hand(project)
        assert run("draft", shown, *words, "-o", project).code == 0
        script, _ = script_of(project)
        assert (script.people, script.prompts) == (((ANNA, TOM), OWN) if kept else ((), ()))


def test_with_a_model_they_are_used(run, tmp_path: Path, impatient: None):
    pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")
    pytest.importorskip("spacy", reason="spaCy, which cuts descriptions, is not installed")
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    with serving(tmp_path) as server:
        run("connect", "house", "--kind", "vllm", "--url", f"{server.address}/v1", "--model", MODEL)
        words = ("draft", film, "--subtitles", srt, "--llm", "house", "--on-premises", "-o", project)
        done = run(*words)
        assert done.code == 0, done.err
        given_by_hand(project)
        done = run(*words, "--force", "--person", "Eve")
        assert done.code == 0, done.err
    script, _ = script_of(project)
    assert [person.name for person in script.people] == ["Anna", "Tom", "Eve"]
    assert script.prompts == OWN
