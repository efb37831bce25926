from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pysrt
import pysubs2
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, CueKind, Eventuality, Origin, Pin, Script, Silence, Variant
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import RATES, FrameRate, Span, TimeError
from adstudio.delivery.formats import FORMATS, Format, deliver
from adstudio.delivery.lines import DeliveryError, NextDialogue, script_lines
from adstudio.delivery.text import document_text
from adstudio.subtitles.reading import parse_subtitles
from adstudio.subtitles.twice_encoded import repaired

SCRIPT_FORMS = ("srt", "vtt", "dapt", "csv", "json", "reframed")
FILM = Film("Night <Ride> & Co", 60_000, language="en-GB", frame_rate=RATES["25"], start_timecode="10:00:00:00")
CUES = (
    Cue("c1", 10_000, 14_000, "Who's there?", speaker="ANNA"),
    Cue("c2", 16_000, 17_000, "[door]", kind=CueKind.SOUND),
    Cue("c3", 30_000, 31_000, "- It's me.\n- Tom?"),
)
EVENTUALITIES = (
    Eventuality(
        "e1", (Variant("She parks her motorbike."), Variant("She parks.", Fraction(1, 2))), Span(0, 2000), 800_000
    ),
    Eventuality(
        "e2", (Variant("Tom runs in."),), Span(15_000, 16_000), 500_000, note="quick", seen=True, origin=Origin.HUMAN
    ),
    Eventuality(
        "e3", (Variant("Rain."),), Span(18_000, 19_000), 1, pin=Pin(start=30_200, override=True), accepted=True
    ),
)
SCRIPT = Script(FILM, Settings(), cues=CUES, eventualities=EVENTUALITIES)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("e1", 1, 1003, 2003),
        Delivery("e2", 0, 15_000, 16_001),
        Delivery("e3", 0, 30_200, 30_700),
    ),
)


def one_line(text, start=1000, end=2000, **film):
    """A script with a single line that says `text`."""
    script = Script(
        Film("Film", 360_000_000, **film),
        eventualities=(Eventuality("e1", (Variant(text),), Span(start, end), 1),),
    )
    return script, Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, start, end),))


def test_lines_know_their_gap_what_is_left_of_it_and_what_follows():
    first, second, third = script_lines(SCRIPT, PLAN)
    assert (first.number, first.text, first.words, first.element, first.variant) == (1, "She parks.", 2, "e1", 1)
    assert (first.span, first.gap, first.room) == (Span(1003, 2003), Span(0, 10_000), 7997)
    assert first.next_dialogue == NextDialogue(10_000, "Who's there?", "ANNA")
    assert (first.pinned, first.override, first.origin, first.seen) == (False, False, Origin.MACHINE, False)
    assert (second.gap, second.room, second.notes) == (Span(14_000, 30_000), 13_999, "quick")
    assert second.next_dialogue == NextDialogue(30_000, "- It's me.\n- Tom?", None)
    assert (second.origin, second.seen) == (Origin.HUMAN, True)
    assert (third.gap, third.room, third.next_dialogue) == (None, None, None)
    assert (third.pinned, third.override, third.accepted) == (True, True, True)


def test_room_ends_at_the_next_line_and_at_silences_and_margins():
    script = Script(
        FILM,
        Settings(gaps=GapSettings(margin_before=500)),
        cues=CUES,
        silences=(Silence("q", Span(20_000, 25_000)),),
        eventualities=EVENTUALITIES,
    )
    plan = Plan(
        Status.OPTIMAL, "exact", deliveries=(Delivery("e2", 0, 15_000, 16_000), Delivery("e1", 0, 17_000, 18_000))
    )
    first, second = script_lines(script, plan)
    assert (first.gap, first.room) == (Span(14_000, 20_000), 1000)
    assert second.room == 2000
    late = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e2", 0, 25_000, 26_000),))
    assert script_lines(script, late)[0].gap == Span(25_000, 29_500)


def test_lines_from_a_pool_have_a_text_of_their_own():
    plan = Plan(Status.FEASIBLE, "random", deliveries=(Delivery("pool-1", 0, 0, 1000, text="A man walks."),))
    (line,) = script_lines(SCRIPT, plan)
    assert (line.text, line.element, line.words) == ("A man walks.", None, 3)


@pytest.mark.parametrize("delivery", [Delivery("e9", 0, 0, 1), Delivery("e1", 2, 0, 1), Delivery("e1", -1, 0, 1)])
def test_a_plan_of_another_script_is_refused(delivery):
    with pytest.raises(DeliveryError):
        script_lines(SCRIPT, Plan(Status.OPTIMAL, "exact", deliveries=(delivery,)))


