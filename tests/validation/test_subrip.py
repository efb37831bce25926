"""SubRip as the trade writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.validation.subrip import check_subrip

BLOCK = "1\n00:00:01,000 --> 00:00:02,000\nRain falls.\n"
NEXT = "\n2\n00:00:03,000 --> 00:00:04,000\nSnow falls.\n"


def times(written: str) -> str:
    return f"1\n{written}\nRain falls.\n"


BROKEN: dict[str, tuple[str, int, str]] = {
    "start of heading": ("text:controls", 3, BLOCK.replace("Rain", "R\x01ain")),
    "form feed": ("text:controls", 3, BLOCK.replace("Rain", "R\x0cain")),
    "point": ("srt:times", 2, times("00:00:01.000 --> 00:00:02.000")),
    "no hours": ("srt:times", 2, times("00:01,000 --> 00:02,000")),
    "one digit of hours": ("srt:times", 2, times("0:00:01,000 --> 0:00:02,000")),
    "two digits of a fraction": ("srt:times", 2, times("00:00:01,00 --> 00:00:02,000")),
    "minute 60": ("srt:times", 2, times("00:60:01,000 --> 01:00:02,000")),
    "second 60": ("srt:times", 2, times("00:00:01,000 --> 00:00:60,000")),
    "short arrow": ("srt:times", 2, times("00:00:01,000 -> 00:00:02,000")),
    "no blanks": ("srt:times", 2, times("00:00:01,000-->00:00:02,000")),
    "frames": ("srt:times", 2, times("00:00:01:12 --> 00:00:02:00")),
    "no end": ("srt:times", 2, times("00:00:01,000 -->")),
    "text after the times": ("srt:times", 2, times("00:00:01,000 --> 00:00:02,000 align:start")),
    "end at the start": ("srt:times", 2, times("00:00:01,000 --> 00:00:01,000")),
    "end before the start": ("srt:times", 2, times("00:00:02,000 --> 00:00:01,000")),
    "no number": ("srt:number", 1, BLOCK[2:]),
    "number in words": ("srt:number", 1, BLOCK.replace("1", "one", 1)),
    "number 2 first": ("srt:number", 1, BLOCK.replace("1", "2", 1)),
    "number left out": ("srt:number", 5, BLOCK + NEXT.replace("2", "3", 1)),
    "number twice": ("srt:number", 5, BLOCK + NEXT.replace("2", "1", 1)),
    "head of WebVTT": ("srt:number", 1, "WEBVTT\n\n" + BLOCK),
    "out of order": ("srt:order", 6, BLOCK + NEXT.replace(":03,", ":00,")),
    "no text": ("srt:text", 2, "1\n00:00:01,000 --> 00:00:02,000\n" + NEXT),
    "empty line in a text": ("srt:text", 5, BLOCK + "\nAnd falls.\n" + NEXT),
    "text before the first block": ("srt:text", 1, "Night Ride\n\n" + BLOCK),
    "no empty line between": ("srt:text", 5, BLOCK + NEXT[1:]),
    "tag never closed": ("srt:markup", 3, BLOCK.replace("Rain", "<i>Rain")),
    "tag closed twice": ("srt:markup", 3, BLOCK.replace("Rain", "Rain</i>")),
    "tags crossed": ("srt:markup", 3, BLOCK.replace("Rain falls.", "<b><i>Rain</b></i>")),
}

SOUND: dict[str, str] = {
    "plain": BLOCK,
    "two": BLOCK + NEXT,
    "empty": "",
    "CR LF": (BLOCK + NEXT).replace("\n", "\r\n"),
    "byte-order mark": "\ufeff" + BLOCK,
    "no line break at the end": BLOCK.rstrip(),
    "several empty lines": "\n" + BLOCK + "\n\n" + NEXT + "\n\n",
    "blanks after the times": BLOCK.replace("02,000", "02,000  "),
    "several lines": BLOCK.replace("falls.", "falls\n- and falls."),
    "tags": BLOCK.replace("Rain", '<i>Ra</i><font color="#ff0000">in</font>{\\an8}'),
    "tags over lines": BLOCK.replace("Rain falls.", "<i>Rain\nfalls.</i>"),
    "a hundred hours": BLOCK.replace("00:00:02", "100:00:02"),
    "a number as a text": BLOCK.replace("Rain falls.", "3"),
}


def broken(text: str) -> list[tuple[str, int | None]]:
    return [(each.rule.id, each.line) for each in check_subrip(text.encode(), "a.srt") if not each.advice]


@pytest.mark.parametrize(("rule", "line", "text"), BROKEN.values(), ids=BROKEN.keys())
def test_what_breaks_a_rule_is_refused_for_it_at_its_line(rule: str, line: int, text: str):
    assert (rule, line) in broken(text)
    assert {each for each, _ in broken(text)} == {rule}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_what_the_trade_writes_is_accepted(text: str):
    assert broken(text) == []


def test_another_encoding_is_found_and_named():
    (finding,) = check_subrip(BLOCK.replace("Rain", "Déjà vu, Zoë").encode("cp1252"), "a.srt")
    assert (finding.rule.id, finding.line) == ("srt:encoding", 3)


def test_overlaps_positions_and_unknown_tags_are_advice():
    text = BLOCK.replace("02,000", "03,500 X1:100 X2:200").replace("Rain", "<rain>") + NEXT
    found = check_subrip(text.encode(), "a.srt")
    assert [(each.rule.id, each.advice) for each in found] == [
        ("srt:times", True),
        ("srt:markup", True),
        ("srt:order", True),
    ]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40).filter(str.strip), st.integers(1, 9_000))
def test_exports_have_sound_times_and_numbers(text: str, length: int):
    lines = (Eventuality("e1", (Variant(text),), Span(1000, 2000), 1),)
    script = Script(Film("Film", 60_000), eventualities=lines)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 1000, 1000 + length),))
    # What looks like tags is part of the text: SubRip has no escapes.
    assert [each for each in broken(FORMATS["srt"](script, plan).decode()) if each[0] != "srt:markup"] == []


@given(st.text(st.sampled_from("<>/biu:,.0123 -\n\r\t\0→=é\ufeff")))
def test_no_text_makes_it_fail(text: str):
    for data in (text.encode(), (BLOCK + text).encode()):
        for finding in check_subrip(data, "a.srt"):
            assert "\n" not in finding.what
