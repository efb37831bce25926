"""TTML: every way of writing times, timing of what is nested, white space, ruby, speakers, damaged XML."""

from __future__ import annotations

import pytest

from adstudio.subtitles import xml_scan
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import SubtitleFile
from adstudio.subtitles.reading import parse_subtitles

NAMESPACES = (
    'xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
    'xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"'
)
FILM = 'ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"'
NTSC = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"'


def read(body: str, attributes: str = "", head: str = "", name: str = "a.ttml") -> SubtitleFile:
    text = f"<tt {NAMESPACES} {attributes}>{head}<body>{body}</body></tt>"
    return parse_subtitles(text.encode(), name)


def spans(file: SubtitleFile) -> list[tuple[int, int, str]]:
    return [(cue.start, cue.end, cue.text) for cue in file.cues]


def odd(file: SubtitleFile) -> list[str]:
    return [oddity.what for oddity in file.oddities]


@pytest.mark.parametrize(
    ("attributes", "written", "ms"),
    [
        ("", "00:00:01", 1000),
        ("", "00:00:01.5", 1500),
        ("", "01:00:00.0005", 3_600_001),
        ("", "100:00:00", 360_000_000),
        ("", "1.5h", 5_400_000),
        ("", "90m", 5_400_000),
        ("", "5400s", 5_400_000),
        ("", "0.25s", 250),
        ("", "1500ms", 1500),
        ("", "15f", 500),  # the usual frame rate is 30
        ("", "3t", 3000),  # and the usual tick, without a frame rate, a second
        ('ttp:frameRate="25"', "25t", 1000),  # with one, a frame
        ('ttp:frameRate="25" ttp:subFrameRate="2"', "50t", 1000),  # or a sub-frame
        ('ttp:tickRate="10000000"', "10000000t", 1000),
        ('ttp:frameRate="25"', "00:00:01:05", 1200),
        ('ttp:frameRate="25" ttp:subFrameRate="2"', "00:00:01:05.1", 1220),
        (FILM, "172800f", 7_207_200),  # bug report 21: 172800 × 1001 / 24000 s
        ('ttp:frameRate="24" ttp:frameRateMultiplier="1000:1001"', "172800f", 7_207_200),  # DFXP of 2006
        ('ttp:frameRate="23.976"', "172800f", 7_207_200),
        ('ttp:frameRate="24"', "172800f", 7_200_000),
        (FILM, "01:00:00:00", 3_600_000),  # media time: hours are hours
        (f'{FILM} ttp:timeBase="smpte"', "01:00:00:00", 3_603_600),  # 86,400 frames of 1001/24000 s
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="nonDrop"', "01:00:00:00", 3_603_600),
        # 108,000 − 108 frames × 1001/30000 s = 3,599.9964 s
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="dropNTSC"', "01:00:00:00", 3_599_996),
        # frame 1800 is labelled 00:01:00:02: 1800 × 1001/30000 s = 60.06 s
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="dropNTSC"', "00:01:00:02", 60_060),
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="dropNTSC"', "00:10:00:00", 599_999),  # 17,982 frames: 599.9994 s
        # PAL-M drops four labels every second minute save each twentieth: 108,000 − 108 frames as well
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="dropPAL"', "01:00:00:00", 3_599_996),
        (f'{NTSC} ttp:timeBase="smpte" ttp:dropMode="dropPAL"', "00:02:00:04", 120_120),  # frame 3600
    ],
)
def test_time_expressions(attributes: str, written: str, ms: int) -> None:
    file = read(f'<div><p begin="{written}" end="200h">x</p></div>', attributes)
    assert [cue.start for cue in file.cues] == [ms]


@pytest.mark.parametrize(
    ("written", "ms", "notes"),
    [
        ("19.764", 19_764, "has no unit and was read as seconds"),
        ("3:58.640", 238_640, "is not in TTML notation"),
        ("00:00:01,500", 1500, "is not in TTML notation"),
        ("1:02:03.4", 3_723_400, "is not in TTML notation"),
        ("00:00:01:30", 2000, "has frame 30, but a second has only 30"),
    ],
)
def test_times_that_the_standard_does_not_know(written: str, ms: int, notes: str) -> None:
    file = read(f'<div><p begin="{written}" end="200h">x</p></div>')
    assert [cue.start for cue in file.cues] == [ms]
    assert any(notes in what for what in odd(file))


