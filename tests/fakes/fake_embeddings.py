"""A server of embeddings: each thing that it is sent gets the vector that the test's function gives it."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from collections.abc import Callable, Sequence
from typing import Any

from fake_server import Act, FakeServer, HttpRequest

Vector = Sequence[float]


def packed(vector: Vector) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def answered(*vectors: Any, status: int = 200, **more: Any) -> Act:
    """An answer with these embeddings, as they are."""
    rows = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
    said = {"object": "list", "model": "embed-1", "data": rows, "usage": {"prompt_tokens": 7, "total_tokens": 7}} | more
    return Act(blocks=[json.dumps(said).encode()], kind="application/json", status=status)


def things(request: HttpRequest) -> list[Any]:
    """What was sent to be embedded: texts, or the content of what a user says."""
    sent = request.json
    if "input" in sent:
        return sent["input"]
    talks = sent["messages"]
    return [talk[1]["content"] for talk in (talks if isinstance(talks[0], list) else [talks])]


class EmbeddingServer(FakeServer):
    """Gives every thing the vector of `of`, in base64."""

    def __init__(self, of: Callable[[Any], Vector]) -> None:
        super().__init__(Act())
        self._of = of

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *rest = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        request = HttpRequest(*first.split(" ")[:2], headers, body)
        self.requests.append(request)
        act = answered(*(packed(self._of(thing)) for thing in things(request)))
        data = b"".join(act.blocks)
        await self._send(
            writer,
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(data) + data,
        )
