"""The front of the GPU server: the single entry point to all replicas. It checks keys and forwards known requests.

An ASGI application run by uvicorn, as vLLM is. It replaces nginx because it has to know which replicas are up, route
all requests of a scene to the same one (whose cache then holds the clip), and close the connection to vLLM when a
client disconnects; and nothing else has to be installed and maintained. Only the routes in `FORWARDED_ROUTES` exist:
vLLM has many more endpoints.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any

import httpx2

from adstudio.llm.server_load import LOAD_HEADER, ServerLoad
from adstudio.serving.admission import Client
from adstudio.serving.keys import Keys
from adstudio.serving.replica import Replica

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

FORWARDED_ROUTES: frozenset[tuple[str, str]] = frozenset(
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
"""Sent by our clients with each request: the same for all requests about a scene, and revealing nothing of it."""
BODY_BYTES = 96_000_000
"""The largest request body accepted: more than any of our clients sends."""
LINGER_S = 10.0
"""Seconds for which the body of a rejected request is discarded, until its client has read the error."""
STALL_S = 30.0
LEAST_RATE = 10_000
"""Seconds without a piece of the body, and bytes per second after these, below which an upload is ended."""
_STOPPED = 408
_FORWARDED = (b"content-type", b"content-length", b"accept", b"x-request-id")
_BACK = (b"content-type", b"content-length", b"cache-control", b"x-request-id", b"retry-after")
_MOST_SESSION = 200

log = logging.getLogger("adstudio.serving")


class _Gone(Exception):  # noqa: N818 - nothing is wrong
    """The client has disconnected."""


@dataclass(frozen=True, slots=True)
class FrontReply:
    """A reply of the front itself."""

    status: int
    body: bytes
    kind: str = "application/json"
    headers: tuple[tuple[bytes, bytes], ...] = ()


class _Refused(Exception):  # noqa: N818 - answered
    """The rest of the body is not wanted."""

    def __init__(self, reply: FrontReply) -> None:
        super().__init__(reply.status)
        self.reply = reply


Page = Callable[[str, bool], Awaitable[FrontReply | None]]
"""The front's own page for a path, given whether the client is authenticated; None for other paths."""


