"""`solve` on a project: its problem, its own wording of the prompts, what it allows, and its name in the log."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from fake_openai import answers
from fake_server import FakeServer
from polish_model import station

from adstudio.cli.main import main
from adstudio.core.film import Media
from adstudio.core.policy import Host, Policy
from adstudio.core.steps import SetFilm
from adstudio.store.project import ProjectFile
from adstudio.system.keyring_access import user_secret

NOTHING = '{"deliveries": []}'
OWN = (("schedule", "Plan as this house plans."), ("system", "You work for this house."))
FILM = Media("/one.mp4", "one.mp4", 1, "one", 60_000)


@pytest.fixture(autouse=True)
def same_user(tmp_path, monkeypatch):
    """What was allowed is read by the user who allowed it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    user_secret.cache_clear()
    yield
    user_secret.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path, script = tmp_path / "p.adproj", station()
    script = script.with_changes(film=replace(script.film, media=FILM), prompts=OWN)
    ProjectFile.create(path, script).close()
    return path


async def program(tmp_path: Path, *given: object) -> tuple[int | None, str, str]:
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adstudio.cli.main", "solve", *map(str, given)),
        env={**os.environ, **homes},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


Run = Callable[..., tuple[int | str | None, str, str]]


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Run:
    """The program inside this process: its exit code, standard output and error."""

    def ran(*given: object) -> tuple[int | str | None, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["solve", *map(str, given)])
        return ended.value.code, *capsys.readouterr()

    return ran


def known(tmp_path: Path, server: FakeServer) -> None:
    config = tmp_path / "config" / "adstudio"
    config.mkdir(parents=True, exist_ok=True)
    row = {"name": "house", "kind": "vllm", "model": "Qwen/Qwen3.5-27B", "url": f"{server.url}/v1"}
    kept = {"format": "adstudio-connections/1", "connections": [row]}
    (config / "connections.json").write_text(json.dumps(kept), "utf-8")


def solved(tmp_path: Path, *runs: tuple[object, ...], acts: int = 1):
    async def work():
        async with asyncio.timeout(60), FakeServer(*[answers(NOTHING)] * acts) as server:
            known(tmp_path, server)
            return [await program(tmp_path, *run) for run in runs], server

    return asyncio.run(work())


def test_a_project_is_planned_with_its_own_words_and_remembers_what_it_allows(tmp_path: Path, project: Path) -> None:
    before = project.read_bytes()
    words = (project, "--scene", "s1", "--backend", "llm", "--llm", "house")
    (refused, first, again), server = solved(tmp_path, words, (*words, "--on-premises"), words)
    assert (refused[0], "the film is kept offline" in refused[2]) == (2, True)
    assert first[0] == 0, first[2]
    assert (again[0], "it was not asked again" in again[2]) == (0, True), "the project remembers what it allows"
    (request,) = server.requests
    told = json.loads(request.body)["messages"]
    assert told[0]["content"] == "You work for this house."
    assert json.dumps(told[1]).count("Plan as this house plans.") == 1
    assert "(prompt schedule 1 edited " in first[2]
    assert f"recorded in {project}: 127.0.0.1:" in first[2]
    log = [json.loads(line) for line in (tmp_path / "data" / "adstudio" / "sent.jsonl").read_text().splitlines()]
    with ProjectFile.open(project, read_only=True) as opened:
        assert {(line["identity"], line["project"]) for line in log} == {(opened.identity, "p.adproj")}
        assert opened.policy.rule == "on premises"
        assert (opened.saved_script.prompts, opened.recoverable) == (OWN, False)
    assert project.read_bytes() != before


def test_of_another_film_it_is_asked_again(tmp_path: Path, project: Path) -> None:
    with ProjectFile.open(project) as opened:
        opened.set_policy(Policy("on premises", (Host("127.0.0.1", 9, plain=True),)))
        document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
        film = document.script.film
        document.apply(SetFilm(film, replace(film, media=replace(FILM, fingerprint="two"))))
        opened.save()
    (refused,), server = solved(tmp_path, (project, "--backend", "llm", "--llm", "house"))
    assert refused[0] == 2
    assert "were confirmed for another film, and have to be confirmed again for this one" in refused[2]
    assert server.requests == []


def test_other_engines_plan_a_project_too(inside: Run, project: Path) -> None:
    before = project.read_bytes()
    plans = []
    for more in ((), ("--scene", "s1"), ("--scene", "s2")):
        code, out, err = inside(project, *more)
        assert code == 0, err
        plans.append(json.loads(out))
    film, *scenes = plans
    assert film["status"] == "optimal"
    assert {each["element"] for each in film["deliveries"]} >= {
        each["element"] for plan in scenes for each in plan["deliveries"]
    }
    assert project.read_bytes() == before, "it is only read"


def test_what_is_said_of_projects_alone(inside: Run, tmp_path: Path, project: Path) -> None:
    problem = tmp_path / "p.json"
    problem.write_text("{}")
    code, _, err = inside(problem, "--scene", "s1")
    assert (code, "--scene only applies to a project" in err) == (2, True)
    code, _, err = inside(project, "--scene", "s9")
    assert (code, "there is no scene “s9” (scenes: s1, s2)" in err) == (2, True)
    with ProjectFile.open(project) as opened:
        document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
        document.apply(SetFilm(document.script.film, replace(document.script.film, title="Other")))
    code, _, err = inside(project)
    assert (code, "unsaved changes, which are not included" in err) == (0, True)
    code, _, err = inside(project, "--backend", "llm", "--llm", "house")
    assert (code, "unsaved changes: save them" in err) == (2, True)
