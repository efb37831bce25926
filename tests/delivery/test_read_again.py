"""Every format of a script that is read comes back: the same lines, texts and times, as far as the format has them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_documents import PLAN as ODD_PLAN
from test_documents import SCRIPT as ODD
from test_trade_columns import PLAN, SCRIPT

from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.export import export_of
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions
from adstudio.delivery.template_file import Template, read_template
from adstudio.script_files.reading import read_finished_script

READ = ("csv", "xlsx", "docx", "json", "srt", "vtt")
EXACT = {"csv", "json", "srt", "vtt"}
DAY = dt.date(2026, 11, 29)


def read_again(form: str, script: Script, plan: Plan, **options):
    data = FORMATS[form](script, plan, ExportOptions(date=DAY, **options))
    film = ExportOptions(**options).film(script.film)
    start = "" if form in ("srt", "vtt") else film.start_timecode
    return read_finished_script(data, f"script.{form}", film.frame_rate, start=start)


def on_one_line(text: str) -> str:
    return " ".join(text.split())


# SubRip has no escapes: <b> in a text is markup to its readers.
CASES = [(form, SCRIPT, PLAN) for form in READ] + [(form, ODD, ODD_PLAN) for form in READ if form != "srt"]


@pytest.mark.parametrize(("form", "script", "plan"), CASES)
def test_lines_texts_and_times_come_back(form, script, plan):
    read = read_again(form, script, plan)
    assert [on_one_line(line.text) for line in read.lines] == [
        on_one_line(script.eventuality(each.element).variants[0].text) for each in plan.deliveries
    ]
    frame = 0 if form in EXACT else 1000 / script.film.frame_rate.rate
    for line, delivery in zip(read.lines, plan.deliveries, strict=True):
        assert abs(line.start - delivery.start) <= frame
        assert line.end is not None
        assert abs(line.end - delivery.end) <= frame


@pytest.mark.parametrize("form", ["csv", "xlsx", "docx"])
def test_what_stands_beside_a_line_comes_back(form):
    read = read_again(form, SCRIPT, PLAN)
    assert all("above the table’s header row" in each.what for each in read.oddities)
    second = read.lines[1]
    assert (second.number, second.cue) == ("2", "A long speech that runs on, and on.")
    assert (second.pronunciation, second.voice) == ("Tchen: /tʃɛn/", "gmw/en-GB")
    assert second.notes == ""


@pytest.mark.parametrize("form", ["csv", "xlsx", "docx", "json"])
@pytest.mark.parametrize("rate", ["23.976", "29.97 DF", "50"])
def test_another_rate_and_start_come_back(form, rate):
    start = "09:59:59;10" if rate.endswith("DF") else "09:59:59:10"
    read = read_again(form, SCRIPT, PLAN, frame_rate=RATES[rate], start_timecode=start)
    for line, delivery in zip(read.lines, PLAN.deliveries, strict=True):
        assert abs(line.start - delivery.start) <= 1000 / RATES[rate].rate


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(("xlsx", "docx")), st.lists(st.integers(1_000, 9_000), min_size=1, max_size=6), st.data())
def test_any_times_come_back_within_a_frame(form, lengths, data):
    rate = data.draw(st.sampled_from(list(RATES.values())))
    starts = [10_000 * number + data.draw(st.integers(0, 900)) for number in range(len(lengths))]
    spans = [Span(start, start + length) for start, length in zip(starts, lengths, strict=True)]
    script = Script(
        Film("Film", 100_000, frame_rate=rate),
        eventualities=tuple(
            Eventuality(f"e{number}", (Variant(f"Line {number} is spoken."),), span, 1)
            for number, span in enumerate(spans)
        ),
    )
    plan = Plan(
        Status.OPTIMAL,
        "exact",
        deliveries=tuple(Delivery(f"e{number}", 0, span.start, span.end) for number, span in enumerate(spans)),
    )
    read = read_again(form, script, plan)
    for line, span in zip(read.lines, spans, strict=True):
        assert abs(line.start - span.start) <= 1000 / rate.rate
        assert line.end is not None
        assert abs(line.end - span.end) <= 1000 / rate.rate


@pytest.mark.parametrize("form", ["csv", "xlsx", "docx"])
def test_hebrew_comes_back(form):
    text = "הוא רץ 3 פעמים (שוב)!"
    film = Film("סרט", 100_000, language="he")
    script = Script(film, eventualities=(Eventuality("e", (Variant(text),), Span(1_000, 3_000), 1),))
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e", 0, 1_000, 3_000),))
    (line,) = read_again(form, script, plan).lines
    assert (line.text, line.start, line.end, line.number) == (text, 1_000, 3_000, "1")


def test_a_template_is_read_again_too(tmp_path: Path):
    import docx

    document = docx.Document()
    table = document.add_table(2, 3)
    for place, (heading, cell) in enumerate((("No", "{{number}}"), ("TC in", "{{in}}"), ("Text", "{{text}}"))):
        table.rows[0].cells[place].text, table.rows[1].cells[place].text = heading, cell
    document.save(str(tmp_path / "house.docx"))
    options = ExportOptions(template=read_template(tmp_path / "house.docx"))
    content = export_of("docx", SCRIPT, PLAN, options).content
    film = SCRIPT.film
    read = read_finished_script(content, "out.docx", film.frame_rate, start=film.start_timecode)
    assert [line.start for line in read.lines] == [delivery.start for delivery in PLAN.deliveries]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(("xlsx", "docx")), st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1))
def test_a_damaged_office_file_is_refused_with_a_sentence_or_read(form, hits):
    data = bytearray(FORMATS[form](SCRIPT, PLAN, ExportOptions(date=DAY)))
    for place, byte in hits:
        data[int(place * len(data))] = byte
    for use in (
        lambda: read_finished_script(bytes(data), f"script.{form}", RATES["25"], start="10:00:00:00"),
        lambda: export_of(form, SCRIPT, PLAN, ExportOptions(template=Template(Path(f"script.{form}"), bytes(data)))),
    ):
        try:
            use()
        except AdstudioError as error:
            assert f"script.{form}" in str(error)  # noqa: PT017 - it need not be raised
