"""What an HTTP library's failures mean, as faults."""

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
"""A handshake that waited for more, or that the other side left: nothing was learnt of whom to trust."""


@contextlib.contextmanager
def transport_faults(exchange: Exchange) -> Generator[None]:
    """Raise faults in place of the library's errors."""
    place = exchange.place
    try:
        yield
    except (httpcore2.ConnectTimeout, httpcore2.ConnectError) as error:
        if (tls := _tls_error(error)) is not None:
            raise UntrustedError(
                f"the connection to {place} cannot be trusted ({_tls_reason(tls)}), so nothing was sent: check its"
                " address and certificate, or give the file of the authority that signed it"
            ) from error
        raise UnreachableError(
            f"{place} cannot be reached ({_connect_reason(error)}): check that the server runs and that"
            " its address is right"
        ) from error
    except ssl.SSLError as error:
        # Those of the handshake come as ConnectError: this is one of a connection that was trusted and broke.
        raise LostError(
            f"the connection to {place} broke off ({_tls_reason(error)}): look whether the server still runs"
        ) from error
    except (httpcore2.ReadTimeout, httpcore2.WriteTimeout) as error:
        raise SilentError(
            f"{place} was silent for {exchange.wait:.0f} s, so it was given up: look whether the server is overloaded"
        ) from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        if _not_http(error):
            raise GarbledError(
                f"what answers at {place} does not speak HTTP as it should: check its address"
            ) from error
        raise LostError(f"the connection to {place} broke off: look whether the server still runs") from error
    except (httpcore2.LocalProtocolError, httpcore2.UnsupportedProtocol) as error:
        raise GarbledError(f"no request could be made for {place}: check the address and the key") from error


def _tls_error(error: BaseException) -> ssl.SSLError | None:
    """What a handshake found fault with; None where it was not gone through with."""
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
            return "no machine of that name is known"
        if isinstance(cause, ConnectionRefusedError):
            return "nothing answers there"
        if isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError | ConnectionResetError):
            return "it hung up before the connection was encrypted"
        cause = cause.__cause__ or cause.__context__
    return "no answer in time" if isinstance(error, httpcore2.ConnectTimeout) else "no connection"


def _not_http(error: BaseException) -> bool:
    said = str(error)
    return isinstance(error, httpcore2.RemoteProtocolError) and "disconnected" not in said and "closed" not in said
