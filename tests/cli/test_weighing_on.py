"""`draft --weigh` in a project that people have worked on: what they agreed to, and what the command says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.pins import set_accepted
from adstudio.editing.scenes import set_reviewed
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.store.project import ProjectFile

FIRST = "A heavy oak door swings slowly open on its rusty old hinges behind the waiting crowd tonight"
SECOND = "A man in a long grey coat steps out of the shadow and looks up at us"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def connected(run, server):
    done = run("connect", "house", "--kind", "vllm", "--url", f"{server.address}/v1", "--model", MODEL)
    assert done.code == 0, done.err


def last_script(project: Path) -> Script:
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        return opened.last_script


def fail(error: Exception) -> None:
    raise error


@pytest.fixture
def drafted(run, tmp_path: Path) -> tuple[tuple[object, ...], Path]:
    """How the film is named, and its project: two lines that happen at once, of which the second is worth the more.

    Both take more than four seconds and may be spoken within a second of what they tell, so only one can be.
    """

    def element(text: str, salience: float):
        return {
            "scene_description_extract": text,
            "audio_description": text,
            "compressed_audio_descriptions": dict.fromkeys(("0.9", "0.8", "0.7", "0.6", "0.5"), text),
            "occurrence_start": "00:00:10.000",
            "occurrence_end": "00:00:12.000",
            "salience": salience,
        }

    film, srt = film_of(tmp_path / "film.mp4", 30)
    candidates, project = tmp_path / "candidates.json", tmp_path / "p.adproj"
    candidates.write_text(json.dumps([element(FIRST, 0.1), element(SECOND, 0.9)]))
    words = ("draft", film, "--subtitles", srt, "--delta-max", 1, "-o", project)
    done = run(*words, "--candidates", candidates)
    assert done.code == 0, done.err
    assert spoken(project) == [SECOND]
    return words, project


def spoken(project: Path) -> list[str]:
    script = last_script(project)
    plan = plan_film(script, gaps_of(script).gaps)
    return [script.eventuality(each.element).variants[each.variant].text for each in plan.deliveries]


def edited(project: Path, edit: Callable[[Script, str], Step | None]) -> Script:
    """A person has done something with the second line, or its scene, and saved."""
    with closing(ProjectFile.open(project)) as opened:
        document = opened.document(on_failure=fail)
        step = edit(document.script, document.script.eventualities[1].id)
        assert step is not None
        document.apply(step)
        opened.save()
        return document.script


# The scripted model finds the first of two lines worth more: they weigh 0.75 and 0.25 then, by their ranks.
WEIGHING = ("--weigh", "model", "--weigh-with", "house", "--on-premises")


def test_an_accepted_line_that_the_new_weights_throw_out_is_named(run, drafted, tmp_path):
    words, project = drafted
    edited(project, lambda script, line: set_accepted(script, [line], on=True))
    with serving(tmp_path) as server:
        connected(run, server)
        done = run(*words, *WEIGHING)
    assert done.code == 0, done.err
    assert spoken(project) == [FIRST]
    said = " ".join(done.err.split())
    assert "1 accepted line has changed: dropped 00:0" in said
    assert "“A man in a…”" in said
    assert "lock those lines as they were" in said


def test_nothing_is_said_of_accepted_lines_that_stay_as_they_were(run, drafted, tmp_path):
    words, project = drafted
    edited(project, lambda script, line: set_accepted(script, [script.eventualities[0].id], on=True))
    with serving(tmp_path) as server:
        connected(run, server)
        done = run(*words, *WEIGHING)
    assert done.code == 0, done.err
    assert "accepted line" not in done.err, "it was out, and has come in"


def test_lines_of_a_reviewed_scene_keep_their_weights_unless_asked_for(run, drafted, tmp_path):
    words, project = drafted
    before = edited(project, lambda script, line: set_reviewed(script, [each.id for each in script.scenes], on=True))
    with serving(tmp_path) as server:
        connected(run, server)
        done = run(*words, *WEIGHING)
        assert done.code == 0, done.err
        assert server.asked == []
        assert "2 lines of reviewed scenes keep their salience (--weigh-reviewed scores them too)" in " ".join(
            done.err.split()
        )
        assert last_script(project) == before
        done = run(*words, *WEIGHING, "--weigh-reviewed")
        assert done.code == 0, done.err
        assert "keep their salience" not in done.err
        assert len(server.asked) == 1
    assert [line.salience for line in last_script(project).eventualities] == [750_000, 250_000]
    assert "1 line in reviewed scenes has changed" in " ".join(done.err.split())


def test_weighing_needs_nothing_but_the_projects_own_lines(run, drafted, tmp_path):
    words, _ = drafted
    with serving(tmp_path) as server:
        connected(run, server)
        done = run(*words, *WEIGHING)
    assert done.code == 0, done.err
    assert "2 lines scored by house (model)" in done.err


def test_the_project_tells_which_film_it_is_of(run, drafted, tmp_path):
    words, project = drafted
    with serving(tmp_path) as server:
        connected(run, server)
        done = run("draft", "-o", project, *WEIGHING)
    assert done.code == 0, done.err
    assert "2 lines scored by house (model)" in done.err
    assert spoken(project) == [FIRST]
    words[1].unlink()
    run("draft", "-o", project, *WEIGHING).refused(2, "give the subtitles", "or the film")


def test_where_there_is_no_project_a_weighing_has_nothing_to_describe(run, drafted, tmp_path):
    words, _ = drafted
    run(*words[:-1], tmp_path / "new.adproj", *WEIGHING).refused(2, "nothing to draft from")
    run(*words, *WEIGHING, "--force").refused(2, "nothing to draft from")
    run(*words, "--llm", "house", "--weigh-reviewed").refused(2, "--weigh")
