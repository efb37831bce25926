"""A house's own documents, filled in: what belongs where, and what a template must not do."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.table import Table

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.export import export_of
from adstudio.delivery.options import ExportOptions
from adstudio.delivery.template_file import Template, read_template
from adstudio.delivery.templates import cleaning

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TEXTS = ("Nora waits.", "=1+1", "{{title}} & <b>\nnext line", "-40 °C", "Last.")
SCRIPT = Script(
    Film("Night & Day", 200_000, language="en-GB", frame_rate=RATES["25"], start_timecode="10:00:00:00"),
    eventualities=tuple(
        Eventuality(f"e{n}", (Variant(text),), Span(10_000 * n, 10_000 * n + 2_000), 1)
        for n, text in enumerate(TEXTS, 1)
    ),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=tuple(Delivery(f"e{n}", 0, 10_000 * n, 10_000 * n + 1_500) for n in range(1, len(TEXTS) + 1)),
)
NO_LINES = Plan(Status.OPTIMAL, "exact")


def export(data, form="docx", plan=PLAN, script=SCRIPT, name=None):
    template = Template(Path(name or f"house.{form}"), data)
    return export_of(
        form, script, plan, ExportOptions(template=template, version="Draft 2", date=dt.date(2026, 11, 29))
    )


def saved(of) -> bytes:
    written = io.BytesIO()
    of.save(written)
    return written.getvalue()


def house_document(*cells: str) -> docx.Document:
    """A house's document: a head, a table with a row of headings, one to be repeated and one below, and a header."""
    document = docx.Document()
    document.add_paragraph("Script of {{title}} ({{ Frame Rate }} fps), {{date}}")
    document.sections[0].header.paragraphs[0].text = "{{film}} – {{version}}"
    cells = cells or ("{{number}}", "{{tc_in}} – {{TC out}}", "{{text}}")
    table = document.add_table(3, len(cells))
    for place, cell in enumerate(cells):
        table.rows[0].cells[place].text = f"Head {place}"
        table.rows[1].cells[place].text = cell
        table.rows[2].cells[place].text = "End"
    return document


def rows_of(content: bytes) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in docx.Document(io.BytesIO(content)).tables[0].rows]


def test_a_row_is_repeated_for_each_line():
    found = export(saved(house_document()))
    assert not found.oddities
    rows = rows_of(found.content)
    assert rows[0] == ["Head 0", "Head 1", "Head 2"]
    assert rows[-1] == ["End"] * 3
    assert [row[2] for row in rows[1:-1]] == list(TEXTS)
    assert rows[1] == ["1", "10:00:10:00 – 10:00:11:13", "Nora waits."]
    document = docx.Document(io.BytesIO(found.content))
    assert document.paragraphs[0].text == "Script of Night & Day (25 fps), 2026-11-29"
    assert document.sections[0].header.paragraphs[0].text == "Night & Day – Draft 2"


def test_a_placeholder_may_be_split_by_the_word_processor_and_keeps_its_looks():
    document = house_document("x", "y")
    paragraph = document.tables[0].rows[1].cells[1].paragraphs[0]
    paragraph.clear()
    for text, bold in (("[{", False), ("{te", True), ("xt}", False), ("}] {{", False), ("number}}!", True)):
        paragraph.add_run(text).bold = bold
    found = export(saved(document))
    cell = docx.Document(io.BytesIO(found.content)).tables[0].rows[1].cells[1]
    assert cell.text == "[Nora waits.] 1!"
    assert [(run.text, run.bold) for run in cell.paragraphs[0].runs if run.text] == [
        ("[Nora waits.", False), ("] 1", False), ("!", True),
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_however_it_is_split_a_text_is_filled_as_one(data):
    pieces = data.draw(st.lists(st.sampled_from(["{{text}}", "{{ Number }}", "{{no such}}", "{", "}}", "a b", "«"])))
    whole = "".join(["{{text}}", *pieces])
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)))) | {0, len(whole)})
    document = house_document("x", "y")
    paragraph = document.tables[0].rows[1].cells[1].paragraphs[0]
    paragraph.clear()
    for start, end in pairwise(cuts):
        paragraph.add_run(whole[start:end])
    said = {"text": "Nora waits.", "number": "1"}
    expected = re.sub(r"\{\{\s*([^{}\n]{1,60}?)\s*\}\}", lambda found: said.get(found[1].lower(), found[0]), whole)
    assert rows_of(export(saved(document)).content)[1][1] == expected


