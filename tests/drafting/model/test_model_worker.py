"""The process that drafts by a model: requests and messages, a whole draft, a stopped one, bad requests."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PIL import Image

from adstudio.connections.model_access import Connection
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Eventuality, Film, Media, Person, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import Delayed, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.drafting.model.messages import (
    Failed,
    Looking,
    Noted,
    Over,
    Request,
    read_message,
    read_request,
    write_message,
    write_request,
)
from adstudio.drafting.model.worker import FILM_CHANGED, FILM_GONE
from adstudio.llm.messages import Usage
from adstudio.store.media import fingerprint

HERE = Path(__file__).parents[1]
CHILD = """
import sys
sys.path.insert(0, {candidates!r})
from plain_stages import Sentences
from scripted_model import ScriptedModel
from adstudio.drafting.model.worker import main
sys.exit(main(opened=lambda connection: ScriptedModel(pause={pause}), segmenter=Sentences()))
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


def started(tmp_path, request, pause=0.0):
    path = tmp_path / "request.json"
    path.write_bytes(write_request(request))
    code = CHILD.format(candidates=str(HERE.parent / "fakes"), pause=pause)
    return subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def finished(child):
    """All that a process says; its input stays open until it has ended, as the editor's does."""
    with child:
        out = child.stdout.read()
        child.stdin.close()
    return out


def test_a_request_arrives_as_it_was_sent(tmp_path):
    policy = Policy(
        "cloud", (Host("gpu.example", 8000, plain=True),), Consent("gemini", frozenset({"text", "clips"}), "now")
    )
    connection = Connection(
        "gemini", "flash", "https://x/v1", policy, Path("/ä b"), "p", Path("/ca"), "salt", keyed=True
    )
    told = Script(
        Film("F “ä”", 1000),
        people=(Person("Anna", b"face"), Person("Tom")),
        prompts=(("describe", "Tell."),),
    )
    request = Request(told, connection, ("s1",), {"s1": "Text\nof it"}, Path("/store"), 3, again=True, anew=True)
    request = replace(request, descriptions={"s2": "Prose\nof it"}, thinking="low", most_micro_usd=5)
    path = tmp_path / "request.json"
    path.write_bytes(write_request(request))
    assert read_request(path) == request
    plain = Request(Script(Film("F", 1000)), CONNECTION)
    path.write_bytes(write_request(plain))
    assert read_request(path) == plain
    odd = write_request(replace(plain, thinking="for ever"))
    for bad in (b"", b"{}", b"[]", write_request(plain).replace(b"vllm", b"telepathy"), odd):
        path.write_bytes(bad)
        with pytest.raises(BadInputError):
            read_request(path)


def test_messages_arrive_as_they_were_sent():
    line = Eventuality(
        "s1-e01", (Variant("She “waits”."), Variant("She.", Fraction(1, 2))), Span(1, 2), 5, scene="s1", confidence=550
    )
    usage = Usage(1, 2, 3, 4, None)
    for message in (
        Looking(0.25),
        Moved("s1", SceneState.FAILED, "it was lost"),
        Telling("s1", 2, "A woman\n…"),
        Found("s1", 0, "e01", "She waits.", 1500, None),
        Spent(usage, 3),
        Noted("one thing"),
        SceneDraft("s1", SceneState.PARTIAL, (line,), "why", "Prose.", ("e01: note",)),
        Over({SceneState.DONE: 3}, "halted", 7, replace(usage, micro_usd=5)),
        Delayed("s1", "nobody answers there"),
        Failed("one sentence"),
    ):
        text = write_message(message)
        assert "\n" not in text
        assert read_message(text) == message
    for other in (
        "",
        "noise",
        "[]",
        "{}",
        '{"moved": "s1"}',
        '{"moved": "s1", "state": "x", "why": ""}',
        '{"spent": 3, "ended": 1}',
    ):
        assert read_message(other) is None


def test_a_whole_draft(tmp_path, script):
    request = Request(script, CONNECTION, store=tmp_path / "jobs.sqlite", scenes=("s2", "s4"))
    out = finished(started(tmp_path, request))
    messages = [read_message(line) for line in out.splitlines()]
    assert None not in messages
    drafts = [message for message in messages if isinstance(message, SceneDraft)]
    assert sorted(draft.scene for draft in drafts) == ["s2", "s4"]
    assert {len(draft.lines) for draft in drafts} == {4}
    assert messages[-1] == Over({SceneState.DONE: 2}, "", 4, messages[-1].usage)
    assert {type(message) for message in messages} >= {Moved, Telling, Found, Spent, SceneDraft, Over}


