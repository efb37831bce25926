"""The script as a Word document: DOCX, packed by python-docx."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from copy import copy
from typing import Any
from unicodedata import bidirectional

from adstudio.delivery.columns import HEADINGS, Cell, ScriptTable, printed
from adstudio.delivery.document_head import KIND, DocumentHead
from adstudio.delivery.word_markup import (
    LEFT_TO_RIGHT,
    WORD,
    Element,
    element,
    is_right_to_left,
    named,
    parsed,
    rightwards,
    run_content,
)
from adstudio.system.office_package import repacked

WIDTHS = {
    "number": 9,
    **dict.fromkeys(("in", "out", "dialogue end"), 20),
    **dict.fromkeys(("in s", "out s"), 15),
    "duration s": 17,
    **dict.fromkeys(("dialogue cue", "next dialogue"), 33),
    **dict.fromkeys(("notes", "pronunciation"), 23),
    "text": 68,
    "speed": 13,
    "duck": 11,
    **dict.fromkeys(("voice", "dialogue speaker"), 16),
    "status": 16,
}
"""The columns' widths in mm before they are fitted to the page."""
_PAGE, _MARGIN, _CELL_MARGIN = (297, 210), 12, 1.2
_TWIPS = 1440 / 25.4
"""To the millimetre."""
_CENTRED = frozenset({"number", "duration s", "speed", "duck", "in s", "out s"})
_OF_ANY_LANGUAGE = frozenset({"dialogue cue", "next dialogue", "dialogue speaker", "pronunciation"})
_STYLE = {"text": "ScriptLine", "dialogue cue": "ScriptCue", "next dialogue": "ScriptCue"}
_FACTS, _CELL, _HEADING = "ScriptFacts", "ScriptCell", "ScriptHeading"
_INK, _QUIET, _RULE, _FILL = "1F2937", "4B5563", "C9D1DB", "E4EAF1"
_NAMES = {
    "Title": "Title",
    "Header": "header",
    "Footer": "footer",
    _FACTS: "Script facts",
    "ScriptLine": "Script line",
    "ScriptCue": "Script cue",
    _CELL: "Script cell",
    _HEADING: "Script heading",
}
_SIZES = {  # half points; space before and after in twips; further marks
    "Title": (44, 0, 40, "<w:b/><w:bCs/>", _INK),
    "Header": (17, 0, 0, "", _QUIET),
    "Footer": (17, 0, 0, "", _QUIET),
    _FACTS: (19, 0, 200, "", _QUIET),
    "ScriptLine": (24, 0, 0, "", _INK),
    "ScriptCue": (17, 55, 0, "<w:i/><w:iCs/>", _QUIET),
    _CELL: (16, 60, 0, "", _INK),
    _HEADING: (16, 0, 0, "<w:b/><w:bCs/>", _INK),
}


def word_document(table: ScriptTable, head: DocumentHead, columns: Sequence[str]) -> bytes:
    """The script's table with its head, on A4 across; its headings repeat on each page and are headings to readers.

    Raises:
        TimeError: for a start timecode that is not valid at the frame rate.
    """
    docx: Any = importlib.import_module("docx")  # its types are not complete
    rows = table.rows()
    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author, properties.language = head.title[:255], "adstudio", head.language[:255]
    properties.subject, properties.comments = KIND, ""
    leftwards = is_right_to_left(head.language)
    document.styles.element[:] = _styles(head.language, leftwards=leftwards)
    _set_page(document.sections[0], head, leftwards=leftwards)
    body = document.element.body
    body.insert(0, _paragraph("Title", head.title))
    body.insert(1, _paragraph(_FACTS, rightwards(" · ".join((KIND, *head.facts)), leftwards=leftwards)))
    body.insert(2, _table(rows, columns, leftwards=leftwards))
    # Word wants a paragraph behind a table.
    body.insert(3, _paragraph(_CELL, ""))
    written = io.BytesIO()
    document.save(written)
    return repacked(written.getvalue(), head.date)


def _styles(language: str, *, leftwards: bool) -> list[Element]:
    """The document's styles: its language, and those of the paragraphs that we write."""
    defaults = parsed(
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/>'
        '<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang/></w:rPr></w:rPrDefault>'
        '<w:pPrDefault><w:pPr><w:spacing w:after="0" w:line="252" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
        "</w:docDefaults>"
    )
    defaults.find(f".//{{{WORD}}}lang").attrib.update(
        {f"{{{WORD}}}{script}": language for script in ("val", "eastAsia", "bidi")}
    )
    normal = parsed(
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>'
    )
    found = [defaults, normal]
    bidi = "<w:bidi/>" if leftwards else ""
    for identity, (size, before, after, marks, colour) in _SIZES.items():
        keeps = "<w:keepNext/>" if identity == "Title" else ""
        rtl = "<w:rtl/>" if leftwards and identity in {"Title", "ScriptLine", "ScriptCue"} else ""
        found.append(
            parsed(
                f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{_NAMES[identity]}"/>'
                f'<w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>{keeps}{bidi}<w:spacing w:before="{before}"'
                f' w:after="{after}"/></w:pPr>'
                f'<w:rPr>{marks}<w:color w:val="{colour}"/><w:sz w:val="{size}"/><w:szCs w:val="{size}"/>{rtl}</w:rPr>'
                "</w:style>"
            )
        )
    return found