def test_srt_is_exactly_this():
    assert FORMATS["srt"](SCRIPT, PLAN).decode() == (
        "1\n00:00:01,003 --> 00:00:02,003\nShe parks.\n\n"
        "2\n00:00:15,000 --> 00:00:16,001\nTom runs in.\n\n"
        "3\n00:00:30,200 --> 00:00:30,700\nRain.\n\n"
    )


def test_vtt_is_exactly_this():
    assert FORMATS["vtt"](SCRIPT, PLAN).decode() == (
        "WEBVTT\n\n"
        "NOTE\nkind=descriptions\nlanguage=en-GB\ntitle=Night <Ride> & Co\n\n"
        "1\n00:00:01.003 --> 00:00:02.003\nShe parks.\n\n"
        "2\n00:00:15.000 --> 00:00:16.001\nTom runs in.\n\n"
        "3\n00:00:30.200 --> 00:00:30.700\nRain.\n"
    )


def test_vtt_escapes_what_could_be_markup_and_an_arrow_breaks_nothing():
    text = "00:00:05.000 --> 00:00:09.000 <b>A & B</b>"
    data = FORMATS["vtt"](*one_line(text)).decode()
    assert "00:00:05.000 --&gt; 00:00:09.000 &lt;b&gt;A &amp; B&lt;/b&gt;" in data
    assert [c.text for c in parse_subtitles(data.encode(), "a.vtt").cues] == [text]


def test_a_title_cannot_break_out_of_the_note():
    data = FORMATS["vtt"](*one_line("Hi.", language="en\n\n1\n00:00 --> 00:05\nbad")).decode()
    assert data.split("\n\n")[1].startswith("NOTE")
    assert data.count("-->") == 1
    assert len(data.strip().split("\n\n")) == 3


@pytest.mark.parametrize("arrow", ["-->", "->", "→", "–>", "=>"])
def test_srt_texts_that_look_like_times_are_not_taken_for_times(arrow):
    data = FORMATS["srt"](*one_line(f"Look:\n00:00:05,000 {arrow} 00:00:09,000\nthere → there."))
    (cue,) = parse_subtitles(data, "a.srt").cues
    assert (cue.start, cue.end) == (1000, 2000)
    assert cue.text.startswith("Look:\n00:00:05,000 ")
    assert cue.text.endswith(" 00:00:09,000\nthere → there.")
    assert len(pysrt.from_string(data.decode())) == 1


@pytest.mark.parametrize("form", ["srt", "vtt"])
def test_an_empty_line_in_a_text_does_not_cut_it(form):
    data = FORMATS[form](*one_line("Stuck at work,\r\n\r\n \nshe waits.\n"))
    (cue,) = parse_subtitles(data, f"a.{form}").cues
    assert cue.text == "Stuck at work,\nshe waits."


@pytest.mark.parametrize("form", SCRIPT_FORMS)
@pytest.mark.parametrize(
    "text", ["היא רצה... 3 פעמים!", "«هي تركض» (OK)!", "Żółć – 日本語。", "e\u0301 \u200fא\u200e 🎬"]
)
def test_every_script_keeps_its_bytes(form, text):
    assert text.encode() in FORMATS[form](*one_line(text))


def test_csv_rows():
    data = FORMATS["csv"](SCRIPT, PLAN)
    assert data.startswith(
        b"\xef\xbb\xbfnumber,in,out,in s,out s,duration s,text,next dialogue,notes,"
        b"dialogue cue,dialogue end,pronunciation,speed,duck,voice,status,dialogue speaker\r\n"
    )
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert rows[0] == {
        "number": "1",
        "in": "10:00:01:00",
        "out": "10:00:02:00",
        "in s": "1.003",
        "out s": "2.003",
        "duration s": "1.000",
        "text": "She parks.",
        "next dialogue": "Who's there?",
        "notes": "",
        "dialogue cue": "",
        "dialogue end": "",
        "pronunciation": "",
        "speed": "120",
        "duck": "",
        "voice": "",
        "status": "draft",
        "dialogue speaker": "",
    }
    assert (rows[1]["dialogue cue"], rows[1]["dialogue end"]) == ("Who's there?", "10:00:14:00")
    assert [row["status"] for row in rows] == ["draft", "seen", "accepted"]
    assert rows[1]["next dialogue"] == "'- It's me.\n- Tom?"
    assert rows[1]["notes"] == "quick"
    assert (rows[2]["in"], rows[2]["out"]) == ("10:00:30:05", "10:00:30:18")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=cmd|"/c calc"!A0'])
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    data = FORMATS["csv"](*one_line(text)).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(data, newline=""))
    assert row["text"] == f"'{text}"


def test_csv_quotes_as_rfc_4180():
    data = FORMATS["csv"](*one_line('He says "no", twice;\nthen goes.')).decode("utf-8-sig")
    assert '"He says ""no"", twice;\nthen goes."' in data
    (row,) = csv.DictReader(io.StringIO(data, newline=""))
    assert row["text"] == 'He says "no", twice;\nthen goes.'


