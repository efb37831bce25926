"""`draft`: what it reads is looked at before where it writes; drafts at once; options that a project makes useless."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.store.project import ProjectFile


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def project(run, srt: Path, candidates: Path, tmp_path: Path) -> Path:
    path = tmp_path / "there.adproj"
    done = run("draft", "--end", "20", "--subtitles", srt, "--candidates", candidates, "-o", path)
    assert done.code == 0, done.err
    return path


@pytest.mark.parametrize(
    ("option", "what"),
    [
        ((), "film"),
        (("--subtitles",), "subtitle file"),
        (("--candidates",), "candidates file"),
        (("--screenplay",), "screenplay"),
        (("--description",), "description"),
    ],
)
def test_what_is_not_there_is_said_before_anything_about_the_project(
    option, what, run, project: Path, srt: Path, candidates: Path, tmp_path: Path
):
    rest = [] if option == ("--subtitles",) else ["--subtitles", srt]
    rest += [] if option in (("--screenplay",), ("--description",), ("--candidates",)) else ["--candidates", candidates]
    rest += [] if what == "film" else ["--end", "20"]
    done = run("draft", *option, tmp_path / "none.mp4", *rest, "-o", project)
    done.refused(2, "none.mp4", f"there is no such {what}")
    assert "--force" not in done.err
    assert "already exists" not in done.err


@pytest.mark.parametrize("force", [False, True])
def test_a_project_that_another_draft_wrote_meanwhile_is_replaced_only_by_force(
    force: bool, run, project: Path, srt: Path, candidates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from adstudio.drafting.service import DraftRun

    target, meant = tmp_path / "new.adproj", DraftRun._write  # pyright: ignore[reportPrivateUsage] - just before it
    other = project.read_bytes()

    def beside(*given):
        target.write_bytes(other)
        meant(*given)

    monkeypatch.setattr(DraftRun, "_write", beside)
    asked = ("draft", "--end", "30", "--subtitles", srt, "--candidates", candidates, "-o", target)
    done = run(*asked, *["--force"] * force)
    with closing(ProjectFile.open(target, read_only=True)) as opened:
        assert opened.saved_script.film.end == (30_000 if force else 20_000)
    assert done.code == (0 if force else 3), done.err
    assert ("give --force to replace it" in done.err) is not force


@pytest.fixture
def model():
    pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")
    pytest.importorskip("spacy", reason="spaCy, which cuts descriptions, is not installed")


def test_of_two_first_drafts_the_second_is_told_to_go_on_and_options_without_effect_are_named(
    run, model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from adstudio.drafting.service import DraftRun

    film, srt = film_of(tmp_path / "film.mp4", 30)
    project, meant = tmp_path / "p.adproj", DraftRun._write  # pyright: ignore[reportPrivateUsage] - just before it
    with serving(tmp_path) as server:
        done = run("connect", "house", "--kind", "vllm", "--url", f"{server.address}/v1", "--model", MODEL)
        assert done.code == 0, done.err
        asked = ("draft", film, "--subtitles", srt, "--llm", "house", "--on-premises", "-o")
        written: list[bytes] = []

        def beside(*given):
            """Another draft is written while this one is made."""
            project.write_bytes(written[0])
            meant(*given)

        assert run(*asked, tmp_path / "other.adproj").code == 0
        written.append((tmp_path / "other.adproj").read_bytes())
        with monkeypatch.context() as patch:
            patch.setattr(DraftRun, "_write", beside)
            done = run(*asked, project)
        assert done.code == 3
        assert "was created in the meantime" in done.err
        assert "the same command continues in it" in done.err
        assert "--force" not in done.err
        assert "no request was made, so your consent is not recorded in" in done.err
        assert project.read_bytes() == written[0]
        asks = len(server.asked)
        settings = ("--words-per-minute", "100", "--language", "en", "--title", "Other", "--late", "4")
        done = run(*asked, project, *settings, "--person", "BOB")
        assert done.code == 0, done.err
        assert "--title, --words-per-minute" not in done.err
        assert "--title and --words-per-minute have no effect here" in done.err
        assert "--person has no effect here, because nothing was asked" in done.err
        assert len(server.asked) == asks
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        assert opened.saved_script.settings.words_per_minute == 170
        assert opened.saved_script.people == ()
