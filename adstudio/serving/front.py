"""The front of the GPU server: the one door to all replicas. It lets in who has the key, and passes on what it knows.

An ASGI application, run by uvicorn, which vLLM itself is run by. A front of our own and not nginx, since it has to know
which replicas are up, send the asks of one scene to one of them (its caches know the clip then), close the connection
behind it when who asked has gone, and be there without anything else being installed and kept; and it is small enough
to be read in a sitting. Whatever is not named in `PASSED` does not exist: vLLM has more doors than anybody remembers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import httpx2

from adstudio.serving.keys import Keys
from adstudio.serving.replica import Replica

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PASSED: frozenset[tuple[str, str]] = frozenset(
    {
        ("GET", "/v1/models"),
        ("GET", "/version"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/v1/embeddings"),
        ("POST", "/tokenize"),
        ("POST", "/detokenize"),
    }
)
SESSION = b"x-session-id"
"""What our clients send with each ask of a scene: the same for all of that scene, and telling nothing of it."""
BODY_BYTES = 96_000_000
"""The largest request taken: more than any client of ours sends at once."""
LINGER_S = 10.0
"""How long who is refused may go on sending, unheard, until they have read the refusal."""
_FORWARDED = (b"content-type", b"content-length", b"accept", b"x-request-id")
_BACK = (b"content-type", b"content-length", b"cache-control", b"x-request-id", b"retry-after")
_MOST_SESSION = 200

log = logging.getLogger("adstudio.serving")


class _Gone(Exception):  # noqa: N818 - nothing is wrong
    """Who asked has left."""


class _TooLarge(Exception):  # noqa: N818 - answered with 413
    """The request is larger than is taken."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer of the front itself."""

    status: int
    body: bytes
    kind: str = "application/json"
    headers: tuple[tuple[bytes, bytes], ...] = ()


Page = Callable[[str, bool], Awaitable[Said | None]]
"""What the front says itself for a path, and whether who asks has a key; null where the path is not one of its own."""