def test_rows_together_are_repeated_together():
    document = house_document()
    for place in range(3):
        document.tables[0].rows[2].cells[place].text = "{{notes}}" if place == 1 else "–"
    rows = rows_of(export(saved(document)).content)
    assert len(rows) == 1 + 2 * len(TEXTS)
    assert [row[0] for row in rows[1:5]] == ["1", "–", "2", "–"]


def test_without_a_line_the_row_stays_empty():
    assert rows_of(export(saved(house_document()), plan=NO_LINES).content)[1] == ["", " – ", ""]


def test_unknown_placeholders_stay_and_are_named():
    document = house_document("{{text}}", "{{mood}}")
    document.add_paragraph("{{Director}} {{text}}")
    found = export(saved(document))
    unknown, outside = (each.what for each in found.oddities)
    assert "{{Director}}, {{mood}}" in unknown
    assert "duration" in unknown
    assert "{{text}}" in outside
    assert rows_of(found.content)[1] == ["Nora waits.", "{{mood}}"]


@pytest.mark.parametrize("form", ["docx", "xlsx"])
def test_a_template_without_a_row_for_lines_is_refused(form):
    if form == "docx":
        document = docx.Document()
        document.add_paragraph("{{text}}")
        data = saved(document)
    else:
        book = openpyxl.Workbook()
        book.active["A1"] = "{{title}}"
        data = saved(book)
    with pytest.raises(BadInputError, match=r"house.* no row .*\{\{text\}\}"):
        export(data, form)


def test_rows_that_are_not_together_are_refused():
    document = house_document()
    document.tables[0].add_row().cells[0].text = "{{text}}"
    with pytest.raises(BadInputError, match="not together"):
        export(saved(document))
    book = house_book()
    book.active["A30"] = "{{text}}"
    with pytest.raises(BadInputError, match="not together"):
        export(saved(book), "xlsx")


