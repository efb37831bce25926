"""Whatever a server sends, an ask ends as an answer with a sentence: nothing is raised, nothing hangs."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import SCHEMA, an_ask, ask_of, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.candidates.provider.gemini import Account, GeminiProvider
from adstudio.candidates.provider.keys import Secret
from adstudio.candidates.provider.model import Answer, State, Usage
from adstudio.candidates.provider.openai_protocol import OpenAIProvider, Server
from adstudio.core.policy import Host, Policy

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

    def __init__(self, status, kind, body):
        self._given = (status, kind, body)

    async def handle_async_request(self, request):
        status, kind, body = self._given
        return httpx2.Response(status, headers={"Content-Type": kind, "Retry-After": "0"}, content=body)


def sound(answer):
    assert isinstance(answer, Answer)
    assert (answer.fault is None) == (answer.state is State.COMPLETE)
    assert bool(answer.why) == (answer.state is not State.COMPLETE)
    assert len(answer.why) < 700
    assert isinstance(answer.usage, Usage)
    f"{answer.text}{answer.why}{answer.model}".encode()  # whole characters, as files and databases want them
    assert max(answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.micro_usd or 0) < 2**60
    assert min(answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.tokens_thought) >= 0


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(status=STATUS, kind=KINDS, body=bodies(OPENAI), schema=st.sampled_from((None, SCHEMA)))
def test_the_openai_protocol(status, kind, body, schema):
    provider = OpenAIProvider(Server("https://gpu.house/v1", "m", key=KEY), POLICY, Replays(status, kind, body))
    sound(run(lambda: ask_of(provider, an_ask(schema=schema))))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(status=STATUS, kind=KINDS, body=bodies(GEMINI))
def test_gemini(status, kind, body):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    account = Account("gemini-3.1-flash-lite", KEY, "https://gpu.house")
    sound(run(lambda: ask_of(GeminiProvider(account, POLICY, Replays(status, kind, body)))))


def test_half_a_character_and_a_number_beyond_all_databases():
    body = event({"model": HALF, "choices": [{"delta": {"content": f"a{HALF}b"}, "finish_reason": "stop"}]})
    body += event({"choices": [], "usage": {"prompt_tokens": 10**30, "completion_tokens": 3}})
    provider = OpenAIProvider(Server("https://gpu.house/v1", "m"), POLICY, Replays(200, "text/event-stream", body))
    answer = run(lambda: ask_of(provider))
    assert (answer.text, answer.model) == ("a\ufffdb", "\ufffd")
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10**9, 3)
