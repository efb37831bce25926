"""Salience from a server, its numbers worked out by hand: a model's order, cosines with a scene's text and clip."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import replace

import pytest
from fake_embeddings import EmbeddingServer
from fake_server import Act, FakeServer, refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from model_films import small_film
from scripted_model import ScriptedModel, said

from adstudio.connections.model_access import Connection
from adstudio.core.errors import BadInputError
from adstudio.core.film import Film, Media
from adstudio.core.provenance import Contribution, ModelTask, ModelWork, Provenance, provenance_text
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.prompts import PromptError, prompts
from adstudio.drafting.model.request_store import JobStore, name_of_film
from adstudio.drafting.weigh.by_model import read_weights, weighing
from adstudio.drafting.weigh.scene import Shown, Weighed, WeighedScene, Weighing
from adstudio.drafting.weigh.script_weighing import weigh_film, weighed
from adstudio.editing.lines import set_salience
from adstudio.editing.redraft import is_human_work
from adstudio.llm import faults
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.embedding_format import as_text
from adstudio.llm.messages import Response, State, Text
from adstudio.llm.openai_protocol import OpenAIEmbeddings, Server
from adstudio.llm.policy_enforcement import Policy, host_of
from adstudio.llm.retry import Backoff, Retrying
from adstudio.llm.transport import Transport
from adstudio.media import clips

TEXTS = ("A door opens.", "[[[ Ann <enters>.", "She waits.", "It rains.")
SCENE = WeighedScene("s1", tuple(Weighed(f"l{n}", text, 4_000 * n) for n, text in enumerate(TEXTS)), " ".join(TEXTS))


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


def film_weighed(scenes, way, provider, store):
    async def run():
        async with asyncio.timeout(30):
            with JobStore(store) as jobs:
                return await weigh_film(
                    scenes, way, provider, jobs, "film", prompts(), stop=asyncio.Event(), on_scene=lambda *_: None
                )

    return asyncio.run(run())


def by_model(scenes, store, *answers):
    """Weights by a model that says these, one after another, and the model."""
    left = iter(answers)
    model = ScriptedModel(script=lambda ask: next(left))
    return film_weighed(scenes, "model", model, store), model


def weights(**given):
    return json.dumps({"weights": [{"id": each, "salience": number} for each, number in given.items()]})


ALL = weights(e01=200, e02=900, e03=500, e04=200)


def test_what_a_model_is_asked():
    ask = weighing(SCENE, [1, 3], prompts())
    text = said(ask)
    assert "[[[ PIECES\ne01: A door opens.\ne02: [ Ann ‹enters›.\ne03: She waits.\ne04: It rains.\nPIECES ]]]" in text
    assert text.endswith("Answer for these alone: e02, e04.")
    listed = ask.schema["properties"]["weights"]
    assert (listed["minItems"], listed["maxItems"]) == (2, 2)
    assert [item["properties"]["id"]["enum"] for item in listed["prefixItems"]] == [["e02"], ["e04"]]
    assert listed["prefixItems"][0]["properties"]["salience"] == {"type": "integer", "minimum": 1, "maximum": 999}
    assert "The form" not in text
    assert "The form" in said(weighing(SCENE, [0], prompts(), bound=False))


def test_it_is_the_order_that_counts(store):
    found, model = by_model([SCENE], store, ALL)
    # Of four: the two least share the ranks 0.5/4 and 1.5/4, their mean is 1/4; then 2.5/4 and 3.5/4.
    assert found.saliences == {"l0": 250_000, "l2": 625_000, "l1": 875_000, "l3": 250_000}
    assert (found.missing, found.asked, found.model) == ({}, 1, "model-1.2")
    again, other = by_model([SCENE], store)
    assert (again.saliences, again.asked, len(model.asks), other.asks) == (found.saliences, 0, 1, [])


def test_what_is_missing_is_asked_for_alone(store):
    first = weights(e01=200, e02=0, e03=1_000, e04=200, e09=3)
    found, model = by_model([SCENE], store, first, weights(e02=900, e03=500))
    assert found.saliences["l1"] == 875_000
    assert said(model.asks[1]).endswith("Answer for these alone: e02, e03.")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (['{"weights": []}'], "holds no weights"),
        (["What a scene!"], "holds no weights"),
        ([weights(e01=1)] * 3, "holds no weights"),
        ([weights(e01=1), weights(e02=1), weights(e03=1)], "weighed 3 of 4 lines"),
        ([Response("", State.FAILED, fault=faults.OverloadedError("gpu:1 is too busy"))], "too busy"),
        ([Response("", State.BLOCKED, "withheld", fault=faults.BlockedError("withheld"))], "withheld"),
        ([Response("", State.FAILED, fault=faults.KeyRefusedError("rejected the key"))], "rejected the key"),
    ],
)
def test_a_scene_that_is_not_wholly_weighed_is_not_weighed(answers, says, store):
    found, _ = by_model([SCENE], store, *answers)
    assert found.saliences == {}
    assert says in found.missing["s1"]


def test_an_answer_of_no_use_is_asked_for_again_the_next_time(store):
    by_model([SCENE], store, "What a scene!")
    found, model = by_model([SCENE], store, ALL)
    assert (len(found.saliences), len(model.asks)) == (4, 1)


def test_one_refused_key_ends_all_scenes(store):
    scenes = [WeighedScene(f"s{n}", (Weighed(f"l{n}", f"Line {n}."),)) for n in range(20)]
    model = ScriptedModel(
        script=lambda ask: Response("", State.FAILED, fault=faults.KeyRefusedError("rejected the key"))
    )
    found = film_weighed(scenes, "model", model, store)
    assert set(found.missing) == {f"s{n}" for n in range(20)}
    assert len(model.asks) <= 6


def test_a_long_scene_is_asked_for_in_parts(store):
    lines = tuple(Weighed(f"l{n}", f"Line {n}.") for n in range(130))
    answers = [
        weights(**{f"e{n + 1:02d}": n + 1 for n in part}) for part in (range(60), range(60, 120), range(120, 130))
    ]
    found, model = by_model([WeighedScene("s1", lines)], store, *answers)
    assert len(model.asks) == 3
    assert all(said(ask).count("Line ") == 130 for ask in model.asks)
    # The place of line n among 130.
    assert found.saliences["l129"] == round(129.5 / 130 * 1_000_000)
    too_long = WeighedScene("s2", lines * 4)
    assert "divide the scene" in by_model([too_long], store)[0].missing["s2"]


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_gives_whole_numbers_of_known_lines_or_nothing(text):
    found = read_weights(text, [0, 2])
    assert set(found) <= {0, 2}
    assert all(0 < value < 1_000 for value in found.values())


VECTORS = {
    "A door opens.": (1.0, 0.0, 0.0),
    "[ Ann ‹enters›.": (3.0, 4.0, 0.0),
    "She waits.": (0.0, 0.0, 2.0),
    "It rains.": (-1.0, 0.0, 0.0),
    "A door opens. [ Ann ‹enters›. She waits. It rains.": (1.0, 1.0, 0.0),
}


def vector_of(thing):
    if isinstance(thing, str):
        return VECTORS[thing]
    (part,) = thing
    return VECTORS[part["text"]] if part["type"] == "text" else CLIPS[part["video_url"]["url"][-4:]]


CLIPS = {"QUFB": (0.0, 1.0, 0.0), "QkJC": (0.0, 0.0, 1.0)}  # the ends of AAA and BBB in base64


def served(scenes, way, store, server, model="Qwen/Qwen3-Embedding-8B"):
    async def run():
        async with asyncio.timeout(30), server:
            policy = Policy("on premises", (host_of(server.url),))
            transport = Transport(policy, lambda _: None)
            provider = Retrying(
                OpenAIEmbeddings(Server(f"{server.url}/v1", model), policy, transport), backoff=Backoff(first=0.001)
            )
            try:
                with JobStore(store) as jobs:
                    return await weigh_film(
                        scenes, way, provider, jobs, "film", prompts(), stop=asyncio.Event(), on_scene=lambda *_: None
                    )
            finally:
                await provider.aclose()

    return asyncio.run(run())


def test_embedding_text_is_the_cosine_with_the_scenes_description(store):
    server = EmbeddingServer(vector_of)
    found = served([SCENE], "text-embedding", store, server)
    # With (1, 1, 0)/√2: 1/√2, (3 + 4)/(5√2), 0 and −1/√2.
    root = math.sqrt(2)
    assert found.saliences == {
        "l0": round(1_000_000 / root),
        "l1": round(1_400_000 / root),
        "l2": 0,
        "l3": round(-1_000_000 / root),
    }
    assert [len(request.json["input"]) for request in server.requests] == [4, 1]
    again = EmbeddingServer(vector_of)
    assert served([SCENE], "text-embedding", store, again).saliences == found.saliences
    assert again.requests == []


def test_embedding_video_is_the_cosine_with_the_scenes_clip(store):
    shown = (Shown(Span(0, 10_000), lambda: b"AAA"),)
    scene = WeighedScene("s1", SCENE.lines, SCENE.description, shown)
    server = EmbeddingServer(vector_of)
    found = served([scene], "video-embedding", store, server)
    # With (0, 1, 0): 0, 4/5, 0, 0.
    assert found.saliences == {"l0": 0, "l1": 800_000, "l2": 0, "l3": 0}
    # Lines and clip are embedded in the same way, or their cosines would mean nothing.
    talks = [request.json["messages"] for request in server.requests]
    assert (
        talks[0][0][0]
        == talks[1][0]
        == {
            "role": "system",
            "content": [{"type": "text", "text": "Represent the user's input."}],
        }
    )


def test_a_line_of_a_long_scene_is_compared_with_the_part_it_happens_in(store):
    # Middles at 0, 2, 4 and 6 s; the second part begins at 4 s.
    shown = (Shown(Span(0, 4_000), lambda: b"AAA"), Shown(Span(4_000, 5_000), lambda: b"BBB"))
    scene = WeighedScene("s1", SCENE.lines, SCENE.description, shown)
    found = served([scene], "video-embedding", store, EmbeddingServer(vector_of))
    assert found.saliences == {"l0": 0, "l1": 800_000, "l2": 0, "l3": 0}
    late = WeighedScene("s1", (Weighed("l2", "She waits.", 20_000),), "", shown)
    assert served([late], "video-embedding", store, EmbeddingServer(vector_of)).saliences == {"l2": 1_000_000}


def test_a_scene_whose_embeddings_do_not_come_says_why(store):
    found = served([SCENE], "text-embedding", store, FakeServer(refusal(401, {"error": {"message": "no"}})))
    assert "requires a key" in found.missing["s1"]
    found = served([SCENE], "text-embedding", store, FakeServer(Act(blocks=[b"{}"], kind="application/json")))
    assert "invalid embeddings" in found.missing["s1"]
    assert "there is no clip" in served([SCENE], "video-embedding", store, FakeServer(Act())).missing["s1"]
    grown = EmbeddingServer(lambda thing: (1.0, 0.0) if thing == SCENE.description else (1.0,) * (2 + len(thing) // 30))
    assert "different lengths" in served([SCENE], "text-embedding", store, grown).missing["s1"]


def how(method, store, most_micro_usd=None):
    return Weighing(Connection("vllm", "m"), "house", method, most_micro_usd, store=store)


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Two scenes of 6 s; the second has a line that is seen nowhere."""
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    video = small_film(tmp_path / "film.mp4", 12)
    media = Media(str(video), "film.mp4", video.stat().st_size, "print", 12_000)
    lines = (
        Eventuality("a", (Variant("One."),), Span(0, 1_000), 5, scene="s1", extract="He is one."),
        Eventuality("b", (Variant("Two."),), Span(7_000, 8_000), 6, scene="s2"),
        Eventuality("c", (Variant("Three."),), None, None, scene="s2", extract="And three."),
    )
    scenes = (Scene("s1", Span(0, 6_000)), Scene("s2", Span(6_000, 12_000)))
    return Script(Film("Small", 12_000, media=media), scenes=scenes, eventualities=lines)


