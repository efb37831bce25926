"""A scripted HTTP server in the test's own event loop: no threads, and gone with it."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self


@dataclass
class HttpRequest:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Act:
    """What the server does with one request: the head, then blocks with pauses between, and how it ends."""

    blocks: Sequence[bytes] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "text/event-stream"
    then: Literal["end", "drop", "hang"] = "end"
    head: bool = True
    pause: float = 0.0
    endless: bytes = b""


def refusal(status: int, said: Any, **headers: str) -> Act:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    kind = "text/html" if isinstance(said, bytes) else "application/json"
    return Act(blocks=[body], status=status, kind=kind, headers={k.replace("_", "-"): v for k, v in headers.items()})


class FakeServer:
    """Does one act after the other, a request each; the last again and again."""

    def __init__(self, *acts: Act, tls: ssl.SSLContext | None = None, keep: bool = True) -> None:
        self._acts = list(acts)
        self._tls = tls
        self._keep = keep  # what was sent
        self._begun = 0
        self.requests: list[HttpRequest] = []
        self.open = 0
        self.most_open = 0
        self.hung_up = 0  # connections that the client closed in the middle of an answer
        self.sent = 0
        self.received = 0
        self.asked = asyncio.Event()  # a whole request has come
        self.left = asyncio.Event()  # a connection has ended

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for _ in range(200):
            if self.open:
                await asyncio.sleep(0.01)
        assert not self.open, "a connection was left open"

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up += 1
        finally:
            self.open -= 1
            self.left.set()
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *rest = head.decode().split("\r\n")
        method, path, _ = first.split(" ")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest if line)}
        act = self._acts[min(self._begun, len(self._acts) - 1)]
        self._begun += 1
        left, body = int(headers.get("content-length", "0")), b""
        self.received += len(head) + left
        if self._keep:
            body = await reader.readexactly(left)
        while not self._keep and left:
            left -= len(await reader.read(min(left, 65_536)))
        self.requests.append(HttpRequest(method, path, headers, body))
        self.asked.set()
        if act.head:
            names = {"Content-Type": act.kind, "Transfer-Encoding": "chunked"} | act.headers
            lines = "".join(f"{name}: {value}\r\n" for name, value in names.items())
            await self._send(writer, f"HTTP/1.1 {act.status} Said\r\n{lines}\r\n".encode())
        for block in act.blocks:
            await asyncio.sleep(act.pause)
            await self._send(writer, b"%x\r\n%s\r\n" % (len(block), block))
        while act.endless:
            await self._send(writer, b"%x\r\n%s\r\n" % (len(act.endless), act.endless))
            await asyncio.sleep(0)
        if act.then == "hang":
            await reader.read()
            self.hung_up += 1
        elif act.then == "drop":
            writer.transport.abort()
        elif act.head:
            await self._send(writer, b"0\r\n\r\n")

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        self.sent += len(data)
        await writer.drain()
