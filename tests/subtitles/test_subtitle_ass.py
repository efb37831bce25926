"""ASS and SSA: fields by the format line, text as libass shows it, drawings and comments no dialogue."""

from __future__ import annotations

import pytest

from adstudio.core.script import CueKind
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.parsed_file import SubtitleFile, SubtitleFormat
from adstudio.subtitles.reading import parse_subtitles

FORMAT = "Format: Layer, Start, End, Style, Name, Text"


def read(*events: str, form: str = FORMAT, info: str = "") -> SubtitleFile:
    text = "\n".join(["[Script Info]", info, "", "[Events]", form, *events, ""])
    return parse_subtitles(text.encode(), "a.ass")


def line(text: str, times: str = "0:00:01.00,0:00:02.50") -> str:
    return f"Dialogue: 0,{times},Default,,{text}"


def odd(file: SubtitleFile) -> list[tuple[int | None, str]]:
    return [(oddity.line, oddity.what) for oddity in file.oddities]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Hello", "Hello"),
        ("Hello, you, there", "Hello, you, there"),
        (r"{\an8\blur5}Text {note to self}", "Text"),
        (r"\{literal\}", "{literal}"),
        (r"{\i1}one{\i0}\Ntwo\nthree\hfour", "one\ntwo three\u00a0four"),
        (r"{\k20}ka{\k30}ra", "kara"),
        (r"{\pos(10,20)}placed{\pbo3}", "placed"),
        (r"before{\p1}m 0 0 l 100 0{\p0} after", "before after"),
        ("{unclosed", "{unclosed"),
        ("a < b and c > d", "a < b and c > d"),
        ("<i>not a tag here</i>", "<i>not a tag here</i>"),
        ("{a}{b}c", "c"),
        (r"C:\path", r"C:\path"),
    ],
)
def test_text_is_what_a_viewer_reads(raw: str, shown: str) -> None:
    file = read(line(raw))
    assert [cue.text for cue in file.cues] == [shown]
    assert odd(file) == []


def test_soft_breaks_break_only_in_wrap_style_2() -> None:
    assert read(line(r"a\nb"), info="WrapStyle: 2").cues[0].text == "a\nb"
    assert read(line(r"a\nb"), info="WrapStyle: 0").cues[0].text == "a b"


def test_drawings_and_comments_are_no_dialogue() -> None:
    file = read(line(r"{\p1}m 0 0 l 100 0"), "Comment: 0,0:00:01.00,0:00:02.00,Default,,hidden", line("{said aside}Hi"))
    assert [cue.text for cue in file.cues] == ["Hi"]
    assert odd(file) == []


def test_the_format_line_says_which_field_is_which() -> None:
    file = read("Dialogue: Anna,0:00:02.00,0:00:01.00,hello, you", form="Format: Actor, End, Start, Text")
    assert [(c.start, c.end, c.text, c.speaker) for c in file.cues] == [(1000, 2000, "hello, you", "Anna")]
    first = read("Dialogue: hello, you,0:00:01.00,0:00:02.00", form="Format: Text, Start, End")
    assert [(c.start, c.end, c.text) for c in first.cues] == [(1000, 2000, "hello, you")]


def test_ssa_with_marked_and_no_format_line() -> None:
    text = "[Script Info]\n[Events]\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,Anna,0,0,0,,Hello, you\n"
    file = parse_subtitles(text.encode(), "a.ssa")
    assert [(c.text, c.speaker) for c in file.cues] == [("Hello, you", "Anna")]
    assert odd(file) == [(3, "there is no “Format:” line before the events, so the default order was used")]


@pytest.mark.parametrize(
    ("written", "ms", "notes"),
    [("0:00:01.25", 1250, False), ("10:00:01.25", 36_001_250, False), ("0:00:01:25", 1250, False),
     ("0:00:01.250", 1250, True), ("00:01.25", 1250, False), ("-0:00:01.00", -1000, True)],
)  # fmt: skip
def test_times(written: str, ms: int, notes: bool) -> None:
    file = read(line("x", f"{written},99:00:00.00"))
    assert [cue.start for cue in file.cues] == [ms]
    assert any("was read as" in what for _, what in odd(file)) == notes


def test_low_numbers_after_colons_may_be_frames() -> None:
    times = ["0:00:01:12,0:00:03:00", "0:00:04:24,0:00:06:05"]
    file = read(*(line("x", each) for each in times))
    assert [(cue.start, cue.end) for cue in file.cues] == [(1120, 3000), (4240, 6050)]
    assert odd(file) == [
        (6, "the times may count frames after their last colon; they were read as hundredths, as in SSA")
    ]
    assert odd(read(*(line("x", each) for each in [*times, "0:00:08:80,0:00:09:00"]))) == []
    assert odd(read(*(line("x", each.replace(":12", ".12")) for each in times[:1]))) == []


