"""Unexpected errors while reading a server's response, as faults: one odd response fails only its own request."""

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
    """The fault for such an error; details go to the log.

    The log gives the place in the program but not the error's message, in which libraries may quote the response, and
    with it an unreleased film.
    """
    frames = deque(traceback.walk_tb(error.__traceback__), maxlen=FRAMES)
    where = ", ".join(
        f"{PurePath(frame.f_code.co_filename).name}:{line} {frame.f_code.co_name}" for frame, line in frames
    )
    log.error("%s: an answer could not be read: %s in %s", place, type(error).__qualname__, where)
    if isinstance(error, ImportError):
        return ClientMissingError(
            f"the client for {place} cannot be loaded ({error.name or 'a library'}): reinstall adstudio"
        )
    return GarbledError(
        f"the response from {place} cannot be read: try again, or try another model; details are in adstudio’s log"
    )


@contextlib.contextmanager
def reading_response(place: str) -> Generator[None]:
    """Inside, a server's response is read: any error is raised as a `FaultError`."""
    try:
        yield
    except AdstudioError:
        raise
    except Exception as error:  # noqa: BLE001 - a library may raise anything on malformed bytes
        raise unexpected_fault(error, place) from None
