"""What a command sent stands in the log under the identity of the project that it was about, as in the editor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.connections.egress_log import read_back
from adstudio.store.project import ProjectFile

pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "DATA" / "adstudio" / "sent.jsonl"


def known(run, server, name="house"):
    run("connect", name, "--kind", "vllm", "--url", f"{server.address}/v1", "--model", MODEL)


def identity_of(path: Path) -> str:
    with ProjectFile.open(path, read_only=True) as project:
        return project.identity


def lines(log: Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_draft_that_failed_first_and_came_then_is_of_one_project(run, tmp_path, log):
    pytest.importorskip("spacy", reason="spaCy, which cuts descriptions, is not installed")
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", srt, "--llm", "house", "--on-premises", "-o", project)
    with serving(tmp_path, "--faults", "401") as server:
        known(run, server)
        assert run(*words).code == 3
        assert not project.exists()
    failed = len(lines(log))
    assert failed
    with serving(tmp_path) as server:
        known(run, server)
        done = run(*words)
        assert done.code == 0, done.err
        mine = identity_of(project)
        assert {line["identity"] for line in lines(log)} == {mine}
        assert {line["project"] for line in lines(log)} == {"p.adproj"}
        assert len(lines(log)) > failed
        done = run(*words, "--force", "--anew")
        assert done.code == 0, done.err
    assert identity_of(project) == mine, "it is the same project of the same film"
    assert {line["identity"] for line in lines(log)} == {mine}
    begun = sum(line["event"] == "begun" for line in lines(log))
    assert sum(len(block.requests) for block in read_back(log, frozenset({mine}))) == begun
    assert json.loads((log.parent / "unfinished.json").read_bytes())["drafts"] == {}


def test_of_another_film_it_is_another_project(run, tmp_path, candidates):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    other, _ = film_of(tmp_path / "other.mp4", 45)
    project, identities = tmp_path / "p.adproj", []
    for shown in (film, film, other):
        words = ("--subtitles", srt, "--candidates", candidates, "-o", project, "--force")
        assert run("draft", shown, *words).code == 0
        identities.append(identity_of(project))
    assert identities[0] == identities[1] != identities[2]


def test_who_weighs_is_logged_under_it_too(run, tmp_path, log, candidates):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    with serving(tmp_path) as server:
        known(run, server)
        more = ("--weigh", "model", "--weigh-with", "house", "--on-premises")
        done = run("draft", film, "--subtitles", srt, "--candidates", candidates, *more, "-o", project)
    assert lines(log), done.err
    assert done.code == 0, done.err
    assert {line["identity"] for line in lines(log)} == {identity_of(project)}
