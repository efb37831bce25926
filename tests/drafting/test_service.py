"""One request, one run: from a film's files to a project, by way of a model; what it does where the model fails."""

from __future__ import annotations

import importlib
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import PIL.Image
import pytest

from adstudio.connections.model_access import Connection
from adstudio.core.cast import Person
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.progress import Progress, Stage
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Cue, Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import ModelFinished
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.film_context import oddities_of
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.request import DraftRequest, ModelDraft, Sources
from adstudio.drafting.service import DraftRun
from adstudio.drafting.weigh.scene import Weighing
from adstudio.llm.faults import KeyRefusedError
from adstudio.llm.messages import Clip, Image, Response, State
from adstudio.media import clips
from adstudio.media.probe import probe
from adstudio.presets.library import preset_named
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile

SRT = "1\n00:00:02,000 --> 00:00:04,000\nWho goes there?\n\n2\n00:00:20,000 --> 00:00:21,500\nNobody.\n"
PROSE = "[00:00:05] A guard waits at the gate.\n\n[00:00:25] A dog runs along the long wall of the old factory.\n"


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "fakes"))
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    from model_films import small_film

    (tmp_path / "film.srt").write_text(SRT)
    (tmp_path / "film.txt").write_text(PROSE)
    return small_film(tmp_path / "film.mp4", 200)


def request_of(film, people=(), **sources):
    model = ModelDraft(Connection("vllm", "m"), "house", ModelOptions(), store=film.with_suffix(".sqlite"))
    files = Sources(video=film, subtitles=film.with_suffix(".srt"), **sources)
    return DraftRequest(film.with_suffix(".adproj"), files, model=model, people=people)


def drafted(model, film, emit=lambda _event: None, **given):
    """The script, the plan and the last event of a draft."""
    from plain_stages import Sentences

    events = []

    def heard(event):
        events.append(event)
        emit(event)

    request = request_of(film, **given)
    DraftRun(request, heard, opened=lambda *_: model, segmenter=Sentences()).run()
    with ProjectFile.open(request.project, read_only=True) as project:
        return project.saved_script, project.saved_plan, events


def scripted(*given):
    return importlib.import_module("scripted_model").ScriptedModel(*given)


def test_a_film_alone(film):
    model = scripted()
    script, plan, events = drafted(model, film)
    spans = [scene.span for scene in script.scenes]
    assert (spans[0].start, spans[-1].end) == (0, 200_000)
    assert len(spans) == 2
    assert [event.states for event in events if isinstance(event, ModelFinished)] == [{SceneState.DONE: 2}]
    assert len(script.eventualities) == 8
    assert Counter(line.scene for line in script.eventualities) == {"s1": 4, "s2": 4}
    assert plan.deliveries
    assert plan.objective == plan.bound
    assert sum(isinstance(event, SceneDraft) for event in events) == 2
    assert "0.0–2.0" not in str(model.asks[0])
    assert [oddity for _, oddity in events[-1].oddities if "scene s" in oddity.what] == []


@pytest.mark.attack(2)
def test_a_film_that_is_swapped_while_it_is_drafted_is_not_sent_any_more(film):
    def swap(_ask):
        other = film.with_name("other.mp4")
        other.write_bytes(film.read_bytes())
        other.replace(film)

    from plain_stages import Sentences

    model, events, request = scripted(swap), [], request_of(film)
    assert request.model is not None
    request = replace(request, model=replace(request.model, options=replace(request.model.options, at_once=1)))
    DraftRun(request, events.append, opened=lambda *_: model, segmenter=Sentences()).run()
    parts = [part for ask in model.asks for message in ask.messages for part in message.parts]
    assert len({part.data for part in parts if isinstance(part, Clip)}) == 1, "only the clip of the first scene"
    (why,) = [each.why for each in events if isinstance(each, SceneDraft) and each.state is SceneState.FAILED]
    assert "was changed or replaced meanwhile, so nothing more of it was sent" in why


ALLOWED = Connection("vllm", "m", policy=Policy("on premises", (Host("gpu.house", 8000),), content="blake2b-256:00"))
"""For other content than the film has."""


def from_files(film):
    request = request_of(film)
    assert request.model is not None
    return replace(request, model=replace(request.model, connection=ALLOWED))


def scenes_of_an_open_film(film):
    request = from_files(film)
    media = probe(film).media(str(film), film.name, film.stat().st_size, fingerprint(film))
    script = Script(Film("Film", 200_000, media=media), scenes=(Scene("s1", Span(0, 60_000)),))
    return replace(request, script=script, scenes=("s1",))


def weighing_by_clips(film):
    weighing = Weighing(ALLOWED, "house", "video-embedding", store=film.with_suffix(".sqlite"))
    return replace(request_of(film, description=film.with_suffix(".txt")), model=None, weighing=weighing)


@pytest.mark.attack(2)
@pytest.mark.parametrize("request_for", [from_files, scenes_of_an_open_film, weighing_by_clips])
def test_of_other_content_than_was_allowed_nothing_is_sent(film, request_for):
    events = []

    def opened(*_):
        pytest.fail("a server is opened")

    with pytest.raises(BadInputError, match="nothing was sent: the video is not the one for which"):
        DraftRun(request_for(film), events.append, opened=opened).run()
    assert Progress(Stage.CHECKING_VIDEO, 1.0) in events


