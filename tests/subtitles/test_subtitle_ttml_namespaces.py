"""TTML by namespace: forty documents with prefixes of every kind, their intervals worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from adstudio.subtitles.reading import parse_subtitles

TT = "http://www.w3.org/ns/ttml"
TTP, TTS, TTM = f"{TT}#parameter", f"{TT}#styling", f"{TT}#metadata"
OLD4, OLD10 = "http://www.w3.org/2006/04/ttaf1", "http://www.w3.org/2006/10/ttaf1"
Cues = list[tuple[int, int, str]]

DOCUMENTS: dict[str, tuple[str, Cues]] = {
    "default namespace": (
        f'<tt xmlns="{TT}"><body><div><p begin="1s" end="2s">a</p></div></body></tt>',
        [(1000, 2000, "a")],
    ),
    "prefix tt": (
        (
            f'<tt:tt xmlns:tt="{TT}"><tt:head/><tt:body><tt:div><tt:p begin="1s" end="2s">a<tt:br/>b</tt:p></tt:div>'
            "</tt:body></tt:tt>"
        ),
        [(1000, 2000, "a\nb")],
    ),
    "prefixed root, default inside, as W3C's tests": (
        (
            f'<tt:tt xmlns:tt="{TT}" xmlns="{TT}" xml:lang="en"><head/><body><div><p begin="3s"'
            ' dur="2s">a <span>b</span>'
            "</p></div></body></tt:tt>"
        ),
        [(3000, 5000, "a b")],
    ),
    "default root, prefixed inside": (
        (
            f'<tt xmlns="{TT}" xmlns:t="{TT}"><t:body><div><t:p begin="1s" end="2s">a<t:br/>b<br/>c</t:p></div>'
            "</t:body>"
            "</tt>"
        ),
        [(1000, 2000, "a\nb\nc")],
    ),
    "a prefix of one's own": (
        (
            f'<sub:tt xmlns:sub="{TT}"><sub:body><sub:div begin="10s"><sub:p begin="1s" end="2s">a</sub:p></sub:div>'
            "</sub:body></sub:tt>"
        ),
        [(11_000, 12_000, "a")],
    ),
    "a prefix that is not ASCII": (
        (
            f'<字幕:tt xmlns:字幕="{TT}"><字幕:body><字幕:div><字幕:p begin="1s" end="2s">一<字幕:br/>二</字幕:p>'
            "</字幕:div>"
            "</字幕:body></字幕:tt>"
        ),
        [(1000, 2000, "一\n二")],
    ),
    "three prefixes for one namespace": (
        (
            f'<a:tt xmlns:a="{TT}" xmlns:b="{TT}" xmlns:c="{TT}"><b:body><c:div><a:p begin="1s"'
            ' end="4s">x <b:span>y</b:span>'
            "<c:br/>z</a:p></c:div></b:body></a:tt>"
        ),
        [(1000, 4000, "x y\nz")],
    ),
    "default declared on body only": (
        f'<tt:tt xmlns:tt="{TT}"><body xmlns="{TT}"><div><p begin="1s" end="2s">a</p></div></body></tt:tt>',
        [(1000, 2000, "a")],
    ),
    "default declared on every paragraph": (
        (
            f'<tt:tt xmlns:tt="{TT}"><tt:body><tt:div><p xmlns="{TT}" begin="1s" end="2s">a</p>'
            f'<p xmlns="{TT}" begin="3s" end="4s">b<br/>c</p></tt:div></tt:body></tt:tt>'
        ),
        [(1000, 2000, "a"), (3000, 4000, "b\nc")],
    ),
    "default declared on a span": (
        (
            f'<tt:tt xmlns:tt="{TT}"><tt:body><tt:div><tt:p begin="1s" end="2s">a<span xmlns="{TT}"> b<br/>c</span>'
            "</tt:p>"
            "</tt:div></tt:body></tt:tt>"
        ),
        [(1000, 2000, "a b\nc")],
    ),
    "prefix declared where it is used": (
        f'<tt xmlns="{TT}"><body><div><x:p xmlns:x="{TT}" begin="1s" end="2s">a</x:p></div></body></tt>',
        [(1000, 2000, "a")],
    ),
    "prefix declared again for the same": (
        (
            f'<t:tt xmlns:t="{TT}"><t:body xmlns:t="{TT}"><t:div xmlns:t="{TT}"><t:p begin="1s" end="2s">a</t:p>'
            "</t:div>"
            "</t:body></t:tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "prefix declared again for something else": (
        (
            f'<t:tt xmlns:t="{TT}"><t:body><t:div><t:p begin="1s" end="3s">a'
            f'<s:span xmlns:s="{TT}" xmlns:t="urn:x">b<t:note>c</t:note></s:span><t:br/>d</t:p></t:div></t:body></t:tt>'
        ),
        [(1000, 3000, "ab\nd")],
    ),
    "default switched off for a note, and on again": (
        (
            f'<tt xmlns="{TT}"><body><div><p begin="1s" end="3s">a<n xmlns="">no<span xmlns="{TT}">nor this</span>'
            "</n>b</p>"
            "</div></body></tt>"
        ),
        [(1000, 3000, "ab")],
    ),
    "a foreign namespace as default": (
        (
            f'<tt:tt xmlns:tt="{TT}" xmlns="urn:house"><tt:body><tt:div><note begin="0s" end="9s">no</note>'
            '<p begin="0s" end="9s">nor this</p><tt:p begin="1s" end="2s">a<span> no</span></tt:p></tt:div></tt:body>'
            "</tt:tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "foreign attributes named like TTML's": (
        (
            f'<tt xmlns="{TT}" xmlns:x="urn:x"><body x:begin="5s"><div x:timeContainer="seq"><p x:begin="7s" begin="1s"'
            ' x:end="1.5s" end="2s" x:dur="1ms">a</p><p begin="1s" end="3s" x:display="none"'
            ' x:visibility="hidden">b</p>'
            "</div></body></tt>"
        ),
        [(1000, 2000, "a"), (1000, 3000, "b")],
    ),
    "parameters under another prefix": (
        (
            f'<tt xmlns="{TT}" xmlns:par="{TTP}" par:frameRate="25" par:tickRate="1000"><body><div>'
            '<p begin="00:00:01:05" end="2000t">a</p></div></body></tt>'
        ),
        [(1200, 2000, "a")],
    ),
    "foreign parameters": (
        (
            f'<tt xmlns="{TT}" xmlns:ttp="{TTP}" xmlns:x="urn:x" x:frameRate="50" x:tickRate="7" ttp:frameRate="25"'
            ' x:timeBase="smpte"><body><div><p begin="00:00:01:05" end="50t">a</p></div></body></tt>'
        ),
        [(1200, 2000, "a")],
    ),
    "film rate under another prefix": (  # 24 frames of 1001/24000 s
        (
            f'<t:tt xmlns:t="{TT}" xmlns:q="{TTP}" q:frameRate="24" q:frameRateMultiplier="1000 1001"><t:body><t:div>'
            '<t:p begin="24f" end="48f">a</t:p></t:div></t:body></t:tt>'
        ),
        [(1001, 2002, "a")],
    ),
    "drop-frame SMPTE under another prefix": (  # label 00:01:00;02 is frame 1800 of 1001/30000 s
        (
            f'<tt xmlns="{TT}" xmlns:p="{TTP}" p:timeBase="smpte" p:dropMode="dropNTSC" p:frameRate="30"'
            ' p:frameRateMultiplier="1000 1001"><body><div><p begin="00:01:00:02" end="00:10:00:00">a</p></div>'
            "</body></tt>"
        ),
        [(60_060, 599_999, "a")],
    ),
    "styles under another prefix": (
        (
            f'<tt xmlns="{TT}" xmlns:look="{TTS}"><head><styling><style xml:id="r" look:ruby="text"/></styling>'
            "</head><body>"
            '<div><p begin="1s" end="2s"><span look:ruby="base">a</span><span style="r">b</span>'
            '<span look:display="none">c</span></p></div></body></tt>'
        ),
        [(1000, 2000, "a")],
    ),
    "styles declared on the element itself": (
        (
            f'<tt xmlns="{TT}"><body><div><p begin="1s" end="2s">a<span xmlns:z="{TTS}"'
            ' z:visibility="hidden">b</span></p>'
            "</div></body></tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "foreign styles": (
        (
            f'<tt xmlns="{TT}" xmlns:tts="urn:not-styling"><body><div><p begin="1s" end="2s" tts:display="none"'
            ' tts:opacity="0">a<span tts:ruby="text">b</span></p></div></body></tt>'
        ),
        [(1000, 2000, "ab")],
    ),
    "opacity": (
        (
            f'<tt xmlns="{TT}" xmlns:s="{TTS}"><body><div><p begin="1s" end="2s" s:opacity="0.4">a<span'
            ' s:opacity="0.0">b'
            "</span></p></div></body></tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "visible inside invisible": (
        (
            f'<tt xmlns="{TT}" xmlns:s="{TTS}"><body s:visibility="hidden"><div><p begin="1s" end="2s">no '
            '<span s:visibility="visible">a<span> b</span></span></p></div></body></tt>'
        ),
        [(1000, 2000, "a b")],
    ),
    "a region with times": (  # 5 to 15 s, shown from 10 to 20 s
        (
            f'<tt:tt xmlns:tt="{TT}" xmlns="{TT}"><head><layout><tt:region xml:id="r" begin="10s" end="20s"/>'
            "</layout></head>"
            '<body><div region="r"><p begin="5s" end="15s">a</p><p begin="12s" end="30s">b</p></div></body></tt:tt>'
        ),
        [(10_000, 15_000, "a"), (12_000, 20_000, "b")],
    ),
    "a region that appears": (
        (
            f'<t:tt xmlns:t="{TT}" xmlns:y="{TTS}"><t:head><t:layout><t:region xml:id="r"><t:style y:opacity="0"/>'
            '<t:set begin="2s" dur="3s" y:opacity="1"/></t:region></t:layout></t:head><t:body region="r"><t:div>'
            '<t:p begin="1s" end="9s">a</t:p></t:div></t:body></t:tt>'
        ),
        [(2000, 5000, "a")],
    ),
    "a paragraph that is taken away": (  # 4 s after its start at 1 s
        (
            f'<t:tt xmlns:t="{TT}" xmlns:y="{TTS}"><t:body><t:div><t:p begin="1s" end="9s">a<t:set begin="4s"'
            ' y:visibility="hidden"/></t:p></t:div></t:body></t:tt>'
        ),
        [(1000, 5000, "a")],
    ),
    "sequences across prefixes": (
        (
            f'<t:tt xmlns:t="{TT}" xmlns="{TT}"><body><t:div timeContainer="seq" begin="10s"><p dur="2s">a</p>'
            '<t:p begin="1s" dur="2s">b</t:p><p end="4s">c</p></t:div></body></t:tt>'
        ),
        [(10_000, 12_000, "a"), (13_000, 15_000, "b"), (15_000, 19_000, "c")],
    ),
    "a container in a sequence lasts as long as its content": (
        (
            f'<tt xmlns="{TT}" xmlns:t="{TT}"><t:body timeContainer="seq"><t:div><div><p dur="2s">a</p></div></t:div>'
            '<div timeContainer="seq"><t:p begin="1s" dur="3s">b</t:p></div><t:div><p begin="1s" end="2s">c</p></t:div>'
            "</t:body></tt>"
        ),
        [(0, 2000, "a"), (3000, 6000, "b"), (7000, 8000, "c")],
    ),
    "times on body, div, paragraph and span": (
        (
            f'<t:tt xmlns:t="{TT}"><t:body begin="1h"><t:div begin="1m"><t:p><t:span begin="1s" end="2s">a</t:span>'
            "<t:br/>"
            '<t:span begin="3s" dur="500ms">b c</t:span></t:p></t:div></t:body></t:tt>'
        ),
        [(3_661_000, 3_662_000, "a"), (3_663_000, 3_663_500, "b c")],
    ),
    "timed spans in a timed paragraph": (
        (
            f'<tt xmlns="{TT}" xmlns:t="{TT}"><body><div><p begin="10s" dur="30s"><t:span end="14.4s">a b</t:span>'
            "<t:br/>"
            '<span begin="15s" dur="10s">c d</span></p></div></body></tt>'
        ),
        [(10_000, 24_400, "a b"), (25_000, 35_000, "c d")],
    ),
    "lines that build up": (  # both lines stay until the paragraph ends
        (
            f'<tt xmlns="{TT}"><body><div><p begin="10s" end="20s"><span begin="1s">one by one</span><br/>'
            '<span begin="4s">they come in</span></p></div></body></tt>'
        ),
        [(11_000, 20_000, "one by one\nthey come in")],
    ),
    "white space": (
        (
            f'<t:tt xmlns:t="{TT}" xml:space="preserve"><t:body><t:div><t:p begin="1s" end="2s">a  b<t:span'
            ' xml:space="default"> c\n  d</t:span></t:p></t:div></t:body></t:tt>'
        ),
        [(1000, 2000, "a  b c d")],
    ),
    "DFXP of April 2006": (
        (
            f'<tt xmlns="{OLD4}" xmlns:tts="{OLD4}#style" xmlns:p="{OLD4}#parameter" p:frameRate="25"><body><div>'
            '<p begin="00:00:01:05" end="2s">a<span tts:display="none">b</span></p></div></body></tt>'
        ),
        [(1200, 2000, "a")],
    ),
    "DFXP of October 2006": (
        (
            f'<tt:tt xmlns:tt="{OLD10}" xmlns="{OLD10}" xmlns:s="{OLD10}#styling" xmlns:s2="{OLD10}#style"><body><div>'
            '<p begin="1s" end="2s">a<span s:display="none">b</span><span s2:visibility="hidden">c</span></p></div>'
            "</body>"
            "</tt:tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "a draft's elements in a later document": (
        (
            f'<tt xmlns="{TT}" xmlns:old="{OLD10}"><body><div><old:p begin="1s" end="2s">a<old:br/>b<br/>c</old:p>'
            "</div>"
            "</body></tt>"
        ),
        [(1000, 2000, "a\nb\nc")],
    ),
    "SMPTE-TT": (
        (
            f'<tt xmlns="{TT}" xmlns:ttm="{TTM}"'
            ' xmlns:m608="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt#cea608"'
            ' xmlns:smpte="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt"><head><metadata><smpte:information'
            ' m608:captionService="F1C1CC"/></metadata></head><body><div><p begin="1s" end="2s"><metadata>'
            "<smpte:information>no</smpte:information></metadata>a</p></div></body></tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "EBU-TT-D": (
        (
            f'<tt:tt xmlns:tt="{TT}" xmlns:ttp="{TTP}" xmlns:ebuttm="urn:ebu:tt:metadata"'
            ' xmlns:ebutts="urn:ebu:tt:style"'
            ' ttp:timeBase="media" xml:lang="de"><tt:head><tt:metadata><ebuttm:documentMetadata>'
            "<ebuttm:conformsToStandard>urn:ebu:tt:distribution:2014-01</ebuttm:conformsToStandard>"
            '</ebuttm:documentMetadata></tt:metadata></tt:head><tt:body><tt:div><tt:p xml:id="s1" begin="00:00:01.500"'
            ' end="00:00:02.000"><tt:metadata><ebuttm:p>no</ebuttm:p></tt:metadata><tt:span'
            ' ebutts:linePadding="0.5c">a</tt:span>'
            "<tt:br/><tt:span>b</tt:span></tt:p></tt:div></tt:body></tt:tt>"
        ),
        [(1500, 2000, "a\nb")],
    ),
    "IMSC 1.2": (
        (
            f'<tt xmlns="{TT}" xmlns:tt="{TT}" xmlns:ttp="{TTP}" xmlns:tts="{TTS}"'
            f' xmlns:itts="{TT}/profile/imsc1#styling"'
            f' xmlns:ittp="{TT}/profile/imsc1#parameter" ttp:contentProfiles="{TT}/profile/imsc1.2/text"'
            ' ittp:aspectRatio="4 3" ittp:frameRate="7" ttp:frameRate="24"><body><div itts:display="none"><tt:p'
            ' begin="24f"'
            ' end="00:00:02:12" itts:forcedDisplay="true">a</tt:p></div></body></tt>'
        ),
        [(1000, 2500, "a")],
    ),
    "DAPT": (
        (
            f'<tt xmlns="{TT}" xmlns:ttp="{TTP}" xmlns:ttm="{TTM}" xmlns:tta="{TT}#audio"'
            f' xmlns:daptm="{TT}/profile/dapt'
            f'#metadata" ttp:contentProfiles="{TT}/profile/dapt1.0/content" daptm:scriptType="asRecorded"'
            ' xml:lang="fr">'
            '<body><div xml:id="d1" begin="10s" end="13s" daptm:onScreen="ON"><metadata><daptm:p>no</daptm:p>'
            "</metadata>"
            '<p xml:lang="fr" daptm:langSrc="en" tta:speak="normal"><audio><source><data'
            ' type="audio/wave">UklGRg==</data>'
            '</source></audio><span begin="0s" end="1s">Et lui ?</span><span begin="2s" end="3s">Non, non.</span></p>'
            "</div>"
            "</body></tt>"
        ),
        [(10_000, 11_000, "Et lui ?"), (12_000, 13_000, "Non, non.")],
    ),
    "a paragraph of something else inside a paragraph's metadata": (
        (
            f'<tt xmlns="{TT}" xmlns:h="http://www.w3.org/1999/xhtml"><body><div><p begin="1s" end="2s"><metadata>'
            "<h:p>no"
            "</h:p></metadata>a</p></div></body></tt>"
        ),
        [(1000, 2000, "a")],
    ),
    "a document inside another": (
        (
            f'<w:package xmlns:w="urn:wrapper"><w:item><t:tt xmlns:t="{TT}"><t:body><t:div><t:p begin="1s"'
            ' end="2s">a</t:p>'
            "</t:div></t:body></t:tt></w:item></w:package>"
        ),
        [(1000, 2000, "a")],
    ),
}


@pytest.mark.parametrize(("document", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents(document: str, expected: Cues) -> None:
    file = parse_subtitles(f'<?xml version="1.0" encoding="UTF-8"?>\n{document}'.encode(), "a.xml")
    assert [(cue.start, cue.end, cue.text) for cue in file.cues] == expected
    overlaps = any(after[0] < before[1] for before, after in pairwise(expected))
    assert [oddity.what for oddity in file.oddities if not (overlaps and "overlaps" in oddity.what)] == []


def test_there_are_forty() -> None:
    assert len(DOCUMENTS) >= 40


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (  # never declared, so no namespace: read, and listed
            f'<tt:tt xmlns:tt="{TT}"><body><div><p begin="1s" end="2s">a</p></div></body></tt:tt>',
            "the namespace of <body> is not declared; such elements were read as TTML",
        ),
        (
            '<tt:tt><tt:body><tt:div><tt:p begin="1s" end="2s">a</tt:p></tt:div></tt:body></tt:tt>',
            None,
        ),
        (
            (
                '<tt><body><div><p begin="1s" end="2s" tts:display="none">no</p><p begin="1s" end="2s">a</p></div>'
                "</body></tt>"
            ),
            "“no” is never displayed, so it was ignored",
        ),
        (
            (
                f'<tt xmlns="{TT}" xmlns:s="{TTS}"><body><div s:display="none"><p begin="1s" end="2s">no</p></div><div>'
                '<p begin="1s" end="2s">a</p></div></body></tt>'
            ),
            "“no” is never displayed, so it was ignored",
        ),
        (
            (
                f'<tt xmlns="{TT}"><body><div><p begin="1s" end="2s" timeContainer="seq">bare text in a sequence</p>'
                '<p begin="1s" end="2s">a</p></div></body></tt>'
            ),
            "“bare text in a sequence” is never displayed, so it was ignored",
        ),
        (
            (
                f'<tt xmlns="{TT}" xmlns:x="urn:x"><body><div><x:aside><p begin="1s" end="2s">not shown</p></x:aside>'
                '<metadata><p>of no interest</p></metadata><p begin="1s" end="2s">a</p></div></body></tt>'
            ),
            "<x:aside> is not TTML, so “not shown” in it was ignored",
        ),
        (
            (
                '<tt xmlns="http://example.com/x" xmlns:y="urn:y"><body><div><p begin="1s" end="2s">a<y:p>no</y:p></p>'
                "</div></body></tt>"
            ),
            "the namespace of <tt>, “http://example.com/x”, is not one of TTML’s; the document was read as TTML",
        ),
        (
            f'<tt xmlns="{TT}"><body><div><p begin="1s" end="2s">a</p></div></body></tt><tt xmlns="{TT}"/>',
            "the file holds 2 documents, which were all read",
        ),
    ],
)
def test_what_is_odd_is_read_and_listed(document: str, problem: str | None) -> None:
    file = parse_subtitles(document.encode(), "a.ttml")
    assert [(cue.start, cue.end, cue.text) for cue in file.cues if cue.text] == [(1000, 2000, "a")]
    found = [oddity.what for oddity in file.oddities if "overlaps" not in oddity.what]
    assert found == ([problem] if problem else [])


def test_speakers_under_any_prefix() -> None:
    document = (
        f'<t:tt xmlns:t="{TT}" xmlns:about="{TTM}" xmlns:x="urn:x"><t:head><t:metadata><about:agent xml:id="a"'
        ' type="person"><x:name>Nobody</x:name><about:name type="full">Anna</about:name></about:agent>'
        '<x:agent xml:id="b"><x:name>Nobody</x:name></x:agent></t:metadata></t:head><t:body><t:div>'
        '<t:p begin="1s" end="2s" about:agent="a">one</t:p><t:p begin="3s" end="4s" x:agent="a">two</t:p>'
        '<t:p begin="5s" end="6s" about:agent="b">three</t:p></t:div></t:body></t:tt>'
    )
    file = parse_subtitles(document.encode(), "a.ttml")
    assert [(cue.text, cue.speaker) for cue in file.cues] == [("one", "Anna"), ("two", None), ("three", None)]


@pytest.mark.attack(16)
def test_declarations_of_namespaces_cost_no_more_than_they_are_long() -> None:
    many = " ".join(f'xmlns:n{k}="urn:{k}"' for k in range(20_000))
    deep = "".join(f'<div xmlns:a{k}="{TT}">' for k in range(90))
    cue = '<p begin="1s" end="2s">a</p>'
    document = f'<tt xmlns="{TT}" {many}><body>{deep}{cue * 2000}</body></tt>'
    file = parse_subtitles(document.encode(), "a.ttml")
    assert len(file.cues) == 2000
