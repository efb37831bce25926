"""Nothing goes to a cloud provider before its name was given, whichever command asks, and whoever gives it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from cli_running import problem
from model_running import film_of

from adstudio.core.policy import Policy
from adstudio.store.project import ProjectFile

pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))
from polish_model import station


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch, impatient):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home" / kind.lower()))
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "AIza-0123456789abcdefghijk")


@pytest.fixture
def commands(tmp_path, problem_file, candidates, srt):
    film, said = film_of(tmp_path / "film.mp4", 30)
    project, drafted = tmp_path / "station.adproj", tmp_path / "p.adproj"
    ProjectFile.create(project, station()).close()
    return {
        "draft": ("draft", film, "--subtitles", said, "--llm", "cloud", "-o", drafted),
        "direct": ("draft", film, "--subtitles", said, "--llm", "cloud", "--direct", "-o", drafted),
        "weigh": (
            *("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates),
            *("--weigh", "model", "--weigh-with", "cloud", "-o", drafted),
        ),
        "polish": ("polish", project, "--llm", "cloud"),
        "polish all": ("polish", project, "--llm", "cloud", "--accept-all"),
        "solve": ("solve", problem_file(problem()), "--backend", "llm", "--llm", "cloud"),
    }  # fmt: skip


@pytest.mark.parametrize("command", ["draft", "direct", "weigh", "polish", "polish all", "solve"])
@pytest.mark.parametrize("given", ["", "y\n"])
def test_without_the_providers_name_nothing_is_sent(run, tmp_path, monkeypatch, commands, command, given):
    assert run("connect", "cloud", "--kind", "gemini", "--model", "gemini-3.1-flash-lite").code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    done = run(*commands[command], "--cloud", "gemini")
    assert done.code == 2, done.err
    assert "would be sent to Google’s Gemini over the internet" in done.err
    assert "adstudio: nothing was sent: to agree, type gemini" in done.err
    assert list(tmp_path.rglob("sent.jsonl*")) == []
    assert not (tmp_path / "p.adproj").exists()
    with ProjectFile.open(tmp_path / "station.adproj", read_only=True) as opened:
        assert (opened.policy, opened.policies) == (Policy(), ())
