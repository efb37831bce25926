"""What can go wrong with a model request. Each fault is one type with one sentence that says how to fix it."""

from __future__ import annotations

from typing import Any, ClassVar

from adstudio.core.errors import OutsideFailureError


class FaultError(OutsideFailureError):
    """A request that got no complete response. What follows from it is written in the head of its class.

    `retryable`: the same request may succeed when sent again, up to `max_attempts`. `affects_all`: every other request
    will fail the same way, so a queue should stop. `slow_down`: fewer concurrent requests would help. `server_down`:
    the server or the network is at fault rather than the request, so a run of them predicts the next (see
    `retry.Breaker`). `retry_after`: the wait that the server asked for, in seconds.
    """

    retryable: ClassVar[bool] = False
    affects_all: ClassVar[bool] = False
    slow_down: ClassVar[bool] = False
    server_down: ClassVar[bool] = False
    max_attempts: ClassVar[int] = 5

    def __init_subclass__(cls, **consequences: Any) -> None:  # noqa: ANN401 - the class variables above
        super().__init_subclass__()
        for name, value in consequences.items():
            setattr(cls, name, value)

    def __init__(self, sentence: str, *, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class NotAllowedError(FaultError, affects_all=True):
    """The project's sharing policy forbids sending this; no connection was made."""


class KeyMissingError(FaultError, affects_all=True):
    """There is no API key, or the keyring does not release it."""


class NoKeyringError(KeyMissingError):
    """The system has no keyring that can store secrets, or it is locked, or it fails."""


class KeyringLockedError(NoKeyringError):
    """There is a keyring, perhaps with the key in it, but it is locked or fails."""


class KeyRefusedError(FaultError, affects_all=True):
    """401 or 403."""


class ModelMissingError(FaultError, affects_all=True):
    """404: the server does not have this model."""


class UntrustedError(FaultError, affects_all=True):
    """The server's certificate could not be verified, or the TLS handshake failed."""


class ClientCertificateError(UntrustedError, affects_all=True):
    """The server requires a client certificate."""

    @classmethod
    def of(cls, place: str) -> ClientCertificateError:
        """The fault of the server at this place."""
        return cls(
            f"{place} requires a client certificate, which adstudio does not send: ask its administrator for an address"
            " that takes a key"
        )


class ClientMissingError(FaultError, affects_all=True):
    """The library for this protocol is not installed."""


class DownError(FaultError, affects_all=True):
    """Consecutive requests failed with the same server fault."""


class BadRequestError(FaultError):
    """400 or 422: the server rejected the request."""


class TooLongError(FaultError):
    """400 for context length: the scene is too long for the model."""


class TooLargeError(FaultError):
    """413, or larger than we would send."""


class RateError(FaultError, retryable=True, slow_down=True, server_down=True):
    """429."""


class QuotaError(FaultError, affects_all=True):
    """429 that waiting does not resolve: the day's quota is used up."""


class OverloadedError(FaultError, retryable=True, slow_down=True, server_down=True):
    """502, 503, 504 or 529."""


class ServerError(FaultError, retryable=True, server_down=True, max_attempts=2):
    """500, or an error reported in mid-stream."""


class UnreachableError(FaultError, retryable=True, server_down=True):
    """No connection: refused, no such host, no route."""


class LostError(FaultError, retryable=True, server_down=True):
    """The connection was lost before the response ended."""


class SilentError(FaultError, retryable=True, server_down=True, slow_down=True, max_attempts=2):
    """No data arrived for too long."""


class DeadlineError(FaultError):
    """The request exceeded its deadline."""


class RunawayError(FaultError):
    """Degenerate output: endless whitespace or digits, repetition, or more text than allowed."""


class GarbledError(FaultError):
    """The response does not follow the protocol: truncated JSON, a proxy's HTML page, a redirect."""


class CutShortError(FaultError):
    """The response reached its token limit."""


class EmptyError(FaultError, retryable=True, max_attempts=2):
    """The response is empty, or has no words."""


class ThoughtError(FaultError):
    """There is reasoning and no answer, because it used up the token limit or stands in the answer's place."""


class UnseenError(FaultError):
    """The model reports that it was not shown the clip, so its description is invented."""


class ToolCallError(FaultError):
    """The model called a tool, although none was offered, instead of responding."""


class BlockedError(FaultError):
    """The provider's safety filters blocked the response or the prompt."""


class RefusedError(FaultError):
    """The model declined to answer, in the protocol's field or in its text."""