def test_a_script_is_weighed_by_its_pieces_and_clips(script, store):
    sent = []

    def embedded(ask):
        parts = [message.parts[0] for message in ask.messages]
        sent.extend(part.text if isinstance(part, Text) else "a clip" for part in parts)
        return as_text([{"embedding": [1.0, 0.0]} for _ in parts], len(parts), "here")

    def model():
        return ScriptedModel(script=embedded)

    made, _ = weighed(script, how("text-embedding", store), model)
    assert [line.salience for line in made.eventualities] == [1_000_000, 1_000_000, None]
    # A line that is all of its scene is not embedded twice.
    assert sorted(sent) == ["He is one.", "Two.", "Two. And three."]
    sent.clear()
    made, _ = weighed(script, how("video-embedding", store), model)
    assert sorted(sent) == ["He is one.", "Two.", "a clip", "a clip"]
    assert [line.salience for line in made.eventualities] == [1_000_000, 1_000_000, None]


def test_without_a_video_there_are_no_clips_to_embed(script, store):
    bare = script.with_changes(film=Film("Small", 12_000))
    with pytest.raises(BadInputError, match="pictures are needed"):
        weighed(bare, how("video-embedding", store), lambda: pytest.fail("made"))


DRAFTED = Provenance(ModelWork((Contribution("m", (ModelTask("describe", 1),)),), 1_795_852_800))


