"""The HTTP library's exceptions as faults."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Generator

import httpcore2

from adstudio.llm.faults import GarbledError, LostError, SilentError, UnreachableError, UntrustedError
from adstudio.llm.network_backend import Exchange

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
            raise UntrustedError(
                f"the connection to {place} cannot be trusted ({_tls_reason(tls)}), so nothing was sent: check its"
                " address and certificate, or give the certificate file of the authority that signed it"
            ) from error
        raise UnreachableError(
            f"{place} cannot be reached ({_connect_reason(error)}): check that the server is running and that"
            " its address is right"
        ) from error
    except ssl.SSLError as error:
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


def _tls_error(error: BaseException) -> ssl.SSLError | None:
    """The TLS error of a failed handshake; None if the handshake was not completed."""
    cause: BaseException | None = error
    while cause is not None and (not isinstance(cause, ssl.SSLError) or isinstance(cause, _BROKE_OFF)):
        cause = cause.__cause__ or cause.__context__
    return cause


def _tls_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message.rstrip(".")
    return (error.reason or "TLS failed").replace("_", " ").lower()


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
