"""A film whose server answers one scene with nonsense: that scene says so, and all others are drafted."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from model_films import drafted, scenes_of, small_film
from scripted_model import PROSE, usual

from adstudio.core.policy import Host, Policy
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Message, Request, Text
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.retry import Backoff, Breaker, Retrying
from adstudio.media import clips

POLICY = Policy("on premises", (Host("gpu.house", 443),))
KEY = Secret("AIza-test-0123456789abcdefghij")
STREAM = "text/event-stream"
DEEP = b"[" * 100_000


def stream(said: object) -> bytes:
    return f"data: {json.dumps(said)}\n\n".encode()


class OpenAI:
    def ask(self, sent) -> Request:
        messages = []
        for message in sent["messages"]:
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            messages.append(Message("user", tuple(Text(part["text"]) for part in parts if part["type"] == "text")))
        form = sent.get("response_format")
        return Request(tuple(messages), schema=form["json_schema"]["schema"] if form else None)

    def answer(self, text: str) -> bytes:
        return stream({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]})

    def provider(self, transport):
        return OpenAIProvider(Server("https://gpu.house/v1", "m", key=KEY), POLICY, transport)


class Gemini:
    def ask(self, sent) -> Request:
        messages = tuple(
            Message("user", tuple(Text(part["text"]) for part in content["parts"] if "text" in part))
            for content in sent["contents"]
        )
        return Request(messages, schema=sent["generationConfig"].get("responseJsonSchema"))

    def answer(self, text: str) -> bytes:
        return stream({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]})

    def provider(self, transport):
        pytest.importorskip("google.genai", reason="google-genai is not installed")
        return GeminiProvider(Account("gemini-3.1-flash-lite", KEY, "https://gpu.house"), POLICY, transport)


class Odd(httpx2.AsyncBaseTransport):
    """Answers the first request by what is odd, however often it comes, and all others as the scripted model does."""

    def __init__(self, protocol, status, headers, body):
        self._protocol, self._odd, self._first = protocol, (status, headers, body), None

    async def handle_async_request(self, request):
        sent = await request.aread()
        self._first = self._first or sent
        if sent == self._first:
            status, headers, body = self._odd
            return httpx2.Response(status, headers=headers, content=body)
        text = usual(self._protocol.ask(json.loads(sent)), PROSE)
        return httpx2.Response(200, headers={"Content-Type": STREAM}, content=self._protocol.answer(text))


JSON = {"Content-Type": "application/json"}
ODD = {
    "a time beyond all clocks": (429, JSON | {"Retry-After": "Mon, 01 Jan 2024 00:00:00 +9999999999999999"}, b"{}"),
    "a refusal nested deep": (503, JSON, DEEP),
    "a stream nested deep": (200, {"Content-Type": STREAM}, b"data: " + DEEP + b"\n\n"),
    "an answer nested deep": (200, JSON, DEEP),
    "numbers without end": (200, {"Content-Type": STREAM}, b'data: {"usage": ' + b"1" * 9_999 + b"}\n\n"),
    "an error of the wrong types": (
        *(200, {"Content-Type": STREAM}),
        stream({"error": {"code": [], "status": {}, "message": 7, "details": [{"@type": 3, "violations": 4}]}}),
    ),
    "everything of the wrong type": (
        *(200, {"Content-Type": STREAM}),
        stream({"choices": {"a": 1}, "candidates": 7, "usage": [], "usageMetadata": "x", "model": {}, "id": 3}),
    ),
    "a kind without end": (200, {"Content-Type": "x" * 50_000}, b"\x00\xff" * 99),
}


@pytest.mark.parametrize("protocol", [OpenAI(), Gemini()], ids=["openai", "gemini"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_the_other_scenes_go_on(protocol, odd, tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    film = FilmSeen(small_film(tmp_path / "film.mp4", 18), 18_000, "print")
    provider = Retrying(protocol.provider(Odd(protocol, *odd)), backoff=Backoff(first=0.001))
    outcome = drafted(film, scenes_of(3), provider, tmp_path / "jobs.sqlite", at_once=1)
    assert [draft.state for draft in outcome.scenes] == [SceneState.FAILED, SceneState.DONE, SceneState.DONE]
    assert "gpu.house" in outcome.scenes[0].why
    assert not outcome.halted


class Down(httpx2.AsyncBaseTransport):
    def __init__(self):
        self.asked = 0

    async def handle_async_request(self, request):
        self.asked += 1
        return httpx2.Response(503, headers=JSON, content=b'{"error": {"message": "starting"}}')


@pytest.mark.parametrize("protocol", [OpenAI(), Gemini()], ids=["openai", "gemini"])
def test_a_server_that_answers_nobody_is_not_asked_for_every_scene(protocol, tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    film = FilmSeen(small_film(tmp_path / "film.mp4", 60), 60_000, "print")
    down = Down()
    provider = Retrying(protocol.provider(down), backoff=Backoff(first=0.001), breaker=Breaker(min_seconds=0.0))
    outcome = drafted(film, scenes_of(10), provider, tmp_path / "jobs.sqlite", at_once=1)
    assert {draft.state for draft in outcome.scenes} == {SceneState.FAILED}
    # Five scenes of five tries each; the sixth is told, and the four behind it are not even begun.
    assert down.asked == 25
    assert "5 requests in a row failed this way, so no more are sent" in outcome.halted
    assert [draft.why for draft in outcome.scenes[5:]] == [outcome.halted] * 5
    assert "too busy" in outcome.scenes[4].why
    again = Retrying(protocol.provider(Odd(protocol, 200, {"Content-Type": STREAM}, b"")), backoff=Backoff(first=0.001))
    assert drafted(film, scenes_of(10), again, tmp_path / "jobs.sqlite").scenes[9].state is SceneState.DONE