def test_a_line_tells_what_weighed_it_and_a_persons_own_weight_does_not(script, store):
    drafted_lines = tuple(replace(line, provenance=DRAFTED) for line in script.eventualities)
    own = script.with_changes(
        eventualities=(drafted_lines[0], replace(drafted_lines[1], weighed=True), drafted_lines[2])
    )
    for _ in range(2):  # the second time from what is kept
        made, _ = weighed(own, how("model", store), lambda: ScriptedModel(script=lambda _: weights(e01=7)))
        first, second, third = (line.provenance for line in made.eventualities)
        assert first.drafted == DRAFTED.drafted
        assert first.weighed.contributions == (Contribution("model-1.2", (ModelTask("weigh", 1),)),)
        assert second == third == DRAFTED, "weighed by a person, and seen nowhere"
    by_hand = set_salience(made, ["a"], 9).apply(made)
    assert by_hand.eventuality("a").provenance == DRAFTED
    edited = own.with_changes(prompts=(("weigh", "Which of these matter?"),))
    made, _ = weighed(edited, how("model", store), lambda: ScriptedModel(script=lambda _: weights(e01=7)))
    assert made.eventualities[0].provenance.weighed.contributions[0].tasks[0].edited


def test_a_line_weighed_by_embeddings_says_so(script, store):
    def embedded(ask):
        return as_text([{"embedding": [1.0, 0.0]} for _ in ask.messages], len(ask.messages), "here")

    made, _ = weighed(script, how("text-embedding", store), lambda: ScriptedModel(script=embedded))
    assert provenance_text(made.eventualities[0].provenance).startswith("weighed by model-1.2, text embedding, 20")
    # A line that has been weighed by a machine alone is still the machine's.
    assert not is_human_work(made, made.eventualities[0])
    assert not made.eventualities[0].provenance.by_model