def test_what_cannot_be_used_is_listed_with_its_text() -> None:
    file = read(line("lost words", "Invalid,0:00:02.00"), "Dialogue: 0,0:00:01.00", "nonsense", line("kept"))
    assert [cue.text for cue in file.cues] == ["kept"]
    assert [number for number, _ in odd(file)] == [6, 7, 8]
    assert "“lost words”" in odd(file)[0][1]
    assert "“nonsense”" in odd(file)[2][1]


def test_an_event_keeps_its_start_without_an_end() -> None:
    file = read(line("one two three four, five six", "0:00:02.00,?"), line("x", "0:00:09.00,0:00:10.00"))
    assert [(c.start, c.end) for c in file.cues] == [(2000, 4250), (9000, 10_000)]
    assert odd(file) == [(6, "the end in “0:00:02.00,?” cannot be read; the length of its text was used")]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines(newline: str) -> None:
    text = f"[Script Info]\n\n[Events]\n{FORMAT}\n{line('a')}\n{line('b')}".replace("\n", newline)
    file = parse_subtitles(text.encode(), "whatever")
    assert file.format is SubtitleFormat.ASS
    assert [(cue.line, cue.text) for cue in file.cues] == [(5, "a"), (6, "b")]


# --- signs and songs ---

FULL = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
Spoken = list[tuple[int, int, str, CueKind]]


def event(
    text: str, start: str, end: str, style: str = "Default", name: str = "", effect: str = "", layer: int = 0
) -> str:
    return f"Dialogue: {layer},0:00:{start},0:00:{end},{style},{name},0,0,0,{effect},{text}"


def spoken(*events: str) -> Spoken:
    return [(cue.start, cue.end, cue.text, cue.kind) for cue in dialogue(read(*events, form=FULL)).cues]


SAID = event("Hello.", "50.00", "51.00")


@pytest.mark.parametrize(
    ("style", "name", "effect", "text"),
    [
        ("Signs", "", "", r"{\\pos(640,80)}EXIT"),
        ("Signs", "", "", "EXIT"),
        ("sign-top", "Anna", "", r"{\\an8\\move(1,2,3,4)}EXIT"),
        ("MainSigns2", "", "", r"{\\pos(640,80)}EXIT"),
        ("Typesetting", "", "", r"{\\pos(640,80)}EXIT"),
        ("TS", "", "", "EXIT"),
        ("Title", "", "", "EXIT"),
        ("TL Note", "", "", "EXIT"),
        ("Credits", "", "", "EXIT"),
        ("Default", "Sign", "", "EXIT"),
        ("Default", "", "Scroll up;0;100;20", "EXIT"),
        ("Default", "", "Banner;20", "EXIT"),
    ],
)
def test_signs_are_listed_and_take_no_time(style: str, name: str, effect: str, text: str) -> None:
    file = read(event(text.replace(2 * "\\", "\\"), "20.00", "28.00", style, name, effect), SAID, form=FULL)
    assert [cue.text for cue in file.cues] == ["Hello."]
    assert file.signs == 1
    assert odd(file) == [(6, f"“EXIT” is a sign in the picture (style “{style}”), not speech")]


def test_a_sign_in_many_events_is_listed_once() -> None:
    frames = [
        event(f"{{\\pos({k},80)}}EXIT", f"20.{k:02d}", f"20.{k + 4:02d}", "Signs", layer=k % 3) for k in range(0, 40, 4)
    ]
    file = read(*frames, SAID, form=FULL)
    assert (file.signs, [line for line, _ in odd(file)]) == (10, [6])


@pytest.mark.parametrize(
    ("style", "name", "text"),
    [
        ("Signs", "Anna", "I said no."),
        ("Designs", "", "x"),
        ("Entitled", "", "x"),
        ("Main", "", r"{\an8}x"),
        ("Notebook", "", "x"),
    ],
)
def test_speech_is_not_taken_for_a_sign(style: str, name: str, text: str) -> None:
    assert [kind for *_, kind in spoken(event(text, "20.00", "28.00", style, name))] == [CueKind.SPEECH]