class Front:
    """Handles each request itself or forwards it to the right replica."""

    def __init__(
        self,
        replicas: Sequence[Replica],
        keys: Keys,
        page: Page,
        *,
        body_bytes: int = BODY_BYTES,
        admit: Callable[[Client | None], None] = lambda _client: None,
    ) -> None:
        self._replicas = tuple(replicas)
        self._clients = {replica.number: replica.client() for replica in self._replicas}
        self._keys = keys
        self._page = page
        self._body_bytes = body_bytes
        self._admit = admit
        self.ending = False

    async def aclose(self) -> None:
        """Close the clients of the replicas."""
        for client in self._clients.values():
            await client.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI call for one request."""
        if scope["type"] != "http":
            return
        try:
            reply = await self._answer(scope, receive, send)
        except _Gone:
            return
        if reply is not None:
            await _send_reply(scope, receive, send, reply)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> FrontReply | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        method, path = scope["method"], scope["path"]
        sent = headers.get(b"authorization", b"").decode("latin-1")
        admitted = self._keys.admit(sent, browser=method in {"GET", "HEAD"})
        if admitted:
            self._admit(scope.get("client"))
        if method in {"GET", "HEAD"} and (own := await self._page(path, admitted)) is not None:
            return own
        if not admitted:
            return refusal(401, "the key is missing or wrong", (b"www-authenticate", b"Bearer"))
        if (method, path) not in FORWARDED_ROUTES:
            return refusal(404, f"{method} {path[:100]} is not available here")
        if (refused := self._refused_for_length(headers)) is not None:
            return refused
        replica = chosen(self._replicas, headers.get(SESSION, b"")[:_MOST_SESSION])
        if replica is None or self.ending:
            return refusal(503, "no replica is up: the model is being loaded", (b"retry-after", b"5"))
        replica.in_flight += 1
        try:
            return await self._pass_on(replica, scope, headers, receive, send)
        finally:
            replica.in_flight -= 1

    async def _pass_on(
        self, replica: Replica, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send
    ) -> FrontReply | None:
        """Relay in both directions, block by block; when either side disconnects, the other is closed."""
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
    ) -> FrontReply | None:
        sent = [(name, headers[name]) for name in _FORWARDED if name in headers]
        client = self._clients[replica.number]
        content = inbound.body() if scope["method"] == "POST" else None
        request = client.build_request(scope["method"], scope["path"], headers=sent, content=content)
        try:
            response = await client.send(request, stream=True)
        except _Refused as error:
            return error.reply
        except (httpx2.HTTPError, OSError):
            return refusal(502, f"{replica.name} was lost: try again", (b"retry-after", b"1"))
        finally:
            inbound.discard_body()
        try:
            back = [(name.lower(), value) for name, value in response.headers.raw if name.lower() in _BACK]
            back += self._load()
            await send({"type": "http.response.start", "status": response.status_code, "headers": back})
            async for block in response.aiter_raw():
                await send({"type": "http.response.body", "body": block, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await response.aclose()
        return None

    def _load(self) -> list[tuple[bytes, bytes]]:
        """The header that tells our clients how many requests all replicas bear, and how many they have."""
        up = [replica for replica in self._replicas if replica.state == "up"]
        slots = [replica.slots for replica in up if replica.slots]
        if not up or len(slots) < len(up):
            return []
        load = ServerLoad(sum(replica.in_flight for replica in up), sum(slots))
        return [(LOAD_HEADER.encode(), load.header.encode())]

    def _refused_for_length(self, headers: dict[bytes, bytes]) -> FrontReply | None:
        if b"content-length" in headers and b"transfer-encoding" in headers:
            # RFC 9112, 6.1: a proxy in front of us may take two lengths for two requests (request smuggling).
            return refusal(400, "the request gives its length in two ways", (b"connection", b"close"))
        return _too_large(self._body_bytes) if _length(headers) > self._body_bytes else None


class _Inbound:
    """A client's messages: the body first, then the disconnection."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._over = asyncio.Event()
        self._gone = False

    async def body(self) -> AsyncIterator[bytes]:
        taken, waited = 0, 0.0
        try:
            while True:
                began = monotonic()
                message = await self._next(min(STALL_S, STALL_S + taken / LEAST_RATE - waited))
                waited += monotonic() - began  # not the time that vLLM takes to accept what came
                if message["type"] == "http.disconnect":
                    self._gone = True
                    raise _Gone
                taken += len(message.get("body", b""))
                if taken > self._most:
                    raise _Refused(_too_large(self._most))
                if block := message.get("body", b""):
                    yield block
                if not message.get("more_body", False):
                    return
        finally:
            self._over.set()

    async def _next(self, patience_s: float) -> Message:
        try:
            return await asyncio.wait_for(self._receive(), patience_s)
        except TimeoutError:
            why = "the request did not arrive in time: the connection is too slow, or was interrupted"
            raise _Refused(refusal(_STOPPED, why, (b"connection", b"close"))) from None

    def discard_body(self) -> None:
        """The body is no longer needed."""
        self._over.set()

    async def left(self) -> None:
        """Return when the client has disconnected."""
        await self._over.wait()
        while not self._gone:
            self._gone = (await self._receive())["type"] == "http.disconnect"


def chosen(replicas: Sequence[Replica], session: bytes) -> Replica | None:
    """The replica for a request: always the same for a session while it is up, otherwise the least busy one.

    Rendezvous hashing: each session ranks all replicas, and the first that is up gets it. When a replica goes down,
    only its own sessions move, spread over the others, and they return with it.
    """
    up = [replica for replica in replicas if replica.state == "up"]
    if not up:
        return None
    if not session:
        return min(up, key=lambda replica: (replica.in_flight, replica.number))
    return max(up, key=lambda replica: sha256(b"%d " % replica.number + session).digest())


def refusal(status: int, why: str, *headers: tuple[bytes, bytes]) -> FrontReply:
    """An error in the protocol's form, which our clients display."""
    return FrontReply(
        status, json.dumps({"error": {"message": why, "type": "front", "code": status}}).encode(), headers=headers
    )


def _too_large(most: int) -> FrontReply:
    return refusal(413, f"the request exceeds the limit of {most / 1e6:.0f} MB")


def _length(headers: dict[bytes, bytes]) -> int:
    with contextlib.suppress(ValueError):
        return int(headers.get(b"content-length", b"0"))
    return 0


async def _send_reply(scope: Scope, receive: Receive, send: Send, reply: FrontReply) -> None:
    """Send a reply, and let a client that is still sending read it before the connection closes."""
    headers = [
        (b"content-type", reply.kind.encode()),
        (b"content-length", str(len(reply.body)).encode()),
        (b"cache-control", b"no-store"),
        *reply.headers,
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    sends = scope["method"] not in {"GET", "HEAD"} and reply.status != _STOPPED
    await send({"type": "http.response.body", "body": reply.body, "more_body": sends})
    if sends:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGER_S):
                while (message := await receive())["type"] != "http.disconnect" and message.get("more_body", False):
                    pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})