@pytest.mark.parametrize("written", ["", "soon", "1", "1e3s", "-1s", "00:00", "1s2s", "99999999999999999999h"])
def test_what_is_no_time_is_listed(written: str) -> None:
    file = read(f'<div><p begin="{written}" end="9s">x</p></div>')
    assert file.cues == () or file.cues[0].start in (0, 1000)
    assert odd(file) != []


def test_nested_times_count_from_what_holds_them() -> None:
    file = read('<div begin="10s"><p begin="1s" end="3s">a</p><p begin="4s" dur="2s">b</p></div>')
    assert spans(file) == [(11_000, 13_000, "a"), (14_000, 16_000, "b")]


def test_an_end_beyond_its_parent_is_cut_and_reported() -> None:
    alone = read('<div begin="0s" end="20s"><p begin="1s" end="30s">a</p></div>')
    assert spans(alone) == [(1000, 20_000, "a")]
    assert odd(alone) == ["the cue was cut at the end of its parent element"]


def test_both_end_and_duration() -> None:
    assert spans(read('<div><p begin="1s" end="9s" dur="2s">a</p><p begin="1s" end="2s" dur="9s">b</p></div>')) == [
        (1000, 3000, "a"),
        (1000, 2000, "b"),
    ]


def test_sequences() -> None:
    body = (
        '<div timeContainer="seq" begin="10s"><p dur="2s">a</p><p begin="1s" dur="2s">b</p><p end="4s">c</p></div>'
        '<div><p begin="1s" end="2s">d</p></div>'
    )
    assert spans(read(body)) == [
        (10_000, 12_000, "a"), (13_000, 15_000, "b"), (15_000, 19_000, "c"), (1000, 2000, "d"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected", "never"),
    [
        (  # without an end, text in a sequence lasts for no time
            '<div timeContainer="seq"><p begin="5s" dur="5s">a</p><p begin="5s">no</p><p dur="5s">b</p></div>',
            [(5000, 10_000, "a"), (15_000, 20_000, "b")],
            ["no"],
        ),
        (
            '<div timeContainer="seq" end="10s"><p dur="8s">a</p><p dur="8s">b</p><p dur="8s">no</p></div>',
            [(0, 8000, "a"), (8000, 10_000, "b")],
            ["no"],
        ),
        (
            '<div dur="10s"><p begin="5s" dur="9s">a</p><p begin="10s" dur="9s">no</p><p begin="12s">nor</p></div>',
            [(5000, 10_000, "a")],
            ["no", "nor"],
        ),
        (
            '<div dur="10s"><p><span begin="5s" dur="5s">a</span><span begin="10s" dur="5s">no</span></p></div>',
            [(5000, 10_000, "a")],
            ["no"],
        ),
        (
            (
                '<div><p timeContainer="seq" begin="5s" dur="15s">no<span dur="4s">a b</span> nor'
                '<span dur="2s">c d</span></p></div>'
            ),
            [(5000, 9000, "a b"), (9000, 11_000, "c d")],
            ["no nor"],
        ),
        (
            (
                '<div timeContainer="seq"><div timeContainer="seq"><p dur="2s">a</p></div><div/><div><p end="3s">b</p>'
                '<p end="1s">c</p></div><p dur="1s">d</p></div>'
            ),
            [(0, 2000, "a"), (2000, 5000, "b"), (2000, 3000, "c"), (5000, 6000, "d")],
            [],
        ),
    ],
)
def test_what_the_standard_never_displays_is_listed(
    body: str, expected: list[tuple[int, int, str]], never: list[str]
) -> None:
    file = read(body)
    assert spans(file) == expected
    assert [what for what in odd(file) if "never" in what] == [
        f"“{text}” is never displayed, so it was ignored" for text in never
    ]
    assert not any("counted from the film’s start" in what for what in odd(file))


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        ('tts:display="none"><set begin="5s" dur="20s" tts:display="auto"/>', [(6000, 11_000)]),
        ('tts:display="none"><set begin="1s" end="2s" tts:display="auto"/>', [(2000, 3000)]),
        ('><set begin="3s" tts:display="none"/>', [(1000, 4000)]),
        ('><set end="3s" tts:visibility="hidden"/>', [(4000, 11_000)]),
        ('><set begin="3s" dur="4s" tts:opacity="0"/>', [(1000, 11_000)]),  # with an interruption
        ('tts:opacity="0"><animate begin="2s" dur="3s" tts:opacity="0;1"/>', [(3000, 6000)]),
        ('><set tts:color="red" begin="2s"/>', [(1000, 11_000)]),
        ('tts:opacity="0.5">', [(1000, 11_000)]),
        ('tts:opacity="0">', []),
        ('tts:visibility="hidden">', []),
    ],
)
def test_animations_that_show_and_hide(styles: str, expected: list[tuple[int, int]]) -> None:
    file = read(f'<div><p begin="1s" dur="10s" {styles}x</p></div>')
    assert [(cue.start, cue.end) for cue in file.cues] == expected


