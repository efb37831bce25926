"""Signals whose exception never arrives, since Python ignores what is raised in a destructor or a callback."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator
from typing import TypeVar

_AGAIN_S = 0.05
"""Seconds until a signal comes once more."""
_Interrupt = TypeVar("_Interrupt", bound=BaseException)


@contextlib.contextmanager
def raised_again(
    kind: type[_Interrupt], number: Callable[[_Interrupt], int], forget: Callable[[], object]
) -> Generator[None]:
    """While active, a signal whose exception a destructor or a callback has swallowed comes once more.

    `number` is the signal's, and `forget` is called before it comes, so that its handler raises anew.
    """
    known = sys.unraisablehook

    def look(lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, kind):
            known(lost)
        elif sys.platform != "win32":
            forget()
            # Not from here, where it would be swallowed again.
            again = threading.Timer(_AGAIN_S, os.kill, (os.getpid(), number(lost.exc_value)))
            again.daemon = True
            again.start()

    sys.unraisablehook = look
    try:
        yield
    finally:
        sys.unraisablehook = known
