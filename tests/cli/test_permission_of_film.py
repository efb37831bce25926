"""The commands, on a project that was given another film: nothing of it is sent until that is allowed for this one."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.core.film import Media
from adstudio.core.policy import Host, Policy
from adstudio.core.steps import SetFilm
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))
from polish_model import station

pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")

ONE, TWO = Media("/one.mp4", "one.mp4", 1, "one", 60_000), Media("/two.mp4", "two.mp4", 1, "two", 60_000)
AGAIN = "were confirmed for another film, and have to be confirmed again for this one"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def server(run, tmp_path):
    with serving(tmp_path) as made:
        run("connect", "house", "--kind", "vllm", "--url", f"{made.address}/v1", "--model", MODEL)
        yield made


@pytest.fixture
def allowed(server) -> Policy:
    return Policy("on premises", (Host("127.0.0.1", int(server.port), plain=True),))


def linked(path: Path, media: Media) -> None:
    """As the editor links another video, and saves."""
    with ProjectFile.open(path) as project:
        document = project.document(on_failure=lambda error: pytest.fail(str(error)))
        film = document.script.film
        document.apply(SetFilm(film, replace(film, media=media)))
        project.save()


@pytest.fixture
def project(tmp_path, allowed) -> Path:
    path, script = tmp_path / "p.adproj", station()
    script = script.with_changes(film=replace(script.film, media=ONE))
    ProjectFile.create(path, script, policy=allowed).close()
    return path


def test_polish_asks_again_for_another_film_and_goes_on_with_the_first(run, server, project, tmp_path):
    linked(project, TWO)
    copy = tmp_path / "copy.adproj"
    shutil.copyfile(project, copy)
    for each in (project, copy):
        run("polish", each, "--llm", "house").refused(2, "nothing was sent", AGAIN, "--on-premises")
    assert server.asked == []
    done = run("polish", project, "--llm", "house", "--on-premises")
    assert done.code == 0, done.err
    assert "may be used from now on" in done.err
    assert len(server.asked) == 2
    assert run("polish", project, "--llm", "house").code == 0, "it was allowed for this film"
    run("polish", copy, "--llm", "house").refused(2, AGAIN)
    linked(copy, ONE)
    assert run("polish", copy, "--llm", "house").code == 0, "it is the film that it was allowed for"


def test_connect_says_why_and_allows_it_again(run, server, project, allowed):
    def may():
        return run("connect", "house", "--project", project)

    assert (may().code, may().out.decode()) == (0, f"{project} may use house\n")
    linked(project, TWO)
    said = may()
    assert (said.code, said.out.decode()) == (
        1,
        f"{project} may not use house: the project’s sharing settings {AGAIN}; --on-premises allows it\n",
    )
    done = run("connect", "house", "--project", project, "--on-premises")
    assert (done.code, "may be used from now on" in done.err) == (0, True), done.err
    assert may().code == 0
    with ProjectFile.open(project, read_only=True) as opened:
        assert (opened.policy, opened.policy.lapsed) == (allowed, False)
    assert "already" in run("connect", "house", "--project", project, "--on-premises").err
    linked(project, ONE)
    assert may().code == 1
    assert server.asked == []


def test_connect_asks_by_name_what_may_go_to_a_provider(run, project, monkeypatch):
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "AIza-0123456789abcdefghijk")
    run("connect", "cloud", "--kind", "gemini", "--model", "gemini-3.1-flash-lite")
    said = run("connect", "cloud", "--project", project)
    assert (said.code, "--cloud gemini allows it" in said.out.decode()) == (1, True)
    refused = run("connect", "cloud", "--project", project, "--cloud", "gemini")
    assert (refused.code, "nothing was sent: to agree, type gemini" in refused.err) == (2, True), refused.err
    monkeypatch.setattr("adstudio.cli.model_options._line", lambda: "gemini\n")
    done = run("connect", "cloud", "--project", project, "--cloud", "gemini")
    assert (done.code, "would be sent to Google’s Gemini over the internet" in done.err) == (0, True), done.err
    assert run("connect", "cloud", "--project", project).code == 0
    linked(project, TWO)
    assert run("connect", "cloud", "--project", project).code == 1


def test_what_connect_does_not_take(run, server, project, tmp_path):
    run("connect", "house", "--on-premises").refused(2, "--project")
    run("connect", "house", "--cloud", "gemini").refused(2, "--project")
    run("connect", "house", "--project", project, "--test").refused(2, "too many actions")
    run("connect", "house", "--project", project, "--model", "m").refused(2, "too many actions")
    run("connect", "house", "--project", tmp_path / "none.adproj").refused(2, "none.adproj")
    run("connect", "house", "--project", project, "--cloud", "gemini").refused(2, "--on-premises instead of --cloud")


def test_a_draft_that_writes_over_a_relinked_project_says_why(run, server, allowed, candidates, tmp_path):
    first, srt = film_of(tmp_path / "first.mp4", 30)
    second, _ = film_of(tmp_path / "second.mp4", 45)
    path = tmp_path / "p.adproj"
    words = ("--subtitles", srt, "-o", path, "--force")
    assert run("draft", first, *words, "--candidates", candidates).code == 0
    with ProjectFile.open(path) as opened:
        opened.set_policy(allowed)
    media = replace(TWO, path=str(second), fingerprint=fingerprint(second))
    linked(path, media)
    run("draft", second, *words, "--llm", "house").refused(2, "nothing was sent", AGAIN, "--on-premises")
    run("draft", first, *words, "--llm", "house").refused(2, "nothing was sent", "offline", "--on-premises")
    assert server.asked == []
    linked(path, replace(media, path=str(first), fingerprint=fingerprint(first)))
    with ProjectFile.open(path, read_only=True) as opened:
        assert (opened.policy, opened.policy.lapsed) == (allowed, False)
