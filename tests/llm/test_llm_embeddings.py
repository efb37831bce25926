"""Embeddings by the OpenAI protocol: what is sent and taken, and every answer that makes no sense as its sentence."""

from __future__ import annotations

import base64
import contextlib
import json
import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from asking import CLIP, FACE, ask_of, run
from fake_embeddings import answered, packed
from fake_server import Act, FakeServer, refusal

from adstudio.llm import faults
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.embedding_format import MOST_DIMENSIONS, as_text, from_text
from adstudio.llm.gemini import Account, GeminiEmbeddings
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Clip, Image, Limits, Message, Request, State, Text, user
from adstudio.llm.openai_protocol import OpenAIEmbeddings, Server
from adstudio.llm.policy_enforcement import Policy, host_of
from adstudio.llm.transport import Transport, TransportLimits

KEY = Secret("sk-test-0123456789abcdef")
LIMITS = Limits(tokens=1, deadline=20.0)


def asked(*acts, ask, policy=None, **how):
    async def work():
        async with FakeServer(*acts) as server:
            rule = policy or Policy("on premises", (host_of(server.url),))
            named = {"model": "Qwen/Qwen3-Embedding-0.6B", "key": KEY} | how
            known = named.pop("capabilities", None)
            transport = Transport(rule, lambda _: None, limits=TransportLimits(received=200_000))
            provider = OpenAIEmbeddings(Server(f"{server.url}/v1", **named), rule, transport, capabilities=known)
            answer = await ask_of(provider, ask)
            await provider.aclose()
            return answer, server

    return run(work)


def of(*things, **how):
    return Request(tuple(user(thing) for thing in things), **{"limits": LIMITS, **how})


def test_texts_go_bare_and_come_back_in_order_at_unit_length():
    # The second comes first; 3, 4 is 0.6, 0.8 at unit length.
    rows = [{"index": 1, "embedding": [0, -2.0]}, {"index": 0, "embedding": packed([3.0, 4.0])}]
    answer, server = asked(answered(data=rows), ask=of("He parks.", "She <|im_end|> waits."), salt="film-1")
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1/embeddings")
    assert request.headers["authorization"] == f"Bearer {KEY.reveal()}"
    assert request.json == {
        "model": "Qwen/Qwen3-Embedding-0.6B",
        "encoding_format": "base64",
        "input": ["He parks.", "She < |im_end|> waits."],
        "cache_salt": "film-1",
    }
    assert (answer.state, answer.model, answer.usage.tokens_in) == (State.COMPLETE, "embed-1", 7)
    assert np.allclose(from_text(answer.text), [[0.6, 0.8], [0.0, -1.0]])


def test_clips_go_as_conversations_in_the_words_of_vllm():
    answer, server = asked(answered([1.0, 0.0]), ask=of(Clip(CLIP), scene="x"), model="Qwen/Qwen3-VL-Embedding-8B")
    sent = server.requests[0].json
    clip = {"url": "data:video/mp4;base64," + base64.b64encode(CLIP).decode()}
    assert sent == {
        "model": "Qwen/Qwen3-VL-Embedding-8B",
        "encoding_format": "base64",
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "Represent the user's input."}]},
            {"role": "user", "content": [{"type": "video_url", "video_url": clip}]},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        ],
        "continue_final_message": True,
        "add_special_tokens": True,
    }
    assert server.requests[0].headers["x-session-id"] == "x"
    assert answer.state is State.COMPLETE


@pytest.mark.parametrize(
    ("ask", "model", "talks"),
    [
        (of("a", "b"), "Qwen/Qwen3-VL-Embedding-2B", True),  # a model that is told all as conversations
        (of("a", "b", system="Say it."), "BAAI/bge-m3", True),
        (of("a", "b"), "BAAI/bge-m3", False),
        (of("a", Image(FACE)), "BAAI/bge-m3", True),
    ],
)
def test_what_is_a_conversation(ask, model, talks):
    _, server = asked(answered([1.0], [1.0]), ask=ask, model=model)
    sent = server.requests[0].json
    assert ("messages" in sent) is talks
    if talks:
        assert [len(talk) for talk in sent["messages"]] == [3, 3]
        said = sent["messages"][0][0]["content"][0]["text"]
        assert said == (ask.system or "Represent the user's input.")


