"""Exporting as command line and editor do it: one request, what is amiss, and the bytes that are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.delivery.findings import CONFLICTS, Finding, FindingKind, export_findings
from adstudio.delivery.formats import FORMATS, exported_lines, table_preview
from adstudio.delivery.lines import extended_lines
from adstudio.delivery.options import DEFAULTS, ExportOptions, Option
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import SCENE_LIMIT, settled
from adstudio.planning.film.live_plan import Engines, FilmPlanner
from adstudio.store.source_guard import require_not_source
from adstudio.system.files import write_atomically


@dataclass(frozen=True)
class Export:
    """A script ready to be written: its format by name, what is amiss, and the file's content.

    `lines` is how many lines it holds and `spoken` for how long they are spoken (ms); 0 for a problem or a plan.
    """

    form: str
    findings: tuple[Finding, ...]
    content: bytes
    lines: int = 0
    spoken: int = 0
    oddities: tuple[Oddity, ...] = ()
    preview: bytes = b""
    """What is in it as text, for people to see before it is written."""
    template: Path | None = None
    """The house's document that it was filled into."""

    @property
    def conflicts(self) -> tuple[Finding, ...]:
        """Those findings that are locks or rules that the script does not meet."""
        return tuple(finding for finding in self.findings if finding.kind in CONFLICTS)

    def write(self, path: Path, script: Script, project: Path) -> None:
        """Write it, atomically.

        Raises:
            BadInputError: if it would replace the project, a source of its film or the template.
            OutsideFailureError: if the file cannot be written; an existing one is then unchanged.
        """
        require_not_source(path, project, self.template, script=script, project=project)
        write_atomically(path, self.content)


def plan_to_export(script: Script, saved: Plan | None) -> Plan:
    """The plan of a script, saved with it or else made now: around locks that conflict, as the editor shows it."""
    if saved is not None:
        return saved
    return settled(FilmPlanner(script, gaps_of(script).gaps, engines=Engines(limit=SCENE_LIMIT))).plan


def export_of(form: str, script: Script, plan: Plan, options: ExportOptions = DEFAULTS) -> Export:
    """The export of a script with its plan.

    Raises:
        BadInputError: for an unknown scene, a start timecode that is not valid, or a plan of another script.
    """
    found = FORMATS[form]
    written = found.content(script, plan, options)
    content, oddities = written.data, written.oddities
    preview = content if found.is_text else table_preview(script, plan, options, found.columns)
    if not found.is_script:
        return Export(form, (), content, oddities=oddities, preview=preview)
    lines = exported_lines(script, plan, options)
    spoken = sum(line.span.length for line in lines)
    findings = export_findings(script, plan, options)
    held = tuple(each.line.id for each in extended_lines(script, accepted_only=options.accepted_only))
    if held:
        findings = (*findings, Finding(FindingKind.EXTENDED, held, len(held)))
    template = None if options.template is None else options.template.path
    return Export(form, findings, content, len(lines), spoken, oddities, preview, template)


def require_applicable(form: str, options: ExportOptions, names: dict[Option, str]) -> None:
    """Check that a format has the options that differ from the defaults; `names` is how the user writes them.

    Raises:
        BadInputError: if it does not.
    """
    if options.template is not None and options.columns is not None and Option.TEMPLATE in FORMATS[form].options:
        raise BadInputError(f"{names[Option.COLUMNS]}: a template has columns of its own: leave it out")
    for option in Option:
        if option in FORMATS[form].options or getattr(options, option.value) == getattr(DEFAULTS, option.value):
            continue
        having = [name for name, each in FORMATS.items() if option in each.options]
        raise BadInputError(f"{names[option]} only applies to {', '.join(having)}, not to {form}: leave it out")
