"""Connections that say nothing, or say it a letter at a time, are closed: else a thousand of them would bar the door.

uvicorn closes connections that are idle after an answer, and waits for ever for the first request, or the rest of one.
"""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_S = 20.0
"""Within so long a request's head has to have come whole."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, to those who come to the point."""

    head_s = HEAD_S
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take it; wait for the rest of a head that is not whole."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        self._wait_no_more()

    @property
    def _at_work(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # none before the first request
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        if self._at_work:
            self._wait_no_more()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_s, self._lose_patience)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _lose_patience(self) -> None:
        self._waiting = None
        if not self._at_work:
            self.transport.close()
