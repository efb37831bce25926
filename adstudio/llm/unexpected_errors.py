"""Faults that nobody foresaw, where a server’s bytes are read: one odd answer never ends more than its own ask."""

from __future__ import annotations

import contextlib
import logging
import traceback
from collections import deque
from collections.abc import Generator
from pathlib import PurePath

from adstudio.core.errors import AdstudioError
from adstudio.llm.faults import ClientMissingError, FaultError, GarbledError

FRAMES = 12
log = logging.getLogger(__name__)


def unexpected_fault(error: Exception, place: str) -> FaultError:
    """The fault that stands for such an error, whose detail goes into the log.

    The log says where in the program it came about and not what the error says: libraries quote in it what came, and
    that may tell of a film which is not out yet.
    """
    frames = deque(traceback.walk_tb(error.__traceback__), maxlen=FRAMES)
    where = ", ".join(
        f"{PurePath(frame.f_code.co_filename).name}:{line} {frame.f_code.co_name}" for frame, line in frames
    )
    log.error("%s: an answer could not be read: %s in %s", place, type(error).__qualname__, where)
    if isinstance(error, ImportError):
        return ClientMissingError(
            f"what speaks with {place} cannot be loaded ({error.name or 'a library'}): install adstudio anew"
        )
    return GarbledError(
        f"{place} sent something that cannot be read: try again, or another model; the program’s log says where"
    )


@contextlib.contextmanager
def reading_response(place: str) -> Generator[None]:
    """Inside, what a server sent is read: all that may go wrong with it is raised as a `FaultError`."""
    try:
        yield
    except AdstudioError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a library does with bytes that make no sense
        raise unexpected_fault(error, place) from None
