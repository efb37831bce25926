"""When to stop asking a server that answers nobody: many asks in a row, for a while, that its own fault has ended."""

from __future__ import annotations

from adstudio.llm.faults import DownError, FaultError
from adstudio.llm.messages import Response

IN_A_ROW = 5
"""Asks, each after all its tries (Gemini's users are advised to stop after so many)."""
MIN_SECONDS = 120.0
"""Seconds from the first of them: a server that is only started anew is waited for."""


class Breaker:
    """Counts asks that ended, each after all its tries, by one kind of fault of the server's, with none between.

    An answer of which something came is no such end, even where the connection was lost behind it.
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
            f"{fault}; {self._count} asks in a row have ended so, so no more are sent: start again once that is mended"
        )
