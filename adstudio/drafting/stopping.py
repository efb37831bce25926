"""Being asked to end while work goes on in an event loop."""

from __future__ import annotations

import asyncio


class Stopping:
    """Asked to end, by a signal or because the editor is gone: the work is stopped, once there is some."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def sets(self, stop: asyncio.Event) -> None:
        """From now on it sets this event of the running loop."""
        self._loop, self._stop = asyncio.get_running_loop(), stop

    def __call__(self, *_: object) -> None:
        """Stop."""
        if self._loop is None or self._stop is None:
            raise KeyboardInterrupt
        # The loop may be asleep, and a signal alone does not wake it.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
