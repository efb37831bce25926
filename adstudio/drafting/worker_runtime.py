"""What the processes that draft and polish for the editor share: how they are asked to end, how failures are told."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Callable

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.llm.keys import masked
from adstudio.system.child_process import Write, leash, voice

STOPPED = 130
"""The exit code of one that was asked to end."""
FAULT = 1
"""The exit code of one that broke down, as Python’s own."""
MOST_AT_ONCE = 64
"""Asks that are ever under way at once, whatever a request says."""


def at_work(
    let_go: Callable[..., None], work: Callable[[Write], int], failed: Callable[[AdstudioError], str], short_of: str
) -> int:
    """The exit code of `work`, which is given the way to the editor; that of its failure, or 130 where it was stopped.

    `let_go` is called when it is to end, by a signal or because the editor is gone. `failed` makes of a failure the
    line that tells it; `short_of` is the sentence for a machine that has not the memory.
    """
    signal.signal(signal.SIGTERM, let_go)
    try:
        with leash(let_go), voice() as write:
            try:
                return work(write)
            except AdstudioError as error:
                failure = error
            except MemoryError:
                failure = OutsideFailureError(short_of)
            except ImportError as error:
                missing = f"a part of the program is missing ({error.name}): install the program again"
                failure = OutsideFailureError(missing)
            except BrokenPipeError:
                raise
            except BaseExceptionGroup as group:
                # Whoever listened is gone: what is in hand finds that out together.
                if group.split(BrokenPipeError)[1] is None:
                    return STOPPED
                sys.stderr.write(masked(traceback.format_exc()))
                return FAULT
            except Exception:  # noqa: BLE001 - a fault of ours, told without a key
                sys.stderr.write(masked(traceback.format_exc()))
                return FAULT
            write(failed(failure))
            return failure.exit_code
    except (KeyboardInterrupt, BrokenPipeError):
        return STOPPED
