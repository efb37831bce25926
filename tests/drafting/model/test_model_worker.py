"""The process that drafts by a model: requests and messages, a whole draft, a stopped one, bad requests."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from draft_worker import run_draft
from PIL import Image

from adstudio.connections.model_access import Connection
from adstudio.core.cast import Person
from adstudio.core.film import Film, Media
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import PROTOCOL, Failed, ModelFinished, Noted
from adstudio.drafting.model.events import Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.request import DraftRequest, ModelDraft
from adstudio.drafting.service import FILM_CHANGED, FILM_GONE
from adstudio.store.media import fingerprint

HERE = Path(__file__).parents[1]
CHILD = """
import sys
sys.path.insert(0, {candidates!r})
from plain_stages import Sentences
from scripted_model import ScriptedModel
from adstudio.drafting.worker import main
sys.exit(main(opened=lambda connection, embeds: ScriptedModel(pause={pause}), segmenter=Sentences()))
"""
CONNECTION = Connection("vllm", "some/model", "http://127.0.0.1:9/v1")


def make_film(path):
    sys.path.insert(0, str(HERE.parent / "fakes"))
    from model_films import small_film

    return small_film(path, 24)


@pytest.fixture
def script(tmp_path):
    film = make_film(tmp_path / "film.mp4")
    media = Media(str(film), film.name, film.stat().st_size, fingerprint(film), 24_000, Fraction(1))
    scenes = tuple(Scene(f"s{n}", Span(6_000 * (n - 1), 6_000 * n)) for n in range(1, 5))
    return Script(Film("Film", 24_000, media=media), scenes=scenes)


def wanted(tmp_path, script, scenes=(), connection=CONNECTION, store="jobs.sqlite", **options):
    model = ModelDraft(connection, "house", ModelOptions(**options), store=tmp_path / store)
    return DraftRequest(script=script, scenes=scenes, model=model)


def started(request, pause=0.0):
    code = CHILD.format(candidates=str(HERE.parent / "fakes"), pause=pause)
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(PROTOCOL.request_line(request))
    child.stdin.flush()
    return child


def finished(child):
    """All that a process says; its input stays open until it has ended, as the editor's does."""
    with child:
        out = child.stdout.read()
        child.stdin.close()
    return out


def test_a_whole_draft(tmp_path, script):
    request = wanted(tmp_path, script, ("s2", "s4"))
    out = finished(started(request))
    messages = [PROTOCOL.read_event(line) for line in out.splitlines()]
    assert None not in messages
    drafts = [message for message in messages if isinstance(message, SceneDraft)]
    assert sorted(draft.scene for draft in drafts) == ["s2", "s4"]
    assert {len(draft.lines) for draft in drafts} == {4}
    over = messages[-1]
    assert (over.states, over.halted, over.asked, over.requests) == ({SceneState.DONE: 2}, "", 4, 4)
    assert {type(message) for message in messages} >= {Moved, Telling, Found, Spent, SceneDraft, ModelFinished}


def test_the_projects_own_people_and_prompts_are_used(tmp_path, script):
    face = io.BytesIO()
    Image.new("RGB", (900, 600), "grey").save(face, "PNG")
    cast = tuple(Person.named(name, face.getvalue()) for name in ("Anna", "Tom", "Eva", "Kim", "Nora"))
    own = replace(script, people=cast, prompts=(("candidates", "Answer in the form."), ("sum", "!")))
    asked, noted = [], []
    for number, each in enumerate((script, own)):
        request = wanted(tmp_path, each, ("s2",), store=f"jobs{number}.sqlite")
        out = finished(started(request))
        messages = [PROTOCOL.read_event(line) for line in out.splitlines()]
        (draft,) = (found for found in messages if isinstance(found, SceneDraft))
        assert draft.state is SceneState.DONE
        asked.append({provenance_text(line.provenance) for line in draft.lines})
        noted.append([found.sentence for found in messages if isinstance(found, Noted)])
    assert all("candidates 1" in source and "edited" not in source for source in asked[0])
    assert all("candidates 1 edited" in source for source in asked[1])
    unknown = "the project keeps its own wording of a prompt that this version does not know, “sum”: it was not used"
    # The scripted model takes four pictures.
    assert noted == [[], [f"{unknown}; the model takes 4 pictures of people: it is told the names alone of Nora"]]


