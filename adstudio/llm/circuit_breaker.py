"""When to give up on a server: several consecutive requests, over some time, have failed through its own fault."""

from __future__ import annotations

from adstudio.llm.faults import DownError, FaultError
from adstudio.llm.messages import Response

IN_A_ROW = 5
"""Failed requests, retries included (Google advises Gemini clients to stop after this many)."""
MIN_SECONDS = 120.0
"""Seconds from the first failure, so that a server which is only restarting gets its chance."""


class Breaker:
    """Counts consecutive requests that failed, after all retries, with the same kind of server fault.

    A response with any text does not count as failed, even if the connection was lost afterwards.
    """

    def __init__(self, most: int = IN_A_ROW, min_seconds: float = MIN_SECONDS) -> None:
        self._most = most
        self._min_seconds = min_seconds
        self._kind: type[FaultError] | None = None
        self._count = 0
        self._since = 0.0

    def record(self, response: Response, now: float) -> DownError | None:
        """Hear how one more ask ended, at a time in seconds; the fault of all later ones once there were enough."""
        fault = (
            response.fault
            if response.fault is not None and response.fault.server_down and not response.text.strip()
            else None
        )
        kind = None if fault is None else type(fault)
        if kind is not self._kind:
            self._kind, self._count, self._since = kind, 0, now - response.seconds
        self._count += 1
        if fault is None or self._count < self._most or now - self._since < self._min_seconds:
            return None
        return DownError(
            f"{fault}; {self._count} requests in a row failed this way, so no more are sent:"
            " start again when it is fixed"
        )