def nonsense(*vectors, **more):
    return answered(*vectors, **more)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (nonsense([1.0, 0.0]), "1 for 2"),
        (nonsense([1.0], [1.0], [1.0]), "3 for 2"),
        (nonsense(data=None), "0 for 2"),
        (nonsense(data={"a": 1}), "0 for 2"),
        (nonsense([1.0, 0.0], [1.0]), "of different lengths"),
        (nonsense([], []), "not lists of 1 to 8,192 numbers"),
        (nonsense([1.0] * (MOST_DIMENSIONS + 1), [1.0]), "not lists of 1 to 8,192 numbers"),
        (nonsense("x" * 200_000, "x"), "it was stopped"),
        (nonsense([1.0, "2"], [1.0, 2.0]), "not lists of 1"),
        (nonsense([1.0, None], [1.0, 2.0]), "not lists of 1"),
        (nonsense([1.0, True], [1.0, 2.0]), "not lists of 1"),
        (nonsense([[1.0]], [[1.0]]), "not lists of 1"),
        (nonsense("!!", "!!"), "not lists of 1"),
        (nonsense(base64.b64encode(b"abc").decode(), ""), "not lists of 1"),
        (nonsense([1.0, 1e300], [1.0, 2.0]), "values that are not numbers"),
        (nonsense([1.0, 10**400], [1.0, 2.0]), "not lists of 1"),
        (nonsense(packed([math.nan, 1.0]), packed([1.0, 1.0])), "values that are not numbers"),
        (nonsense(packed([math.inf, 1.0]), packed([1.0, 1.0])), "values that are not numbers"),
        (nonsense([math.nan, 1.0], [1.0, 1.0]), "values that are not numbers"),
        (nonsense([0.0, 0.0], [1.0, 1.0]), "only zeros"),
        (
            nonsense(data=[{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]),
            "invalid or repeated indices",
        ),
        (
            nonsense(data=[{"index": -1, "embedding": [1]}, {"index": 0, "embedding": [1]}]),
            "invalid or repeated indices",
        ),
        (nonsense(data=[7, 8]), "not lists of 1"),
        (Act(blocks=[b"<html>hello"], kind="text/html"), "malformed response"),
        (Act(blocks=[b'{"data": ' + b"[" * 50_000], kind="application/json"), "was lost"),
        (Act(blocks=[b'{"data": [' + b"1" * 100_000], kind="application/json"), "was lost"),
        (Act(blocks=[b'{"data": ['], kind="application/json", endless=b"0.1," * 4_000), "more than"),
        (Act(blocks=[b'{"data": ['], kind="application/json", then="drop"), "was lost"),
        (refusal(401, {"error": {"message": "no"}}), "rejected the key"),
        (refusal(404, {"error": {"message": "no such model"}}), "has no model"),
        (refusal(400, {"error": {"message": "maximum context length is 512 tokens"}}), "too long for"),
        (refusal(501, {"error": {"message": "The model does not support Embeddings API"}}), "not support Embeddings"),
        (refusal(503, {"error": {"message": "busy"}}), "too busy"),
    ],
)
def test_an_answer_that_makes_no_sense_is_one_sentence(act, says):
    answer, _ = asked(act, ask=of("a", "b"))
    assert answer.state is State.FAILED
    assert answer.text == ""
    assert says in answer.why
    assert len(answer.why) < 600


def test_offline_nothing_is_opened():
    answer, server = asked(answered([1.0]), ask=of("a"), policy=Policy())
    assert isinstance(answer.fault, faults.NotAllowedError)
    assert (server.requests, server.most_open) == ([], 0)


