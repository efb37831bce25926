"""The only way to the network: checks the project's policy before any socket is opened, and counts all bytes.

Each request has its own connection. Requests take seconds, so connecting costs nothing in comparison; in return, byte
counts belong to one request, a cancelled request always closes its connection, and no request runs into a connection
that the server is just closing (vLLM closes idle ones after 5 s).
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Callable, Generator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

import httpcore2
import httpx2

from adstudio.core.policy import host_and_port
from adstudio.llm import traffic_log
from adstudio.llm.faults import (
    ClientCertificateError,
    FaultError,
    GarbledError,
    LostError,
    NotAllowedError,
    SilentError,
    UnreachableError,
    UntrustedError,
)
from adstudio.llm.network_backend import KEEP_ALIVE, Exchange, PolicyBackend, track_open
from adstudio.llm.policy_enforcement import is_number, permit

if TYPE_CHECKING:
    from adstudio.core.policy import Policy


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """Timeouts in seconds, and the most bytes of one response.

    Timeouts to connect, to send one block, for the first byte of the response (a busy server queues requests), and
    between bytes.
    """

    connect: float = 10.0
    send: float = 60.0
    first: float = 300.0
    between: float = 60.0
    received: int = 16_000_000


class Transport(httpx2.AsyncBaseTransport):
    """The transport for HTTP clients.

    It raises `FaultError`s in place of a client's own errors, rejects redirects, uses no proxy, and rejects compressed
    responses, whose size cannot be bounded. `on_traffic` is called before each request is opened and after it ended,
    blocked ones included. `authority` is a file of certificates to trust instead of the system's.
    """

    def __init__(
        self,
        policy: Policy,
        on_traffic: traffic_log.OnTraffic,
        *,
        limits: TransportLimits = TransportLimits(),
        authority: Path | None = None,
    ) -> None:
        self._permit = partial(permit, policy)
        self._on_traffic = on_traffic
        self._limits = limits
        self._authority = authority
        self._context: ssl.SSLContext | None = None
        self._numbers = count(1)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request over a connection of its own."""
        url, number = request.url, next(self._numbers)
        port = url.port or (443 if url.scheme == "https" else 80)
        # Without a trailing dot, as the policy and all messages name the host.
        named = url.host.rstrip(".")

        def log_event(event: traffic_log.Event, status: int = 0) -> None:
            what = (traffic_log.now(), request.method, exchange.place, url.path)
            counts = (exchange.sent, exchange.received, status, exchange.address)
            self._on_traffic(traffic_log.TrafficRecord(number, event, *what, *counts))

        def log_sent() -> None:
            # It has been sent: a log that can no longer be written is reported at the end.
            with contextlib.suppress(NotAllowedError):
                log_event("sent")

        exchange = Exchange(host_and_port(named, port), self._limits.first, log_sent, most=self._limits.received)
        try:
            self._permit(url.scheme, url.host, port)
        except FaultError:
            log_event("refused")
            raise
        trust = self._trust() if url.scheme == "https" else None
        log_event("begun")
        connection = httpcore2.AsyncHTTPConnection(
            httpcore2.Origin(url.raw_scheme, _connect_host(request.url), port),
            ssl_context=trust,
            network_backend=PolicyBackend(self._permit, url.scheme, exchange),
            socket_options=KEEP_ALIVE,
        )
        status = 0
        try:
            with transport_faults(exchange):
                response = await connection.handle_async_request(self._outgoing(request, exchange))
            status = response.status
            _require_plain_response(response, exchange.place)
        except BaseException as error:
            event: traffic_log.Event = "failed" if isinstance(error, Exception) else "closed"
            with contextlib.suppress(Exception):
                await connection.aclose()
            log_event(event, status)
            raise
        body = _Body(response, connection, exchange, self._limits, lambda event: log_event(event, status))
        track_open(body)
        # Without any encoding that a client would undo, since only what arrives is bounded.
        headers = [each for each in response.headers if each[0].strip().lower() != _ENCODING]
        return httpx2.Response(status, headers=headers, stream=body, extensions={"http_version": b"HTTP/1.1"})

    def _outgoing(self, request: httpx2.Request, exchange: Exchange) -> httpcore2.Request:
        dropped = (b"accept-encoding", b"connection")
        headers = [(name, value) for name, value in request.headers.raw if name.lower() not in dropped]
        return httpcore2.Request(
            request.method,
            httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=_connect_host(request.url),
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=[*headers, (b"Accept-Encoding", b"identity"), (b"Connection", b"close")],
            content=_noted(request, exchange),
            extensions={"timeout": {"connect": self._limits.connect, "write": self._limits.send}},
        )

    def _trust(self) -> ssl.SSLContext:
        if self._context is None:
            if self._authority is None:
                self._context = httpx2.create_ssl_context(trust_env=False)
            else:
                try:
                    self._context = ssl.create_default_context(cafile=str(self._authority))
                except (OSError, ssl.SSLError):
                    raise UntrustedError(f"{self._authority}: not a certificate file: give one in PEM format") from None
        return self._context


async def _noted(request: httpx2.Request, exchange: Exchange) -> AsyncIterator[bytes]:
    """A request's body, logged as soon as all of it is sent."""
    async for data in cast("AsyncIterable[bytes]", request.stream):
        yield data
    exchange.note()