def test_the_projects_own_people_and_prompts_are_used(tmp_path, script):
    face = io.BytesIO()
    Image.new("RGB", (900, 600), "grey").save(face, "PNG")
    cast = tuple(Person(name, face.getvalue()) for name in ("Anna", "Tom", "Eva", "Kim", "Nora"))
    own = replace(script, people=cast, prompts=(("candidates", "Answer in the form."), ("sum", "!")))
    asked, noted = [], []
    for number, each in enumerate((script, own)):
        request = Request(each, CONNECTION, store=tmp_path / f"jobs{number}.sqlite", scenes=("s2",))
        out = finished(started(tmp_path, request))
        messages = [read_message(line) for line in out.splitlines()]
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
    request = Request(script, CONNECTION, store=tmp_path / "jobs.sqlite", at_once=1, most_micro_usd=60)
    messages = [read_message(line) for line in finished(started(tmp_path, request)).splitlines()]
    over, last = messages[-1], [each for each in messages if isinstance(each, SceneDraft)][-1]
    assert over.halted.endswith("raise it to go on")
    assert (over.asked, over.usage.micro_usd) == (3, 75)
    assert over.states == {SceneState.DONE: 1, SceneState.LIMITED: 3}
    assert (last.state, last.why) == (SceneState.LIMITED, over.halted)


def test_let_go_of_it_stops_and_goes_on_there_the_next_time(tmp_path, script):
    request = Request(script, CONNECTION, store=tmp_path / "jobs.sqlite", at_once=1)
    child = started(tmp_path, request, pause=0.02)
    for line in child.stdout:
        if isinstance(read_message(line), SceneDraft):
            break
    child.stdin.close()
    rest = [read_message(line) for line in child.stdout]
    child.stdout.close()
    assert child.wait(timeout=20) == 130
    assert rest[-1].states == {SceneState.DONE: 1, SceneState.STOPPED: 3}
    out = finished(started(tmp_path, request))
    over = read_message(out.splitlines()[-1])
    assert over.states == {SceneState.DONE: 4}
    # Eight asks, and at most the one that was in hand a second time.
    assert 8 <= over.asked <= 9


def test_nobody_listens_any_more(tmp_path, script):
    child = started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs.sqlite"), pause=0.02)
    for line in child.stdout:
        if isinstance(read_message(line), Telling):
            break
    child.stdout.close()
    assert child.wait(timeout=20) == 130
    child.stdin.close()


def test_terminated_it_ends_the_same_way(tmp_path, script):
    child = started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs.sqlite"), pause=0.02)
    for line in child.stdout:
        if isinstance(read_message(line), Telling):
            break
    child.terminate()
    out = finished(child)
    assert child.returncode == 130
    assert read_message(out.splitlines()[-1]).states == {SceneState.STOPPED: 4}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scenes": ("s9",)}, "the scene “s9” is not in the film any more"),
        ({"prompts": (("describe", ""),)}, "the prompt “Describe” is empty"),
        ({"people": (Person("Anna", b"nothing"),)}, "the face of Anna is not a picture that can be read"),
        ({"script": Script(Film("F", 1000), scenes=(Scene("s1", Span(0, 1000)),))}, "has no video"),
    ],
)
def test_what_cannot_be_drafted_is_one_sentence(tmp_path, script, change, sentence):
    told = {key: change[key] for key in ("people", "prompts") if key in change}
    request = Request(replace(script, **told), CONNECTION, store=tmp_path / "jobs.sqlite")
    request = replace(request, **{key: value for key, value in change.items() if key not in told})
    child = started(tmp_path, request)
    out = finished(child)
    assert child.returncode == 2
    failed = read_message(out.splitlines()[-1])
    assert isinstance(failed, Failed)
    assert sentence in failed.sentence


def test_offline_nothing_is_sent_and_each_scene_says_so(tmp_path, script):
    path = tmp_path / "request.json"
    log = tmp_path / "sent.jsonl"
    request = Request(script, replace(CONNECTION, log=log), store=tmp_path / "jobs.sqlite")
    path.write_bytes(write_request(request))
    done = subprocess.run(
        [sys.executable, "-m", "adstudio.drafting.model.worker", str(path)],
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=dict(os.environ), check=False, timeout=60,
    )  # fmt: skip
    messages = [read_message(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    over = messages[-1]
    assert over.states == {SceneState.FAILED: 4}
    assert over.halted.startswith("this project is offline, so nothing was sent to 127.0.0.1:9")


def test_a_film_that_was_moved_says_how_to_find_it(tmp_path, script):
    Path(script.film.media.path).rename(tmp_path / "elsewhere.mp4")
    out = finished(started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs")))
    assert [read_message(line) for line in out.splitlines()] == [Failed(FILM_GONE.format(script.film.media.path))]
    assert "File → Relink video…" in FILM_GONE


def test_another_film_in_its_place_is_not_sent(tmp_path, script):
    """What may leave was said of the film with that content, not of whatever lies under its name."""
    Path(script.film.media.path).write_bytes(b"another film")
    out = finished(started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs")))
    assert [read_message(line) for line in out.splitlines()] == [Failed(FILM_CHANGED.format(script.film.media.path))]
    assert "nothing of it was sent" in FILM_CHANGED
