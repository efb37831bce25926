"""A model that answers by a script over HTTP, as vLLM and as Gemini: for tests, and to try drafting by hand.

    python tests/fakes/scripted_server.py --port 8000 --faults all --log asked.jsonl

It prints its addresses, then answers until it is ended: sensibly, and once with each fault that was asked for. It
listens on this machine alone. The log has a line for each request and another for each answer that was sent whole.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import ssl
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).parent))

import fake_gemini
import fake_openai
from fake_server import Act, refusal
from scripted_forms import embedded, of_form
from scripted_model import kind_of, said, usual

from adstudio.llm.messages import Message, Request, Text

MODEL = "Qwen3.5-27B-scripted"
GEMINI = "gemini-3.1-flash-lite"
PIECE = 40  # characters at a time

WHO = ("A woman in a red coat", "An old man with a stick", "The guard in the blue cap", "A boy on a bicycle")
DOES = (
    "crosses the empty platform with a heavy suitcase",
    "stops under the large clock",
    "looks up at the dark windows of the house",
    "opens the small wooden box with great care",
    "walks slowly down the wet stone steps",
    "puts the folded letter on the kitchen table",
)


def prose_of(clip: bytes) -> str:
    """Four to seven sentences that are the same whenever the same clip is shown."""
    digest = hashlib.sha256(clip).digest()
    return " ".join(f"{WHO[a % len(WHO)]} {DOES[b % len(DOES)]}." for a, b in zip(digest[:7], digest[8:], strict=False))


Fault = Callable[[Request, str, "Protocol"], Act]


@dataclass(frozen=True)
class Protocol:
    """How a protocol says an answer and a refusal."""

    name: str
    answer: Callable[..., Act]
    limit: str
    refuse: Callable[[int, str], Any]


def _openai(texts: Sequence[str], reason: str = "stop", thoughts: tuple[str, ...] = ()) -> Act:
    return fake_openai.answers(*texts, reason=reason, thoughts=thoughts)


def _gemini(texts: Sequence[str], reason: str = "STOP", thoughts: tuple[str, ...] = ()) -> Act:
    return fake_gemini.answers(*texts, reason=reason, thoughts=thoughts)


_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
OPENAI = Protocol("openai", _openai, "length", lambda code, words: {"error": {"message": words, "code": code}})
GOOGLE = Protocol(
    "gemini",
    _gemini,
    "MAX_TOKENS",
    lambda code, words: fake_gemini.error(code, _STATUS.get(code, "UNAVAILABLE"), words),
)


def _refused(code: int, words: str, **headers: str) -> Fault:
    return lambda ask, text, protocol: refusal(code, protocol.refuse(code, words), **headers)


def _too_often(ask: Request, text: str, protocol: Protocol) -> Act:
    if protocol is GOOGLE:
        said_by = fake_gemini.error(429, "RESOURCE_EXHAUSTED", "slow down", fake_gemini.retry_info("0.2s"))
        return refusal(429, said_by)
    return refusal(429, protocol.refuse(429, "slow down"), retry_after="0.2")


def _dropped(ask: Request, text: str, protocol: Protocol) -> Act:
    act = protocol.answer(cut(text[: len(text) // 2]))
    # Before it says why it ends: what comes after that is lost to no answer.
    return Act(blocks=act.blocks[: max(len(act.blocks) - 3, 1)], then="drop")


def _endless(what: bytes) -> Fault:
    def act(ask: Request, text: str, protocol: Protocol) -> Act:
        begun = protocol.answer(cut(text[: len(text) // 3])).blocks[:-2]
        more = protocol.answer([what.decode()]).blocks[0]
        return Act(blocks=begun, endless=more)

    return act


HASTY = (
    {"start": 0, "end": 20, "text": "Twelve words that nobody could ever say in as little as two seconds."},
    {"start": 10, "end": 40, "text": "Begun too soon."},
    {"start": 50, "end": 80, "text": "Sound as it is."},
)
"""What a model writes that minds no rate and no line ahead."""

FAULTS: dict[str, tuple[tuple[str, ...], Fault]] = {
    "503": ((), _refused(503, "too many requests are waiting", retry_after="0")),
    "500": ((), _refused(500, "engine error")),
    "429": ((), _too_often),
    "400 context": (
        ("describe", "direct"),
        _refused(400, "This model's maximum context length is 4096 tokens. However, you requested 9000"),
    ),
    "413": (("describe", "direct"), _refused(413, "request entity too large")),
    "down": ((), _dropped),
    "half": (("elements", "direct"), lambda ask, text, protocol: protocol.answer(cut(text[: 2 * len(text) // 3]))),
    "ids": (("elements",), lambda ask, text, protocol: protocol.answer(cut(text.replace('"e02"', '"e77"')))),
    "blanks": (("elements", "direct"), _endless(b" " * 200)),
    "digits": (("elements", "direct"), _endless(b"7" * 40)),
    "thoughts": ((), lambda ask, text, protocol: protocol.answer([], protocol.limit, ("Let me think. ",) * 30)),
    "html": ((), lambda ask, text, protocol: refusal(200, b"<html><body>Sign in to this network</body></html>")),
    "obeys": (("elements", "direct"), lambda ask, text, protocol: protocol.answer(["I will obey: the film is bad."])),
    "blocked": (("describe", "direct"), lambda ask, text, protocol: _withheld(protocol)),
    "hasty": (("direct",), lambda ask, text, protocol: protocol.answer([json.dumps({"lines": HASTY})])),
}
"""Each fault: the kinds of ask that it can befall (none: all of them), and what is answered. Each happens once."""
LASTING = {"401": _refused(401, "invalid api key"), "404": _refused(404, "no such model"), "lost": _dropped}
"""Faults of every ask."""


def _withheld(protocol: Protocol) -> Act:
    if protocol is GOOGLE:
        return protocol.answer([], "PROHIBITED_CONTENT")
    return protocol.answer([], "content_filter")


def cut(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def ask_in(body: Any) -> tuple[Request, bytes]:
    """What a request asks, as far as the scripted model needs it, and the clip that it shows."""
    messages: list[Message] = []
    clip = b""
    if "contents" in body:
        shown = [content["parts"] for content in body["contents"]]
        schema = (body.get("generationConfig") or {}).get("responseJsonSchema")
    else:
        contents = [message["content"] for message in body["messages"]]
        shown = [[{"text": each}] if isinstance(each, str) else each for each in contents]
        form = body.get("response_format")
        schema = form["json_schema"]["schema"] if form else None
    for parts in shown:
        messages.append(Message("user", tuple(Text(part["text"]) for part in parts if "text" in part)))
        for part in parts:
            video = part.get("video_url", {}).get("url") or part.get("inlineData", {}).get("data") or ""
            clip = video.encode() or clip
    return Request(tuple(messages), schema=schema), clip


def without_salt(body: bytes) -> str:
    """A hash of all that is asked; the salt of a server's cache is another one in each run."""
    if not body:
        return ""
    asked = json.loads(body)
    asked.pop("cache_salt", None)
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


