"""Exporting: in which format, under which name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.drafting.companion_files import PROJECT
from adstudio.store.source_guard import require_not_source
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.file_dialogs import ask, ask_replace, ask_save, is_there, tell
from adstudio.ui.widgets.formatting import counted, quoted

TITLES = {
    "srt": "SubRip subtitles",
    "vtt": "WebVTT",
    "csv": "Table",
    "json": "Script as JSON",
    "reframed": "REFRAMED predictions",
    "problem": "Planning problem",
    "plan": "Plan",
    "xlsx": "Excel table",
    "docx": "Word document",
    "pdf": "PDF",
    "dapt": "DAPT",
}
ENDINGS = {
    "reframed": ".reframed.json",
    "problem": ".problem.json",
    "plan": ".plan.json",
    "dapt": ".dapt.xml",
}
"""The endings of formats whose ending is not their name."""
PREFERENCE = "export"
MOST_QUOTED = 5


def ending_of(form: str) -> str:
    """The file name ending of a format."""
    return ENDINGS.get(form, f".{form}")


def filter_of(form: str) -> str:
    """The file dialog's filter for a format."""
    return f"{TITLES.get(form, form.upper())} (*{ending_of(form)})"


def form_of(name: str, chosen: str, forms: Iterable[str]) -> str:
    """The intended format: the chosen one, unless the typed name has another one's ending."""
    typed = name.lower()
    if ending_of(chosen).endswith(Path(typed).suffix or " "):
        return chosen
    named = [form for form in forms if typed.endswith(ending_of(form))]
    return max(named, key=lambda form: len(ending_of(form)), default=chosen)


def proposed(project: Path, form: str) -> Path:
    """A name beside the project; not the subtitles' own, which is often the film's: `film.ad.srt`."""
    return project.with_name(project.stem.removesuffix(".ad") + ".ad" + ending_of(form))


def ask_export(context: Context, window: QWidget, project: Path) -> tuple[Path, str] | None:
    """A name and a format, the one used last being proposed; None if cancelled.

    A source of the film is refused before anything else is asked, and the dialog is shown again.
    """
    from adstudio.delivery.formats import FORMATS

    last = context.preferences.text(PREFERENCE, "srt")
    forms = sorted(FORMATS, key=lambda form: form != last)
    start = proposed(project, forms[0])
    while True:
        answer = ask_save(window, "Export script", start, [filter_of(form) for form in forms], confirm=False)
        if answer is None:
            return None
        path, form = _meant(*answer, start, forms)
        try:
            require_not_source(path, project, script=context.session.script, project=project)
        except BadInputError as refused:
            tell(window, f"{refused}.")
            start = proposed(path if path.suffix != PROJECT else project, form)
        else:
            if not is_there(path) or ask_replace(window, path):
                context.preferences.store(PREFERENCE, form)
                return path, form
            start = path
        forms.sort(key=lambda each: each != form)


def _meant(path: Path, shown: str, start: Path, forms: Sequence[str]) -> tuple[Path, str]:
    """The file and format that an answer means: the ending becomes the format's, typed or not."""
    chosen = next((form for form in forms if filter_of(form) == shown), forms[0])
    if path == start and path.name.endswith(ending_of(forms[0])):
        # Only the format was chosen: the proposed name follows it.
        return path.with_name(path.name.removesuffix(ending_of(forms[0])) + ending_of(chosen)), chosen
    form = form_of(path.name, chosen, forms)
    if ending_of(form).endswith(path.suffix.lower() or " "):
        return path, form
    return path.with_name(path.name + ending_of(form)), form


def confirm_unmet_locks(window: QWidget, script: Script, plan: Plan) -> bool:
    """Whether to export although locks conflict, so that lines are missing; True, without asking, if none are."""
    unmet = unmet_pins(script, plan)
    parts: list[str] = []
    for lines, one, several in (
        (unmet.missing, "is not in it", "are not in it"),
        (unmet.otherwise, "is not in it as you locked it", "are not in it as you locked them"),
    ):
        if lines:
            state, locks = (one, "its locks") if len(lines) == 1 else (several, "their locks")
            locked = f"{counted(len(lines), 'line')} you locked {state}"
            parts.append(f"{locked}, because {locks} conflict: {_quotes(lines)}.")
    return not parts or ask(window, " ".join(parts), "Export anyway?", ("Export anyway",), careful=True) == 0


def _quotes(lines: Sequence[Eventuality]) -> str:
    named = ", ".join(quoted(line.variants[0].text) for line in lines[:MOST_QUOTED])
    return named + (f" and {len(lines) - MOST_QUOTED} more" if len(lines) > MOST_QUOTED else "")
