"""The script as a spreadsheet, a Word document and a PDF, as libraries read them back."""

from __future__ import annotations

import datetime as dt
import io
import subprocess
import sys
import zipfile
from dataclasses import replace

import docx
import openpyxl
import pypdf
import pytest

from adstudio.core.film import Film
from adstudio.core.narration import Pronunciation
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.columns import HEADINGS, TRADE_COLUMNS
from adstudio.delivery.export import export_of
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions

TEXTS = (
    "Nora waits.",
    '=HYPERLINK("http://example.org")',
    "Two lines:\nthe second “quoted” <b>&amp;</b>",
    '#link("x") *bold* $x$ \\ @ref [c]',
    "-40 °C, says the sign – Žofie, Ångström",
)
DAY = dt.date(2026, 11, 29)
FILM = Film("Night & Day", 200_000, language="en-GB", frame_rate=RATES["24"], start_timecode="01:00:00:00")
SCRIPT = Script(
    FILM,
    cues=(Cue("c", 1_000, 2_000, "Who's there?"),),
    eventualities=tuple(
        Eventuality(
            f"e{n}", (Variant(text),), Span(10_000 * n, 10_000 * n + 2_000), 1, note="“quick”" if n == 1 else ""
        )
        for n, text in enumerate(TEXTS, 1)
    ),
    lexicon=(Pronunciation("Nora", "NOR-uh"),),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=tuple(Delivery(f"e{n}", 0, 10_000 * n, 10_000 * n + 1_500) for n in range(1, len(TEXTS) + 1)),
)
OPTIONS = ExportOptions(version="Second draft", date=DAY)
DOCUMENTS = ("xlsx", "docx", "pdf")


def written(form, script=SCRIPT, plan=PLAN, options=OPTIONS):
    return io.BytesIO(FORMATS[form](script, plan, options))


def sheet(**given):
    return openpyxl.load_workbook(written("xlsx", **given)).active


def cells(of):
    """The cells below the headings."""
    return [[cell.value for cell in row] for row in of.iter_rows(min_row=5)]


def test_a_spreadsheet_has_the_columns_of_the_trade_and_every_line():
    of = sheet()
    assert of["A1"].value == "Night & Day"
    assert of["A2"].value == (
        "Audio description script · Second draft · 2026-11-29 · en-GB · 24 fps · start 01:00:00:00 · 5 lines"
        " · 8 s spoken"
    )
    assert [cell.value for cell in of[4]] == [HEADINGS[name] for name in TRADE_COLUMNS]
    assert [row[6] for row in cells(of)] == list(TEXTS)
    assert cells(of)[0] == [
        *(1, "01:00:10:00", "01:00:11:12", 1.5, "Who's there?", "01:00:02:00", "Nora waits.", "“quick”"),
        *("Nora: NOR-uh", 80, None, None, "draft"),
    ]


def test_no_text_of_a_spreadsheet_is_ever_a_formula():
    script = replace(SCRIPT, film=replace(FILM, title="=1+1"))
    of = openpyxl.load_workbook(written("xlsx", script, options=replace(OPTIONS, version="@SUM(A1)"))).active
    assert (of["A1"].value, of["A1"].data_type) == ("=1+1", "s")
    found = of["G6"]
    assert (found.value, found.data_type, found.quotePrefix) == (TEXTS[1], "s", True)
    assert not any(cell.data_type == "f" for row in of.iter_rows() for cell in row)
    # The header of the page has codes of its own.
    assert "&" not in of.oddHeader.left.text


def test_a_spreadsheet_repeats_and_names_its_headings():
    of = sheet()
    (table,) = of.tables.values()
    assert (table.ref, table.headerRowCount) == ("A4:M9", 1)
    assert (of.print_title_rows, of.freeze_panes) == ("$4:$4", "A5")
    assert "&P" in of.oddFooter.center.text


def test_a_text_that_no_cell_can_hold_is_cut_and_that_is_said():
    long = Eventuality("e1", (Variant("x" * 40_000),), Span(10_000, 12_000), 1)
    script = replace(SCRIPT, eventualities=(long, *SCRIPT.eventualities[1:]))
    export = export_of("xlsx", script, PLAN, OPTIONS)
    assert [each.what for each in export.oddities] == [
        "line 1: Description has more than 32,767 characters, so it is cut"
    ]
    assert len(openpyxl.load_workbook(io.BytesIO(export.content)).active["G5"].value) == 32_767


def test_a_word_document_has_the_same_table():
    document = docx.Document(written("docx"))
    assert [p.text for p in document.paragraphs][:1] == ["Night & Day"]
    (table,) = document.tables
    rows = [[cell.text for cell in row.cells] for row in table.rows]
    assert rows[0] == [HEADINGS[name] for name in TRADE_COLUMNS]
    assert [row[6] for row in rows[1:]] == list(TEXTS)
    assert rows[1] == [
        *("1", "01:00:10:00", "01:00:11:12", "1.5", "Who's there?", "01:00:02:00", "Nora waits.", "“quick”"),
        *("Nora: NOR-uh", "80", "", "", "draft"),
    ]


def test_a_word_document_says_its_language_its_headings_and_its_pages():
    data = written("docx")
    document = docx.Document(data)
    assert document.core_properties.title == "Night & Day"
    with zipfile.ZipFile(data) as package:
        styles, body = package.read("word/styles.xml").decode(), package.read("word/document.xml").decode()
        footer, header = (package.read(f"word/{part}1.xml").decode() for part in ("footer", "header"))
    assert 'w:val="en-GB" w:eastAsia="en-GB" w:bidi="en-GB"' in styles
    assert body.count("<w:tblHeader/>") == 1
    assert 'w:firstRow="1"' in body
    assert "NUMPAGES" in footer
    assert "Second draft · 2026-11-29" in header