def house_book() -> openpyxl.Workbook:
    """A house's spreadsheet: a head, a table with a repeated row, totals below, and all that refers to them."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "AD"
    sheet["A1"], sheet["B1"] = "{{title}}", "{{date}} {{frame_rate}}"
    for place, (heading, cell) in enumerate(
        (("No", "{{number}}"), ("In", "{{in}}"), ("Text", "{{text}}"), ("s", "{{duration_s}}"), ("Half", "=D5/2")), 1
    ):
        sheet.cell(4, place, heading)
        sheet.cell(5, place, cell).font = Font(bold=True, size=14)
    sheet["C7"], sheet["D7"], sheet["E7"] = "Total", "=SUM(D5:D5)", "=D7+B1"
    sheet["A8"] = "Signed"
    sheet.merge_cells("A8:C8")
    sheet.row_dimensions[7].height = 40
    sheet.add_table(Table(displayName="Lines", ref="A4:E5"))
    sheet.conditional_formatting.add("D5:D5", CellIsRule("greaterThan", ["3"], fill=PatternFill("solid", "FFFF0000")))
    check = DataValidation("list", formula1='"yes,no"')
    check.add("F5")
    sheet.add_data_validation(check)
    sheet.print_area = "A1:F8"
    for row in (4, 5, 7):
        sheet.row_breaks.append(Break(row))
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=4, min_row=4, max_row=5), titles_from_data=True)
    sheet.add_chart(chart, "H9")
    book.defined_names["Seconds"] = DefinedName("Seconds", attr_text="AD!$D$5:$D$5")
    other = book.create_sheet("Sum")
    other["A1"], other["A2"] = "=AD!D7", "=D7"
    return book


def test_a_spreadsheet_is_filled_and_all_that_refers_to_its_rows_follows():
    found = export(saved(house_book()), "xlsx")
    assert not found.oddities
    book = openpyxl.load_workbook(io.BytesIO(found.content))
    sheet = book["AD"]
    assert (sheet["A1"].value, sheet["B1"].value) == ("Night & Day", "2026-11-29 25")
    assert [sheet.cell(row, 3).value for row in range(5, 10)] == list(TEXTS)
    assert [sheet.cell(row, 1).value for row in range(5, 10)] == [1, 2, 3, 4, 5]
    assert {sheet.cell(row, 4).value for row in range(5, 10)} == {1.5}
    assert [sheet.cell(row, 5).value for row in range(5, 10)] == [f"=D{row}/2" for row in range(5, 10)]
    assert {(cell.data_type, cell.font.b, cell.font.sz) for cell in sheet["C"][4:9]} == {("s", True, 14)}
    # The first row below was 6, and is now four rows further down.
    assert (sheet["C11"].value, sheet["D11"].value, sheet["E11"].value) == ("Total", "=SUM(D5:D9)", "=D11+B1")
    assert sheet.row_dimensions[11].height == 40
    assert [each.coord for each in sheet.merged_cells.ranges] == ["A12:C12"]
    assert sheet["A12"].value == "Signed"
    assert sheet.tables["Lines"].ref == "A4:E9"
    assert [str(each.sqref) for each in sheet.conditional_formatting] == ["D5:D9"]
    assert str(sheet.data_validations.dataValidation[0].sqref) == "F5:F9"
    assert sheet.print_area == "'AD'!$A$1:$F$12"
    assert [each.id for each in sheet.row_breaks.brk] == [4, 9, 11]
    (chart,) = sheet._charts
    assert chart.series[0].val.numRef.f == "'AD'!$D$5:$D$9"
    assert chart.anchor._from.row == 12
    assert book.defined_names["Seconds"].attr_text == "AD!$D$5:$D$9"
    assert [book["Sum"]["A1"].value, book["Sum"]["A2"].value] == ["=AD!D11", "=D7"]


def test_no_text_becomes_a_formula_in_a_template():
    book = house_book()
    book.active["F5"] = '=LEN("{{text}}")'
    found = export(saved(book), "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(found.content))["AD"]
    assert (sheet["C6"].value, sheet["C6"].data_type, sheet["C6"].quotePrefix) == ("=1+1", "s", True)
    assert sheet["F6"].value == '=LEN("{{text}}")'
    assert any("formula in F5" in each.what for each in found.oddities)


def with_part(data: bytes, name: str, change) -> bytes:
    """A package in which a part has been changed, or added."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(written, "w") as after:
        names = [each for each in before.namelist() if each != name]
        for each in names:
            after.writestr(each, before.read(each))
        after.writestr(name, change(before.read(name) if name in before.namelist() else b""))
    return written.getvalue()


