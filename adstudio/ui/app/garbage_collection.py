"""Python's search for garbage kept out of the describer's way.

A film of two hours is some hundred thousand objects, and looking through all of them takes a tenth of a second, at any
moment. They are none of them garbage while their project is open, so they are set aside until it is closed.
"""

from __future__ import annotations

import gc

from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.session import Session

YOUNG = 3_000
"""So many new objects are looked through at a time, in about a millisecond; Python's own 700 is for small programs."""

REST_MS = 100
"""From the user being idle, and deferred work done, until new objects are looked through."""


class GarbageCollection:
    """Follows a session: what is there when a project has been opened is not looked through until it is closed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before = gc.get_threshold()
        gc.set_threshold(YOUNG, *self._before[1:])
        # Not looked through while the window was made, and not from now on: the program itself is no garbage.
        gc.freeze()
        gc.enable()
        session.opened.connect(self._opened)
        self._rest = single_shot(session, REST_MS, self._look)
        session.idle.became_idle.connect(self._rest.start)

    def close(self) -> None:
        """Leave it all to Python again."""
        self._session.opened.disconnect(self._opened)
        self._session.idle.became_idle.disconnect(self._rest.start)
        self._rest.stop()
        gc.unfreeze()
        gc.set_threshold(*self._before)

    def _look(self) -> None:
        # Else as much gathers as takes twenty milliseconds, and Python looks through it during an edit. What is left
        # is no garbage, and edits make none of it later: it is set aside with the project, or each hundred thousand
        # objects would be looked through again and again, in a twentieth of a second.
        gc.collect(1)
        if self._session.project is not None:
            gc.freeze()

    def _opened(self) -> None:
        if self._session.project is None:
            gc.unfreeze()
            gc.collect()
        else:
            gc.freeze()
