"""Google's own client against a scripted server: what is sent, how it is heard, and every fault as its sentence."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from fractions import Fraction

import pytest

pytest.importorskip("google.genai", reason="google-genai is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from asking import CLIP, SCHEMA, an_ask, ask_of, run
from fake_gemini import USAGE, answers, chunk, error, event, quota, retry_info
from fake_server import Act, FakeServer, refusal
from protocol_faults import refusals, streams

from adstudio.core.policy import Consent, Policy
from adstudio.llm import faults
from adstudio.llm.gemini import Account, GeminiProvider, for_gemini
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Chunk, Clip, Limits, State, Text, Usage, user
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.transport import Transport, TransportLimits

TRANSPORT_LIMITS = TransportLimits()
KEY = Secret("AIza-test-0123456789abcdefghij")
MODEL = "gemini-3.1-flash-lite"


def provider_to(server, limits=TRANSPORT_LIMITS, model=MODEL):
    policy = Policy("on premises", (host_of(server.url),))
    transport = Transport(policy, lambda _: None, limits=limits)
    return GeminiProvider(Account(model, KEY, server.url), policy, transport)


def asked_of(*acts, ask=None, limits=TRANSPORT_LIMITS, heard=None, model=MODEL):
    async def work():
        async with FakeServer(*acts) as server:
            provider = provider_to(server, limits, model)
            answer = await ask_of(provider, ask, heard)
            await provider.aclose()
            return answer, server

    return run(work)


def test_clip_and_schema_are_sent_inline():
    ask = an_ask(schema=SCHEMA, temperature=0.2, seed=7, limits=Limits(tokens=1000, deadline=20))
    answer, server = asked_of(answers('{"salience_pct": 4}'), ask=ask)
    assert answer.state is State.COMPLETE
    (request,) = server.requests
    assert request.path.endswith(f"/models/{MODEL}:streamGenerateContent?alt=sse")
    assert request.headers["x-goog-api-key"] == KEY.reveal()
    assert request.headers["x-server-timeout"] == "20"
    sent = request.json
    assert sent["systemInstruction"]["parts"] == [{"text": "You describe films."}]
    (content,) = sent["contents"]
    texts = [part.get("text") for part in content["parts"]]
    assert (content["role"], texts) == ("user", ["This is ANNA:", None, None, "What happens?"])
    kinds = [part["inlineData"]["mime_type"] for part in content["parts"] if "inlineData" in part]
    assert kinds == ["image/jpeg", "video/mp4"]
    assert {setting["threshold"] for setting in sent["safetySettings"]} == {"OFF"}
    how = sent["generationConfig"]
    assert (how["temperature"], how["seed"], how["responseMimeType"]) == (0.2, 7, "application/json")
    assert how["responseJsonSchema"] == {**SCHEMA, "propertyOrdering": ["salience_pct"]}


@pytest.mark.parametrize(
    ("thinking", "level", "thoughts"),
    [("off", "MINIMAL", False), ("low", "LOW", True), ("medium", "MEDIUM", True), ("high", "HIGH", True)],
)
def test_thinking_is_limited_by_level_and_has_tokens_on_top(thinking, level, thoughts):
    _, server = asked_of(answers("x"), ask=an_ask(thinking=thinking, limits=Limits(tokens=1000, deadline=20)))
    how = server.requests[0].json["generationConfig"]
    assert how["thinkingConfig"] == {"thinking_level": level, "include_thoughts": thoughts}
    assert how["maxOutputTokens"] == 1000 + 16384  # thoughts count against the limit


def test_a_model_that_is_not_known_is_told_nothing_that_it_may_not_take():
    _, server = asked_of(answers("x"), ask=an_ask(thinking="high", temperature=1.0, seed=3), model="gemini-9")
    assert set(server.requests[0].json["generationConfig"]) == {"maxOutputTokens"}


def test_a_clip_of_another_rate_says_so():
    fast = dataclasses.replace(an_ask(), messages=(user(Clip(CLIP, fps=Fraction(2))),))
    _, server = asked_of(answers("x"), ask=fast)
    (part,) = server.requests[0].json["contents"][0]["parts"]
    assert part["videoMetadata"] == {"fps": 2.0}


def test_the_second_prompt_goes_on_from_the_first():
    ask = an_ask().continued("He parks.", Text("Now the array."))
    _, server = asked_of(answers("x"), ask=ask)
    assert [content["role"] for content in server.requests[0].json["contents"]] == ["user", "model", "user"]


def test_text_and_thoughts_are_heard_as_they_come_and_the_price_is_counted():
    heard: list[Chunk] = []
    answer, _ = asked_of(answers("He ", "parks.", thoughts=("a car",)), heard=heard)
    assert heard == [Chunk(thought="a car"), Chunk(text="He "), Chunk(text="parks.")]
    assert (answer.text, answer.state, answer.model) == ("He parks.", State.COMPLETE, "gemini-x-001")
    # 9000 in and 500 out at 0.25 and 1.50 dollars a million; what is cached has no price of its own in the table
    assert answer.usage == Usage(9000, 4000, 400, 100, 2250 + 750)


def test_an_answer_about_a_clip_that_was_not_looked_at_is_worth_nothing():
    blind = USAGE | {"promptTokensDetails": [{"modality": "TEXT", "tokenCount": 600}]}
    answer, _ = asked_of(answers("A car explodes.", usage=blind))
    assert (answer.state, type(answer.fault)) == (State.FAILED, faults.UnseenError)


RATE = error(429, "RESOURCE_EXHAUSTED", "slow", retry_info("7.5s"), quota("RequestsPerMinutePerProject"))
DAY = error(429, "RESOURCE_EXHAUSTED", "gone", retry_info("3s"), quota("GenerateRequestsPerDayPerProjectPerModel"))
LONG = error(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed")
BAD_KEY = error(400, "INVALID_ARGUMENT", f"API key not valid: {KEY.reveal()}")
STATUSES = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
REFUSALS = [
    *refusals(lambda status: error(status, STATUSES[status], "no"), MODEL),
    (400, LONG, faults.TooLongError, "the scene is too long for gemini-3.1-flash-lite"),
    (400, BAD_KEY, faults.KeyRefusedError, "API key not valid: •••"),
    (400, error(400, "FAILED_PRECONDITION", "no"), faults.BadRequestError, "it says: no"),
    (429, RATE, faults.RateError, "too many requests"),
    (429, DAY, faults.QuotaError, "continue tomorrow"),
]


@pytest.mark.parametrize(("status", "said", "fault", "sentence"), REFUSALS, ids=lambda value: str(value)[:20])
def test_refusals(status, said, fault, sentence, caplog):
    caplog.set_level(logging.DEBUG)
    answer, server = asked_of(refusal(status, said, Location="http://127.0.0.1:1/"))
    assert type(answer.fault) is fault, answer
    assert sentence in answer.why
    assert (answer.state, answer.text) == (State.FAILED, "")
    assert len(server.requests) == 1
    assert KEY.reveal() not in repr(answer)
    assert KEY.reveal() not in caplog.text


def test_retry_info_is_heard():
    answer, _ = asked_of(refusal(429, RATE))
    assert answer.fault.retry_after == 7.5


BLOCKED_PROMPT = event({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})
STREAMS = [
    *streams(chunk, answers, "MAX_TOKENS"),
    (Act(blocks=[chunk("He"), event(error(503, "UNAVAILABLE", "x"))]), faults.OverloadedError, State.TRUNCATED, "busy"),
    (answers("He", reason="SAFETY"), faults.BlockedError, State.BLOCKED, "its safety filter"),
    (answers(reason="RECITATION"), faults.BlockedError, State.BLOCKED, "too similar to a text"),
    (Act(blocks=[BLOCKED_PROMPT]), faults.BlockedError, State.BLOCKED, "prohibited content"),
    (Act(blocks=[b"<html>hello</html>"], kind="text/html"), faults.GarbledError, State.FAILED, "malformed response"),
    (Act(blocks=[b"data: 3\n\n"]), faults.GarbledError, State.FAILED, "malformed response"),
    (Act(blocks=[b'data: {"candidates": 5}\n\n']), faults.GarbledError, State.FAILED, "malformed response"),
    (Act(endless=b"a" * 50_000), faults.RunawayError, State.FAILED, "more than 1 MB"),
]


@pytest.mark.parametrize(("act", "fault", "state", "sentence"), STREAMS, ids=[s[3] for s in STREAMS])
def test_streams_that_go_wrong(act, fault, state, sentence):
    answer, server = asked_of(act, limits=TransportLimits(received=1_000_000))
    assert type(answer.fault) is fault, answer
    assert sentence in answer.why
    assert answer.state is state
    assert server.open == 0
    assert (answer.fault.__cause__, answer.fault.__context__, answer.fault.__traceback__) == (None, None, None)


def test_half_a_json_is_kept_and_told():
    answer, _ = asked_of(answers('{"salience_pct": 4'), ask=an_ask(schema=SCHEMA))
    assert (answer.state, answer.text) == (State.TRUNCATED, '{"salience_pct": 4')


@pytest.mark.parametrize("blocks", [[], [chunk("He")]])
def test_a_silent_server_is_given_up(blocks):
    answer, server = asked_of(Act(blocks=blocks, then="hang"), limits=TransportLimits(first=0.2, between=0.2))
    assert type(answer.fault) is faults.SilentError
    assert (answer.text, server.hung_up) == ("He" if blocks else "", 1)


def test_the_whole_ask_has_a_deadline():
    slow = Act(blocks=[chunk("a "), chunk("b ")] * 500, pause=0.01)
    answer, _ = asked_of(slow, ask=an_ask(limits=Limits(deadline=0.4)))
    assert type(answer.fault) is faults.DeadlineError


def test_stopping_closes_the_connection_and_keeps_what_came():
    async def work():
        async with FakeServer(Act(blocks=[chunk("He parks")], then="hang")) as server:
            stop = asyncio.Event()
            answer = await provider_to(server).send(an_ask(), lambda _: stop.set(), stop)
            await server.left.wait()
            return answer, server.hung_up

    answer, hung_up = run(work)
    assert (answer.state, answer.text, answer.fault, hung_up) == (State.CANCELLED, "He parks", None, 1)


def test_cancelling_the_task_closes_the_connection():
    async def work():
        async with FakeServer(Act(then="hang")) as server:
            task = asyncio.create_task(ask_of(provider_to(server)))
            await server.asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await server.left.wait()
            return server.hung_up

    assert run(work) == 1


def test_what_was_not_confirmed_is_not_sent_to_the_cloud():
    async def work(sends):
        async with FakeServer(answers("x")) as server:
            consent = Consent("gemini", frozenset(sends), "2026-11-28T06:00:00Z")
            policy = Policy("cloud", (host_of(server.url),), consent)
            provider = GeminiProvider(Account(MODEL, KEY, server.url), policy, Transport(policy, lambda _: None))
            return await ask_of(provider), server.requests

    answer, requests = run(lambda: work(("text", "clips")))
    assert (type(answer.fault), requests) == (faults.NotAllowedError, [])
    assert "photos of people" in answer.why
    answer, requests = run(lambda: work(("text", "pictures", "clips")))
    assert (answer.state, len(requests)) == (State.COMPLETE, 1)


def test_the_environment_changes_nothing(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza-of-another")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    answer, server = asked_of(answers("x"))
    assert answer.state is State.COMPLETE
    assert server.requests[0].headers["x-goog-api-key"] == KEY.reveal()


def test_the_models_of_an_account():
    async def work(act):
        async with FakeServer(act) as server:
            return await provider_to(server).models()

    assert run(lambda: work(refusal(200, {"models": [{"name": "models/a"}, {"name": "models/b"}]}))) == ("a", "b")
    with pytest.raises(faults.KeyRefusedError) as told:
        run(lambda: work(refusal(400, BAD_KEY)))
    assert KEY.reveal() not in repr(told.value)
    assert told.value.__context__ is None


def test_a_schema_in_geminis_words():
    schema = {
        "type": "object",
        "properties": {
            "id": {"const": "e07"},
            "pattern": {"type": ["string", "null"], "maxLength": 400, "pattern": "^[A-Z]"},
            "n": {"type": "integer", "exclusiveMinimum": 0, "maximum": 99},
            "all": {"type": "array", "prefixItems": [{"const": 1}], "maxItems": 1, "uniqueItems": True},
        },
        "required": ["id", "n"],
    }
    assert for_gemini(schema) == {
        "type": "object",
        "properties": {
            "id": {"enum": ["e07"]},
            "pattern": {"type": ["string", "null"]},
            "n": {"type": "integer", "minimum": 1, "maximum": 99},
            "all": {"type": "array", "prefixItems": [{"enum": [1]}], "maxItems": 1},
        },
        "required": ["id", "n"],
        "propertyOrdering": ["id", "pattern", "n", "all"],
    }