def _set_page(section: Any, head: DocumentHead, *, leftwards: bool) -> None:  # noqa: ANN401 - of python-docx
    """A4 across, a running header, and the number of each page."""
    shared: Any = importlib.import_module("docx.shared")
    section.orientation = importlib.import_module("docx.enum.section").WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = map(shared.Mm, _PAGE)
    section.left_margin = section.right_margin = shared.Mm(_MARGIN)
    section.top_margin, section.bottom_margin = shared.Mm(18), shared.Mm(15)
    section.header_distance, section.footer_distance = shared.Mm(8), shared.Mm(7)
    end = round((_PAGE[0] - 2 * _MARGIN) * _TWIPS)
    tabs = element("tabs", element("tab", val="right", pos=str(end)))
    running = _paragraph("Header", f"{head.title}\t{rightwards(head.running, leftwards=leftwards)}", tabs)
    mark = LEFT_TO_RIGHT if leftwards else ""
    pages = _paragraph("Footer", f"{KIND}\t{mark}Page ", tabs)
    for said in (_field("PAGE"), _run(" of "), _field("NUMPAGES"), _run(mark)):
        pages.append(said)
    section.header._element[:] = [running]  # noqa: SLF001 - python-docx has no other way to one paragraph
    section.footer._element[:] = [pages]  # noqa: SLF001
    if leftwards:
        section._sectPr.find(named("docGrid")).addprevious(element("bidi"))  # noqa: SLF001


def _shown(name: str, value: Cell, *, leftwards: bool) -> str:
    """A value as it is read; dialogue may run from the left beside lines that run from the right."""
    text = printed(name, value)
    marked = leftwards and name in _OF_ANY_LANGUAGE and not any(bidirectional(each) in {"R", "AL"} for each in text)
    return rightwards(text, leftwards=marked)


def _table(rows: Sequence[dict[str, Cell]], columns: Sequence[str], *, leftwards: bool) -> Element:
    room = _PAGE[0] - 2 * _MARGIN
    share = room / sum(WIDTHS[name] for name in columns)
    widths = {name: round(WIDTHS[name] * share * _TWIPS) for name in columns}
    margin = round(_CELL_MARGIN * _TWIPS)
    sides = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="{_RULE}"/>' for side in ("top", "bottom", "insideH")
    )
    table = parsed(
        f"<w:tbl><w:tblPr>{'<w:bidiVisual/>' if leftwards else ''}"
        f'<w:tblW w:w="{sum(widths.values())}" w:type="dxa"/><w:tblInd w:w="0" w:type="dxa"/>'
        f"<w:tblBorders>{sides}</w:tblBorders>"
        '<w:tblLayout w:type="fixed"/><w:tblCellMar>'
        f'<w:top w:w="60" w:type="dxa"/><w:left w:w="{margin}" w:type="dxa"/><w:bottom w:w="60" w:type="dxa"/>'
        f'<w:right w:w="{margin}" w:type="dxa"/></w:tblCellMar>'
        '<w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1"'
        ' w:noVBand="1"/><w:tblCaption w:val="Script"/>'
        '<w:tblDescription w:val="A row for each line of the description, in the order of their times"/>'
        "</w:tblPr></w:tbl>"
    )
    table.append(element("tblGrid", *(element("gridCol", w=str(widths[name])) for name in columns)))
    heading = element("trPr", element("cantSplit"), element("tblHeader"))
    fill = parsed(f'<w:shd w:val="clear" w:color="auto" w:fill="{_FILL}"/>')
    titles = {name: rightwards(HEADINGS[name], leftwards=leftwards) for name in columns}
    table.append(_row([(titles[name], widths[name], _HEADING, name in _CENTRED) for name in columns], heading, fill))
    for row in rows:
        cells = [
            (_shown(name, row[name], leftwards=leftwards), widths[name], _STYLE.get(name, _CELL), name in _CENTRED)
            for name in columns
        ]
        table.append(_row(cells, element("trPr", element("cantSplit"))))
    return table


def _row(cells: Sequence[tuple[str, int, str, bool]], properties: Element, fill: Element | None = None) -> Element:
    """A row of texts, each with its width, the style of its paragraph, and whether it is centred."""
    row = element("tr", properties)
    for text, width, style, centred in cells:
        about = element("tcPr", element("tcW", w=str(width), type="dxa"))
        if fill is not None:
            about.append(copy(fill))
        row.append(element("tc", about, _paragraph(style, text, *([element("jc", val="center")] if centred else []))))
    return row


def _paragraph(style: str, text: str, *properties: Element) -> Element:
    about = element("pPr", element("pStyle", val=style), *(copy(each) for each in properties))
    return element("p", about, *([_run(text)] if text else []))


def _run(text: str) -> Element:
    return element("r", *run_content(text))


def _field(name: str) -> Element:
    """A field that the word processor fills in, such as the number of the page."""
    return element("fldSimple", _run("1"), instr=f" {name} ")
