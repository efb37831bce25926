"""`adstudio speakers --llm` against a scripted server: what it is sent, where that is allowed, and what it names."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from model_running import MODEL, Serving, serving

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.cast import Person, SpeakerSource
from adstudio.core.film import Film
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.script import Cue, Script
from adstudio.store.project import ProjectFile

CUES = (
    Cue("c1", 1_000, 3_000, "Good evening, Tom.", "Nora", speaker_source=SpeakerSource.LABEL),
    Cue("c2", 3_500, 5_000, "Evening."),
    Cue("c3", 6_000, 7_000, "It rains."),
)
TURNS = """SPEAKER film 1 3.4 1.7 <NA> <NA> spk1 <NA> <NA>
SPEAKER film 1 5.9 1.2 <NA> <NA> spk1 <NA> <NA>
"""
"""Both cues without a name are of one voice."""


@pytest.fixture
def serve(tmp_path):
    """Starts a scripted server; it is known as `house`."""
    with contextlib.ExitStack() as running:

        def start(*options: str) -> Serving:
            server = running.enter_context(serving(tmp_path, *options))
            place = tmp_path / "config" / "adstudio" / "connections.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            write_connections([SavedConnection("house", "vllm", MODEL, f"{server.address}/v1")], place)
            return server

        yield start


@pytest.fixture
def speakers(run, tmp_path, monkeypatch, impatient):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    turns = tmp_path / "speakers.rttm"
    turns.write_text(TURNS, "utf-8")
    return lambda *arguments: run("speakers", *arguments, "--turns", turns)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    people = (Person.named("Nora"), Person.named("Tom"))
    ProjectFile.create(path, Script(Film("Film", 20_000), cues=CUES, people=people)).close()
    return path


def saved(path: Path) -> tuple[list[tuple[str | None, SpeakerSource | None]], Policy]:
    with ProjectFile.open(path, read_only=True) as opened:
        return [(cue.speaker, cue.speaker_source) for cue in opened.saved_script.cues], opened.policy


def test_a_model_names_whom_the_dialogue_shows_and_the_voice_carries_it_on(serve, speakers, project):
    server = serve()
    ran = speakers(project, "--llm", "house", "--on-premises")
    assert ran.code == 0, ran.err
    assert "2 cues without a name in 1 request" in ran.err
    assert "house names 1 of 2 cues that nothing else names" in ran.err
    assert f"recorded in {project}: 127.0.0.1:{server.port} may be used from now on" in ran.err
    assert saved(project) == (
        [("Nora", SpeakerSource.LABEL), ("Tom", SpeakerSource.MODEL), ("Tom", SpeakerSource.DIARISATION)],
        Policy("on premises", (Host("127.0.0.1", int(server.port), plain=True),)),
    )
    again = speakers(project, "--llm", "house")
    assert "1 request, of which 1 is answered before and reused" in again.err
    assert "nothing was changed" in again.err
    assert len(server.asked) == 1, "nothing is asked twice"
    without = speakers(project)
    assert "nothing was changed" in without.err, "what a model named before stays"


def test_nothing_leaves_where_the_project_does_not_permit_it(serve, speakers, project):
    server = serve()
    for arguments, said in (
        (("--llm", "house"), "give --on-premises"),
        (("--llm", "house", "--cloud", "gemini"), "give --on-premises instead"),
        (("--llm", "nobody"), "nobody"),
        (("--on-premises",), "name one with --llm"),
        (("--again",), "name one with --llm"),
    ):
        ran = speakers(project, *arguments)
        assert ran.code == 2, ran.err
        assert said in ran.err
    assert server.rows == []
    assert saved(project) == ([(cue.speaker, cue.speaker_source) for cue in CUES], OFFLINE)


def test_a_dry_run_records_neither_names_nor_consent(serve, speakers, project):
    server = serve()
    ran = speakers(project, "--llm", "house", "--on-premises", "--dry-run")
    assert ran.code == 0, ran.err
    assert "Tom (model 82 %)" in ran.out.decode()
    assert "your consent was not recorded (--dry-run)" in ran.err
    assert len(server.asked) == 1
    assert saved(project) == ([(cue.speaker, cue.speaker_source) for cue in CUES], OFFLINE)


def test_a_server_that_refuses_the_key_leaves_the_rest_of_the_cascade(serve, speakers, project):
    serve("--faults", "401")
    ran = speakers(project, "--llm", "house", "--on-premises")
    assert ran.code == 0, ran.err
    assert "house names 0 of 2 cues" in ran.err
    assert "no more was asked: " in ran.err
    assert saved(project)[1] == OFFLINE, "no answer came, so nothing was sent that anybody agreed to"