def test_a_style_that_is_always_placed_may_be_signs() -> None:
    placed = [event(r"{\pos(1,2)}Bakery", "20.00", "22.00", "Top"), event(r"{\pos(1,2)}Bank", "30.00", "32.00", "Top")]
    talk = [event("Hello.", f"4{k}.00", f"4{k}.90") for k in range(3)]
    file = read(*placed, *talk, form=FULL)
    assert [cue.text for cue in file.cues] == ["Bakery", "Bank", "Hello.", "Hello.", "Hello."]
    assert odd(file) == [
        (6, "the 2 cues in style “Top” may be signs, from where they are in the picture; read as speech")
    ]
    assert odd(read(*placed, form=FULL)) == [], "where all is placed, place says nothing"


def test_a_file_of_signs_has_no_dialogue() -> None:
    file = read(event(r"{\pos(1,2)}EXIT", "20.00", "28.00", "Signs"), form=FULL)
    assert (None, "the file contains only signs") in odd(file)
    assert dialogue(file).silence == "it contains only signs (1)"


@pytest.mark.parametrize(
    ("style", "effect", "text"),
    [
        ("Default", "", r"{\k50}One{\k50} more{\kf100} time."),
        ("Default", "", r"{\K50}One {\ko50}more {\k100}time."),
        ("OP", "", "One more time."),
        ("ED1", "", "One more time."),
        ("Insert Song", "", "One more time."),
        ("Lyrics_EN", "", "One more time."),
        ("OP-Romaji", "", "One more time."),
        ("Default", "Karaoke", "One more time."),
    ],
)
def test_songs_are_sung(style: str, effect: str, text: str) -> None:
    assert spoken(event(text, "10.00", "13.00", style, "Mika", effect)) == [
        (10_000, 13_000, "One more time.", CueKind.SUNG)
    ]


@pytest.mark.parametrize("style", ["Ed", "Edward", "Opal", "ops", "Thematic", "Top"])
def test_names_that_look_like_songs_are_speech(style: str) -> None:
    assert [kind for *_, kind in spoken(event("One more time.", "10.00", "13.00", style))] == [CueKind.SPEECH]


SYLLABLES = (("sa", "02.00", "02.40"), ("ku", "02.40", "02.80"), ("ra ", "02.80", "03.40"), ("saku", "03.40", "04.00"))


def test_syllables_of_a_template_are_one_line_of_a_song() -> None:
    layers = [
        event(rf"{{\pos(1,2)}}{text}", a, b, "OP", effect="fx", layer=k) for text, a, b in SYLLABLES for k in (0, 1)
    ]
    assert spoken(*layers) == [(2000, 4000, "sakura saku", CueKind.SUNG)]


def test_a_line_that_syllables_come_from_is_their_text() -> None:
    # Lead-in, highlight and lead-out of each; the tags add up to two seconds.
    made = [event(text, a, b, "OP", effect="fx") for text, a, b in SYLLABLES]
    made += [event(text, "01.80", a, "OP", effect="fx") for text, a, _ in SYLLABLES]
    made += [event(text, b, "04.50", "OP", effect="fx") for text, _, b in SYLLABLES]
    source = "Comment: 0,0:00:02.00,0:00:05.00,OP,,0,0,0,karaoke,{\\k40}sa{\\k40}ku{\\k60}ra {\\k60}saku"
    template = "Comment: 0,0:00:02.00,0:00:05.00,OP,,0,0,0,template syl,{\\k40}never{\\pos($x,$y)}"
    assert spoken(source, template, *made) == [(2000, 4000, "sakura saku", CueKind.SUNG)]


def test_syllables_beside_their_whole_line_are_in_it() -> None:
    made = [event(text, a, b, "OP", effect="fx") for text, a, b in SYLLABLES]
    line = event(r"{\k40}sa{\k40}ku{\k60}ra {\k60}saku", "02.00", "04.00", "OP", effect="karaoke")
    assert spoken(line, *made) == [(2000, 4000, "sakura saku", CueKind.SUNG)]


def test_two_lines_of_a_song_stay_two() -> None:
    second = [(text, f"1{a[1:]}", f"1{b[1:]}") for text, a, b in SYLLABLES]
    made = [event(text, a, b, "ED", effect="fx") for text, a, b in (*SYLLABLES, *second)]
    assert spoken(*made, SAID) == [
        (2000, 4000, "sakura saku", CueKind.SUNG),
        (12_000, 14_000, "sakura saku", CueKind.SUNG),
        (50_000, 51_000, "Hello.", CueKind.SPEECH),
    ]


def test_layers_of_a_sung_line_count_once() -> None:
    lines = [event("One more time", "10.00", "13.00", "OP", layer=k) for k in range(3)]
    file = read(*lines, form=FULL)
    assert [(cue.number, cue.line, cue.text) for cue in file.cues] == [(1, 6, "One more time")]
    assert odd(file) == []
