"""A plan in a file (`adstudio-plan/1`, as `adstudio solve` writes it) as a system, such as a model's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.json_reading import parse_json
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Script
from adstudio.core.timebase import ms_from_seconds
from adstudio.delivery.lines import DeliveryError
from adstudio.evaluation.material import Transcript
from adstudio.evaluation.reading import plan_transcript
from adstudio.planning.files.plan_file import FORMAT, MAX_BYTES, read_plan
from adstudio.system.files import read_bounded


def is_plan_file(path: Path) -> bool:
    """Whether a file is a plan, by its name and its format."""
    if path.suffix.lower() != ".json":
        return False
    try:
        value: object = parse_json(read_bounded(path, MAX_BYTES, "plan"), str(path)).value
    except AdstudioError:
        # Whoever reads it as a script says what is wrong with it.
        return False
    return isinstance(value, dict) and cast("dict[str, object]", value).get("format") == FORMAT


def read_plan_file(path: Path, script: Script | None, film: Script) -> tuple[Script, Plan]:
    """The plan in a file, with the script that it is of: the project's `script`; the `film`'s for lines from a pool.

    Raises:
        BadInputError: for a file that is no plan, or one without lines, or of lines that the project does not have.
        OutsideFailureError: if it cannot be read.
    """
    name = str(path)
    found: dict[str, Any] = read_plan(read_bounded(path, MAX_BYTES, "plan"), name)
    lines = tuple(_delivery(number, each) for number, each in enumerate(found["deliveries"], 1))
    if not lines:
        raise BadInputError(f"{name} is a plan that speaks nothing ({found['status']})")
    if script is None and any(line.text is None for line in lines):
        raise BadInputError(f"{name} is a plan of lines that are in a project: give that as a system, too")
    fusions = {} if script is None else script.fusion_by_id
    lines = tuple(
        replace(line, members=fusions[line.element].members) if line.element in fusions else line for line in lines
    )
    return script or film, Plan(Status(found["status"]), str(found.get("backend", "")), deliveries=lines)


def plan_file_transcript(name: str, path: Path, script: Script, plan: Plan) -> Transcript:
    """What it speaks.

    Raises:
        BadInputError: if the script does not have its lines.
    """
    try:
        return plan_transcript(name, script, plan)
    except DeliveryError:
        raise BadInputError(
            f"{path} is a plan of lines that the project among the systems does not have: give the one that it is of"
        ) from None


def _delivery(number: int, found: dict[str, Any]) -> Delivery:
    start, end = (ms_from_seconds(found[key]) for key in ("start", "end"))
    if "text" in found:
        return Delivery(f"pool-{number}", 0, start, end, text=found["text"])
    return Delivery(found["element"], int(found["variant"]), start, end)
