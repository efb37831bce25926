"""The export formats, and exporting to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from adstudio.core.json_reading import json_bytes
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.delivery.json_script import reframed, script_json
from adstudio.delivery.lines import DeliveryError, script_lines
from adstudio.delivery.subtitle_scripts import srt, vtt
from adstudio.delivery.tables import csv_table
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_problem import film_problem
from adstudio.store.source_guard import require_not_source
from adstudio.system.files import write_atomically

Writer = Callable[[Script, Plan], bytes]
"""Produces a file's content from a script and its plan."""


def _srt(script: Script, plan: Plan) -> bytes:
    return srt(script_lines(script, plan))


def _vtt(script: Script, plan: Plan) -> bytes:
    return vtt(script_lines(script, plan), language=script.film.language, title=script.film.title)


def _csv(script: Script, plan: Plan) -> bytes:
    film = script.film
    return csv_table(
        script_lines(script, plan),
        frame_rate=film.frame_rate,
        start_timecode=film.start_timecode,
        film_end=film.end,
    )


def _json(script: Script, plan: Plan) -> bytes:
    return script_json(script_lines(script, plan), script.film)


def _reframed(script: Script, plan: Plan) -> bytes:
    return reframed(script_lines(script, plan))


def _problem(script: Script, _plan_of_it: Plan) -> bytes:
    return json_bytes(problem_json(film_problem(script, gaps_of(script).gaps)))


def _plan(script: Script, plan: Plan) -> bytes:
    return json_bytes(plan_json(plan, script.eventualities))


FORMATS: Mapping[str, Writer] = {
    "srt": _srt,
    "vtt": _vtt,
    "csv": _csv,
    "json": _json,
    "reframed": _reframed,
    "problem": _problem,
    "plan": _plan,
}
"""Writers by format name."""


def deliver(
    path: Path, form: str, script: Script, plan: Plan, project: Path, formats: Mapping[str, Writer] = FORMATS
) -> None:
    """Export the script of a project to a file, atomically.

    Raises:
        BadInputError: if it would replace the project or a source of its film.
        DeliveryError: for a format that is not in `formats`, or a plan of another script.
        OutsideFailureError: if the file cannot be written; an existing one is then unchanged.
    """
    writer = formats.get(form)
    if writer is None:
        raise DeliveryError(f"unknown format “{form}”: use one of {', '.join(formats)}")
    require_not_source(path, project, script=script, project=project)
    write_atomically(path, writer(script, plan))
