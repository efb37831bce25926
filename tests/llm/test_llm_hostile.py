"""Whatever a server sends, an ask ends as an answer with a sentence: nothing is raised, nothing hangs."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import SCHEMA, an_ask, ask_of, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.core.policy import Host, Policy
from adstudio.llm import faults
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.http_faults import retry_after_seconds
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Response, State, Usage
from adstudio.llm.openai_protocol import OpenAIProvider, Server

POLICY = Policy("on premises", (Host("gpu.house", 443),))
KEY = Secret("AIza-test-0123456789abcdefghij")
WORDS = (
    *(
        "error",
        "object",
        "model",
        "choices",
        "delta",
        "message",
        "content",
        "finish_reason",
        "usage",
        "code",
        "refusal",
    ),
    *("reasoning", "prompt_tokens", "completion_tokens", "completion_tokens_details", "reasoning_tokens", "status"),
    *(
        "candidates",
        "parts",
        "text",
        "thought",
        "finishReason",
        "usageMetadata",
        "promptTokenCount",
        "details",
        "@type",
    ),
    *("promptFeedback", "blockReason", "modelVersion", "promptTokensDetails", "modality", "retryDelay", "violations"),
)
SAID = (
    "stop",
    "length",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "NONSENSE",
    "error",
    "VIDEO",
    "9s",
    "RetryInfo",
    "",
    "He parks.",
)
HALF = "\ud83d"
PLAIN = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(SAID), st.sampled_from((HALF, 10**30))),
    st.text(max_size=8),
)
JSON = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)),
    max_leaves=12,
)


def shaped(shape):
    """Events that are nearly right: a hostile value in each place that is read."""
    return st.builds(shape, JSON, JSON, JSON, JSON) | JSON


OPENAI = shaped(
    lambda a, b, c, d: {
        "model": d,
        "choices": [{"delta": {"content": a, "reasoning": b, "refusal": c}, "finish_reason": b}],
        "usage": {"prompt_tokens": c, "completion_tokens": d, "completion_tokens_details": {"reasoning_tokens": a}},
    }
)
GEMINI = shaped(
    lambda a, b, c, d: {
        "modelVersion": d,
        "candidates": [{"content": {"parts": [{"text": a, "thought": b}]}, "finishReason": c}],
        "usageMetadata": {"promptTokenCount": d, "promptTokensDetails": [{"modality": c}]},
        "promptFeedback": None if a is None else {"blockReason": b},
    }
)


def bodies(events):
    streams = st.lists(events, max_size=4).map(lambda found: b"".join(map(event, found)))
    return st.one_of(streams, JSON.map(lambda each: json.dumps(each).encode()), st.binary(max_size=300))


def event(said):
    return f"data: {json.dumps(said)}\n\n".encode()


KINDS = st.sampled_from(("text/event-stream", "text/event-stream", "application/json", "text/html", ""))
STATUS = st.sampled_from((200, 200, 200, 400, 404, 418, 429, 500, 503, 599))


class Replays(httpx2.AsyncBaseTransport):
    """Answers every request with the same."""

    def __init__(self, status, kind, body, again=b"0"):
        self._given = (status, kind, body, again)

    async def handle_async_request(self, request):
        status, kind, body, again = self._given
        headers = [(b"Content-Type", kind.encode("utf-8", "replace")), (b"Retry-After", again)]
        return httpx2.Response(status, headers=headers, content=body)


def sound(answer):
    assert isinstance(answer, Response)
    assert (answer.fault is None) == (answer.state is State.COMPLETE)
    assert bool(answer.why) == (answer.state is not State.COMPLETE)
    assert len(answer.why) < 700
    assert isinstance(answer.usage, Usage)
    f"{answer.text}{answer.why}{answer.model}".encode()  # whole characters, as files and databases want them
    assert max(answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.micro_usd or 0) < 2**60
    assert min(answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.tokens_thought) >= 0


def openai_with(transport):
    return OpenAIProvider(Server("https://gpu.house/v1", "m", key=KEY), POLICY, transport)


def gemini_with(transport):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    return GeminiProvider(Account("gemini-3.1-flash-lite", KEY, "https://gpu.house"), POLICY, transport)


BOTH = pytest.mark.parametrize("provider_with", [openai_with, gemini_with])


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(status=STATUS, kind=KINDS, body=bodies(OPENAI), schema=st.sampled_from((None, SCHEMA)))
def test_the_openai_protocol(status, kind, body, schema):
    sound(run(lambda: ask_of(openai_with(Replays(status, kind, body)), an_ask(schema=schema))))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(status=STATUS, kind=KINDS, body=bodies(GEMINI))
def test_gemini(status, kind, body):
    sound(run(lambda: ask_of(gemini_with(Replays(status, kind, body)))))


TIMES = st.one_of(
    st.text(max_size=40),
    st.floats().map(str),
    st.integers().map(str),
    st.builds(
        "{}, {} {} {} {}:{}:{} {}".format,
        *(st.sampled_from(("Mon", "Sunday", "")), st.integers(-1, 99), st.sampled_from(("Jan", "Dec", "Nix"))),
        *(st.integers(-1, 10**12) for _ in range(4)),
        st.one_of(st.sampled_from(("GMT", "EST", "")), st.integers(-(10**20), 10**20).map("{:+05d}".format)),
    ),
    st.sampled_from(("Mon, 01 Jan 2024 00:00:00 +9999999999999999", "Fri, 31 Dec 9999 23:59:59 -2359", "1e999")),
)


@settings(deadline=None)
@given(value=TIMES)
def test_a_time_to_come_back_is_none_or_at_most_an_hour(value):
    found = retry_after_seconds({"retry-after": value})
    assert found is None or 0 <= found <= 3600


@BOTH
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(kind=st.text(max_size=30), again=TIMES, status=STATUS)
def test_headers(provider_with, kind, again, status):
    sound(run(lambda: ask_of(provider_with(Replays(status, kind, b"{}", again.encode("utf-8", "replace"))))))


DEEP = 100_000
NESTED = {
    "lists": b"[" * DEEP,
    "whole lists": b"[" * DEEP + b"]" * DEEP,
    "objects": b'{"error":' * DEEP,
    "less deep": b'{"error": {"message": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "details": b'{"error": {"details": [{"@type": "QuotaFailure", "violations": [' + b"[" * 900 + b"]" * 900 + b"]}]}}",
    "a long number": b'{"error": {"code": ' + b"9" * 50_000 + b"}}",
    "no UTF-8": b'{"error": {"message": "\xff\xfe\x00"}}',
    "a list": b'[{"error": {"message": 7, "code": "x", "details": {"retryDelay": []}}}]',
    "endless delay": b'{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "nans"}]}}',
}


@BOTH
@pytest.mark.parametrize("body", NESTED.values(), ids=NESTED)
def test_nesting_and_numbers_beyond_all_readers(provider_with, body):
    answer = run(lambda: ask_of(provider_with(Replays(200, "text/event-stream", b"data: %s\n\n" % body))))
    sound(answer)
    assert answer.state is State.FAILED
    refused = run(lambda: ask_of(provider_with(Replays(503, "application/json", body, b"nan"))))
    sound(refused)
    # What a refusal says in its body may make no sense: HTTP has said what it is.
    assert (type(refused.fault), refused.fault.retry_after) == (faults.OverloadedError, None)


@BOTH
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream", ""])
@pytest.mark.parametrize(
    "body",
    [*NESTED.values(), b"null", b'{"data": 7, "models": 7}', b'{"data": [7, {"id": 7}], "models": [7, {"name": 7}]}'],
    ids=range(len(NESTED) + 3),
)
def test_lists_of_models(provider_with, kind, body):
    async def listed():
        try:
            return await provider_with(Replays(200, kind, body)).models()
        except faults.FaultError:
            return ()

    assert run(listed) == ()


def test_names_of_models_are_whole_characters():
    body = json.dumps({"data": [{"id": f"m{HALF}"}, {"id": "x" * 100_000}]}).encode()
    first, second = run(openai_with(Replays(200, "application/json", body)).models)
    assert (first, len(second)) == ("m\ufffd", 200)


def test_a_list_of_models_without_an_end():
    body = b'{"models": [{"name": "models/a"}, {"name": "models/b"}], "nextPageToken": "on and on"}'
    assert len(run(gemini_with(Replays(200, "application/json", body)).models)) == 1_000


class Breaks(httpx2.AsyncBaseTransport, httpx2.AsyncByteStream):
    """What a library does that nobody has foreseen."""

    def __init__(self, error, *, late):
        self._error, self._late = error, late

    async def handle_async_request(self, request):
        if not self._late:
            raise self._error
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, stream=self)

    async def __aiter__(self):
        yield b": so far so good\n\n"
        raise self._error

    async def aclose(self):
        pass


@BOTH
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("kind", "said"),
    [(KeyError, "She opens the door"), (RecursionError, ""), (MemoryError, ""), (OSError, "x"), (ArithmeticError, "")],
)
def test_what_nobody_foresaw_ends_the_one_ask_and_the_log_says_where(provider_with, late, kind, said, caplog):
    answer = run(lambda: ask_of(provider_with(Breaks(kind(said), late=late))))
    sound(answer)
    assert (answer.state, type(answer.fault)) == (State.FAILED, faults.GarbledError)
    assert "cannot be read" in answer.why or "malformed response" in answer.why
    if "cannot be read" in answer.why:
        (noted,) = (each for each in caplog.records if each.name.endswith("llm.response"))
        assert f"gpu.house:443: an answer could not be read: {kind.__name__} in " in noted.getMessage()
        assert "test_llm_hostile.py:" in noted.getMessage()
    assert "door" not in caplog.text


@BOTH
def test_what_fails_with_who_hears_it_is_no_fault_of_the_server(provider_with):
    said = {"choices": [{"delta": {"content": "He parks."}}], "candidates": [{"content": {"parts": [{"text": "He."}]}}]}

    def full_disk(_piece):
        raise OSError(28, "No space left on device")

    async def work():
        provider = provider_with(Replays(200, "text/event-stream", event(said)))
        with pytest.raises(OSError, match="No space left"):
            await provider.send(an_ask(), full_disk, asyncio.Event())

    run(work)


def test_what_a_server_says_does_not_steer_a_terminal():
    body = json.dumps({"error": {"message": "gone \x1b[2J\x07 away"}}).encode()
    assert "(it says: gone [2J away)" in run(lambda: ask_of(openai_with(Replays(503, "application/json", body)))).why
    why = run(lambda: ask_of(openai_with(Replays(200, "x" * 5_000, b"{}")))).why
    assert len(why) < 200


def test_half_a_character_and_a_number_beyond_all_databases():
    body = event({"model": HALF, "choices": [{"delta": {"content": f"a{HALF}b"}, "finish_reason": "stop"}]})
    body += event({"choices": [], "usage": {"prompt_tokens": 10**30, "completion_tokens": 3}})
    answer = run(lambda: ask_of(openai_with(Replays(200, "text/event-stream", body))))
    assert (answer.text, answer.model) == ("a\ufffdb", "\ufffd")
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10**9, 3)
