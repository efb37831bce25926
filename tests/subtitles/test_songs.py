"""Cues that are sung and spoken, and cues of which a viewer sees nothing."""

from __future__ import annotations

import pytest

from adstudio.core.script import CueKind
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import parse_subtitles
from adstudio.subtitles.songs import song_parts

SPEECH, MUSIC, SUNG = CueKind.SPEECH, CueKind.MUSIC, CueKind.SUNG
SONG_FIRST = [(SUNG, 10_000, 11_988, "La la"), (SPEECH, 12_012, 14_000, "Stop it!")]
"""Of 4 s, 24 ms lie between the parts; 3,976 ms for two words each."""
SPEECH_FIRST = [(SPEECH, 10_000, 11_988, "Stop it!"), (SUNG, 12_012, 14_000, "La la")]


def cues(text: str, end: str = "00:00:14,000") -> list[tuple[CueKind, int, int, str]]:
    file = parse_subtitles(f"1\n00:00:10,000 --> {end}\n{text}\n".encode(), "a.srt")
    return [(cue.kind, cue.start, cue.end, cue.text) for cue in dialogue(file).cues]


def problems(text: str) -> list[str]:
    file = parse_subtitles(f"1\n00:00:10,000 --> 00:00:14,000\n{text}\n".encode(), "a.srt")
    return [oddity.what for oddity in (*file.oddities, *dialogue(file).oddities)]


@pytest.mark.parametrize(
    "text",
    [
        "♪ La la ♪\nStop it!",
        "♪La la♪\nStop it!",
        "♫ La la ♫\nStop it!",
        "🎵 La la 🎵\nStop it!",
        "♪\ufe0f La la ♪\ufe0f\nStop it!",
        "# La la #\nStop it!",
        "- ♪ La la ♪\n- Stop it!",
        "- ♪ La la\n- Stop it!",
        "- La la ♪\n- Stop it!",
        "♪ La la ♪\n- Stop it!",
        "- ♪ La la ♪\nStop it!",
        "♪ La la\n- Stop it!",
        "♪ La la\n>> Stop it!",
        "♪ La la\nStop it!",
        "La la ♪\nStop it!",
        "♪ La la ♪ Stop it!",
        "♪ La la ♪ - Stop it!",
        "- ♪ La la ♪ - Stop it!",
        "“♪ La la ♪”\nStop it!",
        "(singing) ♪ La la ♪\nStop it!",
        "♪♪ La la ♪♪\nStop it!",
        "<i>♪ La la ♪</i>\nStop it!",
        "\u200e♪ La la ♪\u200e\n\u200eStop it!",
        "\u202b- ♪ La la ♪\u202c\n\u202b- Stop it!\u202c",
    ],
)
def test_a_song_before_speech(text: str) -> None:
    assert cues(text) == SONG_FIRST


@pytest.mark.parametrize(
    "text",
    [
        "Stop it!\n♪ La la ♪",
        "Stop it!\n♪ La la",
        "Stop it!\nLa la ♪",
        "- Stop it!\n- ♪ La la ♪",
        "- Stop it!\n♪ La la ♪",
        "Stop it!\n- La la ♪",
        "Stop it! ♪ La la ♪",
        "Stop it! – ♪ La la ♪",
        "[door slams] Stop it!\n♪ La la ♪",
    ],
)
def test_a_song_after_speech(text: str) -> None:
    assert cues(text) == SPEECH_FIRST


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # 3,976 ms for four words and two
        ("♪ La la\nla la ♪\nStop it!", [(SUNG, 10_000, 12_650, "La la\nla la"), (SPEECH, 12_674, 14_000, "Stop it!")]),
        (  # 3,952 ms for one word, two, and one; the first two parts are rounded down
            "Stop!\n♪ La la ♪\nNow!",
            [(SPEECH, 10_000, 10_988, "Stop!"), (SUNG, 11_012, 12_987, "La la"), (SPEECH, 13_011, 14_000, "Now!")],
        ),
        (
            "♪ La la ♪\nANNA: Stop it",
            [
                (SUNG, 10_000, 11_988, "La la"),
                (SPEECH, 12_012, 14_000, "Stop it"),
            ],  # her name is not spoken
        ),
    ],
)
def test_the_time_of_each_part(text: str, parts: list[tuple[CueKind, int, int, str]]) -> None:
    assert cues(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "♪ La la\nla la ♪",
        "♪ La la ♪\n♪ la la ♪",
        "♪ La la\n♪ la la",
        "♪ La la\nla la",  # nothing says that the second line is spoken
        "La la,\nla la ♪",
        "♪ La la ♪ la la ♪",
        "- ♪ La la\nla la ♪",
        "# La la\nla la #",
        "ANNA: ♪ La la ♪",
        "♪ La la ♪\n...",
        "♪ La la ♪\n[door slams]",
        "♪ La, la!\nLa! ♪",
    ],
)
def test_what_is_all_sung_stays_whole(text: str) -> None:
    assert [(kind, start, end) for kind, start, end, _ in cues(text)] == [(SUNG, 10_000, 14_000)]
    assert not any("unclear" in what for what in problems(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("♪♪\nStop it!", "Stop it!"),
        ("♪ upbeat music playing ♪\nStop it!", "Stop it!"),
        ("♪ [tense music] ♪\nStop it!", "Stop it!"),
        ("* Spannende Musik *\nStop it!", "Stop it!"),
        ("Stop it!\n*", "Stop it!"),
        ("#1 is mine\nStop it!", "#1 is mine\nStop it!"),
        ("Room #5 and #6", "Room #5 and #6"),
    ],
)
def test_music_without_words_takes_nothing_from_speech(text: str, said: str) -> None:
    assert cues(text) == [(SPEECH, 10_000, 14_000, said)]


