"""The export formats, and exporting to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.counts import counted
from adstudio.core.errors import Oddity
from adstudio.core.fusions import as_spoken
from adstudio.core.json_reading import json_bytes
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.delivery.columns import COLUMNS, HEADINGS, TRADE_COLUMNS, ScriptTable, printed
from adstudio.delivery.dapt_script import dapt_document
from adstudio.delivery.document_head import DocumentHead
from adstudio.delivery.json_script import reframed, script_json
from adstudio.delivery.lines import DeliveryError, ScriptLine, script_lines
from adstudio.delivery.options import DEFAULTS, ExportOptions, Option, Separator
from adstudio.delivery.pdf_script import pdf_script
from adstudio.delivery.recorded_files import without_recording
from adstudio.delivery.shot_list import shot_list, shots_of
from adstudio.delivery.spreadsheet import spreadsheet
from adstudio.delivery.subtitle_scripts import srt, vtt
from adstudio.delivery.tables import csv_rows
from adstudio.delivery.templates.filling import filled_template
from adstudio.delivery.word_document import word_document
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.scene_problem import scene_problem
from adstudio.store.source_guard import require_not_source
from adstudio.system.files import write_atomically


@dataclass(frozen=True)
class Content:
    """A file's content, and what could not be written in it as it is."""

    data: bytes
    oddities: tuple[Oddity, ...] = ()


Writer = Callable[[Script, Plan, ExportOptions], bytes | Content]
"""Produces a file's content from a script and its plan."""


@dataclass(frozen=True)
class Format:
    """A format that a script is exported in: its title, the ending of its files, its writer and what can be chosen."""

    title: str
    ending: str
    write: Writer
    options: frozenset[Option] = frozenset()
    is_script: bool = True
    """Whether it is what is handed in; a planning problem, a plan and a list of shots are not."""
    columns: tuple[str, ...] = ()
    """The columns that it has where none are chosen."""
    is_text: bool = True
    also: tuple[str, ...] = ()
    """Other extensions that its files may have."""

    def fits(self, path: Path) -> bool:
        """Whether a file's name says nothing else; one without an extension says nothing."""
        ending = path.suffix.lower()
        return self.ending.endswith(ending) or ending in self.also

    def __call__(self, script: Script, plan: Plan, options: ExportOptions = DEFAULTS) -> bytes:
        """A file's content."""
        return self.content(script, plan, options).data

    def content(self, script: Script, plan: Plan, options: ExportOptions = DEFAULTS) -> Content:
        """A file's content, with what is odd about it."""
        film = options.film(script.film)
        written = self.write(script if film == script.film else script.with_changes(film=film), plan, options)
        return Content(written) if isinstance(written, bytes) else written


def exported_lines(script: Script, plan: Plan, options: ExportOptions = DEFAULTS) -> tuple[ScriptLine, ...]:
    """The lines that an export holds. Each has its number in the whole script, also where others are left out.

    Raises:
        DeliveryError: for a plan of another script.
    """
    lines = script_lines(script, plan)
    if not options.accepted_only:
        return lines
    return tuple(line for line in lines if line.accepted)


def _srt(script: Script, plan: Plan, options: ExportOptions) -> bytes:
    return srt(exported_lines(script, plan, options), offset=options.offset(script.film))


def _vtt(script: Script, plan: Plan, options: ExportOptions) -> bytes:
    film = script.film
    lines = exported_lines(script, plan, options)
    return vtt(lines, language=film.language, title=film.title, offset=options.offset(film))


def _dapt(script: Script, plan: Plan, options: ExportOptions) -> Content:
    lines = exported_lines(script, plan, options)
    missing = without_recording([line.number for line in lines], options.recordings) if options.recordings else 0
    odd = (Oddity(f"no recording, or several: {counted(missing, 'line')}"),) if missing else ()
    return Content(dapt_document(as_spoken(script, plan), lines, options.recordings), odd)


def _table(script: Script, plan: Plan, options: ExportOptions) -> ScriptTable:
    return ScriptTable.of(exported_lines(script, plan, options), script.film, script.lexicon)


def _csv(script: Script, plan: Plan, options: ExportOptions) -> bytes:
    columns = options.columns or COLUMNS
    rows = _table(script, plan, options).rows()
    return csv_rows(columns, ([row[name] for name in columns] for row in rows), options.separator.value)


def table_preview(script: Script, plan: Plan, options: ExportOptions, columns: Sequence[str]) -> bytes:
    """What a document has in these columns unless others are chosen, as text with tabs between."""
    names = options.columns or columns
    rows = _table(script, plan, options).rows()
    cells = ([printed(name, row[name]) if name == "duration s" else row[name] for name in names] for row in rows)
    return csv_rows([HEADINGS[name] for name in names], cells, Separator.TAB.value)


