"""Strict peers on clean input: srt, pysrt and pysubs2 find the same cues as we do."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import clock
from adstudio.subtitles.reading import parse_subtitles

LINE = (
    st.text(
        st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"], exclude_characters="<>{}&\\\u2028\u2029\x85"),
        min_size=1,
        max_size=30,
    )
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: bool(text) and not text.isdecimal() and "-->" not in text)
)
CUE = st.tuples(st.integers(0, 35_000_000), st.integers(1, 60_000), st.lists(LINE, min_size=1, max_size=3))
CUES = st.lists(CUE, min_size=1, max_size=12)
Cues = list[tuple[int, int, list[str]]]


def expected(cues: Cues) -> list[tuple[int, int, str]]:
    return [(start, start + length, "\n".join(lines)) for start, length, lines in cues]


def srt_text(cues: Cues) -> str:
    return "".join(
        f"{k}\n{clock(start, separator=',')} --> {clock(end, separator=',')}\n{text}\n\n"
        for k, (start, end, text) in enumerate(expected(cues), 1)
    )


@settings(max_examples=50, deadline=None)
@given(CUES)
def test_srt_as_pysrt_reads_it(cues: Cues) -> None:
    pysrt = pytest.importorskip("pysrt")
    text = srt_text(cues)
    ours = [(cue.start, cue.end, cue.text) for cue in parse_subtitles(text.encode(), "a.srt").cues]
    assert ours == expected(cues)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = [(item.start.ordinal, item.end.ordinal, item.text) for item in pysrt.from_string(text)]
    assert ours == theirs


@settings(max_examples=50, deadline=None)
@given(CUES)
def test_srt_as_srt_reads_it(cues: Cues) -> None:
    srt = pytest.importorskip("srt")
    text = srt_text(cues)
    ours = [(cue.start, cue.end, cue.text) for cue in parse_subtitles(text.encode(), "a.srt").cues]
    theirs = [
        (round(s.start.total_seconds() * 1000), round(s.end.total_seconds() * 1000), s.content) for s in srt.parse(text)
    ]
    assert ours == theirs


@settings(max_examples=40, deadline=None)
@given(CUES, st.sampled_from(["srt", "vtt", "ass", "ttml"]))
def test_every_format_as_pysubs2_writes_it(cues: Cues, form: str) -> None:
    pysubs2 = pytest.importorskip("pysubs2")
    plain = [
        (start // 10 * 10, length // 10 * 10 + 10, [line.replace(",", ";") for line in lines])
        for start, length, lines in cues
    ]
    file = pysubs2.SSAFile()
    file.events = [
        pysubs2.SSAEvent(start=start, end=end, text=text.replace("\n", "\\N")) for start, end, text in expected(plain)
    ]
    written = file.to_string(form)
    ours = [(cue.start, cue.end, cue.text) for cue in parse_subtitles(written.encode(), f"a.{form}").cues]
    assert sorted(ours) == sorted(expected(plain))
