"""What is written is valid DAPT, and reads as what was written."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.control_characters import without_control_characters
from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Pronunciation, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.dapt.reader import read_document
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.validator import check_dapt
from adstudio.dapt.writer import write_dapt
from adstudio.delivery.formats import FORMATS
from adstudio.script_files.dapt_script import read_dapt
from adstudio.subtitles.reading import parse_subtitles

ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CHARACTERS = st.characters(exclude_categories=["Cs"]).filter(lambda char: not ILLEGAL.match(char))
WORDS = st.text(st.one_of(st.sampled_from(" \t\n\r<&>]\"'\u00a0\u2028\u0085\ufeffAé你🌧"), CHARACTERS), max_size=40)
TEXTS = WORDS.filter(lambda text: text.strip(" \t\n\r") != "")
TRIMMED = TEXTS.map(lambda text: text.strip(" \t\n\r"))
ON_ONE_LINE = TRIMMED.map(lambda text: re.sub("[ \t\n\r]+", " ", text))
TIMES = st.integers(0, 360_000_000)
LANGUAGES = st.sampled_from(["", "de", "pt-BR", "zh-Hant", "x-elvish"])
DESCRIPTORS = st.sampled_from(
    ["visual", "visual.nonText", "visual.text", "visual.text.title", "visual.text.location", "visual.x-own"]
)


@st.composite
def events(draw: st.DrawFn, number: int) -> ScriptEvent:
    start = draw(TIMES)
    room = min(start, 5_000)
    before, after = draw(st.integers(0, room)), draw(st.integers(0, 5_000))
    # Where nothing is beside the words, the programme neither starts nor stays down there.
    held = st.booleans()
    ducks = st.builds(
        Duck,
        st.integers(1, 600),
        st.just(before),
        st.just(after),
        held if before else st.just(value=False),
        held if after else st.just(value=False),
    )
    return ScriptEvent(
        f"ad{number}",
        draw(TEXTS),
        start,
        min(360_000_000, start + draw(st.integers(0, 60_000))),
        draw(DESCRIPTORS),
        draw(LANGUAGES),
        draw(st.sampled_from(["", "fr", "ja"])),
        draw(st.one_of(st.just(""), TRIMMED)),
        tuple(draw(st.lists(TRIMMED, max_size=2))),
        draw(st.one_of(st.just(""), ON_ONE_LINE)),
        draw(st.sampled_from(["", "Zoë", "A & B", '"<Tom>"'])),
        draw(st.sampled_from(["", "normal", "fast", "slow"])),
        draw(st.integers(-50, 50)),
        draw(st.one_of(st.none(), ducks)),
        draw(st.sampled_from(["", "lines/0001-a.wav", "https://example.org/a%20b.flac?x=1&y=2", "a.MP3#t=1"])),
    )


@st.composite
def scripts(draw: st.DrawFn) -> DaptScript:
    count = draw(st.integers(0, 4))
    rate = draw(st.sampled_from([None, (25, 1, 1), (30, 1000, 1001)]))
    kind = draw(st.sampled_from(["preRecording", "asRecorded"]))
    found = [draw(events(number)) for number in range(1, count + 1)]
    return DaptScript(
        "en",
        # A script of the other type should not have recordings, which is advised.
        tuple(each if kind == "asRecorded" else replace(each, recording="") for each in found),
        ("visual",),
        draw(st.sampled_from(["", "zxx"])),
        kind,
        draw(st.one_of(st.just(""), ON_ONE_LINE)),
        draw(st.sampled_from(["", "10:00:00:00"])) if rate else "",
        rate,
    )


@given(scripts())
def test_a_script_is_valid_and_reads_as_it_was_written(script: DaptScript):
    data = write_dapt(script)
    assert list(check_dapt(data, "a.xml")) == []
    found, findings, oddities = read_document(data, "a.xml")
    assert found == script
    assert (findings, oddities) == ((), ())


@pytest.mark.parametrize("recording", ["sound", "https://example.org/get?file=a.wav", "http://["])
def test_a_recording_whose_type_its_address_does_not_tell_is_kept_and_advised_on(recording: str):
    event = ScriptEvent("ad1", "Rain.", 1000, 2000, "visual", recording=recording)
    script = DaptScript("en", (event,), script_type="asRecorded")
    data = write_dapt(script)
    assert [(each.advice, each.what) for each in check_dapt(data, "a.xml")] == [
        (True, "<audio> should say the type of its sound, such as audio/wave")
    ]
    assert read_document(data, "a.xml").script == script


def test_every_depth_of_a_duck_is_kept():
    ducked = ScriptEvent("", "Rain.", 1000, 2000, "visual")
    events = (replace(ducked, id=f"ad{depth}", duck=Duck(depth, 300, 300)) for depth in range(1, 601))
    script = DaptScript("en", tuple(events))
    assert read_document(write_dapt(script), "a.xml").script == script


def test_a_document_is_written_like_the_example_of_the_specification():
    event = ScriptEvent(
        "ad1",
        "Alan runs.\nRain  falls.",
        12_780,
        14_800,
        "visual.nonText",
        pronunciations=("Alan: AL-uhn",),
        speed="normal",
        duck=Duck(90, 300, 300),
    )
    assert write_dapt(DaptScript("en", (event,), language_source="zxx")).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tt xmlns="http://www.w3.org/ns/ttml"\n'
        '    xmlns:ttp="http://www.w3.org/ns/ttml#parameter"\n'
        '    xmlns:tta="http://www.w3.org/ns/ttml#audio"\n'
        '    xmlns:ttm="http://www.w3.org/ns/ttml#metadata"\n'
        '    xmlns:daptm="http://www.w3.org/ns/ttml/profile/dapt#metadata"\n'
        '    ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/content"\n'
        '    xml:lang="en"\n'
        '    daptm:langSrc="zxx"\n'
        '    daptm:scriptRepresents="visual"\n'
        '    daptm:represents="visual"\n'
        '    daptm:scriptType="preRecording">\n'
        "  <body>\n"
        '    <div xml:id="ad1" begin="12.480s" end="15.100s" daptm:represents="visual.nonText">\n'
        '      <ttm:desc daptm:descType="pronunciationNote">Alan: AL-uhn</ttm:desc>\n'
        '      <p><animate begin="0s" end="0.300s" tta:gain="1;0.3548" fill="freeze"/>'
        '<animate begin="2.320s" end="2.620s" tta:gain="0.3548;1"/>'
        '<span begin="0.300s" end="2.320s" tta:speak="normal" xml:space="preserve">Alan runs.<br/>Rain  falls.</span>'
        "</p>\n"
        "    </div>\n"
        "  </body>\n"
        "</tt>\n"
    )


def test_characters_that_xml_cannot_hold_are_replaced():
    script = DaptScript("en", (ScriptEvent("ad1", "a\x00b\x0bc\ud800d\uffffe", 0, 1, "visual"),))
    data = write_dapt(script)
    assert not check_dapt(data, "a.xml")
    assert read_document(data, "a.xml").script.events[0].text == "a\ufffdb\ufffdc\ufffdd\ufffde"


# From a project

CUES = (Cue("c1", 10_000, 14_000, "Who's there?"), Cue("c2", 30_000, 31_000, "It's me."))
FILM = Film("Night  <Ride> & Co", 60_000, language="en_GB", frame_rate=RATES["29.97 DF"], start_timecode="10:00:00;00")
LINES = (
    Eventuality("e1", (Variant("Siobhan parks."),), Span(0, 2000), 1, scene="s1", note=" quick, \r\nbut calm "),
    Eventuality("e2", (Variant("Tom runs in.\r\nRain."),), Span(15_000, 16_000), 1, duck=65),
    Eventuality("e3", (Variant("Rain."),), Span(16_000, 19_000), 1, voice=LineVoice("Björn", rate=400, pitch=10)),
    Eventuality("e4", (Variant("Over her words."),), Span(30_000, 31_000), 1, pin=Pin(start=30_200, override=True)),
    Eventuality("e5", (Variant("A silent one."),), Span(40_000, 41_000), 1, duck=0),
)
SCRIPT = Script(
    FILM,
    scenes=(Scene("s1", Span(0, 60_000), "The\nyard"),),
    cues=CUES,
    eventualities=LINES,
    voice=VoiceSettings("espeak-ng", "en", pitch=-5),
    lexicon=(Pronunciation("Siobhan", "shiv-AWN"), Pronunciation("Tom", "tɒm", phonemes=True)),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("e1", 0, 100, 2003),
        Delivery("e2", 0, 14_000, 15_001),
        Delivery("e3", 0, 15_101, 16_000),
        Delivery("e4", 0, 30_200, 30_700),
        Delivery("e5", 0, 40_000, 41_000),
    ),
)


def exported(script: Script = SCRIPT, plan: Plan = PLAN) -> bytes:
    data = FORMATS["dapt"](script, plan)
    assert not check_dapt(data, "a.xml")
    return data


def test_a_project_is_exported_with_all_that_dapt_has_a_place_for():
    script = read_document(exported(), "a.xml").script
    assert (script.language, script.language_source, script.title) == ("en-GB", "zxx", "Night <Ride> & Co")
    assert (script.origin, script.frame_rate) == ("10:00:00:00", (30, 1000, 1001))
    assert [(each.start, each.end) for each in script.events] == [(each.start, each.end) for each in PLAN.deliveries]
    first, second, third, fourth, fifth = script.events
    assert (first.id, first.text, first.scene, first.description) == (
        "ad1",
        "Siobhan parks.",
        "The yard",
        "quick, \nbut calm",
    )
    assert (first.pronunciations, second.pronunciations) == (("Siobhan: shiv-AWN",), ("Tom: /tɒm/",))
    assert [(each.speed, each.pitch) for each in script.events[:3]] == [("normal", -5), ("normal", -5), ("fast", 10)]
    assert (first.voice, third.voice) == ("", "Björn")
    # At the start of the film, up to dialogue, and in a pause of 100 ms, ramps have only this room.
    assert first.duck == Duck(90, 100, 300)
    assert (second.duck, third.duck) == (Duck(65, 0, 50), Duck(90, 50, 300))
    assert (fourth.duck, fifth.duck) == (Duck(90, 0, 0), None)


def test_between_lines_that_follow_each_other_closely_the_film_stays_down():
    lines = tuple(Eventuality(f"e{n}", (Variant("Rain."),), Span(0, 60_000), 1) for n in range(1, 5))
    starts = (1_000, 3_200, 4_000, 7_300)
    plan = Plan(
        Status.OPTIMAL,
        "exact",
        deliveries=tuple(Delivery(f"e{n}", 0, start, start + 800) for n, start in enumerate(starts, 1)),
    )
    # Pauses of 1,400, 0 and 2,500 ms: the film comes up only where ramps leave 700 ms between them.
    data = exported(Script(Film("Film", 60_000), eventualities=lines), plan)
    assert [each.duck for each in read_document(data, "a.xml").script.events] == [
        Duck(90, 300, 300),
        Duck(90, 300, 0, stays=True),
        Duck(90, 0, 300, starts=True),
        Duck(90, 300, 300),
    ]
    plan = replace(plan, deliveries=(*plan.deliveries[:1], Delivery("e2", 0, 3_001, 3_801)))
    data = exported(Script(Film("Film", 60_000), eventualities=lines), plan)
    assert [each.duck for each in read_document(data, "a.xml").script.events] == [
        Duck(90, 300, 601, stays=True),
        Duck(90, 600, 300, starts=True),
    ]


def test_a_line_without_room_beside_it_has_its_ramps_within():
    line = Eventuality("e1", (Variant("Rain."),), Span(0, 500), 1)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 0, 500),))
    found = exported(Script(Film("Film", 500), eventualities=(line,)), plan).decode()
    assert found.count("tta:gain") == 2
    assert '<animate begin="0s" end="0.020s" tta:gain="1;0.3548" fill="freeze"/>' in found
    assert '<animate begin="0.480s" end="0.500s" tta:gain="0.3548;1"/>' in found


def test_a_project_comes_back_as_it_was_exported():
    found = read_dapt(exported(), "a.dapt.xml")
    assert (found.language, found.title, found.start_timecode) == ("en-GB", "Night <Ride> & Co", "10:00:00:00")
    assert found.oddities == ()
    assert [(each.number, each.text, each.start, each.end, each.duck) for each in found.lines] == [
        ("1", "Siobhan parks.", 100, 2003, None),
        ("2", "Tom runs in.\nRain.", 14_000, 15_001, 65),
        ("3", "Rain.", 15_101, 16_000, None),
        ("4", "Over her words.", 30_200, 30_700, None),
        ("5", "A silent one.", 40_000, 41_000, 0),
    ]
    assert [each.pronunciation for each in found.lines[:2]] == ["Siobhan: shiv-AWN", "Tom: /tɒm/"]
    assert (found.lines[0].notes, found.lines[2].voice) == ("quick, \nbut calm", "Björn")


@st.composite
def parts(draw: st.DrawFn) -> tuple[str, int, int, int | None, str]:
    """A text, how long it is spoken, the pause after it, its duck and its note."""
    text = draw(st.sampled_from(["", "Siobhan ", "the 5th "])) + draw(TEXTS)
    duck = draw(st.one_of(st.none(), st.integers(0, 600)))
    return text, draw(st.integers(1, 5_000)), draw(st.integers(0, 5_000)), duck, draw(WORDS)


def exported_text(text: str) -> str:
    return with_plain_breaks(without_control_characters(text))


@given(st.lists(parts(), min_size=1, max_size=5))
def test_any_script_comes_back_line_by_line(found_parts: list[tuple[str, int, int, int | None, str]]):
    lines: list[Eventuality] = []
    deliveries: list[Delivery] = []
    at = 0
    for number, (text, length, pause, duck, note) in enumerate(found_parts):
        span = Span(at, at + length)
        lines.append(Eventuality(f"e{number}", (Variant(text),), span, 1, duck=duck, note=note))
        deliveries.append(Delivery(f"e{number}", 0, at, at + length))
        at += length + pause
    lexicon = (Pronunciation("Siobhan", "shiv-AWN"), Pronunciation("5th", "fɪfθ", phonemes=True))
    script = Script(Film("Film", 100_000), eventualities=tuple(lines), lexicon=lexicon)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=tuple(deliveries))
    found = read_dapt(exported(script, plan), "a.xml")
    # Lines whose text is blank to Python are in no export; line breaks are those of texts; control characters go.
    spoken = [line for line in lines if exported_text(line.variants[0].text).strip()]
    assert [(each.text, each.start, each.end) for each in found.lines] == [
        (exported_text(line.variants[0].text), line.occurrence.start, line.occurrence.end)  # type: ignore[union-attr]
        for line in spoken
    ]
    assert [each.notes for each in found.lines] == [exported_text(line.note).strip() for line in spoken]
    # 9 dB are what a line without a depth of its own has; where nothing is lowered, nothing is said.
    depths = [None if line.duck in (None, 90) else line.duck for line in spoken]
    assert [each.duck for each in found.lines] == ([None] * len(depths) if set(depths) == {0} else depths)
    for line, each in zip(spoken, found.lines, strict=True):
        begins = line.variants[0].text.split(" ")[0]
        assert each.pronunciation.startswith({"Siobhan": "Siobhan: shiv-AWN"}.get(begins, ""))


def with_plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_an_export_is_taken_for_description_by_the_reader_of_dialogue():
    found = parse_subtitles(exported(), "film.dapt.xml")
    assert [cue.text for cue in found.cues] == [each.text for each in read_dapt(exported(), "a.xml").lines]


def test_a_language_that_is_none_is_undetermined():
    film = replace(FILM, language="the King's English")
    assert read_dapt(exported(replace(SCRIPT, film=film)), "a.xml").language == "und"


# Other writers' documents

HEAD = (
    '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
    'xmlns:tta="http://www.w3.org/ns/ttml#audio" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" '
    'xmlns:daptm="http://www.w3.org/ns/ttml/profile/dapt#metadata" '
    'ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/content" xml:lang="en" ttp:frameRate="25" '
    'daptm:scriptRepresents="visual" daptm:represents="visual" daptm:scriptType="preRecording">'
)


def lines_of(body: str) -> list[tuple[str, int, int | None]]:
    found = read_dapt(f"{HEAD}{body}</tt>".encode(), "a.xml")
    return [(each.text, each.start, each.end) for each in found.lines]


def test_times_count_from_the_element_around():
    body = (
        '<body begin="1h"><div begin="10s" end="60s"><div xml:id="a" begin="00:00:05" dur="2.5s"><p>In a group.</p>'
        '</div><div xml:id="b" begin="40s" end="2m"><p begin="12f">Cut <span>by its group</span>.</p></div></div>'
        "<div xml:id='c'><p>No time.</p></div></body>"
    )
    assert lines_of(body) == [
        ("In a group.", 3_615_000, 3_617_500),
        ("Cut by its group.", 3_650_480, 3_660_000),
        ("No time.", 3_600_000, None),
    ]


def test_a_text_is_spoken_while_its_words_are():
    body = (
        '<body><div xml:id="a" begin="10s" end="20s"><p>\n  <metadata>not words</metadata>\n'
        '  <span begin="1s" end="3s">One</span> <span begin="4s" end="6s">two.</span>\n </p></div></body>'
    )
    assert lines_of(body) == [("One two.", 11_000, 16_000)]


def test_texts_that_belong_to_no_event_are_read_and_listed():
    body = (
        '<body><div begin="1s" end="2s"><p>Without a name.</p></div>'
        '<div xml:id="g"><p begin="3s" end="4s">Beside an event.</p><div xml:id="d" begin="5s" end="6s"/></div></body>'
    )
    found = read_dapt(f"{HEAD}{body}</tt>".encode(), "a.xml")
    assert [(each.text, each.start) for each in found.lines] == [
        ("Without a name.", 1_000),
        ("Beside an event.", 3_000),
    ]
    assert sum("belongs to no event" in oddity.what for oddity in found.oddities) == 2


def test_an_event_without_a_text_marks_a_gap():
    script = DaptScript("en", (ScriptEvent("gap1", "", 5_000, 9_000, "visual"),))
    data = write_dapt(script)
    assert b'<div xml:id="gap1" begin="5s" end="9s">' in data
    assert not check_dapt(data, "a.xml")
    assert read_document(data, "a.xml").script == script


def test_white_space_is_collapsed_unless_it_is_preserved():
    body = (
        '<body><div xml:id="a" begin="1s" end="2s"><p>\n One\t two <br/>\n three\u00a0 </p></div>'
        '<div xml:id="b" begin="2s" end="3s"><p xml:space="preserve"> One\t two </p></div></body>'
    )
    assert [text for text, _, _ in lines_of(body)] == ["One two\nthree\u00a0", " One\t two "]


def test_of_several_languages_that_of_the_script_is_read():
    body = (
        '<body><div xml:id="a" begin="1s" end="2s"><p xml:lang="fr">Pluie.</p><p xml:lang="en">Rain.</p></div></body>'
    )
    found = read_dapt(f"{HEAD}{body}</tt>".encode(), "a.xml")
    assert [each.text for each in found.lines] == ["Rain."]
    assert any("fr" in oddity.what for oddity in found.oddities)


def test_events_without_text_and_text_on_the_screen_are_listed():
    body = (
        '<body><div xml:id="gap" begin="1s" end="2s"/>'
        '<div xml:id="a" begin="1s" end="2s" daptm:represents="visual.text.title"><p>The Old Guard</p></div></body>'
    )
    found = read_dapt(f"{HEAD}{body}</tt>".encode(), "a.xml")
    assert [each.text for each in found.lines] == ["The Old Guard"]
    assert [oddity.line for oddity in found.oddities] == [1, None]


@pytest.mark.parametrize(
    "data",
    [
        f"{HEAD}<body/></tt>".encode("utf-8-sig"),
        ('<?xml version="1.0" encoding="UTF-16"?>' + HEAD + "<body/></tt>").encode("utf-16"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>' + HEAD + "<body/></tt>").encode("latin-1"),
    ],
    ids=["mark", "UTF-16", "ISO 8859-1"],
)
def test_other_encodings_are_read(data: bytes):
    assert read_dapt(data, "a.xml").language == "en"


def test_words_in_another_encoding_are_read_as_they_are_declared():
    body = '<body><div xml:id="a" begin="1s" end="2s"><p>Zo\u00eb, d\u00e9j\u00e0.</p></div></body></tt>'
    data = ('<?xml version="1.0" encoding="ISO-8859-1"?>' + HEAD + body).encode("latin-1")
    assert [each.text for each in read_dapt(data, "a.xml").lines] == ["Zo\u00eb, d\u00e9j\u00e0."]


def test_broken_rules_are_listed_and_the_lines_are_read_all_the_same():
    body = '<body><div xml:id="a" begin="1s" end="2s" daptm:onScreen="maybe"><p>Rain.</p></div></body></tt>'
    found = read_dapt(HEAD.replace('xml:lang="en"', "").encode() + body.encode(), "a.xml")
    assert [each.text for each in found.lines] == ["Rain."]
    assert len(found.oddities) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Rain.",
        b"<tt/>",
        HEAD.encode(),
        b'<tt xmlns="http://www.w3.org/2006/10/ttaf1"/>',
        b"<!DOCTYPE tt [<!ENTITY a 'b'>]>" + HEAD.encode() + b"</tt>",
        HEAD.encode() + b"<div>" * 200,
        b"\x00\x01\x02",
    ],
)
def test_what_is_no_dapt_is_refused_in_a_sentence(data: bytes):
    with pytest.raises(BadInputError) as refused:
        read_dapt(data, "a.xml")
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("a.xml")
