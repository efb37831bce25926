"""A vLLM that is none: an ASGI application with a fault of one's choice, and a program to be found as `vllm`.

As a program it listens on the socket it is given, notes in the folder FAKE_VLLM how it was started and what was asked,
and has the faults that the file `faults` there names when it starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

VERSION = "0.32.0"
KEY = "sk-test-0123456789abcdef"
MODEL = "tiny"
PAD = 7  # the token that stands for a piece of a picture
FRAMES = 40


def _sse(said: Any) -> bytes:
    return b"data: " + (said if isinstance(said, bytes) else json.dumps(said).encode()) + b"\n\n"


class FakeVllm:
    """Answers as vLLM 0.32 does, as far as we look; `faults` are words for what is wrong with it."""

    def __init__(self, *faults: str, folder: Path | None = None, key: str = "") -> None:
        self.faults = set(faults)
        self.folder = folder
        self.key = key
        self.most = 15_000_000
        self.running = 0
        self.most_running = 0
        self.through = 0
        self.long_ones = 0
        self.gone = 0
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.shared: Any = None

    def note(self, name: str, said: Any) -> None:
        if self.folder is not None:
            with (self.folder / name).open("a") as file:
                file.write(json.dumps(said) + "\n")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
            return
        method, path = scope["method"], scope["path"]
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        self.paths.append(path)
        self.note("asked", [os.getpid(), method, path, headers])
        guarded = path.startswith("/v1") or ("open doors" not in self.faults and path != "/health")
        if (
            self.key
            and guarded
            and headers.get("authorization") != f"Bearer {self.key}"
            and "no key" not in self.faults
        ):
            await self.say(send, {"error": {"message": "Unauthorized"}}, 401)
            return
        body = bytearray()
        while method == "POST":
            message = await receive()
            if message["type"] == "http.disconnect":
                self.gone += 1
                self.note("gone", "body")
                return
            body += message.get("body", b"")
            if "body limit" in self.faults and len(body) > self.most:
                await self.say(send, {"error": {"message": "too large"}}, 413)
                return
            if not message.get("more_body"):
                break
        match path:
            case "/health":
                await self.say(send, {}, 500 if "ill" in self.faults else 200)
            case "/version" if "not vllm" not in self.faults:
                old = "0.29.1" if "old" in self.faults else "0.31.0" if "rather old" in self.faults else VERSION
                await self.say(send, {"version": old})
            case "/v1/models":
                row = {"id": MODEL, "max_model_len": 4096 if "short" in self.faults else 49152}
                await self.say(send, {"object": "list", "data": [] if "no model" in self.faults else [row]})
            case "/metrics" if "no metrics" not in self.faults:
                await self.text(send, self.metrics())
            case "/tokenize" | "/detokenize" if "no detokenize" not in self.faults:
                tokens = json.loads(body).get("tokens", [])
                await self.say(send, {"prompt": self.prompt(tokens), "tokens": [1, 2, 3], "count": 3})
            case "/v1/chat/completions":
                await self.chat(json.loads(body), receive, send)
            case "/v1/embeddings":
                await self.say(send, {"data": [{"embedding": [0.5]}]})
            case "/kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case _:
                await self.say(send, {"detail": "Not Found"}, 404)

    async def live(self, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        self.note("ended", os.getpid())
        await send({"type": "lifespan.shutdown.complete"})

    def metrics(self) -> str:
        running = self.running + (1 if "stuck" in self.faults else 0)
        if "uncounted" in self.faults or ("counted late" in self.faults and self.long_ones < 3):
            running = 0
        return (
            "# HELP vllm:num_requests_running Number running.\n# TYPE vllm:num_requests_running gauge\n"
            f'vllm:num_requests_running{{engine="0",model_name="{MODEL}"}} {running}.0\n'
            f'vllm:request_success_total{{engine="0",finished_reason="length",model_name="{MODEL}"}} {self.through}.0\n'
            f'vllm:request_success_total{{engine="0",finished_reason="stop",model_name="{MODEL}"}} 7.0\n'
            "# HELP vllm:num_requests_waiting Number waiting.\n# TYPE vllm:num_requests_waiting gauge\n"
            f'vllm:num_requests_waiting{{engine="0",model_name="{MODEL}"}} 0.0\n'
        )

    # Each pair of pictures is a marker (its token is 1000 and the marker's time in tenths) and four pads.

    def markers(self) -> list[float]:
        if "cut to 32" in self.faults:
            return [0.5 + 2 * k for k in range(16)]
        if "two a second" in self.faults:
            return [0.2 + k for k in range(20)]
        return [0.5 + 2 * k for k in range(FRAMES // 2)]

    def tokens(self) -> list[int]:
        return [1, 2, *(token for at in self.markers() for token in (1000 + round(at * 10), *[PAD] * 4)), 3]

    def prompt(self, tokens: list[int]) -> str:
        return "".join(f"<{(t - 1000) / 10:.1f} seconds>" if t >= 1000 else "x" for t in tokens)

    async def chat(self, ask: dict[str, Any], receive: Any, send: Any) -> None:
        if "chat fails" in self.faults:
            await self.say(send, {"error": {"message": "engine dead"}}, 500)
            return
        text, schema, clip = _parts(ask)
        self.asked.append(ask)
        if ("busy" in self.faults and self.running > 6) or ("full" in self.faults and ask.get("max_tokens") == 24):
            await self.say(send, {"error": {"message": "busy"}}, 503)
            return
        if clip is not None and clip[4:8] != b"ftyp":
            await self.say(send, {"error": {"message": "no clip"}}, 400)
            return
        answer = self.answer(text, schema)
        thinks = (ask.get("chat_template_kwargs") or {}).get("enable_thinking") is True
        usage = {"prompt_tokens": 900, "completion_tokens": 5}
        if "no details" not in self.faults:
            usage |= {"prompt_tokens_details": {"cached_tokens": 640 if len(ask["messages"]) > 2 else 0}}
        if not ask.get("stream"):
            if "slow" in self.faults:
                await _left(receive)
                self.gone += 1
                return
            message = {"role": "assistant", "content": answer}
            said = {"model": MODEL, "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
            if ask.get("return_token_ids") and "no ids" not in self.faults:
                said["prompt_token_ids"] = self.tokens()
            await self.say(send, said)
            return
        await self.stream(ask, answer, thinks, usage, receive, send)

    async def stream(self, ask: Any, answer: str, thinks: bool, usage: Any, receive: Any, send: Any) -> None:
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        self.long_ones += bool(ask.get("min_tokens"))
        left = asyncio.create_task(_left(receive))
        head = [(b"content-type", b"text/event-stream; charset=utf-8")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await asyncio.sleep(0.1 if "busy" in self.faults else 0)
            pieces = [{"reasoning": "hm"}] * thinks + [
                {"content": answer[k : k + 20]} for k in range(0, len(answer), 20)
            ]
            for piece in pieces:
                if "breaks" in self.faults:
                    raise ConnectionError
                await send({"type": "http.response.body", "body": _sse(_chunk(piece)), "more_body": True})
            for _ in range(int(ask.get("min_tokens") or 0)):
                if left.done():
                    break
                await send({"type": "http.response.body", "body": _sse(_chunk({"content": "x"})), "more_body": True})
                await asyncio.sleep(0.02)
            if left.done() and "hasty" in self.faults:
                self.through += bool(ask.get("min_tokens"))
            if left.done():
                self.gone += 1
                self.note("gone", "stream")
                if "deaf" in self.faults:
                    await asyncio.sleep(6)
                return
            for last in (_chunk({}, "stop"), {"model": MODEL, "choices": [], "usage": usage}, b"[DONE]"):
                await send({"type": "http.response.body", "body": _sse(last), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            left.cancel()
            self.running -= 1

    def answer(self, text: str, schema: Any) -> str:
        if schema is not None:
            ids = [row["properties"]["id"]["const"] for row in schema["properties"]["elements"]["prefixItems"]]
            rows = [
                {"id": name, "start_ds": None if k else 5, "salience_pct": 50, "ad": "He sits."}
                for k, name in enumerate(ids)
            ]
            if "wrong ids" in self.faults:
                rows[0]["id"] = "e99"
            made = json.dumps({"elements": rows}, separators=(",", ":"))
            return "{" + made if "double brace" in self.faults else made[:-4] if "torn" in self.faults else made
        if "mute" in self.faults and "happens" in text:
            return ""
        if "random" in self.faults:
            return "zq xx"
        if "number" in text:
            return "7" if "wrong order" in self.faults else "30"
        return "yes"

    async def say(self, send: Any, said: Any, status: int = 200) -> None:
        await self.text(send, json.dumps(said), status, "application/json")

    async def text(self, send: Any, said: str, status: int = 200, kind: str = "text/plain") -> None:
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind.encode())]})
        await send({"type": "http.response.body", "body": said.encode()})


def _parts(ask: dict[str, Any]) -> tuple[str, Any, bytes | None]:
    texts, clip = "", None
    for message in ask["messages"]:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                texts += part["text"] + "\n"
            elif part["type"] == "video_url":
                clip = b64decode(re.sub("^data:video/mp4;base64,", "", part["video_url"]["url"]))
    schema = ((ask.get("response_format") or {}).get("json_schema") or {}).get("schema")
    return texts, schema, clip


def _chunk(delta: dict[str, str], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"object": "chat.completion.chunk", "model": MODEL, "choices": [choice]}


async def _left(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def main() -> int:
    if "--version" in sys.argv:
        print(VERSION)
        return 0
    folder = Path(os.environ["FAKE_VLLM"])
    faults = (folder / "faults").read_text().split(",") if (folder / "faults").exists() else []
    fake = FakeVllm(*faults, folder=folder)
    names = ("CUDA_VISIBLE_DEVICES", "VLLM_NO_USAGE_STATS", "DO_NOT_TRACK", "VLLM_API_KEY", "ADSTUDIO_KEY_X")
    fake.note("started", [os.getpid(), sys.argv[1:], {name: os.environ.get(name) for name in names}])
    if "does not start" in faults:
        print("ValueError: no such model", file=sys.stderr)
        return 1
    if "shares memory" in faults:  # as vLLM does between its processes
        from multiprocessing.shared_memory import SharedMemory

        fake.shared = SharedMemory(create=True, size=1_000)
        fake.note("memory", fake.shared.name)
    if "outlives" in faults and os.fork() == 0:  # an engine that is not ended with it
        fake.note("engine", os.getpid())
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            signal.pause()
    import uvicorn

    if "deaf to signals" in faults:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    socket = sys.argv[sys.argv.index("--uds") + 1]
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.run(fake, uds=socket, log_level="error", lifespan="on", ws="none", http="h11")
    return 0


if __name__ == "__main__":
    sys.exit(main())