def test_a_scene_that_failed_keeps_the_weights_it_had(script, store):
    answers = {"He is one.": weights(e01=7)}

    def model():
        return ScriptedModel(script=lambda ask: next((a for t, a in answers.items() if t in said(ask)), "nothing"))

    made, found = weighed(script, how("model", store), model)
    assert [line.salience for line in made.eventualities] == [500_000, 6, None]
    assert set(found.missing) == {"s2"}


def test_the_projects_own_wordings_are_used_or_refused_before_anything_is_made(script, store):
    models = []

    def model():
        models.append(ScriptedModel(script=lambda _: weights(e01=7)))
        return models[-1]

    own = script.with_changes(prompts=(("system", "Be brief."), ("weigh", "Which of these matter?")))
    weighed(own, how("model", store), model)
    asks = models[0].asks
    assert {ask.system for ask in asks} == {"Be brief."}
    assert all("Which of these matter?" in said(ask) and prompts().weigh.text not in said(ask) for ask in asks)
    with pytest.raises(PromptError, match="“Salience” is empty"):
        weighed(script.with_changes(prompts=(("weigh", " "),)), how("model", store), model)
    assert len(models) == 1


@pytest.mark.parametrize("bare", [False, True])
def test_what_was_asked_is_kept_with_all_else_that_is_asked_of_the_film(script, store, tmp_path, monkeypatch, bare):
    script = script.with_changes(film=Film("Small", 12_000)) if bare else script
    weighed(script, how("model", store), lambda: ScriptedModel(script=lambda _: weights(e01=7)))
    monkeypatch.chdir(tmp_path)
    with JobStore(store) as jobs:
        assert jobs.totals(name_of_film(script)).asked == 2


def test_weighing_keeps_to_the_films_limit(script, store):
    priced = Capabilities(usd_in=1.0, usd_out=1.0)
    model = ScriptedModel(script=lambda _: weights(e01=7), capabilities=priced)
    made, found = weighed(script, how("model", store, 1), lambda: model)
    assert model.asks == []
    assert set(found.missing) == {"s1", "s2"}
    assert all("were set as its limit" in why for why in found.missing.values())
    assert made == script
    _, found = weighed(script, how("model", store, 10**6), lambda: model)
    assert found.missing == {}