@pytest.mark.parametrize(
    "text",
    ["* Musik *", "*Ruhige Musik*", "* Die Musik wird\nlauter *", "# Klaviermusik #", "♪ Musik setzt ein ♪",
     "♪ Musique douce ♪", "♪ Música suave ♪", "#", "*", "**", "* * *", "# #"],
)  # fmt: skip
def test_music_in_other_languages_and_other_signs(text: str) -> None:
    assert cues(text) == [(MUSIC, 10_000, 14_000, text)]


@pytest.mark.parametrize(
    "text", ["* Ich komme. *", "* Mach die Musik aus! *", "*Never* play music", "* Musik", "5 * 5", "C#"]
)
def test_asterisks_around_anything_else_are_speech(text: str) -> None:
    assert cues(text) == [(SPEECH, 10_000, 14_000, text)]


@pytest.mark.parametrize("text", ["♪ La la\nStop it!", "Stop it!\nLa la ♪"])
def test_a_doubt_is_listed(text: str) -> None:
    assert problems(text) == ["it is unclear whether a line beside the song is spoken; it was read as speech"]


@pytest.mark.parametrize("text", ["♪ La la ♪\nStop it!", "♪ La la\n- Stop it!", "Stop it! ♪ La la ♪"])
def test_what_is_clear_is_not_listed(text: str) -> None:
    assert problems(text) == []


def test_a_cue_too_short_to_share_is_speech() -> None:
    assert [(kind, start, end) for kind, start, end, _ in cues("♪ La la ♪\nStop it!", "00:00:10,001")] == [
        (SPEECH, 10_000, 10_001)
    ]


def test_speakers_of_the_parts() -> None:
    file = parse_subtitles("1\n00:00:10,000 --> 00:00:14,000\nANNA: ♪ La ♪\nTOM: Stop!\n".encode(), "a.srt")
    assert [(cue.id, cue.kind, cue.speaker) for cue in dialogue(file).cues] == [
        ("c1a", SUNG, "ANNA"),
        ("c1b", SPEECH, "TOM"),
    ]


def test_a_hostile_text_is_read_in_linear_time() -> None:
    for text in ("♪ a " * 20_000, "♪" * 50_000 + "a", "♪ a\nb.\n" * 10_000, "♪ " * 50_000):
        song_parts(text)


# --- cues of which a viewer sees nothing ---

