"""`adstudio polish` against a scripted server: proposals, taken over, refused, stopped; the sample film end to end."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import pytest
from model_running import MODEL, Serving, serving

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.policy import Host, Policy
from adstudio.core.script import Pin
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.store.project import ProjectFile

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "fakes"))
from polish_model import station  # noqa: E402 - found where the line above says


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
def project(tmp_path):
    path = tmp_path / "station.adproj"
    ProjectFile.create(path, station()).close()
    return path


@pytest.fixture
def adstudio(run, tmp_path, monkeypatch, impatient):
    """The program inside this process, with settings and kept answers of its own."""
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    return run


@pytest.fixture
def polish(adstudio):
    return lambda *arguments: adstudio("polish", *arguments)


def saved(path):
    with ProjectFile.open(path, read_only=True) as opened:
        return opened.saved_script, opened.saved_plan, opened.policy


def test_proposals_are_shown_line_by_line_and_change_nothing(serve, project, polish):
    server, before = serve(), saved(project)[0]
    ran = polish(project, "--llm", "house", "--on-premises")
    assert ran.code == 0, ran.err
    assert ran.out.decode().splitlines()[:4] == [
        "00:00:01.850 Parks. (0.3 s)",
        "→ She parks. (0.6 of 2.9 s)",
        "00:00:04.700 Takes package. (0.6 s)",
        "→ She takes package. (0.9 of 3.3 s)",
    ]
    assert "house has 4 proposals for 4 lines" in ran.err
    assert "no line of" in ran.err
    assert f"recorded in {project}: 127.0.0.1:{server.port} may be used from now on" in ran.err
    script, _, policy = saved(project)
    assert script == before
    assert policy == Policy("on premises", (Host("127.0.0.1", int(server.port), plain=True),))
    again = polish(project, "--llm", "house")
    assert again.out == ran.out, "the project remembers what it allows"
    assert "recorded in" not in again.err
    assert len(server.asked) == 2, "nothing is asked twice"
    assert "2 requests, and one more for each with bad lines" in ran.err
    for more in ((), ("--again",)):
        told = polish(project, "--llm", "house", *more).err
        assert "4 lines in 2 requests, all answered before and reused" in told
    assert len(server.asked) == 2


def test_taken_over_the_project_is_saved_with_its_plan(serve, project, polish, tmp_path):
    serve()
    gaps, before = gaps_of(station()).gaps, plan_film(station(), gaps_of(station()).gaps)
    ran = polish(project, "--llm", "house", "--on-premises", "--accept-all", "-o", tmp_path / "lines.json")
    assert (ran.code, ran.out) == (0, b""), ran.err
    assert "4 lines polished, 4 spoken, optimal" in ran.err
    script, plan, _ = saved(project)
    assert [line.variants[0].text for line in script.eventualities] == [
        "She parks.",
        "She takes package.",
        "She rises from her seat.",
        "She opens the drawer.",
    ]
    assert {line.pin for line in script.eventualities} == {Pin(variant=0)}
    assert [each.element for each in plan.deliveries] == [each.element for each in before.deliveries]
    assert plan == plan_film(script, gaps, plan) or plan.deliveries == plan_film(script, gaps).deliveries
    written = json.loads((tmp_path / "lines.json").read_text())
    assert written["format"] == "adstudio-polish/1"
    assert written["lines"][0] == {
        "element": "e1", "variant": 0, "scene": "s1", "start": 1.85, "end": 2.15, "before": "Parks.",
        "text": "She parks.", "duration": 0.6, "room": 2.85, "remarks": [],
    }  # fmt: skip
    once_more = polish(project, "--llm", "house")
    assert once_more.code == 0
    assert "no line to polish: lines that a person has worded or accepted are polished only with --all" in once_more.err


def test_one_scene_alone(serve, project, polish):
    serve()
    ran = polish(project, "--llm", "house", "--on-premises", "--scene", "s2")
    assert ran.out.decode().splitlines() == [
        "00:00:33.550 Opens the drawer. (0.9 s)",
        "→ She opens the drawer. (1.2 of 6.5 s)",
    ]
    polish(project, "--llm", "house", "--scene", "s9").refused(2, "--scene", "“s9”", "s1, s2")


def test_what_cannot_be_done_is_said_in_a_sentence(serve, project, polish, tmp_path):
    server = serve()
    polish(project).refused(2, "--llm NAME")
    polish(project, "--llm", "other").refused(2, "no connection “other”", "house")
    polish(project, "--llm", "house").refused(2, "offline", "--on-premises")
    polish(tmp_path / "none.adproj", "--llm", "house").refused(2, "none.adproj")
    with ProjectFile.open(project):
        polish(project, "--llm", "house", "--on-premises").refused(3, "is in use by another window or command")
    assert server.asked == []
    assert saved(project)[2] == Policy()


def test_unsaved_steps_are_for_the_describer_to_choose(serve, project, polish):
    from dataclasses import replace

    from adstudio.core.steps import SetFilm

    serve()
    opened = ProjectFile.open(project)
    document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
    document.apply(SetFilm(document.script.film, replace(document.script.film, title="Other")))
    opened.close()
    polish(project, "--llm", "house", "--on-premises").refused(2, "unsaved changes")


def test_a_server_that_refuses_is_told_of_and_nothing_is_changed(serve, project, polish):
    serve("--faults", "401")
    ran = polish(project, "--llm", "house", "--on-premises", "--accept-all")
    assert ran.code == 3
    assert "4 lines got no answer" in ran.err
    assert "Traceback" not in ran.err
    assert "recorded in" not in ran.err
    assert saved(project) == (station(), None, Policy())
    with ProjectFile.open(project, read_only=True) as opened:
        assert opened.policies == (), "what was not reached is not noted"


@pytest.mark.parametrize("fault", ["503", "down", "thoughts"])
def test_a_server_that_has_its_days(serve, project, polish, fault):
    serve("--faults", fault)
    ran = polish(project, "--llm", "house", "--on-premises")
    assert "Traceback" not in ran.err
    if ran.code:
        assert "got no answer" in ran.err
        ran = polish(project, "--llm", "house", "--on-premises")
    assert ran.code == 0, ran.err
    assert "house has 4 proposals for 4 lines" in ran.err


def test_the_sample_film_is_drafted_polished_and_handed_in(serve, adstudio, sample_film, tmp_path):
    path = tmp_path / "sample.adproj"

    def done(*arguments):
        ran = adstudio(*arguments)
        assert ran.code == 0, ran.err
        return ran

    server = serve()
    done("draft", sample_film.film, "--subtitles", sample_film.vtt, "--candidates", sample_film.candidates, "-o", path)
    script, before, _ = saved(path)
    done("polish", path, "--llm", "house", "--on-premises", "--accept-all")
    after, plan, _ = saved(path)
    assert [each.element for each in plan.deliveries] == [each.element for each in before.deliveries]
    changed = [
        line.id
        for line, old in zip(after.eventualities, script.eventualities, strict=True)
        if line.variants != old.variants
    ]
    assert changed
    assert set(changed) <= {each.element for each in plan.deliveries}
    assert all(after.eventuality(each).provenance.polished is not None for each in changed)
    assert len(server.asked) >= len({script.eventuality(each.element).scene for each in before.deliveries})
    for form in ("problem", "plan", "srt"):
        done("export", path, "--format", form, "-o", tmp_path / f"out.{form}")
    checked = done("verify", tmp_path / "out.problem", tmp_path / "out.plan")
    assert checked.out.startswith(b"valid")
    handed_in = (tmp_path / "out.srt").read_text("utf-8")
    spoken = {each.element: each.variant for each in plan.deliveries}
    texts = [after.eventuality(each).variants[spoken[each]].text for each in changed]
    flat = " ".join(handed_in.split())
    assert all(" ".join(text.split()) in flat for text in texts)