def test_a_wrong_start_timecode_is_refused():
    with pytest.raises(TimeError):
        FORMATS["csv"](*one_line("Hi.", start_timecode="10:00:00:25"))


def test_json_says_everything():
    value = json.loads(FORMATS["json"](SCRIPT, PLAN))
    assert value["format"] == "adstudio-script/1"
    assert value["film"] == {
        "title": "Night <Ride> & Co",
        "language": "en-GB",
        "end": 60.0,
        "frame_rate": "25/1",
        "drop_frame": False,
        "start_timecode": "10:00:00:00",
    }
    assert value["lines"][0] == {
        "number": 1,
        "start": 1.003,
        "end": 2.003,
        "in": "10:00:01:00",
        "out": "10:00:02:00",
        "text": "She parks.",
        "words": 2,
        "element": "e1",
        "variant": 1,
        "joined": [],
        "gap": [0.0, 10.0],
        "room": 7.997,
        "next_dialogue": {"start": 10.0, "text": "Who's there?", "speaker": "ANNA"},
        "notes": "",
        "pinned": False,
        "override": False,
        "origin": "machine",
        "seen": False,
        "accepted": False,
        "duration": 1.0,
        "previous_dialogue": None,
        "pronunciation": [],
        "speed": 120,
        "duck": None,
        "voice": "",
        "status": "draft",
    }
    assert value["lines"][1]["previous_dialogue"] == {"end": 14.0, "text": "Who's there?", "speaker": "ANNA"}
    assert value["lines"][2]["gap"] is None
    assert value["lines"][2]["next_dialogue"] is None


def test_reframed_has_the_form_of_the_evaluation():
    assert json.loads(FORMATS["reframed"](SCRIPT, PLAN)) == {
        "1": {"start": 1.003, "end": 2.003, "text": "She parks."},
        "2": {"start": 15.0, "end": 16.001, "text": "Tom runs in."},
        "3": {"start": 30.2, "end": 30.7, "text": "Rain."},
    }


def test_no_lines_make_a_file_without_lines():
    empty = Plan(Status.OPTIMAL, "exact")
    assert FORMATS["srt"](SCRIPT, empty) == b""
    assert FORMATS["vtt"](SCRIPT, empty).startswith(b"WEBVTT\n\nNOTE\n")
    assert FORMATS["reframed"](SCRIPT, empty) == b"{}\n"


def test_deliver_writes_the_file_and_takes_further_formats(tmp_path):
    path, project = tmp_path / "Gün ter.srt", tmp_path / "p.adproj"
    deliver(path, "srt", SCRIPT, PLAN, project)
    assert path.read_bytes() == FORMATS["srt"](SCRIPT, PLAN)
    deliver(path, "own", SCRIPT, PLAN, project, {"own": Format("Own", ".own", lambda script, plan, options: b"x")})
    assert path.read_bytes() == b"x"
    with pytest.raises(DeliveryError, match="use one of srt, vtt, dapt, csv, xlsx, docx, pdf, json, reframed"):
        deliver(path, "odt", SCRIPT, PLAN, project)
    with pytest.raises(OutsideFailureError):
        deliver(tmp_path / "none" / "a.srt", "srt", SCRIPT, PLAN, project)
    assert path.read_bytes() == b"x"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_written_when_the_plan_is_of_another_script(tmp_path):
    wrong = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e9", 0, 0, 1),))
    with pytest.raises(DeliveryError):
        deliver(tmp_path / "a.srt", "srt", SCRIPT, wrong, tmp_path / "p.adproj")
    assert list(tmp_path.iterdir()) == []


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join)


