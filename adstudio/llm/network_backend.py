"""The one place where sockets are opened, after a check of the project's policy, and where bytes are counted."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextvars import ContextVar
from typing import Any, Protocol, cast

import httpcore2

from adstudio.llm.faults import NotAllowedError, RunawayError

SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]

KEEP_ALIVE: tuple[tuple[int, int, int], ...] = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), 30)
        for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL")
        if hasattr(socket, name)
    ),
)
LOOPBACK = ("127.0.0.1", "::1")
"""The addresses of "localhost", in the order in which they are tried."""
_SEND_AT_ONCE = _READ_AT_ONCE = 65_536
_NOTED_EVERY = 16 * _SEND_AT_ONCE
"""Bytes of a long request between entries in the log."""


Permit = Callable[[str, str, int], None]
"""Called with scheme, host and port before anything is opened; raises `NotAllowedError`."""


class Closable(Protocol):
    """Anything that must be closed."""

    async def aclose(self) -> None:
        """Close it; may be called more than once."""
        ...


_opened: ContextVar[list[Closable] | None] = ContextVar("opened", default=None)


def track_open(response: Closable) -> None:
    """Have a response closed at the end of its request, even if a client forgets to."""
    if (open_responses := _opened.get()) is not None:
        open_responses.append(response)


@contextlib.asynccontextmanager
async def closing_responses() -> AsyncGenerator[None]:
    """Closes, on exit, every response opened inside, rather than leaving that to garbage collection."""
    open_responses: list[Closable] = []
    token = _opened.set(open_responses)
    try:
        yield
    finally:
        _opened.reset(token)
        for response in open_responses:
            await response.aclose()


class Exchange:
    """One request's IP address, byte counts and current read timeout; `note` logs what has been sent.

    `wait` is for the beginning of the response, whatever comes before it, and `most` for all bytes received: interim
    responses (1xx), headers and trailers have no end of their own.
    """

    def __init__(
        self, place: str, wait: float, note: Callable[[], None] = lambda: None, *, most: int = 16_000_000
    ) -> None:
        self.place = place
        self.address = ""
        self.sent = 0
        self.received = 0
        self.wait = wait
        self._most = most
        self._note = note
        self._logged = 0
        self._until: float | None = None
        self._begun = False

    def begin(self, wait: float) -> None:
        """Note that the response's body has begun: from now on, each read may take `wait` seconds."""
        self.wait, self._begun = wait, True

    def timeout(self) -> float:
        """Seconds that the next read may take."""
        if self._begun:
            return self.wait
        now = time.monotonic()
        if self._until is None:
            self._until = now + self.wait
        return max(self._until - now, 0.0)

    def came_in(self, count: int) -> None:
        """Count bytes received; raises RunawayError when they are too many."""
        self.received += count
        if self.received > self._most:
            most = self._most // 1_000_000
            raise RunawayError(f"{self.place} sent more than {most} MB in one response, so it was stopped")

    def went_out(self, count: int) -> None:
        """Count bytes sent."""
        self.sent += count
        if self.sent - self._logged >= _NOTED_EVERY:
            self.note()

    def note(self) -> None:
        """Log the bytes sent so far, unless already logged."""
        if self.sent > self._logged:
            self._logged = self.sent
            self._note()


class _Counted(httpcore2.AsyncNetworkStream):
    """A connection that counts its bytes and takes its read timeout from the exchange.

    Over TLS it listens as soon as it sends: a server that refuses the connection says so only then (TLS 1.3), and what
    it said is lost once sending fails.
    """

    def __init__(self, inner: httpcore2.AsyncNetworkStream, exchange: Exchange, *, secure: bool = False) -> None:
        self._inner = inner
        self._exchange = exchange
        self._listens = secure
        self._early: asyncio.Future[bytes] | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's own
        limit = self._exchange.timeout() if timeout is None else timeout
        if self._early is None:
            data = await self._inner.read(max_bytes, limit)
        else:
            try:
                data = await asyncio.wait_for(self._early, limit)
            except TimeoutError:
                raise httpcore2.ReadTimeout from None
            self._early = None
        self._exchange.came_in(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's own
        if self._listens:
            self._listens = False
            self._early = asyncio.ensure_future(self._inner.read(_READ_AT_ONCE))
        view = memoryview(buffer)
        for start in range(0, len(view), _SEND_AT_ONCE):
            block = bytes(view[start : start + _SEND_AT_ONCE])
            try:
                await self._inner.write(block, timeout)
            except ssl.SSLError:
                # What the server said before it closed the connection says more.
                if self._early is not None and self._early.done():
                    self._early.result()
                raise
            self._exchange.went_out(len(block))

    async def aclose(self) -> None:
        if self._early is not None:
            self._early.cancel()
            await asyncio.gather(self._early, return_exceptions=True)
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
    ) -> httpcore2.AsyncNetworkStream:
        inner = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        return _Counted(inner, self._exchange, secure=True)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore's own
        return self._inner.get_extra_info(info)


class PolicyBackend(httpcore2.AsyncNetworkBackend):
    """Opens the one connection of an exchange, after checking the policy once more, whoever the caller is."""

    def __init__(self, permit: Permit, scheme: str, exchange: Exchange) -> None:
        self._permit = permit
        self._scheme = scheme
        self._exchange = exchange
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Check the policy, then connect; "localhost" is this machine, whatever a resolver says (RFC 6761, 6.3)."""
        self._permit(self._scheme, host, port)
        *others, last = LOOPBACK if host.rstrip(".").lower() == "localhost" else (host,)
        for address in others:
            with contextlib.suppress(httpcore2.ConnectError):
                return await self._connect(address, port, timeout, local_address, socket_options)
        return await self._connect(last, port, timeout, local_address, socket_options)

    async def _connect(self, host: str, port: int, *given: Any) -> httpcore2.AsyncNetworkStream:  # noqa: ANN401 - httpcore's
        inner = await self._inner.connect_tcp(host, port, *given)
        self._exchange.address = str((inner.get_extra_info("server_addr") or ("",))[0])
        return _Counted(inner, self._exchange)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - httpcore's own
        socket_options: Iterable[SocketOption] | None = None,  # noqa: ARG002 - httpcore's own
    ) -> httpcore2.AsyncNetworkStream:
        """Never allowed."""
        raise NotAllowedError(f"nothing is sent through the socket {path}")

    async def sleep(self, seconds: float) -> None:
        """Sleep, as the inner backend does."""
        await self._inner.sleep(seconds)
