"""Reads reference ADs and versions in a process of its own: see `reference_events.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.core.errors import BadInputError
from adstudio.evaluation.gap_rows import SpokenLine, spoken_lines
from adstudio.evaluation.reference_events import (
    PROTOCOL,
    ColumnsUnclear,
    Event,
    ReadVersion,
    ReferenceRead,
    Request,
    TimesDoubtful,
    VersionRead,
)
from adstudio.evaluation.reference_reading import read_reference
from adstudio.importing.findings import ScriptTimesError
from adstudio.script_files.finished_table import UnclearColumnsError
from adstudio.store.version_rows import unpacked
from adstudio.system.codec import CodecError
from adstudio.system.worker import run_job


def _work(request: Request, send: Callable[[Event], None]) -> None:
    if isinstance(request, ReadVersion):
        send(VersionRead(_version_lines(request)))
        return
    try:
        reference = read_reference(request.path, request.film, request.times, request.choices, request.plan)
    except ScriptTimesError as error:
        send(TimesDoubtful(error.fix))
    except UnclearColumnsError as error:
        send(ColumnsUnclear(error.why, error.columns))
    else:
        send(ReferenceRead(reference))


def _version_lines(request: ReadVersion) -> tuple[SpokenLine, ...]:
    try:
        content = unpacked(request.content)
    except CodecError as error:
        raise BadInputError(f"the version “{request.name}” is damaged ({error}); a backup may have it") from None
    return spoken_lines(content.script, content.plan)


def main() -> int:
    """Do what is requested."""
    return run_job(PROTOCOL, _work)


if __name__ == "__main__":
    sys.exit(main())