def all_of(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return "\n".join(package.read(name).decode("utf-8", "replace") for name in package.namelist())


RELATION = (
    '<Relationship Id="rIdX" TargetMode="External" Target="{target}" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"/></Relationships>'
)
EVIL = "http://evil.example/x"


def reaching_document() -> bytes:
    """A document that links, includes and embeds all it can."""
    document = house_document()
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    for markup in (
        '<w:hyperlink r:id="rIdX"><w:r><w:t>our site</w:t></w:r></w:hyperlink>',
        f'<w:fldSimple w:instr=" INCLUDEPICTURE {EVIL}.png \\d "><w:r><w:t>picture</w:t></w:r></w:fldSimple>',
        (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> DDE</w:instrText></w:r>'
            '<w:r><w:instrText>AUTO cmd "/c calc" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
            '<w:r><w:t>result</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        ),
        "<w:r><w:object/></w:r>",
        '<w:fldSimple w:instr=" PAGE "><w:r><w:t>7</w:t></w:r></w:fldSimple>',
        f'<w:r><w:pict><v:fill xmlns:v="urn:schemas-microsoft-com:vml" src="{EVIL}"/></w:pict></w:r>',
    ):
        document.element.body.insert(0, parse_xml(f'<w:p xmlns:w="{W}" xmlns:r="{r}">{markup}</w:p>'))
    data = with_part(
        saved(document),
        "word/_rels/document.xml.rels",
        lambda old: old.replace(b"</Relationships>", RELATION.format(target=EVIL, kind="hyperlink").encode()),
    )
    data = with_part(
        data,
        "word/_rels/settings.xml.rels",
        lambda _: (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            + RELATION.format(target="file:///C:/evil.dotm", kind="attachedTemplate")
        ).encode(),
    )
    attached = f'<w:attachedTemplate xmlns:r="{r}" r:id="rIdX"/></w:settings>'.encode()
    return with_part(data, "word/settings.xml", lambda old: old.replace(b"</w:settings>", attached))


def test_what_reaches_beyond_a_document_is_taken_out_and_said():
    found = export(reaching_document())
    said = "\n".join(each.what for each in found.oddities)
    for what in (EVIL, "evil.dotm", "INCLUDEPICTURE", "DDEAUTO", "embedded object"):
        assert what in said, what
    written = all_of(found.content)
    for gone in ("evil", "INCLUDEPICTURE", "> DDE", "cmd", "<w:object", "attachedTemplate", "External"):
        assert gone not in written, gone
    text = "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(found.content)).paragraphs)
    assert "our site" in text
    assert "result" in text
    assert "PAGE" in written
    assert [row[2] for row in rows_of(found.content)[1:-1]] == list(TEXTS)


def test_data_of_other_programs_in_a_document_stay():
    data = b"<order><object>film</object><control/></order>"
    found = export(with_part(saved(house_document()), "customXml/item1.xml", lambda _: data))
    assert not found.oddities
    assert data.decode() in all_of(found.content)


def test_what_reaches_beyond_a_spreadsheet_is_taken_out_and_said():
    book = house_book()
    sheet = book.active
    for cell, formula in (
        ("G1", "=cmd|'/c calc'!A0"),
        ("G2", '=WEBSERVICE("http://evil.example")'),
        ("G3", "=[1]Sheet1!A1"),
        ("G4", "=SUM(Lines[s])"),
    ):
        sheet[cell] = formula
    sheet["H1"] = "site"
    sheet["H1"].hyperlink = EVIL
    found = export(saved(book), "xlsx")
    said = "\n".join(each.what for each in found.oddities)
    for what in ("G1", "G2", "G3", EVIL):
        assert what in said
    again = openpyxl.load_workbook(io.BytesIO(found.content))["AD"]
    assert [again[cell].value for cell in ("G1", "G2", "G3", "G4")] == [None, None, None, "=SUM(Lines[s])"]
    assert (again["H1"].value, again["H1"].hyperlink) == ("site", None)
    assert "evil" not in all_of(found.content)


@pytest.mark.parametrize(
    ("part", "content"),
    [("word/vbaProject.bin", b"x"), ("word/activeX/activeX1.xml", b"<x/>"), ("xl/macrosheets/sheet1.xml", b"<x/>")],
)
def test_macros_are_refused(part, content):
    with pytest.raises(BadInputError, match="macros, which are never run"):
        export(with_part(saved(house_document()), part, lambda _: content))


def test_what_is_called_with_macros_is_refused_before_it_is_read(tmp_path):
    for name in ("a.docm", "a.xlsm", "a.odt", "a.pdf"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(BadInputError):
            read_template(tmp_path / name)
    with pytest.raises(BadInputError, match="no such template"):
        read_template(tmp_path / "none.docx")


@pytest.mark.parametrize("form", ["docx", "xlsx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(form, encoding):
    data = saved(house_document() if form == "docx" else house_book())
    part = "word/document.xml" if form == "docx" else "xl/workbook.xml"
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'.encode(encoding)
    with pytest.raises(BadInputError, match="entities"):
        export(with_part(data, part, lambda _: bomb), form)


def test_bombs_are_refused_whatever_their_directory_says(monkeypatch):
    monkeypatch.setattr(cleaning, "LIMITS", replace(cleaning.LIMITS, part=1_000_000))
    data = with_part(saved(house_document()), "word/media/big.png", lambda _: bytes(2_000_000))
    with pytest.raises(BadInputError, match="too large unpacked"):
        export(data)
    monkeypatch.setattr(cleaning, "LIMITS", replace(cleaning.LIMITS, parts=3))
    with pytest.raises(BadInputError, match="too large unpacked"):
        export(saved(house_document()))


@pytest.mark.parametrize("form", ["docx", "xlsx"])
@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", b"text", saved(house_document())[:3000]],
    ids=["empty", "cut", "old", "text", "half"],
)
def test_damaged_templates_are_refused_with_a_sentence(form, data):
    with pytest.raises(BadInputError, match=f"house.{form}"):
        export(data, form)


def test_a_template_of_the_other_kind_is_refused():
    with pytest.raises(BadInputError, match="choose the format docx"):
        export(saved(house_document()), "xlsx", name="house.docx")
    with pytest.raises(BadInputError, match="no spreadsheet"):
        export(saved(house_document()), "xlsx")
    with pytest.raises(BadInputError, match="no Word document"):
        export(saved(house_book()), "docx")


@pytest.mark.parametrize("form", ["docx", "xlsx"])
def test_a_template_is_never_written_over(tmp_path, form):
    path = tmp_path / f"house.{form}"
    path.write_bytes(saved(house_document() if form == "docx" else house_book()))
    found = export_of(form, SCRIPT, PLAN, ExportOptions(template=read_template(path)))
    with pytest.raises(BadInputError, match="choose another name"):
        found.write(path, SCRIPT, tmp_path / "p.adproj")


@pytest.mark.parametrize("form", ["docx", "xlsx"])
def test_the_same_template_makes_the_same_bytes(form):
    data = saved(house_document() if form == "docx" else house_book())
    assert export(data, form).content == export(data, form).content


def test_a_hundred_thousand_lines_of_a_large_row_are_refused(monkeypatch):
    monkeypatch.setattr("adstudio.delivery.templates.word_template._MOST_ELEMENTS", 50)
    monkeypatch.setattr("adstudio.delivery.templates.sheet_template._MOST_CELLS", 10)
    for form, data in (("docx", saved(house_document())), ("xlsx", saved(house_book()))):
        with pytest.raises(BadInputError, match="row that is repeated"):
            export(data, form)


def test_every_placeholder_is_filled():
    from adstudio.delivery.templates.placeholders import DOCUMENT_NAMES, LINE_NAMES

    names = (*LINE_NAMES, *DOCUMENT_NAMES)
    found = export(saved(house_document(*(f"{{{{{name}}}}}" for name in names))))
    assert not found.oddities
    assert not re.search(r"\{\{(?!title)", all_of(found.content))
    row = dict(zip(names, rows_of(found.content)[1], strict=True))
    assert (row["duration"], row["duration_s"], row["spoken"], row["lines"]) == ("1.5", "1.500", "00:00:07", "5")
    assert row["description"] == row["text"] == "Nora waits."


def test_a_cell_without_a_value_is_empty_so_that_formulas_count_on():
    book = house_book()
    book.active["F5"], book.active["G5"] = "{{duck}}", "{{duck}} dB"
    sheet = openpyxl.load_workbook(io.BytesIO(export(saved(book), "xlsx").content))["AD"]
    assert (sheet["F6"].value, sheet["F6"].data_type) == (None, "n")
    assert sheet["G6"].value == " dB"


@pytest.mark.parametrize("part", ["word/footer9.XML", "elsewhere/footer.xml"])
def test_parts_are_cleaned_wherever_they_are(part):
    field = f'<w:ftr xmlns:w="{W}"><w:p><w:fldSimple w:instr="INCLUDEPICTURE {EVIL}"/></w:p></w:ftr>'
    found = export(with_part(saved(house_document()), part, lambda _: field.encode()))
    assert ["INCLUDEPICTURE" in each.what for each in found.oddities] == [True]
    assert EVIL not in all_of(found.content)


@pytest.mark.parametrize(
    ("markup", "what"),
    [
        ("", None),
        ('<x14:dataValidations><x14:dataValidation type="list"/></x14:dataValidations>', "drop-down lists"),
        ('<x14:conditionalFormatting><x14:cfRule type="dataBar"/></x14:conditionalFormatting>', "data bars"),
        ("<x14:sparklines><x14:sparkline/></x14:sparklines>", "sparklines"),
    ],
)
def test_what_the_library_loses_of_a_spreadsheet_is_said(markup, what):
    x14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
    extension = f'<extLst><ext xmlns:x14="{x14}" uri="{{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}}">{markup}</ext></extLst>'
    data = with_part(
        saved(house_book()),
        "xl/worksheets/sheet1.xml",
        lambda old: old.replace(b"</worksheet>", f"{extension}</worksheet>".encode()),
    )
    assert [what in each.what for each in export(data, "xlsx").oddities] == ([True] if what else [])


def test_words_of_a_cell_that_lose_their_looks_are_said():
    book = house_book()
    book.active["A3"] = CellRichText("to be ", TextBlock(InlineFont(b=True), "spoken"))
    (oddity,) = export(saved(book), "xlsx").oddities
    assert "looks of single words" in oddity.what
