"""A film drafted through the real client by a server that has its days: refusing, breaking off, too small, too slow."""

from __future__ import annotations

import asyncio
import base64
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
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.run import draft_film
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


def served(film, store, days, count=6, **way):
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
        ("elements", 2): lambda ask, text: Act(blocks=pieces(text[:-150], reason="length")),
        ("elements", 4): lambda ask, text: Act(blocks=pieces(text.replace('"e02"', '"e77"'))),
        ("elements", 5): lambda ask, text: Act(blocks=pieces("   " + " " * 5_000)),
    }
    outcome, server = served(film, tmp_path / "jobs.sqlite", days, at_once=2)
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
