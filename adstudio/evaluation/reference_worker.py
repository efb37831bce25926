"""Reads reference ADs in a process of its own: see `reference_events.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.evaluation.reference_events import (
    PROTOCOL,
    ColumnsUnclear,
    Event,
    ReadReference,
    ReferenceRead,
    TimesDoubtful,
)
from adstudio.evaluation.reference_reading import read_reference
from adstudio.importing.findings import ScriptTimesError
from adstudio.script_files.finished_table import UnclearColumnsError
from adstudio.system.worker import run_job


def _work(request: ReadReference, send: Callable[[Event], None]) -> None:
    try:
        reference = read_reference(request.path, request.film, request.times, request.choices)
    except ScriptTimesError as error:
        send(TimesDoubtful(error.fix))
    except UnclearColumnsError as error:
        send(ColumnsUnclear(error.why, error.columns))
    else:
        send(ReferenceRead(reference))


def main() -> int:
    """Do what is requested."""
    return run_job(PROTOCOL, _work)


if __name__ == "__main__":
    sys.exit(main())