def test_at_the_limit_of_the_films_cost_it_ends_and_the_scenes_left_say_why(tmp_path, script):
    """Each of the scripted model's answers costs 25 millionths of a dollar, which it does not know before; a scene
    takes two asks."""
    request = wanted(tmp_path, script, at_once=1, most_micro_usd=60)
    messages = [PROTOCOL.read_event(line) for line in finished(started(request)).splitlines()]
    over, last = messages[-1], [each for each in messages if isinstance(each, SceneDraft)][-1]
    assert over.halted.endswith("raise it to go on")
    assert (over.asked, over.total.micro_usd) == (3, 75)
    assert over.states == {SceneState.DONE: 1, SceneState.LIMITED: 3}
    assert (last.state, last.why) == (SceneState.LIMITED, over.halted)


def test_let_go_of_it_stops_and_goes_on_there_the_next_time(tmp_path, script):
    request = wanted(tmp_path, script, at_once=1)
    child = started(request, pause=0.02)
    for line in child.stdout:
        if isinstance(PROTOCOL.read_event(line), SceneDraft):
            break
    child.stdin.close()
    rest = [PROTOCOL.read_event(line) for line in child.stdout]
    child.stdout.close()
    assert child.wait(timeout=300) == 130
    assert rest[-1].states == {SceneState.DONE: 1, SceneState.STOPPED: 3}
    out = finished(started(request))
    over = PROTOCOL.read_event(out.splitlines()[-1])
    assert over.states == {SceneState.DONE: 4}
    # Eight asks, and at most the one that was in hand a second time.
    assert 8 <= over.asked <= 9


def test_nobody_listens_any_more(tmp_path, script):
    child = started(wanted(tmp_path, script), pause=0.02)
    for line in child.stdout:
        if isinstance(PROTOCOL.read_event(line), Telling):
            break
    child.stdout.close()
    assert child.wait(timeout=300) == 130
    child.stdin.close()


def test_terminated_it_ends_the_same_way(tmp_path, script):
    child = started(wanted(tmp_path, script), pause=0.02)
    for line in child.stdout:
        if isinstance(PROTOCOL.read_event(line), Telling):
            break
    child.terminate()
    out = finished(child)
    assert child.returncode == 130
    assert PROTOCOL.read_event(out.splitlines()[-1]).states == {SceneState.STOPPED: 4}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scenes": ("s9",)}, "the scene “s9” is not in the film any more"),
        ({"prompts": (("describe", ""),)}, "the prompt “Describe” is empty"),
        ({"people": (Person.named("Anna", b"nothing"),)}, "the face of Anna is not a readable image"),
        ({"script": Script(Film("F", 1000), scenes=(Scene("s1", Span(0, 1000)),))}, "has no video"),
    ],
)
def test_what_cannot_be_drafted_is_one_sentence(tmp_path, script, change, sentence):
    told = {key: change[key] for key in ("people", "prompts") if key in change}
    request = wanted(tmp_path, replace(script, **told))
    request = replace(request, **{key: value for key, value in change.items() if key not in told})
    child = started(request)
    out = finished(child)
    assert child.returncode == 2
    failed = PROTOCOL.read_event(out.splitlines()[-1])
    assert isinstance(failed, Failed)
    assert sentence in failed.message


def test_offline_nothing_is_sent_and_each_scene_says_so(tmp_path, script):
    log = tmp_path / "sent.jsonl"
    code, messages = run_draft(wanted(tmp_path, script, connection=replace(CONNECTION, log=log)))
    assert code == 0
    over = messages[-1]
    assert over.states == {SceneState.FAILED: 4}
    assert over.halted.startswith("this project is offline, so nothing was sent to 127.0.0.1:9")


def test_a_film_that_was_moved_says_how_to_find_it(tmp_path, script):
    Path(script.film.media.path).rename(tmp_path / "elsewhere.mp4")
    out = finished(started(wanted(tmp_path, script)))
    assert [PROTOCOL.read_event(line) for line in out.splitlines()] == [
        Failed(FILM_GONE.format(script.film.media.path))
    ]
    assert "File → Relink video…" in FILM_GONE


def test_another_film_in_its_place_is_not_sent(tmp_path, script):
    """What may leave was said of the film with that content, not of whatever lies under its name."""
    Path(script.film.media.path).write_bytes(b"another film")
    out = finished(started(wanted(tmp_path, script)))
    assert [PROTOCOL.read_event(line) for line in out.splitlines()] == [
        Failed(FILM_CHANGED.format(script.film.media.path))
    ]
    assert "nothing of it was sent" in FILM_CHANGED
