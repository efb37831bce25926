"""What can go wrong between us and a model: each a type of its own, each told in one sentence that says how to mend it.

`again` says that the same ask may succeed if it is sent again; `for_all` that every other ask will fail alike, so that
a queue had better stop; `slow_down` that fewer asks at a time would help; `down` that the server, or the way to it, is
at fault and not the ask, so that many in a row that end by it speak for those to come. `wait` is what the server asked
for, seconds.
"""

from __future__ import annotations

from typing import ClassVar

from adstudio.core.errors import OutsideFailureError


class FaultError(OutsideFailureError):
    """An ask that brought no whole answer."""

    again: ClassVar[bool] = False
    for_all: ClassVar[bool] = False
    slow_down: ClassVar[bool] = False
    down: ClassVar[bool] = False
    most_tries: ClassVar[int] = 5

    def __init__(self, sentence: str, *, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


class NotAllowedError(FaultError):
    """The project's policy does not let this leave; no connection was made."""

    for_all = True


class KeyMissingError(FaultError):
    """There is no key, or the keyring does not give it."""

    for_all = True


class NoKeyringError(KeyMissingError):
    """The system has no keyring that keeps secrets, or it is locked, or it fails."""


class KeyringShutError(NoKeyringError):
    """There is a keyring, and perhaps a key in it, but it is locked or fails."""


class KeyRefusedError(FaultError):
    """401 or 403."""

    for_all = True


class ModelMissingError(FaultError):
    """404: the server does not have this model."""

    for_all = True


class UntrustedError(FaultError):
    """The server's certificate could not be verified, or what it speaks is no TLS that we know."""

    for_all = True


class ClientMissingError(FaultError):
    """A library that speaks the protocol is not installed."""

    for_all = True


class DownError(FaultError):
    """One ask after the other ended by the same fault of the server's."""

    for_all = True


class BadRequestError(FaultError):
    """400 or 422: the server did not take the request."""


class TooLongError(FaultError):
    """400 for the context: the scene is too long for the model."""


class TooLargeError(FaultError):
    """413, or larger than we would send."""


class RateError(FaultError):
    """429."""

    again = True
    slow_down = True
    down = True


class QuotaError(FaultError):
    """429 that no waiting within the deadline mends: the day's quota is used up."""

    for_all = True


class OverloadedError(FaultError):
    """502, 503, 504 or 529."""

    again = True
    slow_down = True
    down = True


class ServerError(FaultError):
    """500, or an error said in the middle of the stream."""

    again = True
    down = True
    most_tries = 2


class UnreachableError(FaultError):
    """No connection: refused, no such host, no route."""

    again = True
    down = True


class LostError(FaultError):
    """The connection broke off before the answer ended."""

    again = True
    down = True


class SilentError(FaultError):
    """No byte came for too long."""

    again = True
    down = True
    slow_down = True
    most_tries = 2


class DeadlineError(FaultError):
    """The whole ask took longer than it may."""


class RunawayError(FaultError):
    """The answer went on without sense: endless whitespace, repeated digits, beyond its size."""


class GarbledError(FaultError):
    """What came is not the protocol: half a JSON, HTML of a proxy, a redirect."""


class CutShortError(FaultError):
    """The answer reached its limit."""


class EmptyError(FaultError):
    """The answer ended before it began."""

    again = True
    most_tries = 2


class ThoughtError(FaultError):
    """The thoughts ate the limit: nothing was left for the answer."""


class UnseenError(FaultError):
    """The model says that it was not shown the clip: what it answered is invented."""


class BlockedError(FaultError):
    """The provider's filters withheld the answer, or the question."""


class RefusedError(FaultError):
    """The model declined to answer."""