def test_hebrew_runs_from_the_right():
    script = replace(SCRIPT, film=replace(FILM, language="he"))
    with zipfile.ZipFile(written("docx", script)) as package:
        assert "<w:bidiVisual/>" in package.read("word/document.xml").decode()
        assert "<w:bidi/>" in package.read("word/styles.xml").decode()


def test_a_pdf_has_every_text_as_it_is():
    reader = pypdf.PdfReader(written("pdf"))
    # Where lines are broken depends on the machine's fonts.
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for wanted in TEXTS:
        assert "".join(wanted.split()) in text
    for wanted in (
        "Page 1 of 1",
        "Night & Day",
        "Second draft",
        "01:00:11:12",
        "Who's there?",
        "Nora: NOR-uh",
        "80 wpm",
    ):
        assert "".join(wanted.split()) in text


def test_a_pdf_is_tagged_with_its_language_and_the_headings_of_its_table():
    reader = pypdf.PdfReader(written("pdf"))
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en-GB"
    assert b"pdfuaid:part>1<" in root["/Metadata"].get_data()
    assert reader.metadata.title == "Night & Day – Audio description script"

    def tags(of):
        of = of.get_object()
        if isinstance(of, list):
            return [tag for each in of for tag in tags(each)]
        if not isinstance(of, dict):
            return []
        return [str(of["/S"]) if "/S" in of else "", *(tags(of["/K"]) if "/K" in of else [])]

    found = tags(root["/StructTreeRoot"])
    assert (found.count("/TH"), found.count("/TR"), found.count("/H1")) == (4, 6, 1)


@pytest.mark.parametrize("text", [" ".join(f"w{n}" for n in range(1_200)), "w\n" * 120], ids=["words", "lines"])
@pytest.mark.parametrize("where", ["note", "text"])
def test_a_text_longer_than_a_page_goes_on_on_the_next(where, text):
    line = SCRIPT.eventualities[1]
    long = replace(line, note=text) if where == "note" else replace(line, variants=(Variant(text),))
    script = replace(SCRIPT, eventualities=(SCRIPT.eventualities[0], long, *SCRIPT.eventualities[2:]))
    lowest = []
    for page in pypdf.PdfReader(written("pdf", script)).pages:
        page.extract_text(
            visitor_text=lambda said, outer, inner, _font, _size: (
                lowest.append(outer[5] + inner[5] * outer[3]) if said.strip() else None
            )
        )
    assert min(lowest) > 0


def test_characters_that_no_font_has_are_said():
    odd = Eventuality("e1", (Variant("For private use: \U000f1234."),), Span(10_000, 12_000), 1)
    script = replace(SCRIPT, eventualities=(odd, *SCRIPT.eventualities[1:]))
    export = export_of("pdf", script, PLAN, OPTIONS)
    assert export.content.startswith(b"%PDF-")
    assert ["install a font" in each.what for each in export.oddities] == [True]


@pytest.mark.parametrize("form", DOCUMENTS)
@pytest.mark.parametrize(
    "film",
    [
        Film("", 200_000, language=""),
        Film("A\x00\x1f\ud800\n\ufffe b", 200_000, language="x-klingon-Latn-ABCDEFGH"),
        Film("日本語 العربية", 200_000, language="zh-Hant-TW"),
    ],
)
def test_odd_films_and_texts_are_written_all_the_same(form, film):
    odd = Eventuality("e1", (Variant("a\x00b\ud800c\r\nd\te\ufffff"),), Span(10_000, 12_000), 1, note="\x01")
    data = written(form, replace(SCRIPT, film=film, eventualities=(odd, *SCRIPT.eventualities[1:])))
    if form == "xlsx":
        assert openpyxl.load_workbook(data).active["G5"].value == "abc\nd\tef"
    elif form == "docx":
        assert docx.Document(data).tables[0].rows[1].cells[6].text == "abc\nd\tef"
    else:
        assert len(pypdf.PdfReader(data).pages) == 1


@pytest.mark.parametrize("form", DOCUMENTS)
def test_no_lines_make_a_document_without_lines(form):
    assert written(form, plan=Plan(Status.OPTIMAL, "exact")).getvalue()


@pytest.mark.parametrize("form", DOCUMENTS)
def test_columns_are_those_that_are_chosen(form):
    data = written(form, options=replace(OPTIONS, columns=("text", "in")))
    if form == "xlsx":
        assert cells(openpyxl.load_workbook(data).active)[0] == ["Nora waits.", "01:00:10:00"]
    elif form == "docx":
        assert [cell.text for cell in docx.Document(data).tables[0].rows[1].cells] == ["Nora waits.", "01:00:10:00"]
    else:
        text = pypdf.PdfReader(data).pages[0].extract_text()
        assert "01:00:10:00" in text
        assert "01:00:11:12" not in text


@pytest.mark.parametrize("form", DOCUMENTS)
def test_the_same_script_makes_the_same_bytes(form):
    assert written(form).getvalue() == written(form).getvalue()


def test_nothing_of_it_is_loaded_before_it_is_needed():
    code = (
        "import sys, adstudio.delivery.export\nprint(sorted({'openpyxl', 'docx', 'lxml', 'typst'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_is_in_a_document_is_shown_as_text_before_it_is_written():
    preview = export_of("docx", SCRIPT, PLAN, OPTIONS).preview.decode("utf-8-sig").splitlines()
    assert preview[0].split("\t") == [HEADINGS[each] for each in TRADE_COLUMNS]
    assert preview[1].startswith("1\t01:00:10:00\t")
