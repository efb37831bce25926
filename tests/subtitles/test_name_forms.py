"""Names of speakers on lines of their own and before dashes: they are the cue's speaker, and no words of it."""

from __future__ import annotations

import pytest

from adstudio.core.script import Cue, CueKind
from adstudio.core.words import count_words
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import parse_subtitles


def entries(*texts: str) -> tuple[Cue, ...]:
    srt = "".join(f"{k}\n00:01:{k:02d},000 --> 00:01:{k:02d},900\n{text}\n\n" for k, text in enumerate(texts, 1))
    return dialogue(parse_subtitles(srt.encode(), "a.srt")).cues


def speakers(*texts: str) -> list[tuple[str | None, str]]:
    return [(cue.speaker, cue.text) for cue in entries(*texts)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("TOM:\nHello there.", [("TOM", "Hello there.")]),
        ("- TOM:\nHello there.", [("TOM", "Hello there.")]),
        ("- TOM:\n- Hello there.", [("TOM", "Hello there.")]),
        ("– TOM:\n– Hello there.", [("TOM", "Hello there.")]),
        ("TOM:\n- Hello there.", [("TOM", "Hello there.")]),
        ("TOM:\n- Hello.\n- Hi.", [("TOM", "Hello."), (None, "Hi.")]),
        ("- TOM:\n- Hello.\n- ANNA:\n- Hi.", [("TOM", "Hello."), ("ANNA", "Hi.")]),
        ("- TOM:\nHello.\n- ANNA:\nHi.", [("TOM", "Hello."), ("ANNA", "Hi.")]),
        ("TOM (V.O.):\n- Hello.", [("TOM", "Hello.")]),
        ("Tom:\n- Hello.", [("Tom", "Hello.")]),
        ("TOM:\n♪ La la ♪", [("TOM", "La la")]),
        ("Remember:\n- milk\n- bread", [(None, "Remember:\n- milk\n- bread")]),
    ],
)
def test_a_name_above_what_is_said_is_its_speaker(text: str, parts: list[tuple[str | None, str]]) -> None:
    assert speakers(text) == parts


def test_a_song_below_a_name_is_sung_by_that_person() -> None:
    (cue,) = entries("TOM:\n♪ La la ♪")
    assert (cue.kind, cue.speaker, count_words(cue.text)) == (CueKind.SUNG, "TOM", 2)


@pytest.mark.parametrize("dash", ["-", "–", "—", "--"])
@pytest.mark.parametrize(
    "form", ["TOM {dash}\n{said}", "TOM{dash}\n{said}", "TOM {dash} {said}", "- TOM {dash} {said}"]
)
def test_a_name_that_comes_back_before_a_dash_is_one(dash: str, form: str) -> None:
    first, second = (form.format(dash=dash, said=said) for said in ("Hello there.", "See you."))
    assert speakers(first, "Hi.", second, "And so on.", "Until the end.") == [
        ("TOM", "Hello there."),
        (None, "Hi."),
        ("TOM", "See you."),
        (None, "And so on."),
        (None, "Until the end."),
    ]


def test_where_half_of_the_cues_begin_so_each_name_is_one() -> None:
    found = speakers("TOM —\nHello.", "ANNA —\nHi.", "MAN 2 —\nWho is it?", "Nobody.", "- BEN — Me.\n- ANNA — You?")
    assert [speaker for speaker, _ in found] == ["TOM", "ANNA", "MAN 2", None, "BEN", "ANNA"]


@pytest.mark.parametrize(
    "text",
    [
        "TOM—\nwatch out!",
        "TOM -- please",
        "STOP —\nI SAID STOP!",
        "NO - Never.",
        "X-RAY\nShows nothing.",
        "TOM-ANNA",
        "Tom - Hello.",
        "TOM—",
    ],
)
def test_what_is_broken_off_and_other_words_before_a_dash_are_said(text: str) -> None:
    cues = entries(text, "One.", "Two.", text, "Three.", "Four.", "Five.", "Six.")
    assert {cue.speaker for cue in cues} == {None}
    assert (cues[0].text, cues[3].text) == (text, text)


def test_a_shout_is_none_where_the_name_is_otherwise_before_a_colon() -> None:
    shout = "TOM—\nOver here!"
    assert speakers("TOM: Hello.", shout, "ANNA: Hi.", shout) == [
        ("TOM", "Hello."),
        (None, shout),
        ("ANNA", "Hi."),
        (None, shout),
    ]


def test_a_bracket_above_what_is_said_names_a_speaker_who_is_known_as_one() -> None:
    assert speakers("[TOM]\nHello.", "TOM: Hi.", "[RADIO]\nHello.", "[TOM]") == [
        ("TOM", "Hello."),
        ("TOM", "Hi."),
        (None, "Hello."),
        (None, "[TOM]"),
    ]