def test_words_timed_one_by_one_are_one_cue() -> None:
    words = "".join(f'<span begin="{k}.{k}s">word{k} </span>' for k in range(4))
    assert spans(read(f'<div><p begin="10s" end="20s">{words}</p></div>')) == [
        (10_000, 20_000, "word0 word1 word2 word3")
    ]
    roll = '<span begin="1s">This</span> <span begin="1.4s">rolls</span><br/><span begin="1.8s">up.</span>'
    # Without an end: three words at 200 a minute, and a second from the last one's start.
    assert spans(read(f"<div><p>{roll}</p></div>")) == [(1000, 2800, "This rolls\nup.")]


def test_nested_times_that_count_from_the_film_start() -> None:
    body = '<div begin="20s" end="60s"><p begin="21s" end="22s"><span begin="21s" end="21.5s">a</span> b</p></div>'
    file = read(body + '<div begin="60s" end="90s"><p begin="61s" end="62s">c</p></div>')
    assert spans(file) == [(21_000, 22_000, "a b"), (61_000, 62_000, "c")]
    assert any("counted from the film’s start" in what for what in odd(file))


def test_spans_that_alone_are_timed() -> None:
    file = read('<div><p><span begin="1s" end="2s">A</span><span><span begin="3s" end="4s">B</span></span></p></div>')
    assert spans(file) == [(1000, 2000, "A"), (3000, 4000, "B")]


def test_a_cue_without_an_end() -> None:
    file = read('<div><p begin="1s">one two</p><p begin="5s">three</p></div>')
    assert spans(file) == [(1000, 5000, "one two"), (5000, 6000, "three")]
    assert len(odd(file)) == 2


def test_text_without_any_time_is_listed() -> None:
    file = read("<div><p>always there</p>stray</div>")
    assert spans(file) == []
    assert any("“always there”" in what for what in odd(file))
    assert any("“stray”" in what for what in odd(file))


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("  a\n   b  ", "a b"),
        ("a<br/>b", "a\nb"),
        ("a <br></br> b", "a\nb"),
        ("a<span> b</span>\n<span>c </span>", "a b c"),
        ("a &amp; b &lt;c&gt; &#233; &nbsp;d", "a & b <c> é \u00a0d"),
        ("<![CDATA[a < b &amp;]]>", "a < b &amp;"),
        ("a<!-- not b --> c", "a c"),
        ("a <metadata><ttm:desc>not me</ttm:desc></metadata>b<ttm:desc>nor me</ttm:desc>", "a b"),
        ('<span tts:ruby="container"><span tts:ruby="base">b</span><span tts:ruby="text">t</span></span>', "b"),
        (
            '<span tts:ruby="delimiter">(</span>a<span tts:ruby="textContainer"><span tts:ruby="text">t</span></span>',
            "a",
        ),
        ('a<span tts:display="none">b</span>', "a"),
        ("a<set begin='1s' tts:color='red'/>", "a"),
    ],
)
def test_text_is_what_a_viewer_reads(inside: str, shown: str) -> None:
    assert spans(read(f'<div><p begin="1s" end="2s">{inside}</p></div>')) == [(1000, 2000, shown)]


def test_space_is_preserved_where_asked() -> None:
    file = read(
        '<div xml:space="preserve"><p begin="1s" end="2s">a  b\r\nc<span xml:space="default"> d  e</span></p></div>'
    )
    assert file.cues[0].text == "a  b\nc d e"


def test_ruby_and_hidden_text_by_style() -> None:
    head = '<head><styling><style xml:id="r" tts:ruby="text"/><style id="s" style="r"/></styling></head>'
    file = read('<div><p begin="1s" end="2s">a<span style="s">no</span></p></div>', head=head)
    assert file.cues[0].text == "a"


