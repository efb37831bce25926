"""How responses end: lost connections in every framing, and the ends of servers that public issues report."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import SCHEMA, an_ask, ask_of, run

from adstudio.core.policy import Host, Policy
from adstudio.llm import faults, openai_protocol
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Limits, State
from adstudio.llm.openai_protocol import OpenAIEmbeddings, OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.transport import Transport

pytestmark = pytest.mark.attack(7)

KEY = Secret("AIza-test-0123456789abcdefghij")
POLICY = Policy("on premises", (Host("gpu.house", 443),))


def openai(url="https://gpu.house", transport=None, policy=POLICY):
    return OpenAIProvider(Server(f"{url}/v1", "m", key=KEY), policy, transport)


def gemini(url="https://gpu.house", transport=None, policy=POLICY):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    return GeminiProvider(Account("gemini-3.1-flash-lite", KEY, url), policy, transport)


BOTH = pytest.mark.parametrize("provider", [openai, gemini])


class Replays(httpx2.AsyncBaseTransport, httpx2.AsyncByteStream):
    """Answers with these bytes, and then ends, fails, or goes on forever with the last block."""

    def __init__(self, *blocks, then=None, kind="text/event-stream"):
        self._blocks, self._then, self._kind = blocks, then, kind

    async def handle_async_request(self, request):
        return httpx2.Response(200, headers={"Content-Type": self._kind}, stream=self)

    async def __aiter__(self):
        for block in self._blocks:
            yield block
        while self._then == "heartbeats":
            yield b": ping\n\n"
            await asyncio.sleep(0)
        if self._then is not None:
            raise self._then

    async def aclose(self):
        pass


def event(found):
    return f"data: {json.dumps(found)}\n\n".encode()


def delta(text=None, reason=None, **more):
    return event({"choices": [{"index": 0, "delta": {"content": text} | more, "finish_reason": reason}]})


def chunk(text="", reason=None):
    parts = {"content": {"parts": [{"text": text}]}} if text else {}
    usage = {"usageMetadata": {"promptTokenCount": 9, "promptTokensDetails": [{"modality": "VIDEO"}]}} if reason else {}
    return event({"candidates": [parts | ({"finishReason": reason} if reason else {})]} | usage)


DONE = b"data: [DONE]\n\n"
USAGE = event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}})
LOST = faults.LostError("the connection was lost")


def answer_of(*blocks, provider=openai, ask=None, **how):
    return run(lambda: ask_of(provider(transport=Replays(*blocks, **how)), ask))


STREAMS = {
    openai: [delta('He "parks"'), delta(" his {car}."), delta(reason="stop"), USAGE, DONE],
    gemini: [chunk('He "parks"'), chunk(" his {car}."), chunk(reason="STOP")],
}


@BOTH
def test_a_stream_that_is_cut_anywhere_is_lost_until_its_end_was_named(provider):
    """Clean ends of the stream, as of HTTP/1.0, of a length that is too short, and of gateways."""
    blocks = STREAMS[provider]
    stream = b"".join(blocks)
    named = len(b"".join(blocks[:3])) - 2  # without the blank line
    for cut in range(1, len(stream), 1 if provider is openai else 7):
        answer = answer_of(stream[:cut], provider=provider)
        if cut >= named:
            assert (answer.state, answer.text) == (State.COMPLETE, 'He "parks" his {car}.'), cut
        else:
            assert type(answer.fault) is faults.LostError, (cut, answer)
            assert 'He "parks" his {car}.'.startswith(answer.text)


class RawServer:
    """Sends these bytes in answer to any request, and closes or resets the connection."""

    def __init__(self, answer, *, reset=False):
        self._answer, self._reset = answer, reset

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
        writer.write(self._answer)
        await writer.drain()
        if self._reset:
            writer.transport.abort()
        writer.close()


def chunked(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


FRAMINGS = {
    "HTTP/1.0": lambda kind, body: b"HTTP/1.0 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (kind, body),
    "without length": lambda kind, body: b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (kind, body),
    "short length": lambda kind, body: (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body)
    ),
    "length": lambda kind, body: (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body) + 9, body)
    ),
    "chunked": lambda kind, body: (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%s" % (kind, chunked(body))
    ),
    "chunked to its end": lambda kind, body: (
        b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%s0\r\n\r\n" % (kind, chunked(body))
    ),
}
FRAMED = pytest.mark.parametrize("framing", FRAMINGS.values(), ids=FRAMINGS)


def asked_over_network(provider, raw, **how):
    async def work():
        async with RawServer(raw, **how) as server:
            policy = Policy("on premises", (host_of(server.url),))
            asking = provider(server.url, Transport(policy, lambda _: None), policy)
            answer = await ask_of(asking)
            await asking.aclose()
            return answer

    return run(work)


@FRAMED
@BOTH
def test_a_connection_lost_in_an_event_is_lost_in_every_framing(provider, framing):
    begun, cut, *_ = STREAMS[provider]
    answer = asked_over_network(provider, framing(b"text/event-stream", begun + cut[:-9]))
    assert (type(answer.fault), answer.state, answer.text) == (faults.LostError, State.TRUNCATED, 'He "parks"')


@FRAMED
@BOTH
def test_a_connection_lost_behind_the_end_takes_nothing(provider, framing):
    stream = b"".join(STREAMS[provider][:3])
    answer = asked_over_network(provider, framing(b"text/event-stream", stream))
    assert (answer.state, answer.text) == (State.COMPLETE, 'He "parks" his {car}.')


MESSAGE = json.dumps({"choices": [{"message": {"content": "He parks."}, "finish_reason": "stop"}]}).encode()


@FRAMED
def test_a_response_in_one_piece_is_lost_or_whole(framing):
    answer = asked_over_network(openai, framing(b"application/json", MESSAGE))
    assert (answer.state, answer.text) == (State.COMPLETE, "He parks.")
    answer = asked_over_network(openai, framing(b"application/json", MESSAGE[:-20]))
    assert (type(answer.fault), answer.text) == (faults.LostError, "")


def test_embeddings_that_are_cut_are_lost():
    body = json.dumps({"data": [{"embedding": [0.5, 0.25]}]}).encode()

    def embeddings(cut):
        transport = Replays(body[:cut], kind="application/json")
        return OpenAIEmbeddings(Server("https://gpu.house/v1", "m"), POLICY, transport)

    assert run(lambda: ask_of(embeddings(None))).state is State.COMPLETE
    assert type(run(lambda: ask_of(embeddings(-5))).fault) is faults.LostError


def test_what_is_no_json_at_the_end_is_garbled_and_not_lost():
    assert type(answer_of(b"data: oops").fault) is faults.GarbledError
    assert type(answer_of(b'data: {"a": oops}').fault) is faults.GarbledError


# What servers do, each as a public issue or pull request reports it.
TEXT = delta("He parks.")
WHOLE = {
    "ollama/ollama#4357, sgl-project/sglang#3912: an empty name with every chunk": [
        delta("He ", ""),
        delta("parks.", ""),
        delta("", "stop"),
        DONE,
    ],
    "qualcomm/GenieX#1243: an empty name to the last": [delta("He ", ""), delta("parks.", ""), DONE],
    "waybarrios/vllm-mlx#628, openclaw#23013: null to the last": [TEXT, delta(), DONE],
    "PowerShell/AIShell#350 (KoboldCpp): the word null": [delta("He ", "null"), delta("parks.", "null"), DONE],
    "huggingface/text-generation-inference#2344: eos_token": [TEXT, delta(reason="eos_token")],
    "aws-samples/bedrock-access-gateway#11: end_turn": [TEXT, delta(reason="end_turn"), DONE],
    "earendil-works/pi#2107: end": [TEXT, delta(reason="end"), DONE],
    "QwenLM/qwen-code#9884: STOP": [TEXT, delta(reason="STOP")],
    "ferro-labs/ai-gateway#142: COMPLETE": [TEXT, delta(reason="COMPLETE")],
    "a name that nobody knows": [TEXT, delta(reason="because")],
    "ikawrakow/ik_llama.cpp#467: no [DONE]": [TEXT, delta(reason="stop")],
    "anomalyco/opencode#43882, vercel/ai#19165: no name and no [DONE], but usage": [TEXT, delta(), USAGE],
    "Chevey339/kelivo#1003: named at the beginning": [delta("", "STOP"), delta("", "STOP"), TEXT, delta("", "STOP")],
    "songquanpeng/one-api#1477: named with every chunk": [delta("He ", "STOP"), delta("parks.", "STOP"), DONE],
    "linagora/openrag#462: text with the name, and the name again": [delta("He parks.", "stop"), delta("", "stop")],
    "tensorzero#2078: a chunk behind the name": [TEXT, delta(reason="stop"), delta(), USAGE, DONE],
    "mozilla-ai/any-llm#657: no delta": [
        TEXT,
        event({"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]}),
    ],
    "hermes-browser-extension#11, GoModel#1068 (MiniMax): the whole message again": [
        delta("He "),
        delta("parks."),
        event({"choices": [{"message": {"content": "He parks."}, "finish_reason": "stop"}]}),
        DONE,
    ],
    "vllm-project/vllm#53255: tool_calls without a call": [TEXT, delta(reason="tool_calls", tool_calls=[]), DONE],
    "an error behind the end": [TEXT, delta(reason="stop"), event({"error": {"message": "usage", "code": 500}})],
    "no JSON behind the end": [TEXT, delta(reason="stop"), b"data: upstream closed\n\n"],
}


@pytest.mark.parametrize("blocks", WHOLE.values(), ids=WHOLE)
def test_what_ended_whole_is_whole(blocks):
    answer = answer_of(*blocks)
    assert (answer.state, answer.text, answer.fault) == (State.COMPLETE, "He parks.", None)


CONTEXT = {"code": 400, "message": "the request exceeds the available context size", "type": "invalid_request_error"}
BROKEN = {
    "vllm-project/vllm#57082: abort, and [DONE]": ([TEXT, delta(reason="abort"), DONE], faults.LostError),
    "can1357/oh-my-pi#8563: insufficient_system_resource": (
        [TEXT, delta(reason="insufficient_system_resource"), DONE],
        faults.OverloadedError,
    ),
    "anomalyco/opencode#44358: network_error": ([TEXT, delta(reason="network_error"), DONE], faults.LostError),
    "together-python#153: error": ([TEXT, delta(reason="error"), DONE], faults.ServerError),
    "tetsuo-ai/agenc-core#2492: a gateway's line, and a clean end": (
        [TEXT, b"upstream error: read ECONNRESET\n"],
        faults.LostError,
    ),
    "vaadin/flow-components#9195: no end at all": ([TEXT, delta()], faults.LostError),
    "named with every chunk, and cut": ([delta("He ", "STOP"), delta("parks.", "STOP"), TEXT[:20]], faults.LostError),
    "ggml-org/llama.cpp#16109: an error in a field of its own": (
        [f"error: {json.dumps(CONTEXT)}\n\n".encode(), DONE],
        faults.BadRequestError,
    ),
    "lemonade-sdk/lemonade#2826: an error without the form of an event": (
        [json.dumps({"error": CONTEXT}).encode()],
        faults.BadRequestError,
    ),
    "ferro-labs/ai-gateway#142: MAX_TOKENS": ([TEXT, delta(reason="MAX_TOKENS"), DONE], faults.CutShortError),
    "Mistral: model_length": ([TEXT, delta(reason="model_length"), DONE], faults.CutShortError),
    "vLLM: repetition": ([TEXT, delta(reason="repetition"), DONE], faults.RunawayError),
    "experientiallabs/experiential#962: a filter without [DONE]": (
        [TEXT, delta(reason="content_filter")],
        faults.BlockedError,
    ),
    "Zhipu: sensitive": ([TEXT, delta(reason="sensitive"), DONE], faults.BlockedError),
    "Gemini behind a gateway: SAFETY": ([TEXT, delta(reason="SAFETY"), DONE], faults.BlockedError),
    "Anthropic behind a gateway: refusal": ([TEXT, delta(reason="refusal"), DONE], faults.RefusedError),
    "only [DONE]": ([DONE], faults.EmptyError),
}


@pytest.mark.parametrize(("blocks", "fault"), BROKEN.values(), ids=BROKEN)
def test_what_did_not_end_whole_is_said(blocks, fault):
    answer = answer_of(*blocks)
    assert type(answer.fault) is fault, answer.why


CALL = [{"index": 0, "id": "c", "function": {"name": "look", "arguments": "{}"}}]
CALLS = {
    "a call": [delta(tool_calls=CALL), delta(reason="tool_calls"), DONE],
    "a call behind some words": [delta("Let me look."), delta(tool_calls=CALL), delta(reason="tool_calls"), DONE],
    "earendil-works/pi#6225 (NVIDIA NIM): a call without a name": [delta(tool_calls=CALL), delta(), DONE],
    "an old one": [delta(function_call={"name": "look"}), delta(reason="function_call"), DONE],
    "labring/FastGPT#7517: reasoning and no call": [delta(reasoning_content="Hm."), delta(reason="tool_calls"), DONE],
    "Anthropic behind a gateway": [delta(tool_calls=CALL), delta(reason="tool_use"), DONE],
}


@pytest.mark.parametrize("blocks", CALLS.values(), ids=CALLS)
def test_a_tool_call_is_named_and_not_asked_again_at_once(blocks):
    answer = answer_of(*blocks)
    assert (type(answer.fault), answer.state) == (faults.ToolCallError, State.FAILED)
    assert "called a tool" in answer.why
    assert not answer.fault.retryable


def test_a_tool_call_of_gemini_is_named():
    answer = answer_of(chunk(reason="UNEXPECTED_TOOL_CALL"), provider=gemini)
    assert type(answer.fault) is faults.ToolCallError


@pytest.mark.parametrize("then", [LOST, faults.SilentError("silent"), "heartbeats"], ids=["lost", "silent", "alive"])
@pytest.mark.parametrize("blocks", [[TEXT, delta(reason="stop")], [delta("He parks.", "end_turn")], [TEXT, USAGE]])
def test_a_whole_answer_is_kept_whatever_comes_of_its_connection(blocks, then, monkeypatch):
    """claude-code-router#1271, maximhq/bifrost#6784: streams that stay open, with heartbeats, behind the end."""
    monkeypatch.setattr(openai_protocol, "GRACE_S", 0.05)
    ask = an_ask(limits=Limits(deadline=5.0))
    answer = answer_of(*blocks, ask=ask, then=then)
    assert (answer.state, answer.text, answer.fault) == (State.COMPLETE, "He parks.", None)