def _json(script: Script, plan: Plan, options: ExportOptions) -> bytes:
    return script_json(exported_lines(script, plan, options), script.film, script.lexicon)


def _documented(script: Script, plan: Plan, options: ExportOptions) -> tuple[ScriptTable, DocumentHead]:
    table = _table(script, plan, options)
    return table, DocumentHead.of(script.film, table.lines, options)


def _xlsx(script: Script, plan: Plan, options: ExportOptions) -> Content:
    if options.template is not None:
        return Content(*filled_template(options.template, ".xlsx", *_documented(script, plan, options)))
    return Content(*spreadsheet(*_documented(script, plan, options), options.columns or TRADE_COLUMNS))


def _docx(script: Script, plan: Plan, options: ExportOptions) -> Content:
    if options.template is not None:
        return Content(*filled_template(options.template, ".docx", *_documented(script, plan, options)))
    return Content(word_document(*_documented(script, plan, options), options.columns or TRADE_COLUMNS))


def _pdf(script: Script, plan: Plan, options: ExportOptions) -> Content:
    return Content(*pdf_script(*_documented(script, plan, options), options.columns or TRADE_COLUMNS))


def _shots(script: Script, _plan_of_it: Plan, options: ExportOptions) -> Content:
    shots = shots_of(script.film, script.scenes, options.shots)
    listed = "its scenes are listed" if script.scenes else "it is listed as one"
    unknown = Oddity(f"the film’s shots are not known yet, so {listed}: open the project in the editor once")
    data = shot_list(script.film, shots, options.separator.value)
    return Content(data, () if options.shots else (unknown,))


def _reframed(script: Script, plan: Plan, options: ExportOptions) -> bytes:
    return reframed(exported_lines(script, plan, options))


def _problem(script: Script, _plan_of_it: Plan, options: ExportOptions) -> bytes:
    gaps = gaps_of(script).gaps
    found = film_problem(script, gaps) if options.scene is None else scene_problem(script, gaps, options.scene)
    return json_bytes(problem_json(found))


def _plan(script: Script, plan: Plan, _options: ExportOptions) -> bytes:
    return json_bytes(plan_json(plan, as_spoken(script, plan).eventualities))


_TIMECODE = frozenset({Option.FRAME_RATE, Option.START_TIMECODE})
_LINES = frozenset({Option.ACCEPTED_ONLY})
_SUBTITLES = _LINES | _TIMECODE | {Option.FROM_TIMECODE}
_TABLE = _LINES | _TIMECODE | {Option.COLUMNS}
_DOCUMENT = _TABLE | {Option.VERSION}
_HOUSE = _DOCUMENT | {Option.TEMPLATE}
FORMATS: Mapping[str, Format] = {
    "srt": Format("SubRip subtitles", ".srt", _srt, _SUBTITLES),
    "vtt": Format("WebVTT", ".vtt", _vtt, _SUBTITLES, also=(".webvtt",)),
    "dapt": Format("DAPT", ".dapt.xml", _dapt, _LINES | _TIMECODE | {Option.RECORDINGS}, also=(".dapt", ".ttml")),
    "csv": Format("Table", ".csv", _csv, _TABLE | {Option.SEPARATOR}, columns=COLUMNS, also=(".tsv",)),
    "xlsx": Format("Spreadsheet", ".xlsx", _xlsx, _HOUSE, columns=TRADE_COLUMNS, is_text=False),
    "docx": Format("Word document", ".docx", _docx, _HOUSE, columns=TRADE_COLUMNS, is_text=False),
    "pdf": Format("PDF to read from", ".pdf", _pdf, _DOCUMENT, columns=TRADE_COLUMNS, is_text=False),
    "json": Format("Script as JSON", ".json", _json, _LINES | _TIMECODE),
    "reframed": Format("REFRAMED predictions", ".reframed.json", _reframed, _LINES),
    "shots": Format("Shot list", ".shots.csv", _shots, _TIMECODE | {Option.SEPARATOR}, is_script=False, also=(".tsv",)),
    "problem": Format("Planning problem", ".problem.json", _problem, frozenset({Option.SCENE}), is_script=False),
    "plan": Format("Plan", ".plan.json", _plan, is_script=False),
}
"""The formats by name."""


def deliver(
    path: Path,
    form: str,
    script: Script,
    plan: Plan,
    project: Path,
    formats: Mapping[str, Format] = FORMATS,
    options: ExportOptions = DEFAULTS,
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
    write_atomically(path, writer(script, plan, options))