ZWNJ, ZWJ = "\u200c", "\u200d"
NOTHING = [
    "\u200e", "\u200f\u200e", "\u200b", ZWNJ, ZWJ, "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\ufe00", "\U000e0101",
    "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u2800\u2800", "\u034f", "\u061c", "\u180e", "\u2061",
    "\u2066\u2069",
    "\u202a \u202c", "\u17b4",
    "\u00a0", "\u3000\u200b", "\u2028", "\U0001d173", "\U000e0020",
]  # fmt: skip
ENTITIES = [
    "&lrm;", "&rlm;", "&zwj;", "&zwnj;", "&shy;", "&nbsp;", "&#8203;", "&#x200B;", "&#xfeff;", "&#10240;", "&#x3164;",
    "&NoBreak;", "&ZeroWidthSpace;", "&ensp;&emsp;&thinsp;", "&lrm; &rlm;", "&amp;lrm;", "&amp;#8203;",
]  # fmt: skip
FORMATS = {
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\nHello\n",
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n{}\n\n00:03.000 --> 00:04.000\nHello\n",
    "ttml": (
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">{}</p>'
        '<p begin="3s" end="4s">Hello</p></div></body></tt>'
    ),
    "ass": (
        "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{}\n"
        "Dialogue: 0:00:03.00,0:00:04.00,Hello\n"
    ),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("nothing", NOTHING + ENTITIES, ids=ascii)
def test_what_shows_nothing_takes_no_time_and_is_listed(form: str, nothing: str) -> None:
    file = parse_subtitles(FORMATS[form].format(nothing).encode(), f"a.{form}")
    assert [(cue.start, cue.end, cue.text) for cue in dialogue(file).cues] == [(3000, 4000, "Hello")]
    (told,) = [oddity.what for oddity in file.oddities]
    assert told == "the cue has no text" or told.startswith("the cue has only characters that show nothing (U+")


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("srt", "<i>\u200e</i>"),
        ("srt", "{{\\an8}}\u2800"),
        ("srt", "\u200e\n\u200f"),
        ("srt", "\\N\\h"),
        ("vtt", "<i>\\h</i>\n\\N\u200b"),
        ("vtt", "<c.yellow>&lrm;</c>"),
        ("vtt", "<v Anna>&#8203;</v>"),
        ("ttml", "<span>\u200b</span><br/><span>\u3164</span>"),
        ("ttml", "<![CDATA[\u2060]]>"),
        ("ass", "{{\\i1}}\u200e\\N\\h\u2800"),
    ],
)
def test_markup_around_nothing(form: str, text: str) -> None:
    file = parse_subtitles(FORMATS[form].format(text.replace("{{", "{").replace("}}", "}")).encode(), f"a.{form}")
    assert [cue.text for cue in dialogue(file).cues] == ["Hello"]
    assert len(file.oddities) == 1


@pytest.mark.parametrize(
    "text",
    [
        ".",
        "…",
        "-",
        "?",
        "\\",
        "\\Nh",
        "ا\u200cب",
        "क\u094d\u200dष",
        "\u0600",
        "ㅎ",
        "⠁",
        "❤\ufe0f",
        "a\u200b",
        "\u0301",
        "😀",
    ],
)
def test_what_shows_anything_stays(text: str) -> None:
    file = parse_subtitles(FORMATS["srt"].format(text).encode(), "a.srt")
    assert [(cue.start, cue.text) for cue in dialogue(file).cues] == [(1000, text.strip("\u200b")), (3000, "Hello")]


def test_which_characters_show_nothing_is_said() -> None:
    file = parse_subtitles(FORMATS["vtt"].format("&zwj;\u3164").encode(), "a.vtt")
    assert [oddity.what for oddity in file.oddities] == [
        "the cue has only characters that show nothing (U+200D, U+3164), so it takes no time"
    ]


def test_what_shows_nothing_overlaps_nothing() -> None:
    text = "1\n00:00:01,000 --> 00:00:09,000\n&lrm;\n\n2\n00:00:03,000 --> 00:00:04,000\nHello\n"
    file = parse_subtitles(text.encode(), "a.srt")
    assert not any("overlaps" in oddity.what for oddity in file.oddities)


def test_a_film_of_nothing_is_no_dialogue() -> None:
    file = parse_subtitles(b"1\n00:00:01,000 --> 00:00:09,000\n&lrm;\n", "a.srt")
    assert "none of its cues has text" in dialogue(file).silence


def test_a_voice_of_nothing_takes_no_time() -> None:
    text = "WEBVTT\n\n00:10.000 --> 00:14.000\n<v Anna>Hi.</v>\n<v Bob>&lrm;"
    file = parse_subtitles(text.encode(), "a.vtt")
    assert [(cue.start, cue.end, cue.text, cue.speaker) for cue in dialogue(file).cues] == [
        (10_000, 14_000, "Hi.", "Anna")
    ]