def test_speakers_by_agent() -> None:
    head = (
        '<head><metadata><ttm:agent xml:id="a" type="character"><ttm:name type="full">Anna</ttm:name></ttm:agent>'
        '<ttm:agent xml:id="b"><ttm:name>Bob</ttm:name></ttm:agent></metadata></head>'
    )
    body = (
        '<div ttm:agent="b"><p begin="1s" end="2s" ttm:agent="a">x</p><p begin="3s" end="4s">y</p>'
        '<p begin="5s" end="6s"><span ttm:agent="a">one</span><br/><span ttm:agent="b">two</span></p></div>'
    )
    file = read(body, head=head)
    assert [cue.speaker for cue in file.cues] == ["Anna", "Bob", None]
    assert [(voice.name, voice.at) for voice in file.cues[2].voices] == [("Anna", 0), ("Bob", 3)]


def test_prefixed_documents_and_lines() -> None:
    text = (
        '<?xml version="1.0"?>\n<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xml:lang="de-AT">\n<tt:body>\n<tt:div>\n'
        '<tt:p xml:id="s1" region="top" begin="00:00:01.000" end="00:00:02.000">eins<tt:br/>zwei</tt:p></tt:div>'
        "</tt:body></tt:tt>"
    )
    file = parse_subtitles(text.encode(), "a.xml")
    assert [(c.line, c.text) for c in file.cues] == [(5, "eins\nzwei")]
    assert file.language == "de-AT"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE tt [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>',
        '<!DOCTYPE tt [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        "<!DOCTYPE tt [ <!ELEMENT tt ANY> ]>",
        '<!ENTITY x "y">',
    ],
)
def test_declarations_are_refused(declaration: str) -> None:
    with pytest.raises(SubtitleError, match="declares entities"):
        parse_subtitles(
            f"{declaration}<tt><body><div><p begin='1s' end='2s'>&x;</p></div></body></tt>".encode(), "a.ttml"
        )


def test_a_bare_document_type_is_never_loaded() -> None:
    body = '<tt><body><div><p begin="1s" end="2s">&x; a</p></div></body></tt>'
    text = f'<!DOCTYPE tt SYSTEM "http://example.invalid/tt.dtd">{body}'
    file = parse_subtitles(text.encode(), "a.ttml")
    assert spans(file) == [(1000, 2000, "&x; a")]
    assert any("nothing is ever loaded" in what for what in odd(file))


@pytest.mark.parametrize(
    "damaged",
    [
        '<tt><body><div><p begin="1s" end="2s">one<p begin="3s" end="4s">two</div>',
        '<tt><body><div><p begin="1s" end="2s">one</p></span><p begin="3s" end="4s">two</p></body></tt>',
        '<tt><body><div><p begin="1s" end="2s">one</p><p begin="3s" end="4s">two',
        '<tt><div><p begin="1s" end="2s">one</p><!-- <p begin="3s" end="4s">two</p></div></tt>',
        '<tt><body><div><p begin="1s" end="2s"><i>one</p><p begin="3s" end="4s">two</p></div></body></tt>',
    ],
)
def test_damaged_xml_is_salvaged_and_reported(damaged: str) -> None:
    file = parse_subtitles(damaged.encode(), "a.ttml")
    assert [(cue.start, cue.text) for cue in file.cues][-1] == (3000, "two")
    assert any("the XML is damaged" in what for what in odd(file))


def test_pictures_of_text_are_reported() -> None:
    file = read('<div begin="1s" end="2s"><image src="x.png"/></div>')
    assert file.cues == ()
    assert any("pictures" in what for what in odd(file))


def test_xml_of_another_kind_is_refused() -> None:
    with pytest.raises(SubtitleError, match="not TTML"):
        parse_subtitles(b"<?xml version='1.0'?><rss><channel/></rss>", "a.xml")


@pytest.mark.attack(16)
@pytest.mark.parametrize("text", ["<p " + " ".join(f'a{n}=""' for n in range(12)) + ">", "<p>" + "x<!---->" * 12])
def test_attributes_and_runs_of_text_are_counted(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(xml_scan, "MAX_PARTS", 12)
    xml_scan.scan(text)
    monkeypatch.setattr(xml_scan, "MAX_PARTS", 11)
    with pytest.raises(SubtitleError, match="attributes and runs of text"):
        xml_scan.scan(text)