def test_people_are_kept_in_the_project_and_shown_small(film):
    face = io.BytesIO()
    PIL.Image.new("RGB", (900, 600), "grey").save(face, "PNG")
    people = (Person.named("Anna", face.getvalue()), Person.named("Tom"))
    model = scripted()
    script, _, _ = drafted(model, film, people=people)
    assert script.people == people
    shown = [part for part in model.asks[0].messages[0].parts if isinstance(part, Image)]
    assert len(shown) == 1
    assert shown[0].mime == "image/jpeg"
    with PIL.Image.open(io.BytesIO(shown[0].data)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (256, 171))


def test_a_description_goes_as_the_models_own(film):
    model = scripted()
    script, _, _ = drafted(model, film, description=film.with_suffix(".txt"))
    assert "describe" not in model.kinds
    assert [line.extract for line in script.eventualities] == [
        "A guard waits at the gate.",
        "A dog runs along the long wall of the old factory.",
    ]
    assert all("candidates 1" in provenance_text(line.provenance) for line in script.eventualities)


def test_when_the_text_is_seen_is_the_models_to_say_and_what_it_did_not_see_is_counted(film):
    untimed = film.with_suffix(".txt")
    untimed.write_text("A guard waits at the gate.\n\nA dog runs along the long wall of the old factory.\n")
    module = importlib.import_module("scripted_model")

    def unseen(ask):
        answer = json.loads(module.usual(ask, ""))
        for each in answer["elements"]:
            each.update({"start": None, "end": None, "salience": None} if "dog" in each["full"] else {})
        return json.dumps(answer)

    model = scripted(lambda ask: unseen(ask) if module.kind_of(ask) == "elements" else None)
    _, _, events = drafted(model, film, description=untimed)
    told = [oddity.what for _, oddity in events[-1].oddities]
    assert not any("footing" in what or "times stand" in what or "unsure" in what for what in told)
    assert told[-1].startswith("1 line is not seen in the film by the model")
    assert "A dog runs" in told[-1]


def test_where_the_model_fails_wholly_no_project_is_written_and_that_is_said(film):
    fault = KeyRefusedError("the key is refused: give another one")
    model = scripted(lambda ask: Response("", State.FAILED, str(fault), fault=fault))
    with pytest.raises(OutsideFailureError, match="no scene was drafted, and no project was written: the key is"):
        drafted(model, film, description=film.with_suffix(".txt"))
    assert not film.with_suffix(".adproj").exists()


def test_stopped_by_whoever_is_told(film):
    def stop(event):
        if isinstance(event, SceneDraft):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        drafted(scripted(), film, stop)
    again = scripted()
    script, _, _ = drafted(again, film)
    assert len(again.asks) < 4
    assert len(script.eventualities) == 8


def test_what_leaves_a_model_nothing_to_do_or_to_see(film):
    blind = replace(request_of(film), sources=Sources(end=1000))
    with pytest.raises(BadInputError, match="pictures"):
        DraftRun(blind, lambda _: None).run()
    with pytest.raises(BadInputError, match="candidates"):
        drafted(scripted(), film, candidates=film)


def test_what_this_run_was_allowed_is_noted_only_where_the_server_has_answered():
    kept, house = OFFLINE, Policy("on premises", (Host("gpu.example", 443),))
    run = DraftRun(replace(DraftRequest(), weighing=Weighing(Connection("vllm", "m"), "w", "model")), lambda _: None)
    assert run.servers.policy(kept) == kept
    run.servers.weighed_under.append(house)
    assert run.servers.policy(kept) == house


def test_scenes_with_the_same_reason_are_told_in_one_line():
    scenes = tuple(Scene(f"s{n}", Span(n * 60_000, (n + 1) * 60_000), title="Hall" if n == 5 else "") for n in range(7))
    script = Script(Film("Film", 420_000), scenes=scenes)
    whys = ["", "lost", "lost", "lost", "", "lost", "withheld"]
    drafts = [SceneDraft(scene.id, SceneState.FAILED, why=why) for scene, why in zip(scenes, whys, strict=True)]
    assert [each.what for each in oddities_of(script, drafts)] == [
        "scenes 2 to 4, from 00:01:00.000: lost",
        "scene 6 (Hall), from 00:05:00.000: lost",
        "scene 7, from 00:06:00.000: withheld",
    ]


def test_what_a_model_calls_by_name_too_early_lands_as_what_it_is(film):
    """The model was told, and forgot. The film says “Nora” at 150 s; scenes are worded as they come, without a plan."""
    media = probe(film).media(str(film), film.name, film.stat().st_size, fingerprint(film))
    cues = (Cue("c1", 150_000, 152_000, "Good evening, Nora."),)
    scenes = (Scene("s1", Span(0, 60_000)), Scene("s2", Span(155_000, 200_000)))
    people = (Person("n", "Nora", described_as="the porter"),)
    settings = preset_named("house").settings
    script = Script(Film("Film", 200_000, media=media), settings=settings, scenes=scenes, cues=cues, people=people)
    story = "Nora crosses the empty platform with a suitcase. Nora stops under the clock."
    fake = importlib.import_module("scripted_model")
    model, events = scripted(lambda ask: story if fake.kind_of(ask) == "describe" else None), []
    request = replace(request_of(film), script=script, scenes=("s1", "s2"))
    from plain_stages import Sentences

    DraftRun(request, events.append, opened=lambda *_: model, segmenter=Sentences()).run()
    drafts = {
        event.scene: [line.variants[0].text for line in event.lines]
        for event in events
        if isinstance(event, SceneDraft)
    }
    assert drafts == {
        "s1": ["A porter crosses the empty platform with a suitcase.", "The porter stops under the clock."],
        "s2": ["Nora crosses the empty platform with a suitcase.", "Nora stops under the clock."],
    }
