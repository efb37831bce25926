"""`adstudio qc`: a project's script checked by the rules of a house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, write_output
from adstudio.cli.saved_script import plan_of, saved_script

if TYPE_CHECKING:
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script
    from adstudio.quality.checks import Checks
    from adstudio.quality.findings import Finding


def qc(
    project: Annotated[Path, argument("P.adproj", "The project.")],
    *,
    preset: Annotated[
        str | None,
        option("NAME", "The house: a preset’s name or file (default: the preset that the project’s settings are)."),
    ] = None,
    as_json: Annotated[bool, flag("--json", "Print the findings as JSON, with the rules and their sources.")] = False,
    unsaved: Annotated[bool, flag("--unsaved", "Check the last step, not the last save.")] = False,
) -> None:
    """Check the script of a project: lengths, pace, dialogue, gaps, names, lines that nobody has seen.

    Each finding has the id of its rule. Exit code 1 if there are errors; warnings and notes do not change it.
    """
    from adstudio.characters.faces_in_film import first_seen_in_film
    from adstudio.core.json_reading import json_bytes
    from adstudio.delivery.line_numbers import line_numbers
    from adstudio.presets.library import preset_named
    from adstudio.quality.checks import house_checks, project_checks
    from adstudio.quality.inspection import findings_of
    from adstudio.quality.report import report_json
    from adstudio.quality.rules import Level
    from adstudio.store.project import ProjectFile

    house = None if preset is None else preset_named(preset)
    with ProjectFile.open(project, read_only=True) as opened:
        saved = saved_script(opened, unsaved=unsaved)
    script = saved.script
    plan = plan_of(project, saved, with_conflicts=True)
    numbers = line_numbers(script, plan)
    checks = project_checks(script) if house is None else house_checks(house)
    findings = findings_of(script, plan, checks, first_seen_in_film(script, project))
    if as_json:
        write_output(json_bytes(report_json(script, plan, checks, findings)), None)
    else:
        print_lines(_lines(script, plan, checks, findings, numbers))
    saved.print_notes(project)
    if any(each.level is Level.ERROR for each in findings):
        raise typer.Exit(1)


def _lines(
    script: Script, plan: Plan, checks: Checks, findings: Sequence[Finding], numbers: dict[str, int]
) -> Iterator[str]:
    """A line for each finding: its rule, its level, when it is, the number of its line and a sentence; then a count."""
    from adstudio.quality.messages import finding_message, levels_counted

    for each in findings:
        time = script.film.timecode(max(0, each.span.start))
        number = numbers.get(each.lines[0]) if len(each.lines) == 1 else None
        line = "" if number is None else f" line {number}"
        yield f"{each.rule.id} {each.level.value} {time}{line}: {finding_message(script, plan, each)}"
    house = f"{checks.preset}, with the project’s own gap settings" if checks.own else checks.preset
    yield f"checked by {house}: {levels_counted(findings) or 'nothing found'}"
