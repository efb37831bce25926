"""What cues stand for: speech, sounds, music, song, speakers, and cues that two people share."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.script import Cue, CueKind
from adstudio.subtitles.dialogue import dialogue, part_spans
from adstudio.subtitles.reading import parse_subtitles

SPEECH, SOUND, MUSIC, SUNG = CueKind.SPEECH, CueKind.SOUND, CueKind.MUSIC, CueKind.SUNG


def entries(*texts: str) -> tuple[Cue, ...]:
    srt = "".join(f"{k}\n00:01:{k:02d},000 --> 00:01:{k:02d},900\n{text}\n\n" for k, text in enumerate(texts, 1))
    return dialogue(parse_subtitles(srt.encode(), "a.srt")).cues


def odd(*texts: str) -> list[str]:
    srt = "".join(f"{k}\n00:01:{k:02d},000 --> 00:01:{k:02d},900\n{text}\n\n" for k, text in enumerate(texts, 1))
    return [oddity.what for oddity in dialogue(parse_subtitles(srt.encode(), "a.srt")).oddities]


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("[door creaks]", SOUND, "[door creaks]"),
        ("(eerie sounds coming from afar\nit is getting louder and louder)", SOUND, None),
        ("- [door creaks]", SOUND, None),
        ("[DOOR CREAKS]\n(thunder)", SOUND, None),
        ("<i>(sighs)</i>", SOUND, "(sighs)"),
        ("（ドアの開く音）", SOUND, "（ドアの開く音）"),
        ("［笑い声］", SOUND, None),
        ("【拍手】", SOUND, None),
        ("( clock ticking )", SOUND, None),
        ("♪", MUSIC, "♪"),
        ("♪♪", MUSIC, "♪♪"),
        ("- ♪ ♪ -", MUSIC, None),
        ("[tense music]", MUSIC, "[tense music]"),
        ("[ music ]", MUSIC, "[ music ]"),
        ("♪ [tense music] ♪", MUSIC, None),
        ("♪ upbeat music playing ♪", MUSIC, None),
        ("[jaunty piano tune]", MUSIC, None),
        ("[Dramatic 1930s Orchestral Music]", MUSIC, None),
        ("（音楽）", MUSIC, None),
        ("♪ Happy birthday to you ♪", SUNG, "Happy birthday to you"),
        ("♪ Music makes me lose control ♪", SUNG, "Music makes me lose control"),
        ("♪ la la\nla la ♪", SUNG, "la la\nla la"),
        ("<i>♪ la la ♪</i>", SUNG, "la la"),
        ("# Happy birthday #", SUNG, "Happy birthday"),
        ("#1 is mine", SPEECH, "#1 is mine"),
        ("Hello", SPEECH, "Hello"),
        ("[unclosed", SPEECH, "[unclosed"),
        ("unopened]", SPEECH, "unopened]"),
        ("I said (quietly) no", SPEECH, "I said (quietly) no"),
        ("The museum (EMP) is cool", SPEECH, "The museum (EMP) is cool"),
        ("a) first", SPEECH, "a) first"),
        ("...", SPEECH, "..."),
        ("(I never wanted to see him again.)", SPEECH, "I never wanted to see him again."),
    ],
)
def test_kinds(text: str, kind: CueKind, said: str | None) -> None:
    (entry,) = entries(text)
    assert entry.kind is kind
    assert entry.text == (text if said is None else said)
    assert entry.id == "c1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[DOOR CREAKS] Who's there?", "Who's there?"),
        ("Who's there? [door creaks]", "Who's there?"),
        ("Come here. (laughs)", "Come here."),
        ("(sighs)\nFine.", "Fine."),
        ("[SIGHS] Fine.", "Fine."),
        ("[Laughing] Stop!", "Stop!"),
        ("(in French) Oui.", "Oui."),
        ("No [beat] yes", "No yes"),
        ("♪♪\nAnna, come", "Anna, come"),
        ("（小声で）だめ", "だめ"),
    ],
)
def test_labels_beside_speech_are_removed(text: str, said: str) -> None:
    (entry,) = entries(text)
    assert (entry.kind, entry.text, entry.speaker) == (SPEECH, said, None)


@pytest.mark.parametrize(
    ("text", "speaker", "said"),
    [
        ("ANNA: Hello", "ANNA", "Hello"),
        ("Anna: Hello", "Anna", "Hello"),
        ("[ANNA] Hello", "ANNA", "Hello"),
        ("(ANNA) Hello", "ANNA", "Hello"),
        ("[Anna]: Hello", "Anna", "Hello"),
        (">> ANNA: Hello", "ANNA", "Hello"),
        (">>> ANNA: Hello", "ANNA", "Hello"),
        ("- ANNA: Hello", "ANNA", "Hello"),
        ("<i>ANNA:</i> Hello", "ANNA", "Hello"),
        ("<v Anna>Hello", "Anna", "Hello"),
        ("MAN 2:\nHello\nyou", "MAN 2", "Hello\nyou"),
        ("ACTOR AS EINSTEIN: Hello", "ACTOR AS EINSTEIN", "Hello"),
        ("MRS. O'BRIEN: Hello", "MRS. O'BRIEN", "Hello"),
        ("Dr. Jean-Luc Núñez: Hello", "Dr. Jean-Luc Núñez", "Hello"),
        ("ЖЕНЩИНА: Привет", "ЖЕНЩИНА", "Привет"),
        ("ANNA (whispering): Hello", "ANNA", "Hello"),
        ("ANNA: HELLO", "ANNA", "HELLO"),
        ("（田中）こんにちは", "田中", "こんにちは"),
        ("田中：こんにちは", "田中", "こんにちは"),
        ("[JAMES] Run!", "JAMES", "Run!"),
        (">> Hello", None, "Hello"),
        ("Remember: the door", None, "Remember: the door"),
        ("Note: no", None, "Note: no"),
        ("REMEMBER: THE DOOR", None, "REMEMBER: THE DOOR"),
        ("12:30 is late", None, "12:30 is late"),
        ("At 12:30", None, "At 12:30"),
        ("John 3:16", None, "John 3:16"),
        ("http://x.org", None, "http://x.org"),
        ("Today's story: The Voice", None, "Today's story: The Voice"),
        ("there is one thing: you", None, "there is one thing: you"),
        ("Terrill Thompson:", None, "Terrill Thompson:"),
        ("I said:\nno", None, "I said:\nno"),
    ],
)
def test_speakers(text: str, speaker: str | None, said: str) -> None:
    (entry,) = entries(text)
    assert (entry.kind, entry.speaker, entry.text) == (SPEECH, speaker, said)


def test_a_manner_beside_a_name_is_a_label() -> None:
    (entry,) = entries("ANNA (whispering): Hello")
    assert (entry.speaker, entry.text) == ("ANNA", "Hello")


def test_an_unclosed_bracket_never_swallows_the_next_cue() -> None:
    found = entries("[unclosed", "Hello]", "[ok] yes")
    assert [(e.kind, e.text) for e in found] == [(SPEECH, "[unclosed"), (SPEECH, "Hello]"), (SPEECH, "yes")]
    assert len([what for what in odd("[unclosed", "Hello]", "[ok] yes") if "unmatched bracket" in what]) == 2


def test_a_sentence_in_brackets_is_reported() -> None:
    assert odd("(I never wanted to see him again.)") == ["a whole sentence is in brackets, so it was kept as speech"]


def test_a_name_seen_in_capitals_is_known_in_brackets() -> None:
    found = entries("SINGER: hello there", "[Singer] Oh")
    assert found[1].speaker == "Singer"


def test_cues_without_text_are_left_out_and_the_rest_is_in_order_of_time() -> None:
    text = (
        "1\n00:00:05,000 --> 00:00:06,000\nB\n\n2\n00:00:01,000 --> 00:00:02,000\nA\n\n"
        "3\n00:00:01,000 --> 00:00:02,000\n\n4\n00:00:01,000 --> 00:00:01,500\nC\n"
    )
    cues = dialogue(parse_subtitles(text.encode(), "a.srt")).cues
    assert [(cue.id, cue.start, cue.text) for cue in cues] == [("c2", 1000, "A"), ("c4", 1000, "C"), ("c1", 5000, "B")]


def test_overlapping_and_reversed_cues_come_as_they_are() -> None:
    text = (
        "1\n00:00:10,000 --> 00:00:14,000\nA\n\n2\n00:00:12,000 --> 00:00:16,000\nB\n\n"
        "3\n00:00:20,000 --> 00:00:19,000\nC\n"
    )
    cues = dialogue(parse_subtitles(text.encode(), "a.srt")).cues
    assert [(cue.start, cue.end) for cue in cues] == [(10_000, 14_000), (12_000, 16_000), (20_000, 19_000)]


# --- two speakers in one cue ---


def split(text: str, times: str = "00:00:10,000 --> 00:00:14,000") -> list[tuple[str, int, int, str]]:
    file = parse_subtitles(f"1\n{times}\n{text}\n".encode(), "a.srt")
    return [(cue.id, cue.start, cue.end, cue.text) for cue in dialogue(file).cues]


@pytest.mark.parametrize("dash", ["- ", "-", "– ", "—", "‐ ", "−", "-- ", "<i>- ", "{\\an8}- "])
def test_hyphens_split_in_proportion_to_words(dash: str) -> None:
    # 4 s less 24 ms are 3,976 ms for four words: 994 each.
    assert split(f"{dash}Hi.\n{dash}How are you?") == [
        ("c1a", 10_000, 10_994, "Hi."),
        ("c1b", 11_018, 14_000, "How are you?"),
    ]


def test_a_line_without_a_hyphen_goes_on() -> None:
    assert [text for *_, text in split("- Hi there,\nAnna.\n- Hello.")] == ["Hi there,\nAnna.", "Hello."]


def test_one_hyphen_is_no_dialogue_of_two() -> None:
    assert split("- Hi.\nHow are you?") == [("c1", 10_000, 14_000, "- Hi.\nHow are you?")]
    assert split("Hi.\n- How are you?") == [("c1", 10_000, 14_000, "Hi.\n- How are you?")]


def test_names_and_labels_within_the_parts() -> None:
    file = parse_subtitles(b"1\n00:00:10,000 --> 00:00:14,000\n- ANNA: Hi\n- [sighs]\n- TOM: Ho\n", "a.srt")
    assert [(cue.id, cue.kind, cue.speaker, cue.text) for cue in dialogue(file).cues] == [
        ("c1a", SPEECH, "ANNA", "Hi"),
        ("c1b", SOUND, None, "[sighs]"),
        ("c1c", SPEECH, "TOM", "Ho"),
    ]


def test_voices_split_as_hyphens_do() -> None:
    file = parse_subtitles(b"WEBVTT\n\n00:10.000 --> 00:14.000\n<v Anna>Hi.</v>\n<v Bob>How are you?", "a.vtt")
    assert [(cue.id, cue.start, cue.end, cue.speaker, cue.text) for cue in dialogue(file).cues] == [
        ("c1a", 10_000, 10_994, "Anna", "Hi."),
        ("c1b", 11_018, 14_000, "Bob", "How are you?"),
    ]


def speakers(text: str) -> list[tuple[str | None, str]]:
    return [(cue.speaker, cue.text) for cue in entries(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("MAN 1: A tie.\nDR. O'HARA-SMITH: It is.", [("MAN 1", "A tie."), ("DR. O'HARA-SMITH", "It is.")]),
        ("Anna: Hi.\nTom: Ho.", [("Anna", "Hi."), ("Tom", "Ho.")]),
        ("ANNA: HELLO\nTOM: HI", [("ANNA", "HELLO"), ("TOM", "HI")]),
        ("Hello there.\nMIKE: Over here!", [(None, "Hello there."), ("MIKE", "Over here!")]),
        ("ANNA: Hi there,\nmy dear.\nTOM: Ho.", [("ANNA", "Hi there,\nmy dear."), ("TOM", "Ho.")]),
        ("ANNA: One.\nTOM: Two.\nMAN 2: Three.", [("ANNA", "One."), ("TOM", "Two."), ("MAN 2", "Three.")]),
        ("ANNA:\nHello there.\nTOM:\nHi.", [("ANNA", "Hello there."), ("TOM", "Hi.")]),
        ("[ANNA] Hi.\n[TOM] Ho.", [("ANNA", "Hi."), ("TOM", "Ho.")]),
        ("(ANNA) Hi.\n(TOM) Ho.", [("ANNA", "Hi."), ("TOM", "Ho.")]),
        ("（田中）こんにちは\n（鈴木）はい", [("田中", "こんにちは"), ("鈴木", "はい")]),
        ("田中：こんにちは\n鈴木：はい", [("田中", "こんにちは"), ("鈴木", "はい")]),
        (">> Hi.\n>> Ho.", [(None, "Hi."), (None, "Ho.")]),
        (">> ANNA: Hi.\n>> TOM: Ho.", [("ANNA", "Hi."), ("TOM", "Ho.")]),
        ("АННА: Привет.\nТОМ: Да.", [("АННА", "Привет."), ("ТОМ", "Да.")]),
        # After a name, another speaker may have a hyphen only.
        ("BEN: Hi!\n- Hello.", [("BEN", "Hi!"), (None, "Hello.")]),
        ("[BEN] Where?\n– Over there,\nBen.", [("BEN", "Where?"), (None, "Over there,\nBen.")]),
        ("BEN: Hi!\n- ANNA: Ho.\n- No!", [("BEN", "Hi!"), ("ANNA", "Ho."), (None, "No!")]),
        ("BEN: I was thinking\n- maybe not.", [("BEN", "I was thinking\n- maybe not.")]),
        # A label ahead of the first name gets no time of its own.
        ("[DOOR CREAKS]\nANNA: Hi there.", [("ANNA", "Hi there.")]),
    ],
)  # fmt: skip
def test_lines_that_name_their_speakers_are_cues_of_their_own(text: str, parts: list[tuple[str | None, str]]) -> None:
    assert speakers(text) == parts


def test_named_lines_share_the_time_by_their_words() -> None:
    # 4 s less 24 ms and two for one each are 3,974 ms for six words: four and two.
    assert split("MAN: Looks like a tie.\nANNA: It is.") == [
        ("c1a", 10_000, 12_650, "Looks like a tie."),
        ("c1b", 12_674, 14_000, "It is."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "...but now I was back with a new look,\nJohn: an earring and long hair.",
        "He showed up last night at\n10:42 pm, like a thief.",
        "Remember two things:\nmilk and bread.",
        "The score: two\nTo one: no",
        "It says:\nhttps://lost.example/box",
        "LOOK AT\nTHIS: NOW",
        "We met in\nMatthew 5: a hill",
    ],
)
def test_colons_that_name_nobody_leave_a_cue_whole(text: str) -> None:
    assert [part for _, part in speakers(text)] == [text]


@pytest.mark.parametrize(
    ("label", "opening", "closing"),
    [("Elevator", "[", "]"), ("RADIO", "(", ")"), ("ドア", "（", "）"), ("Tom Cat", "[", "]")],
)
def test_a_label_that_stands_alone_elsewhere_is_no_speaker(label: str, opening: str, closing: str) -> None:
    mark = f"{opening}{label}{closing}"
    assert entries(f"{mark} Hello.")[0].speaker == label, "nothing says otherwise"
    found = entries(f"{mark} Hello.", "Yes.", mark)
    assert [(cue.speaker, cue.kind, cue.text) for cue in found] == [
        (None, SPEECH, "Hello."),
        (None, SPEECH, "Yes."),
        (None, SOUND, mark),
    ]
    assert entries(f"- {mark} Hello.\n- Hi.", f"- Yes.\n- {mark}")[0].speaker is None


def test_a_name_beyond_doubt_is_one_even_if_it_stands_alone_elsewhere() -> None:
    assert [cue.speaker for cue in entries("[ANNA] Hi.", "[ANNA]", "ANNA: Ho there.")] == ["ANNA", None, "ANNA"]


@pytest.mark.parametrize("times", ["00:00:10,000 --> 00:00:10,000", "00:00:10,000 --> 00:00:09,000"])
def test_a_cue_without_time_is_not_split(times: str) -> None:
    file = parse_subtitles(f"1\n{times}\n- Hi\n- Ho\n".encode(), "a.srt")
    found = dialogue(file)
    assert [entry.id for entry in found.cues] == ["c1"]
    assert ["too short" in oddity.what for oddity in found.oddities] == [True]


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 1000),
    st.integers(-5, 5000),
    st.lists(st.sampled_from(["one", "two three", "…", "a b c d e", "漢字漢字", "no"]), min_size=2, max_size=5),
)
def test_parts_are_never_negative_and_never_overlap(start: int, length: int, parts: list[str]) -> None:
    spans = part_spans(start, start + length, parts)
    if not spans:
        assert length < 2 * len(parts)
        return
    assert len(spans) == len(parts)
    assert (spans[0][0], spans[-1][1]) == (start, start + length)
    assert all(a < b for a, b in spans)
    between = [after[0] - before[1] for before, after in pairwise(spans)]
    assert all(gap >= 0 for gap in between)
    if length >= 48 * len(parts):
        assert all(gap >= 24 for gap in between)


@pytest.mark.parametrize(("count", "last"), [(26, "c1z"), (27, "c1"), (2000, "c1")])
def test_more_speakers_than_letters_are_not_split(count: int, last: str) -> None:
    assert split("- a\n" * count, times="00:00:10,000 --> 00:10:00,000")[-1][0] == last