def _connect_host(url: httpx2.URL) -> bytes:
    """The host name to connect to: an IP address must not have a trailing dot."""
    return url.raw_host.rstrip(b".") if is_number(url.host.rstrip(".")) else url.raw_host


class _Body(httpx2.AsyncByteStream):
    """A response body: bounded, and with its connection closed however it ends."""

    def __init__(
        self,
        response: httpcore2.Response,
        connection: httpcore2.AsyncHTTPConnection,
        exchange: Exchange,
        limits: TransportLimits,
        log_event: Callable[[traffic_log.Event], None],
    ) -> None:
        self._response = response
        self._connection = connection
        self._exchange = exchange
        self._limits = limits
        self._log_event = log_event
        self._event: traffic_log.Event = "closed"
        self._open = True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            with transport_faults(self._exchange):
                async for data in self._response.aiter_stream():
                    self._exchange.begin(self._limits.between)
                    yield data
            self._event = "answered"
        except Exception:
            self._event = "failed"
            raise

    async def aclose(self) -> None:
        if self._open:
            self._open = False
            try:
                with contextlib.suppress(Exception):
                    await self._response.aclose()
            finally:
                with contextlib.suppress(Exception):
                    await self._connection.aclose()
                self._log_event(self._event)


_ENCODING = b"content-encoding"


def _require_plain_response(response: httpcore2.Response, place: str) -> None:
    if 300 <= response.status < 400:
        raise GarbledError(
            f"{place} redirected to another address, which is never followed: check the server’s address"
        )
    encodings = b",".join(value for name, value in response.headers if name.strip().lower() == _ENCODING).split(b",")
    if not {each.strip().lower() for each in encodings} <= {b"", b"identity"}:
        raise GarbledError(f"{place} sent a compressed response without being asked: check any proxy in front of it")


_BROKE_OFF = (
    ssl.SSLWantReadError,
    ssl.SSLWantWriteError,
    ssl.SSLEOFError,
    ssl.SSLZeroReturnError,
    ssl.SSLSyscallError,
)
"""Handshakes that timed out or were closed by the server: these say nothing about trust."""


@contextlib.contextmanager
def transport_faults(exchange: Exchange) -> Generator[None]:
    """Raise faults in place of the library's exceptions."""
    place = exchange.place
    try:
        yield
    except (httpcore2.ConnectTimeout, httpcore2.ConnectError) as error:
        if (tls := _tls_error(error)) is not None:
            _require_no_certificate(tls, place)
            raise UntrustedError(
                f"the connection to {place} cannot be trusted ({_tls_reason(tls)}), so nothing was sent: check its"
                " address and certificate, or give the certificate file of the authority that signed it"
            ) from error
        raise UnreachableError(
            f"{place} cannot be reached ({_connect_reason(error)}): check that the server is running and that"
            " its address is right"
        ) from error
    except ssl.SSLError as error:
        _require_no_certificate(error, place)
        # Handshake failures come as ConnectError, so this connection was trusted and then broke.
        raise LostError(
            f"the connection to {place} was lost ({_tls_reason(error)}): check that the server is still running"
        ) from error
    except (httpcore2.ReadTimeout, httpcore2.WriteTimeout) as error:
        raise SilentError(
            f"{place} sent nothing for {exchange.wait:.0f} s and timed out: check whether the server is overloaded"
        ) from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        if _not_http(error):
            raise GarbledError(f"the service at {place} does not speak HTTP: check its address") from error
        raise LostError(f"the connection to {place} was lost: check that the server is still running") from error
    except (httpcore2.LocalProtocolError, httpcore2.UnsupportedProtocol) as error:
        raise GarbledError(f"the request to {place} is invalid: check the address and the key") from error


def _require_no_certificate(error: ssl.SSLError, place: str) -> None:
    """Raise ClientCertificateError for a server's alert about a certificate: only one that asks for ours sends that.

    With TLS 1.3 it comes after the handshake (RFC 8446, 6.2).
    """
    reason = (error.reason or "").upper()
    if "ALERT" in reason and "CERTIFICATE" in reason:
        raise ClientCertificateError.of(place) from error


def _tls_error(error: BaseException) -> ssl.SSLError | None:
    """The TLS error of a failed handshake; None if the handshake was not completed."""
    cause: BaseException | None = error
    while cause is not None and (not isinstance(cause, ssl.SSLError) or isinstance(cause, _BROKE_OFF)):
        cause = cause.__cause__ or cause.__context__
    return cause


def _tls_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message.rstrip(".")
    reason = (error.reason or "TLS failed").replace("_", " ").lower()
    # Before TLS 1.3 this is also what a server says that asks for a client certificate.
    return f"{reason}; it may require a client certificate" if "handshake failure" in reason else reason


def _connect_reason(error: BaseException) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "unknown host name"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused"
        if isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError | ConnectionResetError):
            return "it closed the connection during the TLS handshake"
        cause = cause.__cause__ or cause.__context__
    return "it timed out" if isinstance(error, httpcore2.ConnectTimeout) else "no connection"


def _not_http(error: BaseException) -> bool:
    said = str(error)
    return isinstance(error, httpcore2.RemoteProtocolError) and "disconnected" not in said and "closed" not in said