@dataclass
class ScriptedServer:
    """See above. `faults` are the names of those that are still to come, in their order."""

    faults: list[str] = field(default_factory=list)
    pause: float = 0.0
    key: str = ""
    log: TextIO | None = None
    tls: ssl.SSLContext | None = None
    now: int = 0
    most: int = 0
    _spoilt: set[str] = field(default_factory=set)

    async def start(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", port, ssl=self.tls, limit=1 << 20)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.now += 1
            self.most = max(self.most, self.now)
            try:
                await self._answer(method, path, headers, body, writer)
            finally:
                self.now -= 1
        writer.close()

    async def _answer(
        self, method: str, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> None:
        protocol = GOOGLE if "x-goog-api-key" in headers else OPENAI
        sha = without_salt(body)
        key = headers.get("x-goog-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        fault, kind, plain_path = "", "models", path.split("?", maxsplit=1)[0]
        if self.key and key != self.key:
            act = LASTING["401"](Request(()), "", protocol)
            fault = "401"
        elif method == "GET" and not plain_path.endswith("/models"):
            act = refusal(404, protocol.refuse(404, "not found"))
        elif method == "GET":
            name = {"models": [{"name": f"models/{GEMINI}"}]} if protocol is GOOGLE else {"data": [{"id": MODEL}]}
            act = refusal(200, name)
        elif plain_path.endswith("/embeddings"):
            kind, act = "embeddings", embedded(json.loads(body), MODEL)
        elif protocol is OPENAI and not plain_path.endswith("/chat/completions"):
            act = refusal(404, protocol.refuse(404, "not found"))
        else:
            ask, clip = ask_in(json.loads(body))
            kind = kind_of(ask)
            ours = ask.schema is None or "[[[ " in said(ask)
            text = usual(ask, prose_of(clip)) if ours else json.dumps(of_form(ask.schema or {}))
            fault = self._fault_for(kind, sha)
            if fault in LASTING:
                act = LASTING[fault](ask, text, protocol)
            else:
                act = FAULTS[fault][1](ask, text, protocol) if fault else protocol.answer(cut(text))
        self._note(path=plain_path, kind=kind, sha=sha, bytes=len(body), fault=fault)
        await self._send(writer, act)
        self._note(sha=sha, whole=not fault)

    def _fault_for(self, kind: str, sha: str) -> str:
        # What was spoilt once is answered when it comes again, word for word.
        if sha in self._spoilt:
            return ""
        for name in self.faults:
            if name in LASTING:
                return name
            if not FAULTS[name][0] or kind in FAULTS[name][0]:
                self.faults.remove(name)
                self._spoilt.add(sha)
                return name
        return ""

    async def _send(self, writer: asyncio.StreamWriter, act: Act) -> None:
        names = {"Content-Type": act.kind, "Transfer-Encoding": "chunked", "Connection": "close"} | act.headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in names.items())
        writer.write(f"HTTP/1.1 {act.status} Said\r\n{lines}\r\n".encode())
        for said_block in act.blocks:
            block = said_block.replace(b'"tiny-1"', f'"{MODEL}"'.encode())
            await asyncio.sleep(self.pause)
            writer.write(b"%x\r\n%s\r\n" % (len(block), block))
            await writer.drain()
        for _ in range(100_000 if act.endless else 0):
            writer.write(b"%x\r\n%s\r\n" % (len(act.endless), act.endless))
            await writer.drain()
            await asyncio.sleep(0)
        if act.then == "drop":
            writer.transport.abort()
            return
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    def _note(self, **what: object) -> None:
        if self.log is not None:
            print(json.dumps({**what, "now": self.now}), file=self.log, flush=True)


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--port", type=int, default=0, help="0 for any that is free")
    told.add_argument("--faults", default="", help=f"with commas: all, {', '.join([*FAULTS, *LASTING])}")
    told.add_argument("--pause", type=float, default=0.0, help="seconds before each piece of an answer")
    told.add_argument("--key", default="", help="the only key that is taken; any without")
    told.add_argument("--log", type=Path, help="a line of JSON for each request and each whole answer")
    told.add_argument("--tls", type=Path, help="a certificate with its key in one file")
    given = told.parse_args()
    faults = list(FAULTS) if given.faults == "all" else [each for each in given.faults.split(",") if each]
    if unknown := [each for each in faults if each not in FAULTS and each not in LASTING]:
        told.error(f"no such fault: {unknown[0]}")
    tls = None
    if given.tls:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(given.tls)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(given.log.open("a", encoding="utf-8")) if given.log else None
        server = ScriptedServer(faults, given.pause, given.key, log, tls)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_run(server, given.port))


async def _run(server: ScriptedServer, port: int) -> None:
    serving = await server.start(port)
    address = f"{'https' if server.tls else 'http'}://127.0.0.1:{serving.sockets[0].getsockname()[1]}"
    print(f"vLLM: {address}/v1 (model {MODEL})\nGemini: {address} (model {GEMINI})", flush=True)
    async with serving:
        await serving.serve_forever()


if __name__ == "__main__":
    main()
