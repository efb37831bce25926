"""Closes connections that do not send a complete request head in time, or do not read their answer.

uvicorn closes connections that are idle after a response, but waits forever for a first request, for the rest of one,
and for a client to read.
"""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_S = 20.0
"""Seconds within which a complete request head must arrive."""
READ_S = 60.0
"""Seconds within which a client must read what is buffered for it."""


class IdleTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with a timeout for request heads."""

    head_s = HEAD_S
    read_s = READ_S
    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        """Handle data; keep the timer running while the head is incomplete."""
        super().data_received(data)
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        super().connection_lost(exc)
        self._cancel_timer()
        self._cancel_unread()

    def pause_writing(self) -> None:
        """Start the timer for a client that does not read."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.read_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop it: the client has read."""
        super().resume_writing()
        self._cancel_unread()

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    @property
    def _responding(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # none before the first request
        return cycle is not None and not cycle.response_complete

    def _update_timer(self) -> None:
        if self._responding:
            self._cancel_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.head_s, self._close_if_idle)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_if_idle(self) -> None:
        self._timer = None
        if not self._responding:
            self.transport.close()