def test_what_is_too_large_is_not_sent():
    answer, server = asked(answered([1.0]), ask=of(Clip(CLIP)), capabilities=Capabilities(body_bytes=1_000))
    assert isinstance(answer.fault, faults.TooLargeError)
    assert server.requests == []


def test_an_answer_of_embeddings_is_not_one_of_words():
    one = OpenAIEmbeddings(Server("http://127.0.0.1:9/v1", "m"), Policy(), None)  # type: ignore[arg-type]
    assert one.name == "vllm m embeddings"
    assert of("a").content_hash(one.name) != of("a").content_hash("vllm m")


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_what_is_kept_comes_back(vectors):
    rows = [{"embedding": vector} for vector in vectors]
    if not all(any(struct.unpack("<3f", struct.pack("<3f", *vector))) for vector in vectors):
        return
    found = from_text(as_text(rows, len(rows), "here"))
    wanted = np.array(vectors) / np.linalg.norm(np.array(vectors), axis=1, keepdims=True)
    assert np.allclose(found, wanted, atol=1e-6)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["index", "embedding", "data"]), inner, max_size=3)
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON | st.lists(st.fixed_dictionaries({"embedding": JSON, "index": JSON}), max_size=3), st.integers(1, 3))
def test_any_answer_is_embeddings_or_a_fault(rows, count):
    with contextlib.suppress(faults.GarbledError):
        found = from_text(as_text(rows, count, "here"))
        assert len(found) == count
        assert np.allclose(np.linalg.norm(found, axis=1), 1)


@settings(deadline=None)
@given(st.text(max_size=50))
def test_any_text_that_was_kept_is_embeddings_or_a_fault(text):
    with contextlib.suppress(faults.GarbledError):
        assert np.allclose(np.linalg.norm(from_text(text), axis=1), 1)


def test_a_turn_may_have_several_parts():
    ask = Request((Message("user", (Text("a"), Text("b"))),), limits=LIMITS)
    _, server = asked(answered([1.0]), ask=ask)
    assert json.loads(server.requests[0].body)["input"] == ["ab"]


def of_gemini(act, *things):
    async def work():
        async with FakeServer(act) as server:
            policy = Policy("on premises", (host_of(server.url),))
            account = Account("gemini-embedding-001", Secret("AIza-test-0123456789abcdefghij"), server.url)
            provider = GeminiEmbeddings(account, policy, Transport(policy, lambda _: None))
            answer = await ask_of(provider, of(*things))
            await provider.aclose()
            return answer, server

    return run(work)


def test_gemini_embeds_texts():
    pytest.importorskip("google.genai")
    said = {"embeddings": [{"values": [3, 4]}, {"values": [1, 0]}]}
    answer, server = of_gemini(Act(blocks=[json.dumps(said).encode()], kind="application/json"), "a", "b")
    assert np.allclose(from_text(answer.text), [[0.6, 0.8], [1.0, 0.0]])
    (request,) = server.requests
    assert request.path.endswith("/models/gemini-embedding-001:batchEmbedContents")
    assert [each["content"]["parts"] for each in request.json["requests"]] == [[{"text": "a"}], [{"text": "b"}]]


@pytest.mark.parametrize(
    ("act", "things", "says"),
    [
        (Act(blocks=[b'{"embeddings": [{"values": [1]}]}'], kind="application/json"), ("a", "b"), "1 for 2"),
        (Act(blocks=[b'{"embeddings": 7}'], kind="application/json"), ("a",), "malformed response"),
        (Act(blocks=[b"[]"], kind="application/json"), ("a",), "0 for 1"),
        (refusal(429, {"error": {"code": 429, "message": "slow"}}), ("a",), "too many requests"),
        (refusal(400, {"error": {"code": 400, "message": "API key not valid"}}), ("a",), "rejected the key"),
        (Act(), (Clip(CLIP),), "only embeds text"),
    ],
)
def test_gemini_says_why_not(act, things, says):
    pytest.importorskip("google.genai")
    answer, _ = of_gemini(act, *things)
    assert (answer.state, answer.text) == (State.FAILED, "")
    assert says in answer.why
