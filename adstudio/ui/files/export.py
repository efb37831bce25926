"""Handing in: in which format, under which name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from adstudio.ui.desk import Desk
from adstudio.ui.files.asking import ask_save, with_ending

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
"""Where a format's ending is not its name."""
PREFERENCE = "export"


def ending_of(form: str) -> str:
    """How files of a format end."""
    return ENDINGS.get(form, f".{form}")


def filter_of(form: str) -> str:
    """What the file dialog shows of a format."""
    return f"{TITLES.get(form, form.upper())} (*{ending_of(form)})"


def form_of(name: str, chosen: str, forms: Iterable[str]) -> str:
    """The format wanted: the one chosen, unless the name that was typed ends as another one does."""
    typed = name.lower()
    if ending_of(chosen).endswith(Path(typed).suffix or " "):
        return chosen
    named = [form for form in forms if typed.endswith(ending_of(form))]
    return max(named, key=lambda form: len(ending_of(form)), default=chosen)


def ask_export(desk: Desk, window: QWidget, project: Path) -> tuple[Path, str] | None:
    """A name and a format, the one used last being proposed; None where the describer thinks better of it."""
    from adstudio.delivery.formats import FORMATS

    last = desk.preferences.text(PREFERENCE, "srt")
    forms = sorted(FORMATS, key=lambda form: form != last)
    start = project.with_name(project.stem + ending_of(forms[0]))
    answer = ask_save(window, "Export the script", start, [filter_of(form) for form in forms])
    if answer is None:
        return None
    path, shown = answer
    chosen = next((form for form in forms if filter_of(form) == shown), forms[0])
    form = form_of(path.name, chosen, forms)
    desk.preferences.store(PREFERENCE, form)
    if ending_of(form).endswith(path.suffix.lower() or " "):
        return path, form
    full = with_ending(window, path, ending_of(form))
    return None if full is None else (full, form)
