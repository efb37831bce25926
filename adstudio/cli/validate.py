"""`adstudio validate`: a file against the rules of its format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, say, write_output
from adstudio.core.counts import counted

if TYPE_CHECKING:
    from adstudio.core.rule_findings import RuleFinding
    from adstudio.validation.service import Validation

FORMAT = "adstudio-validation/1"
Form = Literal["dapt", "vtt", "srt"]


def validate(
    file: Annotated[Path, argument("FILE", "A script: DAPT, WebVTT or SRT; with --against, whatever is imported.")],
    *,
    form: Annotated[Form | None, option("NAME", "dapt, vtt or srt (default: by name or content).", "--format")] = None,
    against: Annotated[
        Path | None, option("P.adproj", "Check it against the film of this project too: length, dialogue, gaps.")
    ] = None,
    as_json: Annotated[bool, flag("--json", "Print the findings as JSON.")] = False,
) -> None:
    """Check a script file against the rules of its format, and of a film, each finding with its line, rule and clause.

    Exit code 1 if a rule is broken; what a specification only recommends is listed as advice.
    """
    from adstudio.core.json_reading import json_bytes
    from adstudio.core.rule_findings import MAX_FINDINGS
    from adstudio.store.project import ProjectFile
    from adstudio.validation.service import TITLES, validate_against, validate_file

    if against is None:
        found = validate_file(file, form)
    else:
        with ProjectFile.open(against, read_only=True) as project:
            found = validate_against(file, project.saved_script, form)
    if as_json:
        write_output(json_bytes(_json(file, found)), None)
    else:
        print_lines(_line(finding) for finding in found.findings)
        title = TITLES.get(found.form, "script")
        broken = sum(not finding.advice for finding in found.findings)
        number = f"{'at least ' if len(found.findings) >= MAX_FINDINGS else ''}{counted(broken, 'finding')}"
        say(f"{file}: valid {title}" if found.valid else f"{file}: not valid {title}: {number}")
    if not found.valid:
        raise typer.Exit(1)


def _line(finding: RuleFinding) -> str:
    where = "" if finding.line is None else f"line {finding.line}: "
    advice = "advice: " if finding.advice else ""
    return f"{where}{advice}{finding.what} [{finding.rule.id}; {finding.rule.clause}]"


def _json(file: Path, found: Validation) -> dict[str, object]:
    return {
        "format": FORMAT,
        "file": str(file),
        "kind": found.form or None,
        "valid": found.valid,
        "findings": [
            {
                "rule": each.rule.id,
                "clause": each.rule.clause,
                "line": each.line,
                "what": each.what,
                "advice": each.advice,
            }
            for each in found.findings
        ],
    }
