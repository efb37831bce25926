"""The script as a PDF that a voice artist reads from, set by Typst: large, with the times and the cues beside it.

It is tagged: screen readers know the table, its headings, and the language. As PDF/UA-1 it promises so; where no font
of the machine has one of its characters it cannot promise, and says that.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence

from adstudio.core.errors import Oddity, OutsideFailureError
from adstudio.delivery.columns import BETWEEN_WORDS, Cell, ScriptTable, printed
from adstudio.delivery.document_head import KIND, DocumentHead
from adstudio.delivery.text import document_text
from adstudio.delivery.word_markup import is_right_to_left, rightwards
from adstudio.system.files import read_bounded
from adstudio.system.locations import resource

_TIMES = ("in", "out", "duration s", "in s", "out s")
_SPOKEN = ("dialogue speaker", "dialogue cue", "dialogue end", "text", "next dialogue")
_MARKS = {"speed": "{} wpm", "duck": "duck {} dB", "voice": "{}", "status": "{}"}
_REMARKS = ("notes", "pronunciation", *_MARKS)
_GROUPS = {"number": ("number",), "time": _TIMES, "text": _SPOKEN, "notes": _REMARKS}
"""What is in each column of the page."""
_TITLES = {"number": "No.", "time": "Time", "text": "Description", "notes": "Notes"}
_LANGUAGE, _REGION = re.compile(r"[a-z]{2,3}\Z"), re.compile(r"[A-Z]{2}\Z")
_MOST_TOGETHER = 600
"""Characters of a row that stays on one page, where a text's new line counts as 20: no more than a page can hold."""
_UNKNOWN = "und"
"""The tag of a language that is not known."""
NO_FONT = (
    "no font of this machine has some of the script’s characters, so the PDF shows boxes for them: install a font that"
    " has them, such as Noto, and export again"
)


def pdf_script(table: ScriptTable, head: DocumentHead, columns: Sequence[str]) -> tuple[bytes, tuple[Oddity, ...]]:
    """The PDF, and what is odd about it.

    Raises:
        TimeError: for a start timecode that is not valid at the frame rate.
        OutsideFailureError: if the program's own layout is missing or cannot be set.
    """
    import typst

    layout = read_bounded(resource("script.typ"), 1_000_000, "layout of the PDF")
    inputs = {"script": json.dumps(_content(table, head, columns), ensure_ascii=False)}
    moment = dt.datetime.combine(head.date, dt.time(), dt.UTC)
    try:
        return typst.compile(layout, format="pdf", sys_inputs=inputs, timestamp=moment, pdf_standards="ua-1"), ()
    except typst.TypstError:
        pass
    try:
        return typst.compile(layout, format="pdf", sys_inputs=inputs, timestamp=moment), (Oddity(NO_FONT),)
    except typst.TypstError as error:
        raise OutsideFailureError(f"the PDF cannot be set: {error}") from error


def _content(table: ScriptTable, head: DocumentHead, columns: Sequence[str]) -> Mapping[str, object]:
    """What the layout is given."""
    groups = [name for name, members in _GROUPS.items() if set(members) & set(columns)]
    tag = head.language.split("-")
    language, leftwards = tag[0].lower(), is_right_to_left(head.language)
    return {
        "title": head.title,
        "kind": KIND,
        "facts": rightwards(" · ".join(head.facts), leftwards=leftwards),
        "running": rightwards(head.running, leftwards=leftwards),
        "day": {"year": head.date.year, "month": head.date.month, "day": head.date.day},
        "language": language if _LANGUAGE.match(language) else _UNKNOWN,
        "region": next((part.upper() for part in tag[1:] if _REGION.match(part.upper())), None),
        "leftwards": leftwards,
        "columns": groups,
        "headings": {name: rightwards(title, leftwards=leftwards) for name, title in _TITLES.items()},
        "rows": [_row(row, groups, columns, leftwards=leftwards) for row in table.rows()],
    }


def _row(
    row: Mapping[str, Cell], groups: Sequence[str], columns: Sequence[str], *, leftwards: bool
) -> dict[str, object]:
    shown = {name: document_text(printed(name, row[name])) if name in columns else "" for name in row}
    times = [f"{shown[name]} s" if name == "duration s" else shown[name] for name in _TIMES if shown[name]]
    cells: dict[str, object] = {
        "number": shown["number"],
        "time": [rightwards(time, leftwards=leftwards) for time in times],
        "text": {
            "cue": ": ".join(filter(None, (shown["dialogue speaker"], shown["dialogue cue"]))),
            "ends": shown["dialogue end"],
            "text": shown["text"],
            "next": shown["next dialogue"],
        },
        "notes": {
            "notes": [shown["notes"]] if shown["notes"] else [],
            "pronunciation": shown["pronunciation"].split(BETWEEN_WORDS) if shown["pronunciation"] else [],
            "marks": [
                rightwards(_MARKS[name].format(shown[name]), leftwards=leftwards) for name in _MARKS if shown[name]
            ],
        },
    }
    size = sum(len(text) + 20 * (text.count("\n") + text.count(BETWEEN_WORDS)) for text in shown.values())
    return {name: cells[name] for name in groups} | {"breaks": size > _MOST_TOGETHER}