class Front:
    """Answers each request: by itself, or by the replica that it belongs to."""

    def __init__(self, replicas: Sequence[Replica], keys: Keys, page: Page, *, body_bytes: int = BODY_BYTES) -> None:
        self._replicas = tuple(replicas)
        self._clients = {replica.number: replica.client() for replica in self._replicas}
        self._keys = keys
        self._page = page
        self._body_bytes = body_bytes
        self.ending = False

    async def aclose(self) -> None:
        """Close what is open to the replicas."""
        for client in self._clients.values():
            await client.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI's call: one request."""
        if scope["type"] != "http":
            return
        try:
            said = await self._answer(scope, receive, send)
        except _Gone:
            return
        if said is not None:
            await _say(scope, receive, send, said)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Said | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        method, path = scope["method"], scope["path"]
        sent = headers.get(b"authorization", b"").decode("latin-1")
        admitted = self._keys.admit(sent, browser=method in {"GET", "HEAD"})
        if method in {"GET", "HEAD"} and (own := await self._page(path, admitted)) is not None:
            return own
        if not admitted:
            return refusal(401, "the key is missing or wrong", (b"www-authenticate", b"Bearer"))
        if (method, path) not in PASSED:
            return refusal(404, f"{method} {path[:100]} is not to be had here")
        if (refused := self._refused_for_length(headers)) is not None:
            return refused
        replica = chosen(self._replicas, headers.get(SESSION, b"")[:_MOST_SESSION])
        if replica is None or self.ending:
            return refusal(503, "no replica is up just now: the model is being loaded", (b"retry-after", b"5"))
        replica.in_flight += 1
        try:
            return await self._pass_on(replica, scope, headers, receive, send)
        finally:
            replica.in_flight -= 1

    async def _pass_on(
        self, replica: Replica, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send
    ) -> Said | None:
        """Both ways at once, block by block; whichever side goes first, the other is closed."""
        inbound = _Inbound(receive, self._body_bytes)
        relay = asyncio.create_task(self._relay(replica, scope, headers, inbound, send))
        left = asyncio.create_task(inbound.left())
        try:
            await asyncio.wait([relay, left], return_when=asyncio.FIRST_COMPLETED)
            if not relay.done():
                raise _Gone
            return relay.result()
        finally:
            for task in (relay, left):
                task.cancel()
            await asyncio.gather(relay, left, return_exceptions=True)

    async def _relay(
        self, replica: Replica, scope: Scope, headers: dict[bytes, bytes], inbound: _Inbound, send: Send
    ) -> Said | None:
        sent = [(name, headers[name]) for name in _FORWARDED if name in headers]
        client = self._clients[replica.number]
        content = inbound.body() if scope["method"] == "POST" else None
        request = client.build_request(scope["method"], scope["path"], headers=sent, content=content)
        try:
            response = await client.send(request, stream=True)
        except _TooLarge:
            return self._too_large()
        except (httpx2.HTTPError, OSError):
            return refusal(502, f"{replica.name} was lost: ask again", (b"retry-after", b"1"))
        finally:
            inbound.let_go()
        try:
            back = [(name.lower(), value) for name, value in response.headers.raw if name.lower() in _BACK]
            await send({"type": "http.response.start", "status": response.status_code, "headers": back})
            async for block in response.aiter_raw():
                await send({"type": "http.response.body", "body": block, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await response.aclose()
        return None

    def _refused_for_length(self, headers: dict[bytes, bytes]) -> Said | None:
        if b"content-length" in headers and b"transfer-encoding" in headers:
            # RFC 9112, 6.1: two lengths may be two requests to whatever stands before us.
            return refusal(400, "the request tells its length in two ways", (b"connection", b"close"))
        return self._too_large() if _length(headers) > self._body_bytes else None

    def _too_large(self) -> Said:
        return refusal(413, f"the request is larger than the {self._body_bytes / 1e6:.0f} MB that are taken here")


class _Inbound:
    """What comes from who asks: the body first, then word that they have left."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._over = asyncio.Event()
        self._gone = False

    async def body(self) -> AsyncIterator[bytes]:
        taken = 0
        try:
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect":
                    self._gone = True
                    raise _Gone
                taken += len(message.get("body", b""))
                if taken > self._most:
                    raise _TooLarge
                if block := message.get("body", b""):
                    yield block
                if not message.get("more_body", False):
                    return
        finally:
            self._over.set()

    def let_go(self) -> None:
        """The body is wanted no more."""
        self._over.set()

    async def left(self) -> None:
        """Returns when who asked has left."""
        await self._over.wait()
        while not self._gone:
            self._gone = (await self._receive())["type"] == "http.disconnect"


def chosen(replicas: Sequence[Replica], session: bytes) -> Replica | None:
    """The replica for an ask: for a session always the same while it is up, else the one with least to do.

    When a replica goes, only its own sessions move, and spread over the others; when it comes back, they do (rendezvous
    hashing: each session has an order of all replicas, and the first that is up has it).
    """
    up = [replica for replica in replicas if replica.state == "up"]
    if not up:
        return None
    if not session:
        return min(up, key=lambda replica: (replica.in_flight, replica.number))
    return max(up, key=lambda replica: sha256(b"%d " % replica.number + session).digest())


def refusal(status: int, why: str, *headers: tuple[bytes, bytes]) -> Said:
    """A refusal in the protocol's own form, which our clients show."""
    return Said(
        status, json.dumps({"error": {"message": why, "type": "front", "code": status}}).encode(), headers=headers
    )


def _length(headers: dict[bytes, bytes]) -> int:
    with contextlib.suppress(ValueError):
        return int(headers.get(b"content-length", b"0"))
    return 0


async def _say(scope: Scope, receive: Receive, send: Send, said: Said) -> None:
    """Say it, and let who asked hear it: one who still sends is not cut off before they have read why."""
    headers = [
        (b"content-type", said.kind.encode()),
        (b"content-length", str(len(said.body)).encode()),
        (b"cache-control", b"no-store"),
        *said.headers,
    ]
    await send({"type": "http.response.start", "status": said.status, "headers": headers})
    sends = scope["method"] not in {"GET", "HEAD"}
    await send({"type": "http.response.body", "body": said.body, "more_body": sends})
    if sends:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGER_S):
                while (message := await receive())["type"] != "http.disconnect" and message.get("more_body", False):
                    pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})
