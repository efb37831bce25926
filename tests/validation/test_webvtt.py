"""The grammar of WebVTT, section 4: what breaks a rule is refused for it, and what the grammar permits is accepted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.validation.webvtt import check_webvtt

CUE = "00:01.000 --> 00:02.000\nRain falls.\n"


def vtt(body: str = CUE, head: str = "WEBVTT\n\n") -> bytes:
    return (head + body).encode()


def cue(text: str) -> bytes:
    return vtt(f"00:01.000 --> 00:02.000\n{text}\n")


def settings(written: str, above: str = "") -> bytes:
    return vtt(f"{above}00:01.000 --> 00:02.000 {written}\nRain falls.\n")


def times(written: str) -> bytes:
    return vtt(f"{written}\nRain falls.\n")


REGION = "REGION\nid:low\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%\nscroll:up\n\n"

BROKEN: dict[str, tuple[str, int | None, bytes]] = {
    "empty": ("vtt:header", 1, b""),
    "no head": ("vtt:header", 1, vtt(head="")),
    "head in lower case": ("vtt:header", 1, vtt(head="webvtt\n\n")),
    "head that goes on": ("vtt:header", 1, vtt(head="WEBVTTS\n\n")),
    "blank before the head": ("vtt:header", 1, vtt(head=" WEBVTT\n\n")),
    "field below the head": ("vtt:header", 2, vtt(head="WEBVTT\nKind: descriptions\n\n")),
    "cue right below the head": ("vtt:header", 2, vtt(head="WEBVTT\n")),
    "arrow in the head": ("vtt:header", 1, vtt(head="WEBVTT a --> b\n\n")),
    "another encoding": ("vtt:encoding", 4, cue("Zoë").decode().encode("latin-1")),
    "null character": ("text:controls", 4, cue("a\0b")),
    "start of heading": ("text:controls", 4, cue("a\x01b")),
    "vertical tab": ("text:controls", 4, cue("a\x0bb")),
    "control character in a comment": ("text:controls", 3, vtt("NOTE a\x7fb\n\n" + CUE)),
    "control character of eight bits": ("text:controls", 4, cue("a\x9fb")),
    "comma": ("vtt:timestamp", 3, times("00:00:01,000 --> 00:00:02.000")),
    "two digits of a fraction": ("vtt:timestamp", 3, times("00:01.00 --> 00:02.000")),
    "no fraction": ("vtt:timestamp", 3, times("00:01 --> 00:02.000")),
    "one digit of minutes": ("vtt:timestamp", 3, times("0:01.000 --> 00:02.000")),
    "one digit of hours": ("vtt:timestamp", 3, times("0:00:01.000 --> 00:02.000")),
    "minute 60": ("vtt:timestamp", 3, times("00:01.000 --> 60:02.000")),
    "second 60": ("vtt:timestamp", 3, times("00:01.000 --> 00:60.000")),
    "other digits": ("vtt:timestamp", 3, times("00:0\u0661.000 --> 00:02.000")),
    "negative": ("vtt:timestamp", 3, times("-00:01.000 --> 00:02.000")),
    "no end": ("vtt:timestamp", 3, times("00:01.000 --> ")),
    "no blank around the arrow": ("vtt:timings", 3, times("00:01.000-->00:02.000")),
    "blank before the times": ("vtt:timings", 3, times(" 00:01.000 --> 00:02.000")),
    "end at the start": ("vtt:timings", 3, times("00:01.000 --> 00:01.000")),
    "end before the start": ("vtt:timings", 3, times("00:02.000 --> 00:01.000")),
    "out of order": ("vtt:order", 6, vtt("00:05.000 --> 00:06.000\na\n\n" + CUE)),
    "text that is no block": ("vtt:block", 3, vtt("Rain falls.\n\n" + CUE)),
    "number without times": ("vtt:block", 3, vtt("1\n\n" + CUE)),
    "times on the third line": ("vtt:block", 3, vtt("1\nRain\n00:01.000 --> 00:02.000\n")),
    "times in a text": ("vtt:block", 5, cue("Rain.\n00:03.000 --> 00:04.000\nSnow.")),
    "arrow in a text": ("vtt:block", 4, cue("left --> right")),
    "style below a cue": ("vtt:block", 6, vtt(CUE + "\nSTYLE\n::cue { color: red }\n")),
    "region below a cue": ("vtt:block", 6, vtt(CUE + "\n" + REGION)),
    "arrow in a style": ("vtt:block", 4, vtt("STYLE\na --> b\n\n" + CUE)),
    "arrow in a comment": ("vtt:comment", 4, vtt("NOTE\na --> b\n\n" + CUE)),
    "region with an unknown setting": ("vtt:region", 5, vtt("REGION\nid:a\nheight:3\n\n" + CUE)),
    "region with a bad width": ("vtt:region", 5, vtt("REGION\nid:a\nwidth:140%\n\n" + CUE)),
    "region without an id": ("vtt:region", 3, vtt("REGION\nwidth:40%\n\n" + CUE)),
    "region twice": ("vtt:region", 12, vtt(REGION + "REGION\nid:low\n\n" + CUE)),
    "region setting twice": ("vtt:region", 4, vtt("REGION\nid:a id:a\n\n" + CUE)),
    "unknown setting": ("vtt:settings", 3, settings("X1:10")),
    "setting without a colon": ("vtt:settings", 3, settings("start")),
    "setting twice": ("vtt:settings", 3, settings("align:start align:end")),
    "align middle": ("vtt:settings", 3, settings("align:middle")),
    "position with start": ("vtt:settings", 3, settings("position:10%,start")),
    "size without a percentage": ("vtt:settings", 3, settings("size:50")),
    "size above 100": ("vtt:settings", 3, settings("size:101%")),
    "line with decimals": ("vtt:settings", 3, settings("line:1.5")),
    "vertical unknown": ("vtt:settings", 3, settings("vertical:up")),
    "region unknown": ("vtt:settings", 3, settings("region:low")),
    "ampersand": ("vtt:character-reference", 4, cue("Tom & Ann")),
    "reference without semicolon": ("vtt:character-reference", 4, cue("Tom &amp Ann")),
    "reference that is none": ("vtt:character-reference", 4, cue("&rain;")),
    "less than": ("vtt:cue-text", 4, cue("3 < 4")),
    "unknown tag": ("vtt:tags", 4, cue("<font>Rain</font>")[: -len("</font>\n")] + b"\n"),
    "tag in capitals": ("vtt:tags", 4, cue("<B>Rain")),
    "tag never closed": ("vtt:tags", 5, cue("Rain\n<i>falls.")),
    "end without a start": ("vtt:tags", 4, cue("Rain</i>")),
    "tags crossed": ("vtt:tags", 4, cue("<b><i>Rain</b>")),
    "voice without a name": ("vtt:tags", 4, cue("<v>Rain")),
    "voice in the middle": ("vtt:tags", 4, cue("Oh <v Ann>Rain")),
    "italics with a name": ("vtt:tags", 4, cue("<i Ann>Rain</i>")),
    "language that is none": ("vtt:tags", 4, cue("<lang en_GB>Rain</lang>")),
    "rt outside ruby": ("vtt:tags", 4, cue("<rt>Rain</rt>")),
    "timestamp before the cue": ("vtt:cue-timestamp", 4, cue("<00:00.500>Rain")),
    "timestamp at the end": ("vtt:cue-timestamp", 4, cue("Rain <00:02.000>falls")),
    "timestamps out of order": ("vtt:cue-timestamp", 4, cue("<00:01.500>Rain <00:01.400>falls")),
    "timestamp that is none": ("vtt:cue-timestamp", 4, cue("<1.5>Rain")),
}
SOUND: dict[str, bytes] = {
    "plain": vtt(),
    "head alone": b"WEBVTT",
    "head and a line": b"WEBVTT\n",
    "byte-order mark": b"\xef\xbb\xbf" + vtt(),
    "head with a text": vtt(head="WEBVTT - Night Ride\n\n"),
    "head with a tab": vtt(head="WEBVTT\tNight Ride\n\n"),
    "CR LF": vtt().replace(b"\n", b"\r\n"),
    "CR": vtt().replace(b"\n", b"\r"),
    "many empty lines": vtt("\n\n" + CUE + "\n\n\n\n"),
    "hours": times("00:00:01.000 --> 100:00:02.000"),
    "tabs around the arrow": times("00:01.000\t-->  00:02.000"),
    "identifiers": vtt("intro\n" + CUE + "\n1\n" + CUE),
    "identifier like a comment": vtt("NOTES\n" + CUE),
    "cues at the same time": vtt(CUE + "\n" + CUE),
    "empty text": vtt("00:01.000 --> 00:02.000\n\n" + CUE),
    "no text at all": vtt("00:01.000 --> 00:02.000\n"),
    "comments": vtt("NOTE\n\nNOTE about\nrain\n\n" + CUE + "\nNOTE\tat the end\n"),
    "style": vtt("STYLE\n::cue { color: red }\n\n" + CUE),
    "region": vtt(REGION + "00:01.000 --> 00:02.000 region:low\nRain\n"),
    "all settings": settings("vertical:rl line:-1,start position:10.5%,line-left size:100% align:center"),
    "line as a percentage": settings("line:0%,end"),
    "trailing blank": settings(""),
    "tags": cue("<b>a</b><i.x.y>b</i><u>c</u><c>d</c><lang pt-BR>e</lang><ruby>f<rt>g</rt>h<rt>i</ruby>"),
    "voices": cue("<v.loud Ann>Rain</v>\n<v Tom>Where?</v>"),
    "voice of the whole text": cue("<v Ann>Rain\n<i>falls</i>."),
    "references": cue("&amp;&lt;&gt;&lrm;&nbsp;&#233;&#xE9;&eacute;"),
    "greater than": cue("4 > 3"),
    "timestamps": cue("Rain <00:01.250>falls <00:00:01.500>down"),
}


def broken(data: bytes) -> list[tuple[str, int | None]]:
    return [(each.rule.id, each.line) for each in check_webvtt(data, "a.vtt") if not each.advice]


@pytest.mark.parametrize(("rule", "line", "data"), BROKEN.values(), ids=BROKEN.keys())
def test_what_breaks_a_rule_is_refused_for_it_at_its_line(rule: str, line: int | None, data: bytes):
    assert (rule, line) in broken(data)
    assert {each for each, _ in broken(data)} == {rule}


@pytest.mark.parametrize("data", SOUND.values(), ids=SOUND.keys())
def test_what_the_grammar_permits_is_accepted(data: bytes):
    assert broken(data) == []


def test_each_finding_names_its_clause():
    (finding,) = check_webvtt(times("00:01,000 --> 00:02.000"), "a.vtt")
    assert finding.rule.clause.startswith("WebVTT 4.1")


def test_doubled_identifiers_and_a_last_line_without_a_break_are_advice():
    data = vtt("1\n" + CUE + "\n1\n" + CUE.rstrip())
    assert [(each.line, each.advice) for each in check_webvtt(data, "a.vtt")] == [(7, True), (9, True)]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(str.strip), st.integers(1, 9_000))
def test_every_export_is_valid(text: str, length: int):
    lines = (Eventuality("e1", (Variant(text),), Span(1000, 2000), 1),)
    script = Script(Film("Night <Ride> --> home", 60_000, language="en"), eventualities=lines)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 1000, 1000 + length),))
    assert broken(FORMATS["vtt"](script, plan)) == []


@given(st.text(st.sampled_from("<>&;/bivrt:.0123 -\n\r\t\0WEBVTNOSLRGI=%,é\ufeff")))
def test_no_text_makes_it_fail(text: str):
    for data in (text.encode(), b"WEBVTT\n\n" + text.encode(), cue(text)):
        for finding in check_webvtt(data, "a.vtt"):
            assert "\n" not in finding.what


def test_what_is_no_text_is_refused():
    with pytest.raises(BadInputError):
        check_webvtt(b"\x89PNG\r\n\x1a\n" + bytes(100), "a.vtt")