@st.composite
def scripts(draw):
    """Lines one after the other with arbitrary texts, times to the millisecond, up to a hundred hours."""
    texts = draw(st.lists(sentences, min_size=1, max_size=6))
    start, deliveries, eventualities = draw(st.sampled_from([0, 3_599_000, 359_000_000])), [], []
    for number, text in enumerate(texts):
        start += draw(st.integers(0, 5000))
        end = start + draw(st.integers(1, 9000))
        deliveries.append(Delivery(f"e{number}", 0, start, end))
        eventualities.append(Eventuality(f"e{number}", (Variant(text),), Span(start, end), 1))
        start = end
    rate = draw(st.sampled_from(list(RATES.values())))
    script = Script(Film("F", 360_000_000, frame_rate=rate), eventualities=tuple(eventualities))
    return script, Plan(Status.OPTIMAL, "exact", deliveries=tuple(deliveries))


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_srt_comes_back_from_our_reader_and_its_times_from_pysrt_and_pysubs2(case):
    script, plan = case
    data = FORMATS["srt"](script, plan)
    expected = [(d.start, d.end) for d in plan.deliveries]
    texts = [e.variants[0].text.replace("-->", "…") for e in script.eventualities]
    text = data.decode()
    read = pysrt.from_string(text)
    assert [(i.start.ordinal, i.end.ordinal) for i in read] == expected
    assert [i.text for i in read] == texts
    if expected[-1][1] < 99 * 3_600_000:  # pysubs2 knows two digits of hours
        assert [(e.start, e.end) for e in pysubs2.SSAFile.from_string(text, "srt")] == expected
    ours = parse_subtitles(data, "a.srt")
    assert [(c.start, c.end) for c in ours.cues] == expected


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_vtt_comes_back_from_our_reader(case):
    script, plan = case
    data = FORMATS["vtt"](script, plan)
    assume(repaired(data.decode()) is None)  # such as “«¢”, which could be a letter that was encoded twice
    cues = parse_subtitles(data, "a.vtt").cues
    assert [(c.start, c.end) for c in cues] == [(d.start, d.end) for d in plan.deliveries]
    assert [c.text for c in cues] == [e.variants[0].text for e in script.eventualities]


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_csv_seconds_and_texts_come_back_and_labels_round_to_the_line(case):
    script, plan = case
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](script, plan).decode("utf-8-sig"), newline="")))
    rate = script.film.frame_rate
    for row, delivery, eventuality in zip(rows, plan.deliveries, script.eventualities, strict=True):
        assert (Fraction(row["in s"]) * 1000, Fraction(row["out s"]) * 1000) == (delivery.start, delivery.end)
        assert row["text"].removeprefix("'") == eventuality.variants[0].text.removeprefix("'")
        if delivery.start < 86_000_000:  # labels start again after a day
            assert abs(rate.ms_of_label(row["in"]) - delivery.start) <= 500 / rate.rate + 1


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(RATES.values())), st.integers(0, 5000), st.integers(200, 4000), st.data())
def test_labels_never_leave_the_gap(rate: FrameRate, gap_start, length, data):
    gap = Span(gap_start, gap_start + length)
    start = data.draw(st.integers(gap.start, gap.end - 100))
    end = data.draw(st.integers(start + 100, gap.end))
    # Without words, or the first would be given the time they take.
    cues = (Cue("a", 0, gap.start, "…"), Cue("b", gap.end, 20_000, "…"))
    script = Script(
        Film("F", 20_000, frame_rate=rate),
        Settings(gaps=GapSettings(least=0)),
        cues=cues if gap.start else cues[1:],
        eventualities=(Eventuality("e", (Variant("Hi."),), Span(start, end), 1),),
    )
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e", 0, start, end),))
    (row,) = csv.DictReader(io.StringIO(FORMATS["csv"](script, plan).decode("utf-8-sig"), newline=""))
    assert gap.start <= rate.ms_of_label(row["in"]) <= rate.ms_of_label(row["out"]) <= gap.end


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60).filter(lambda text: document_text(text).strip()), st.sampled_from(SCRIPT_FORMS))
def test_no_text_breaks_a_file(text, form):
    script, plan = one_line(text)
    data = FORMATS[form](script, plan)
    data.decode()
    if form == "vtt":
        assert data.count(b"-->") == 1
        assert len(data.decode().strip("\n").split("\n\n")) == 3
    if form == "srt":
        assert data.count(b"-->") == 1


awkward = st.lists(
    st.sampled_from(["1", "00:01", "00:00:05,000 ", "-->", "→", "->", ">", "-", "\n", "\r", " ", "a", "<i>", "&"]),
    max_size=12,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(awkward, awkward, st.sampled_from(["srt", "vtt"]))
def test_texts_like_times_numbers_and_arrows_stay_in_their_cues(first, second, form):
    texts = [f"a{first}", f"b{second}"]
    spans = [(1000, 2000), (3000, 4000)]
    script = Script(
        Film("F", 10_000),
        eventualities=tuple(
            Eventuality(f"e{n}", (Variant(text),), Span(*span), 1)
            for n, (text, span) in enumerate(zip(texts, spans, strict=True))
        ),
    )
    plan = Plan(Status.OPTIMAL, "exact", deliveries=tuple(Delivery(f"e{n}", 0, *span) for n, span in enumerate(spans)))
    cues = parse_subtitles(FORMATS[form](script, plan), f"a.{form}").cues
    assert [(cue.start, cue.end) for cue in cues] == spans
    assert [cue.text[:1] for cue in cues] == ["a", "b"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u2003"])
def test_a_line_without_words_is_not_handed_in(text):
    script, plan = one_line(text)
    assert script_lines(script, plan) == ()
    assert json.loads(FORMATS["reframed"](script, plan)) == {}
