"""Importing as command line and editor do it: a file read, its times checked, and what it changes in a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.film import SourceFile
from adstudio.core.plan import Plan
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Several, Step
from adstudio.delivery.export import plan_to_export
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.editing.fusions import own_plan, own_steps
from adstudio.editing.ids import Ids
from adstudio.gaps.gaps import gaps_of
from adstudio.importing.comparing import FRAME_MS, Change, ImportChoices, ImportDiff, import_diff
from adstudio.importing.effects import Effects, effects_of
from adstudio.importing.film_script import read_film_script
from adstudio.importing.findings import Finding, Problem, dialogue_oddity, finding_oddity
from adstudio.importing.merging import import_step, imported
from adstudio.importing.notes import narrator_of
from adstudio.importing.placing import Placing, said_in_dialogue
from adstudio.importing.script_times import ScriptTimes
from adstudio.script_files.columns import ColumnChoices
from adstudio.script_files.finished import FinishedScript
from adstudio.store.media import source_file


@dataclass(frozen=True)
class ImportRequest:
    """A file to import: how its times and columns are read, and how its lines come into the project.

    `own_lengths`: lines are as long as the file says, else as their text takes. `shorter`: lines get shorter wordings,
    as drafted ones do, for the planner to choose from where they are too long. `extended`: those whose out time leaves
    no time to speak are spoken while the picture is held. `encoding` is the file's, where it says none itself.
    `wordings` are the shorter ones by their texts, where they have been made already.
    """

    path: Path
    times: ScriptTimes = field(default_factory=ScriptTimes)
    columns: ColumnChoices | None = None
    choices: ImportChoices = field(default_factory=ImportChoices)
    own_lengths: bool = True
    shorter: bool = False
    extended: bool = False
    encoding: str | None = None
    wordings: Mapping[str, tuple[Variant, ...]] | None = None


@dataclass(frozen=True)
class Comparison:
    """A file compared with a project's script.

    `oddities` are what is odd in the file, and what stands against its lines where they are; `notes` are what was
    assumed of its times. `own` are the steps that make the project's fused lines lines of their own, as those of the
    file are: the comparison is with the script after them.
    """

    finished: FinishedScript
    diff: ImportDiff
    findings: tuple[Finding, ...]
    oddities: tuple[Oddity, ...]
    notes: tuple[str, ...]
    own: tuple[Step, ...]


@dataclass(frozen=True)
class Import(Comparison):
    """What importing a file does to a project's script.

    `step` makes the script `after` of the one that it was prepared for, None where nothing would change, and `plan` is
    that one's. `effects` are what it does to the states of lines.
    """

    step: Step | None
    after: Script
    plan: Plan
    effects: Effects | None


def compare_import(request: ImportRequest, script: Script, plan: Plan) -> Comparison:
    """Read a file, and compare it with what a project's script speaks by this plan.

    Raises:
        UnclearColumnsError: where only a person can say which column of a table holds what.
        ScriptTimesError: if the times seem to be wrong as a whole; it says what would mend them.
        BadInputError: for a file that is no finished script.
        OutsideFailureError: if it cannot be read.
    """
    own = tuple(own_steps(script, plan))
    script, plan = Several("", own).apply(script), own_plan(plan)
    read = read_film_script(request.path, script, request.times, request.columns, request.encoding)
    finished, notes = read.finished, read.notes
    placing = Placing(
        script,
        gaps_of(script).gaps,
        own_lengths=request.own_lengths,
        locked=not request.choices.unlocked,
        extended=request.extended,
        shorter=_shorter(request, script, finished),
    )
    lines = placing.placed(finished)
    diff = import_diff(script, plan, lines, request.choices)
    narrator = narrator_of(lines)
    if narrator not in ("", script.voice.voice):
        notes = (*notes, f"all lines are spoken by “{narrator}”; the project’s voice stays as it is")
    findings = _of_changes(placing.findings, diff)
    dialogue = dialogue_oddity(said_in_dialogue(script, lines), len(lines))
    found = [*read.label_oddities, *map(finding_oddity, findings), *([dialogue] if dialogue else ())]
    odd = sorted(found, key=lambda each: each.line or 0)
    return Comparison(finished, diff, findings, (*finished.oddities, *odd), notes, own)


def _of_changes(findings: Iterable[Finding], diff: ImportDiff) -> tuple[Finding, ...]:
    """The findings, without those about where lines are of those that the project speaks just so, which stay so."""
    same = {each.line.source for each in diff.changes if each.change is Change.SAME}
    found = (
        replace(each, lines=tuple(line for line in each.lines if line not in same))
        if each.problem is not Problem.OUT_OF_ORDER
        else each
        for each in findings
    )
    return tuple(each for each in found if each.lines)


def prepare_import(
    request: ImportRequest, script: Script, plan: Plan | None, project: Path, ids: Ids | None = None
) -> Import:
    """What importing a file changes in a project's script with this plan (None: it is planned first).

    Raises:
        UnclearColumnsError, ScriptTimesError, BadInputError, OutsideFailureError: as `compare_import` does.
    """
    present = plan if plan is not None else plan_to_export(script, None)
    found = compare_import(request, script, present)
    source, known = source_file(request.path, project), Ids(script) if ids is None else ids
    step, after, planned = _step(script, known, found, request.choices, source)
    planned = present if step is None else planned
    effects = effects_of(script, step)
    otherwise = _spoken_otherwise(found.diff, after, planned) if step is not None else 0
    notes = found.notes
    if otherwise:
        count = "1 line that is the same is" if otherwise == 1 else f"{otherwise:,} lines that are the same are"
        notes = (*notes, f"{count} spoken otherwise by the new plan, as nothing locks them: lock what is to stay first")
    whole = found.finished, found.diff, found.findings, found.oddities, notes, found.own
    return Import(*whole, step, after, planned, effects)


def _spoken_otherwise(diff: ImportDiff, after: Script, plan: Plan) -> int:
    """How many lines of the project are the same in the script, and spoken elsewhere or in other words by the plan."""
    parts = (part for each in diff.changes if each.change is Change.SAME for part in each.present)
    count = 0
    for part in parts:
        now = plan.by_line.get(part.element)
        as_before = now is not None and now.variant == part.variant and abs(now.start - part.span.start) <= FRAME_MS
        count += not as_before and not after.eventuality(part.element).extended
    return count


def _shorter(request: ImportRequest, script: Script, finished: FinishedScript) -> Mapping[str, tuple[Variant, ...]]:
    if not request.shorter:
        return {}
    return shortened(*texts_to_shorten(script, finished)) if request.wordings is None else request.wordings


def texts_to_shorten(script: Script, finished: FinishedScript) -> tuple[tuple[str, ...], str]:
    """The texts of a file of which there may be shorter wordings, each once, and their language."""
    texts = tuple(dict.fromkeys(line.text.strip() for line in finished.lines))
    return texts, finished.language or script.film.language


def shortened(texts: Sequence[str], language: str) -> dict[str, tuple[Variant, ...]]:
    """The shorter wordings of texts: of those that are one English sentence each.

    Raises:
        OutsideFailureError: if the parser is not installed.
    """
    from adstudio.drafting.text.compress.shorten import compressions

    return {
        text: tuple(Variant(each.text, each.rate) for each in shorter)
        for text, shorter in zip(texts, compressions(texts, language=language), strict=True)
        if shorter
    }


def _step(
    script: Script, ids: Ids, found: Comparison, choices: ImportChoices, source: SourceFile
) -> tuple[Step | None, Script, Plan]:
    """The step, the script after it and its plan.

    Lines of the project that could only be spoken there against its limits, such as far from their action, are allowed
    to: that is seen in the plan.
    """
    diff = found.diff
    step = import_step(script, ids, diff, choices, own=found.own, source=source)
    after = imported(script, step)
    plan = plan_to_export(after, None)
    known = {name for change in diff.changes for name in change.elements}
    unmet = unmet_pins(after, plan)
    beyond = frozenset(
        line.id for line in (*unmet.missing, *unmet.otherwise) if line.id in known and line.pin.start is not None
    )
    if not beyond or choices.unlocked:
        return step, after, plan
    step = import_step(script, ids, diff, choices, own=found.own, source=source, overlapping=beyond)
    after = imported(script, step)
    return step, after, plan_to_export(after, None)