def test_an_end_that_is_named_with_every_chunk_is_no_end_for_a_connection_that_is_lost():
    answer = answer_of(delta("He ", "STOP"), delta("par", "STOP"), then=LOST)
    assert (type(answer.fault), answer.state) == (faults.LostError, State.TRUNCATED)


JSON = '{"salience_pct": 4}'


@pytest.mark.parametrize("reason", [None, "length", "abort", "error", "tool_calls"])
@pytest.mark.parametrize("then", [None, LOST])
def test_json_that_is_closed_is_whole_however_it_ended(reason, then):
    answer = answer_of(delta(JSON), delta(reason=reason), ask=an_ask(schema=SCHEMA), then=then)
    assert (answer.state, answer.text, answer.fault) == (State.COMPLETE, JSON, None)


def test_json_that_is_not_closed_is_not_whole_though_the_stream_says_done():
    """router-for-me/CLIProxyAPI#4884: a gateway writes [DONE] when its own connection is lost."""
    answer = answer_of(delta(JSON[:-1]), DONE, ask=an_ask(schema=SCHEMA))
    assert (type(answer.fault), answer.state) == (faults.GarbledError, State.TRUNCATED)


def test_what_was_stopped_behind_its_end_is_whole():
    stop = asyncio.Event()

    class Stops(Replays):
        async def __aiter__(self):
            yield delta("He parks.", "stop")
            stop.set()
            await asyncio.Event().wait()

    async def work():
        return await openai(transport=Stops()).send(an_ask(), lambda _: None, stop)

    assert run(work).state is State.COMPLETE


