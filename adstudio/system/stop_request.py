"""Being asked to stop, by a signal or because the editor is gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Generator


class StopInterrupt(KeyboardInterrupt):
    """The process was asked to stop.

    A class of its own, because of one in particular Python remembers that it passed through an `exec` of text, as
    dataclasses and enums use it, and then ends the process by SIGINT whatever exit code it returns.
    """


class StopRequest:
    """What happens when a process is asked to stop.

    `StopInterrupt` is raised wherever the work is, once, so that whoever tidies up on the way out is not disturbed
    again. Work in an event loop says what is to happen there instead (`call_in_loop`).
    """

    def __init__(self) -> None:
        self._act: Callable[[], object] | None = None
        self.asked = False
        """Whether it has happened."""

    @contextlib.contextmanager
    def call_in_loop(self, act: Callable[[], object]) -> Generator[None]:
        """Inside, which is in a running event loop, call `act` there instead."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            # The loop may be asleep, and a signal alone does not wake it.
            if not loop.is_closed():
                loop.call_soon_threadsafe(act)

        self._act = wake
        try:
            yield
        finally:
            self._act = None

    def forget(self) -> None:
        """What was raised has reached nobody: raise it again when asked again."""
        self.asked = False

    def __call__(self, *_: object) -> None:
        """Stop; this is also a signal's handler."""
        again, self.asked = self.asked, True
        if self._act is not None:
            self._act()
        elif not again:
            raise StopInterrupt
