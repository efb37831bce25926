"""Compressed responses: none is read, however its encoding is named, and none grows beyond what arrived."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")
pytest.importorskip("google.genai", reason="google-genai is not installed")  # loads much memory, once

from asking import ask_of, run
from fake_server import Act, FakeServer

from adstudio.core.policy import Policy
from adstudio.llm import faults
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import State
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.transport import Transport

pytestmark = pytest.mark.attack(4)

BIG = 200_000_000
"""Bytes of the text that a response of 200 kB unpacks to."""
MOST_HELD = 30_000_000
NAMES = {
    "gzip": ["Content-Encoding: gzip"],
    "before identity, in one header": ["Content-Encoding: gzip, identity"],
    "before identity, in two": ["Content-Encoding: gzip", "Content-Encoding: identity"],
    "between, without blanks": ["Content-Encoding: identity,gzip,identity"],
    "in capitals": ["CONTENT-ENCODING: GZIP", "content-encoding: Identity"],
    "with blanks and tabs": ["Content-Encoding: \t gzip \t ,\tidentity "],
    "twice": ["Content-Encoding: gzip, gzip", "Content-Encoding: identity"],
    "by its old name": ["Content-Encoding: x-gzip", "Content-Encoding: identity"],
    "empty ones around it": ["Content-Encoding: , gzip,,", "Content-Encoding:"],
    "deflate": ["Content-Encoding: deflate", "Content-Encoding: identity"],
    "brotli": ["Content-Encoding: br", "Content-Encoding: identity"],
    "zstandard": ["Content-Encoding: zstd", "Content-Encoding: identity"],
    "compress": ["Content-Encoding: compress", "Content-Encoding: identity"],
    "unknown": ["Content-Encoding: aes128gcm, identity"],
}
PLAIN = {
    "identity": ["Content-Encoding: identity"],
    "identity twice": ["Content-Encoding: identity, Identity", "CONTENT-ENCODING:  identity "],
    "empty": ["Content-Encoding: "],
}
ANSWER = b'data: {"choices": [{"delta": {"content": "He parks."}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


class Encoded(FakeServer):
    """Names its encodings in headers that a dictionary cannot hold."""

    def __init__(self, lines: list[str], body: bytes, status: int = 200) -> None:
        super().__init__(Act(head=False))
        head = [f"HTTP/1.1 {status} Said", "Content-Type: text/event-stream", f"Content-Length: {len(body)}", *lines]
        self._whole = "\r\n".join([*head, "", ""]).encode() + body

    async def _answer(self, reader, writer):
        await super()._answer(reader, writer)
        await self._send(writer, self._whole)


def asked_of(kind, lines, body, status=200):
    async def work():
        async with Encoded(lines, body, status) as server:
            policy = Policy("on premises", (host_of(server.url),))
            transport = Transport(policy, lambda _: None)
            provider = (
                OpenAIProvider(Server(f"{server.url}/v1", "Qwen3.5-27B"), policy, transport)
                if kind == "openai"
                else GeminiProvider(Account("gemini-3.1-flash-lite", Secret("k" * 20), server.url), policy, transport)
            )
            answer = await ask_of(provider)
            await provider.aclose()
            return answer

    return run(work)


@pytest.fixture(scope="module")
def bomb():
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packer.compress(b'data: {"choices": [{"delta": {"content": "')
    for _ in range(BIG // 1_000_000):
        packed += packer.compress(b" " * 1_000_000)
    return packed + packer.compress(b'"}}]}\n\n') + packer.flush()


@pytest.mark.parametrize("lines", NAMES.values(), ids=NAMES)
def test_a_compressed_response_is_refused_wherever_its_name_stands(lines):
    answer = asked_of("openai", lines, gzip.compress(ANSWER))
    assert isinstance(answer.fault, faults.GarbledError)
    assert (answer.state, "compressed response" in answer.why) == (State.FAILED, True)


@pytest.mark.parametrize("kind", ["openai", "gemini"])
@pytest.mark.parametrize("status", [200, 500])
def test_nothing_is_unpacked(bomb, kind, status):
    tracemalloc.start()
    try:
        answer = asked_of(kind, ["Content-Encoding: gzip", "Content-Encoding: identity"], bomb, status)
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.state is State.FAILED
    assert held < MOST_HELD
    assert isinstance(answer.fault, faults.GarbledError)


@pytest.mark.parametrize("lines", PLAIN.values(), ids=PLAIN)
def test_a_response_that_is_named_as_it_is_is_read(lines):
    assert asked_of("openai", lines, ANSWER).text == "He parks."


def test_a_transfer_that_is_compressed_is_refused_too():
    answer = asked_of("openai", ["Transfer-Encoding: gzip, chunked"], gzip.compress(ANSWER))
    assert answer.state is State.FAILED
    assert answer.text == ""