THINKS = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
PARTS = {
    "meilisearch#6327, hermes-agent#94905, livekit/agents#6625: typed parts": [{"type": "text", "text": "He parks."}],
    "microsoft/agent-framework#6978 (Mistral): thinking in front": [THINKS, {"type": "text", "text": "He parks."}],
    "several": [{"type": "text", "text": "He "}, {"type": "reference", "reference_ids": [1]}, {"text": "parks."}],
    "strings": ["He ", "parks."],
    "output_text": [{"type": "output_text", "text": "He parks."}],
    "a value": [{"type": "text", "text": {"value": "He parks."}}],
    "nothing that can be read": [None, 7, {"type": "text", "text": None}, {"type": "text", "text": "He parks."}],
}


@pytest.mark.attack(10)
@pytest.mark.parametrize("content", PARTS.values(), ids=PARTS)
def test_content_as_a_list_of_parts_is_read(content):
    heard = []
    for blocks, how in (
        ([delta(content), delta(reason="stop"), DONE], {}),
        (
            [json.dumps({"choices": [{"message": {"content": content}}]}).encode()],
            {"kind": "application/json"},
        ),
    ):
        answer = run(lambda: ask_of(openai(transport=Replays(*blocks, **how)), None, heard))  # noqa: B023
        assert (answer.state, answer.text) == (State.COMPLETE, "He parks.")
    assert {chunk.thought for chunk in heard if chunk.thought} <= {"Hm."}


@pytest.mark.attack(10)
def test_a_refusal_as_a_part_is_one():
    answer = answer_of(delta([{"type": "refusal", "refusal": "I cannot."}]), delta(reason="stop"), DONE)
    assert (type(answer.fault), answer.state) == (faults.RefusedError, State.REFUSED)
