"""A film drafted through the real client by a server that has its days: refusing, breaking off, too small, too slow."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest
from fake_openai import event, pieces
from fake_server import Act, FakeServer, HttpRequest, refusal
from model_films import scenes_of, small_film
from plain_stages import Sentences
from scripted_model import PROSE, ids_of, kind_of, usual

from adstudio.core.policy import Policy
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.model.direct import write_part
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_rows import packed
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.run import draft_film, film_name
from adstudio.drafting.model.scenes import draft_part
from adstudio.llm.messages import Message, Request, Text
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.retry import Backoff, Retrying
from adstudio.llm.transport import Transport
from adstudio.media import clips


def ask_in(request: HttpRequest) -> Request:
    """What was asked, as far as the scripted model needs it."""
    messages = []
    for message in request.json["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        messages.append(Message("user", tuple(Text(part["text"]) for part in parts if part["type"] == "text")))
    form = request.json.get("response_format")
    return Request(tuple(messages), schema=form["json_schema"]["schema"] if form else None)


class Model(FakeServer):
    """Answers as the scripted model does, save where `days` (by kind and how many of that kind came) say otherwise."""

    def __init__(self, days: dict[tuple[str, int], object]) -> None:
        super().__init__(Act())
        self._days = days
        self._kinds: Counter[str] = Counter()
        self.bodies: list[HttpRequest] = []

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(":")[1]) for line in head.decode().split("\r\n") if line.lower().startswith("content-length")
        )
        request = HttpRequest("POST", "", {}, await reader.readexactly(length))
        self.bodies.append(request)
        ask = ask_in(request)
        self._kinds[kind_of(ask)] += 1
        text = usual(ask, PROSE)
        act = self._days.get((kind_of(ask), self._kinds[kind_of(ask)]))
        if act is None:
            act = Act(blocks=pieces(*[text[at : at + 50] for at in range(0, len(text), 50)]))
        elif callable(act):
            act = act(ask, text)
        lines = "".join(f"{name}: {value}\r\n" for name, value in act.headers.items())
        await self._send(
            writer,
            f"HTTP/1.1 {act.status} Said\r\nContent-Type: {act.kind}\r\n"
            f"Transfer-Encoding: chunked\r\n{lines}\r\n".encode(),
        )
        for block in act.blocks:
            await self._send(writer, b"%x\r\n%s\r\n" % (len(block), block))
        if act.then == "drop":
            writer.transport.abort()
        else:
            await self._send(writer, b"0\r\n\r\n")


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    cues = (Cue("c1", 1_000, 3_000, "Where is the train?", "ANNA"),)
    return FilmSeen(small_film(tmp_path / "film.mp4", 36), 36_000, "print", cues)


def served(film, store, days, count=6, drafting=draft_part, **way):
    async def run():
        async with Model(days) as server:
            policy = Policy("on premises", (host_of(server.url),))
            transport = Transport(policy, lambda _: None)
            provider = Retrying(
                OpenAIProvider(Server(f"{server.url}/v1", "Qwen3.5-27B"), policy, transport),
                backoff=Backoff(first=0.001),
            )
            with JobStore(store) as jobs:
                outcome = await draft_film(
                    film,
                    scenes_of(count),
                    provider,
                    jobs,
                    replace(ModelOptions(prompts()), **way),
                    segmenter=Sentences(),
                    drafting=drafting,
                )
            await provider.aclose()
            return outcome, server

    return asyncio.run(run())


def lost_behind(marks):
    """The connection breaks behind the first so many ids of the answer."""

    def act(ask, text):
        return Act(blocks=pieces(text[: text.index(f'"{ids_of(ask)[marks]}"') + 30])[:1], then="drop")

    return act


def test_what_made_an_answer_is_recorded_with_it(film, tmp_path):
    def fingerprinted(_ask, text):
        said = {"id": "chatcmpl-7", "model": "Qwen", "system_fingerprint": "vllm-0.32.0"}
        return Act(blocks=[event(said | {"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]})])

    served(film, tmp_path / "jobs.sqlite", {("describe", 1): fingerprinted}, count=1)
    with closing(sqlite3.connect(tmp_path / "jobs.sqlite")) as db:
        kept = db.execute("SELECT stage LIKE 'describe%', model, fingerprint, response FROM job ORDER BY 1").fetchall()
    assert kept == [(0, "tiny-1", "", ""), (1, "Qwen", "vllm-0.32.0", "chatcmpl-7")]


def test_a_film_by_a_server_without_faults(film, tmp_path):
    outcome, server = served(film, tmp_path / "jobs.sqlite", {})
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] * 6
    assert len(server.bodies) == 12
    first, second = (request.json["messages"] for request in server.bodies if "Where is the train" in str(request.json))
    assert second[: len(first)] == first, "the second prompt goes on where the first ended"
    urls = [part["video_url"]["url"] for part in first[1]["content"] if part["type"] == "video_url"]
    clip = clips.film_clip(film.video, scenes_of(1)[0].span, fingerprint="print").read()
    assert urls == ["data:video/mp4;base64," + base64.b64encode(clip).decode()]
    assert {provenance_text(line.provenance).split(",")[0] for draft in outcome.scenes for line in draft.lines} == {
        "tiny-1"
    }
    assert outcome.totals.usage.tokens_in == 12 * 900
    _, again = served(film, tmp_path / "jobs.sqlite", {})
    assert again.bodies == []


def test_a_server_with_its_days_and_the_film_is_finished(film, tmp_path):
    days = {
        ("describe", 1): refusal(503, {"error": {"message": "overloaded"}}, retry_after="0"),
        ("describe", 4): refusal(500, {"error": {"message": "oops"}}),
        ("elements", 1): lost_behind(2),
        ("elements", 3): lambda ask, text: Act(blocks=pieces(text[:-150], reason="length")),
        ("elements", 5): lambda ask, text: Act(blocks=pieces(text.replace('"e02"', '"e77"'))),
        ("elements", 7): lambda ask, text: Act(blocks=pieces("   " + " " * 5_000)),
    }
    outcome, server = served(film, tmp_path / "jobs.sqlite", days, at_once=1)
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] * 6
    assert all(line.occurrence for draft in outcome.scenes for line in draft.lines)
    assert sum(len(draft.lines) for draft in outcome.scenes) == 24
    # Word for word again only what brought nothing: the two refusals. What was spoilt or broke off is asked in part.
    asked = Counter(request.body for request in server.bodies)
    assert sorted(asked.values())[-3:] == [1, 2, 2]


def test_a_scene_too_long_for_the_server_goes_in_halves(film, tmp_path):
    said = {
        "error": {
            "message": "This model's maximum context length is 4096 tokens. However, you requested 9000",
            "code": 400,
        }
    }
    outcome, _ = served(film, tmp_path / "jobs.sqlite", {("describe", 1): refusal(400, said)}, count=1, at_once=1)
    assert outcome.scenes[0].state is SceneState.FAILED, "six seconds are not halved any more"
    whole = replace(scenes_of(1)[0], span=replace(scenes_of(1)[0].span, end=36_000))

    async def run():
        async with Model({("describe", 1): refusal(400, said)}) as other:
            policy = Policy("on premises", (host_of(other.url),))
            provider = OpenAIProvider(
                Server(f"{other.url}/v1", "Qwen3.5-27B"), policy, Transport(policy, lambda _: None)
            )
            with JobStore(tmp_path / "other.sqlite") as jobs:
                found = await draft_film(film, [whole], provider, jobs, ModelOptions(prompts()), segmenter=Sentences())
            await provider.aclose()
            return found

    (draft,) = asyncio.run(run()).scenes
    assert draft.state is SceneState.DONE
    assert [line.occurrence.start for line in draft.lines][::4] == [1_000, 19_000]


def test_a_key_that_is_refused_ends_it_with_one_sentence(film, tmp_path):
    refused = refusal(401, {"error": {"message": "bad key"}})
    outcome, server = served(film, tmp_path / "jobs.sqlite", {("describe", n): refused for n in range(1, 9)}, at_once=3)
    assert {draft.state for draft in outcome.scenes} == {SceneState.FAILED}
    assert {draft.why for draft in outcome.scenes} == {outcome.halted}
    assert len(server.bodies) <= 3


SENTENCES = [sentence + "." for sentence in PROSE.removesuffix(".").split(". ")]


def said(*texts, reason="stop"):
    return Act(blocks=pieces(*texts, reason=reason))


def every_text(draft):
    return " ".join(variant.text for line in draft.lines for variant in line.variants)


@pytest.mark.attack(6)
@pytest.mark.parametrize(
    "opened",
    ["<think>\n{}\n</think>\n", "{}\n</think>\n", "<|channel|>analysis<|message|>{}<|end|><|channel|>final<|message|>"],
)
def test_what_a_model_thinks_aloud_reaches_no_line(film, tmp_path, opened):
    thoughts = opened.format("Okay, the user wants prose. A dragon appears, or does it? Let me look again.")
    days = {("describe", 1): lambda _ask, text: said(thoughts[:20], thoughts[20:], text)}
    outcome, _ = served(film, tmp_path / "jobs.sqlite", days, count=1)
    (draft,) = outcome.scenes
    assert (draft.state, draft.description) == (SceneState.DONE, PROSE)
    assert "dragon" not in every_text(draft)


@pytest.mark.attack(6)
@pytest.mark.parametrize(
    ("language", "refusal_in_it"),
    [
        ("en", "I'm sorry, but I can't continue describing this scene. It may upset people."),
        ("de", "Es tut mir leid, aber ich kann das nicht weiter beschreiben. Es wäre verstörend."),
        ("ja", "I'm sorry, but I can't go on with this. Feel free to ask something else."),
        ("en", "Okay, the user wants more. The prompt says to leave out sounds."),
    ],
)
def test_a_description_ends_where_the_model_speaks_to_us(film, tmp_path, language, refusal_in_it):
    days = {("describe", 1): lambda _ask, _text: said(f"{SENTENCES[0]} {SENTENCES[1]} {refusal_in_it}")}
    outcome, _ = served(replace(film, language=language), tmp_path / "jobs.sqlite", days, count=1)
    (draft,) = outcome.scenes
    assert draft.description == f"{SENTENCES[0]} {SENTENCES[1]}"
    assert len(draft.lines) == 2
    assert draft.state is SceneState.PARTIAL
    assert draft.why.startswith(("the model declined to describe it: “", "the model wrote its reasoning"))


@pytest.mark.attack(6)
def test_a_scene_that_the_model_declines_says_so_and_is_asked_for_again_if_somebody_wants_it(film, tmp_path):
    days = {("describe", 1): lambda _ask, _text: said("Lo siento, pero no puedo describir este contenido.")}
    outcome, _ = served(film, tmp_path / "jobs.sqlite", days, count=1)
    (draft,) = outcome.scenes
    assert (draft.state, draft.lines) == (SceneState.BLOCKED, ())
    assert draft.why == "the model declined: “Lo siento, pero no puedo describir este contenido.”"
    outcome, _ = served(film, tmp_path / "jobs.sqlite", {}, count=1, again=True)
    assert outcome.scenes[0].state is SceneState.DONE


@pytest.mark.attack(6)
@pytest.mark.parametrize("aside", ["I'm sorry, I can't describe this.", "<think>Hm.</think> She runs.", "我无法描述。"])
def test_a_wording_that_is_none_is_not_taken(film, tmp_path, aside):
    def spoilt(_ask, text):
        return said(text.replace(SENTENCES[1], aside))

    days = {("elements", 1): spoilt, ("repair", 1): lambda _ask, text: said(text.replace("She", "I cannot say who"))}
    outcome, _ = served(film, tmp_path / "jobs.sqlite", days, count=1)
    (draft,) = outcome.scenes
    assert draft.lines[1].variants[0].text == SENTENCES[1]
    assert not any(part in every_text(draft) for part in (aside, "think", "I cannot"))
    assert any("is not narration: the model" in note for note in draft.notes)


@pytest.mark.attack(5)
@pytest.mark.parametrize(
    ("act", "says"),
    [
        (said("…"), "sent no words"),
        (said("!!! ... --- ??? ***"), "sent no words"),
        (said("```\n```"), "sent no words"),
        (said("She runs. " * 400), "kept repeating itself"),
        (said(*["She runs and runs and "] * 200), "kept repeating itself"),
        (said("She waits. ", " " * 3_000), "degenerated into whitespace"),
        (said("She waits until ", "7" * 200), "degenerated into digits"),
        (said("# The scene"), "the model wrote no description"),
        (said("She wal", reason="length"), "reached its limit"),
        (said("<think>Hm. "), "sent reasoning and no answer"),
    ],
)
def test_a_description_of_no_use_fails_its_scene_and_the_same_command_asks_again(film, tmp_path, act, says):
    days = {("describe", number): act for number in (1, 2, 3)}
    outcome, server = served(film, tmp_path / "jobs.sqlite", days, count=1, at_once=1)
    (draft,) = outcome.scenes
    assert (draft.state, draft.lines) == (SceneState.FAILED, ())
    assert says in draft.why
    assert len(server.bodies) <= 2
    with JobStore(tmp_path / "jobs.sqlite") as jobs:
        assert jobs.scenes_left(film_name(film)) == {"s1"}
    outcome, server = served(film, tmp_path / "jobs.sqlite", {}, count=1)
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE]
    assert len(server.bodies) == 2


@pytest.mark.attack(5)
def test_a_description_of_no_use_that_an_older_version_stored_is_asked_for_again_too(film, tmp_path):
    outcome, server = served(film, tmp_path / "jobs.sqlite", {}, count=1)
    with closing(sqlite3.connect(tmp_path / "jobs.sqlite")) as db, db:
        db.execute("UPDATE job SET text = ? WHERE stage LIKE 'describe%'", (packed("I'm sorry, I can't do that."),))
    outcome, server = served(film, tmp_path / "jobs.sqlite", {}, count=1)
    assert (outcome.scenes[0].state, server.bodies) == (SceneState.FAILED, [])
    assert outcome.scenes[0].why == "the model declined to describe it: “I'm sorry, I can't do that.”"
    outcome, server = served(film, tmp_path / "jobs.sqlite", {}, count=1)
    assert (outcome.scenes[0].state, len(server.bodies)) == (SceneState.DONE, 1)


def timed(**values):
    """Every element has these in place of its own, as they are written."""

    def act(_ask, text):
        for key, value in values.items():
            text = re.sub(rf'("{key}": )\d+', rf"\g<1>{value}", text)
        return said(text)

    return act


@pytest.mark.attack(8)
@pytest.mark.parametrize(
    ("act", "says"),
    [
        (timed(start="9000", end="9100"), "it starts behind the end of the clip"),
        (timed(start="60", end="60"), "it starts behind the end of the clip"),
        (timed(start="50", end="20"), "it ends before it starts"),
        (timed(start="NaN", end="NaN", salience="NaN"), "the start “NaN” is no whole number"),
        (timed(start="Infinity"), "the start “Infinity” is no whole number"),
        (timed(start="-5"), "the start -5 is no whole number"),
        (timed(salience="1e308"), "the salience “1e308” is no whole number"),
        (timed(salience="1e999"), "the salience “1e999” is no whole number"),
        (timed(end="1" * 40), "the end “11111111111111111111” is no whole number"),
        (timed(start="0.5", end="1.5"), "the start “0.5” is no whole number"),
        (timed(start="true"), "the start true is no whole number"),
        (timed(salience="null"), "there is no salience"),
        (timed(start="null", end="null"), "there is no start and no end"),
    ],
)
def test_times_of_no_use_are_not_a_whole_scene_and_are_asked_for_again_without_the_description(
    film, tmp_path, act, says
):
    outcome, _ = served(film, tmp_path / "jobs.sqlite", {("elements", 1): act}, count=1)
    (draft,) = outcome.scenes
    assert draft.state is SceneState.PARTIAL
    assert draft.why.startswith(f"none of the times can be used ({says}): ")
    assert [line.occurrence for line in draft.lines] == [None] * 4
    with JobStore(tmp_path / "jobs.sqlite") as jobs:
        assert jobs.scenes_left(film_name(film)) == {"s1"}
    outcome, server = served(film, tmp_path / "jobs.sqlite", {}, count=1)
    assert [kind_of(ask_in(body)) for body in server.bodies] == ["elements"]
    assert outcome.scenes[0].state is SceneState.DONE
    assert all(line.occurrence for line in outcome.scenes[0].lines)


@pytest.mark.attack(8)
@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"lines": [{"start": 9_000, "end": 9_100, "text": "She runs."}]}),
        json.dumps({"lines": [{"start": 30, "end": 10, "text": "She runs."}]}),
        '{"lines": [{"start": NaN, "end": NaN, "text": "She runs."}]}',
        json.dumps({"lines": [{"start": 10, "end": 30, "text": "I'm sorry, I can't describe this."}]}),
        json.dumps({"lines": [{"start": 10, "end": 30, "text": "…"}]}),
        json.dumps({"answer": "none"}),
    ],
)
def test_written_lines_of_no_use_fail_the_scene_and_are_asked_for_again(film, tmp_path, text):
    timely = replace(film, gaps=(Span(3_000, 6_000),))
    outcome, _ = served(timely, tmp_path / "jobs.sqlite", {("direct", 1): said(text)}, count=1, drafting=write_part)
    assert (outcome.scenes[0].state, outcome.scenes[0].lines) == (SceneState.FAILED, ())
    outcome, server = served(timely, tmp_path / "jobs.sqlite", {}, count=1, drafting=write_part)
    assert (outcome.scenes[0].state, len(server.bodies)) == (SceneState.DONE, 1)


def test_wordings_that_no_describer_would_say_are_asked_for_once_more(film, tmp_path):
    planted = {
        "e01": "We see a woman in a red coat cross the platform.",
        "e02": "The camera finds her under the clock.",
        "e03": "The clock had shown ten past nine.",
        "e04": "A guard has not slept for three days.",
    }

    def amiss(_ask, text):
        answer = json.loads(text)
        for each in answer["elements"]:
            each["full"] = planted[each["id"]]
        return Act(blocks=pieces(json.dumps(answer)))

    outcome, server = served(film, tmp_path / "jobs.sqlite", {("elements", 1): amiss}, count=1)
    (draft,) = outcome.scenes
    assert [line.variants[0].text for line in draft.lines] == [f"{each}." for each in PROSE.rstrip(".").split(". ")]
    repairs = [ask for request in server.bodies if kind_of(ask := ask_in(request)) == "repair"]
    asked = [identity for ask in repairs for identity in ids_of(ask) if identity.endswith("-full")]
    assert asked == [f"{identity}-full" for identity in planted]
