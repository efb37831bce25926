"""Each rule of DAPT: a document that breaks nothing else is refused for it, and one that comes close is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.dapt.validator import check_dapt
from adstudio.validation.service import validate_file

W3C = Path(__file__).resolve().parents[2] / "../shared/data/dapt"
needs_w3c = pytest.mark.skipif(not W3C.is_dir(), reason="the W3C's test files are not on this machine")

ROOT = {
    "xmlns": "http://www.w3.org/ns/ttml",
    "xmlns:ttp": "http://www.w3.org/ns/ttml#parameter",
    "xmlns:tts": "http://www.w3.org/ns/ttml#styling",
    "xmlns:tta": "http://www.w3.org/ns/ttml#audio",
    "xmlns:ttm": "http://www.w3.org/ns/ttml#metadata",
    "xmlns:daptm": "http://www.w3.org/ns/ttml/profile/dapt#metadata",
    "xmlns:ebuttm": "urn:ebu:tt:metadata",
    "ttp:contentProfiles": "http://www.w3.org/ns/ttml/profile/dapt1.0/content",
    "xml:lang": "en",
    "daptm:scriptRepresents": "visual",
    "daptm:represents": "visual.nonText",
    "daptm:scriptType": "preRecording",
}
EVENT = '<div xml:id="d1" begin="1s" end="2s"><p>Rain falls.</p></div>'
PERSON = '<ttm:agent type="person" xml:id="a1"><ttm:name type="full">Ana Lima</ttm:name></ttm:agent>'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
WAV = '<data type="audio/wave">UklGRg==</data>'


def document(body: str = EVENT, head: str = "", declaration: str = DECLARATION, **root: str | None) -> bytes:
    """A document; attributes of the root are added or replaced, or left out where they are None; `__` is a colon."""
    changed = {name.replace("__", ":"): value for name, value in root.items()}
    attributes = "".join(f'\n {k}="{v}"' for k, v in (ROOT | changed).items() if v is not None)
    inside = f"<head><metadata>{head}</metadata></head>" if head else ""
    return f"{declaration}<tt{attributes}>\n{inside}<body>{body}</body></tt>".encode()


def character(inside: str, identifier: str = 'xml:id="c1"', kind: str = 'type="character"') -> str:
    return f"<ttm:agent {kind} {identifier}>{inside}</ttm:agent>"


ALIAS = '<ttm:name type="alias">ALAN</ttm:name>'


def event(inside: str = "<p>Rain falls.</p>", **attributes: str) -> str:
    written = "".join(f' {name.replace("__", ":")}="{value}"' for name, value in attributes.items())
    return f'<div xml:id="d1"{written}>{inside}</div>'


def text(inside: str, **attributes: str) -> str:
    written = "".join(f' {name.replace("__", ":")}="{value}"' for name, value in attributes.items())
    return event(f"<p{written}>{inside}</p>")


def origin(timecode: str) -> str:
    return f"<daptm:daptOriginTimecode>{timecode}</daptm:daptOriginTimecode>"


BROKEN: dict[str, tuple[str, bytes]] = {
    # The bytes
    "byte-order mark": ("dapt:serialization", b"\xef\xbb\xbf" + document()),
    "UTF-16": ("dapt:serialization", document().decode().replace("UTF-8", "UTF-16").encode("utf-16")),
    "ISO 8859-1 bytes": ("dapt:serialization", document(event("<p>Zo\u00eb</p>")).decode().encode("latin-1")),
    "ISO 8859-1 declared": (
        "dapt:serialization",
        document(declaration='<?xml version="1.0" encoding="ISO-8859-1"?>'),
    ),
    "XML 1.1": ("dapt:serialization", document(declaration='<?xml version="1.1" encoding="UTF-8"?>')),
    "entity declaration": (
        "dapt:serialization",
        document(declaration=DECLARATION + '<!DOCTYPE tt [<!ENTITY rain "Rain">]>'),
    ),
    "entity of HTML": ("dapt:serialization", document(event("<p>Rain&nbsp;falls.</p>"))),
    "external DTD": ("dapt:serialization", document(declaration=DECLARATION + '<!DOCTYPE tt SYSTEM "dapt.dtd">')),
    "not XML": ("dapt:serialization", b"Rain falls."),
    "empty": ("dapt:serialization", b""),
    "unclosed element": ("dapt:serialization", document()[:-5]),
    "control character": ("dapt:serialization", document(event("<p>&#8;</p>"))),
    "attribute twice": ("dapt:serialization", document(event("<p id='a' id='b'/>"))),
    "undeclared prefix": ("dapt:serialization", document(event("<p><foo:b/></p>"))),
    # The root
    "TTML of 2006": ("dapt:namespaces", document(xmlns="http://www.w3.org/2006/10/ttaf1")),
    "no namespace": ("dapt:namespaces", document(xmlns=None)),
    "HTML": ("dapt:namespaces", b'<html xmlns="http://www.w3.org/1999/xhtml"/>'),
    "no content profiles": ("dapt:contentProfiles-root", document(ttp__contentProfiles=None)),
    "content profiles of IMSC alone": (
        "dapt:contentProfiles-root",
        document(ttp__contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.2/text"),
    ),
    "content profile of another version": (
        "dapt:contentProfiles-root",
        document(ttp__contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/contents"),
    ),
    "content profiles without namespace": (
        "dapt:contentProfiles-root",
        document(ttp__contentProfiles=None, contentProfiles=ROOT["ttp:contentProfiles"]),
    ),
    "profile": ("dapt:profile-root", document(ttp__profile=ROOT["ttp:contentProfiles"])),
    "processor profiles without DAPT": ("dapt:processorProfiles", document(ttp__processorProfiles="http://a.example/")),
    "no language": ("dapt:xmlLang-root", document(xml__lang=None)),
    "empty language": ("dapt:xmlLang-root", document(xml__lang="")),
    "language with an underline": ("dapt:xmlLang-root", document(xml__lang="en_GB")),
    "language in words": ("dapt:xmlLang-root", document(xml__lang="English, British")),
    "no script type": ("dapt:scriptType-root", document(daptm__scriptType=None)),
    "unknown script type": ("dapt:scriptType-root", document(daptm__scriptType="ORIGINAL_TRANSCRIPT")),
    "script type in another case": ("dapt:scriptType-root", document(daptm__scriptType="prerecording")),
    "script represents nothing": ("dapt:scriptRepresents-root", document(daptm__scriptRepresents=None)),
    "script represents an empty list": ("dapt:scriptRepresents-root", document(daptm__scriptRepresents=" ")),
    "script represents a list with commas": (
        "dapt:scriptRepresents-root",
        document(daptm__scriptRepresents="visual,audio visual"),
    ),
    "script represents something unknown": (
        "dapt:scriptRepresents-root",
        document(daptm__scriptRepresents="visual pictures"),
    ),
    "script represents something unknown below": (
        "dapt:scriptRepresents-root",
        document(daptm__scriptRepresents="visual visual.text.sign"),
    ),
    # What an event represents
    "represents nothing": ("dapt:represents", document(daptm__represents=None)),
    "represents an empty value": ("dapt:represents", document(event(daptm__represents=""))),
    "represents something unknown": ("dapt:represents", document(event(daptm__represents="visual.people"))),
    "represents two things": ("dapt:represents", document(event(daptm__represents="visual.text visual.nonText"))),
    "represents what the script does not": ("dapt:represents", document(event(daptm__represents="audio.dialogue"))),
    "represents more than the script": (
        "dapt:represents",
        document(event(daptm__represents="visual"), daptm__scriptRepresents="visual.nonText"),
    ),
    "represents like a part by its letters": (
        "dapt:represents",
        document(daptm__scriptRepresents="visual.text", daptm__represents="visual.textual"),
    ),
    "represents on <br>": ("dapt:represents", document(text('a<br daptm:represents="visual"/>b'))),
    # Characters
    "actor without agent": ("dapt:agent", document(head=character(f"{ALIAS}<ttm:actor/>"))),
    "actor undeclared": ("dapt:agent", document(head=character(f'{ALIAS}<ttm:actor agent="a9"/>'))),
    "actor is an event": ("dapt:agent", document(head=character(f'{ALIAS}<ttm:actor agent="d1"/>'))),
    "actor is itself": ("dapt:agent", document(head=character(f'{ALIAS}<ttm:actor agent="c1"/>'))),
    "actor is a character": (
        "dapt:agent",
        document(head=character(ALIAS, 'xml:id="c2"') + character(f'{ALIAS}<ttm:actor agent="c2"/>')),
    ),
    "agent without a name": ("dapt:agent", document(head=character(""))),
    "agent with an empty name": ("dapt:agent", document(head=character('<ttm:name type="alias"> </ttm:name>'))),
    "character with a full name alone": (
        "dapt:agent",
        document(head=character('<ttm:name type="full">ALAN</ttm:name>')),
    ),
    "name without a type": ("dapt:agent", document(head=character(f"{ALIAS}<ttm:name>ALAN</ttm:name>"))),
    "agent without an identifier": ("dapt:agent", document(head=character(ALIAS, ""))),
    "agent with a bad identifier": ("dapt:agent", document(head=character(ALIAS, 'xml:id="1st one"'))),
    "agent without a type": ("dapt:agent", document(head=character(ALIAS, kind=""))),
    "agent of an unknown type": ("dapt:agent", document(head=character(ALIAS, kind='type="narrator"'))),
    "event refers to an agent in the body": (
        "dapt:agent",
        document(event(f"<metadata>{PERSON}</metadata>", ttm__agent="a1")),
    ),
    "event refers to no agent": ("dapt:agent", document(event(ttm__agent="c9"))),
    "event refers to an event": ("dapt:agent", document(event(ttm__agent="d1"))),
    # Timecode
    "origin without colons": ("dapt:daptOriginTimecode", document(head=origin("10012012"), ttp__frameRate="25")),
    "origin without frames": ("dapt:daptOriginTimecode", document(head=origin("10:01:20"), ttp__frameRate="25")),
    "origin in drop-frame": ("dapt:daptOriginTimecode", document(head=origin("10:01:20;12"), ttp__frameRate="30")),
    "origin with minute 61": ("dapt:daptOriginTimecode", document(head=origin("10:61:20:12"), ttp__frameRate="25")),
    "origin with too many frames": (
        "dapt:daptOriginTimecode",
        document(head=origin("10:01:20:25"), ttp__frameRate="25"),
    ),
    "origin without a frame rate": ("dapt:daptOriginTimecode", document(head=origin("10:01:20:12"))),
    "two origins": (
        "dapt:daptOriginTimecode",
        document(head=origin("10:01:20:12") + origin("10:01:20:12"), ttp__frameRate="25"),
    ),
    "origin in the body": (
        "dapt:daptOriginTimecode",
        document(event(f"<metadata>{origin('10:00:00:00')}</metadata>"), ttp__frameRate="25"),
    ),
    "start of programme in words": (
        "dapt:daptOriginTimecode",
        document(
            head="<ebuttm:documentStartOfProgramme>ten</ebuttm:documentStartOfProgramme>",
            ttp__frameRate="25",
        ),
    ),
    # Languages
    "empty language source on the root": ("dapt:textLanguageSource", document(daptm__langSrc="")),
    "language source that is none": ("dapt:textLanguageSource", document(daptm__langSrc="original language")),
    "language source on a text that is none": ("dapt:textLanguageSource", document(text("a", daptm__langSrc="?"))),
    "language source in the head": (
        "dapt:textLanguageSource",
        document(head='<ttm:title daptm:langSrc="fr">Rain</ttm:title>'),
    ),
    "language of a text that is none": ("xml:lang", document(text("Rain", xml__lang="e"))),
    # Events
    "onScreen unknown": ("dapt:onScreen", document(event(daptm__onScreen="YES"))),
    "onScreen in lower case": ("dapt:onScreen", document(event(daptm__onScreen="on"))),
    "onScreen on a text": ("dapt:onScreen", document(text("a", daptm__onScreen="ON"))),
    "description of an unknown type": (
        "dapt:descType",
        document(event('<ttm:desc daptm:descType="extension">a</ttm:desc>')),
    ),
    "description of a type that is only the prefix": (
        "dapt:descType",
        document(event('<ttm:desc daptm:descType="x-">a</ttm:desc>')),
    ),
    "description type elsewhere": ("dapt:descType", document(event(daptm__descType="scene"))),
    "identifier twice": ("xml:id", document(EVENT + EVENT)),
    "identifier with white space": ("xml:id", document('<div xml:id="d 1"/>')),
    "identifier that begins with a digit": ("xml:id", document('<div xml:id="1"/>')),
    "identifier that begins with an accent": ("xml:id", document('<div xml:id="\u0301a"/>')),
    "script type on the body": ("dapt:namespaces", document(event(daptm__scriptType="preRecording"))),
    "unknown parameter": ("dapt:namespaces", document(ttp__frameBase="25")),
    "unknown element of TTML": ("dapt:namespaces", document(event("<p><b>Rain</b></p>"))),
    # Structure
    "text outside a paragraph": ("ttml:structure", document(event("Rain falls."))),
    "paragraph in the body": ("ttml:structure", document("<p>Rain falls.</p>")),
    "paragraph in a paragraph": ("ttml:structure", document(text("<p>Rain falls.</p>"))),
    "division in a paragraph": ("ttml:structure", document(text("<div>Rain</div>"))),
    "two bodies": ("ttml:structure", document("</body><body>")),
    "head after the body": ("ttml:structure", document().replace(b"</body>", b"</body><head/>")),
    "style that is not there": ("ttml:reference", document(event(style="s1"))),
    "region that is not there": ("ttml:reference", document(event(region="r1"))),
    # Times
    "no time": ("ttml:time-expression", document(event(begin="soon"))),
    "time without a unit": ("ttml:time-expression", document(event(begin="12"))),
    "time with a blank": ("ttml:time-expression", document(event(begin=" 12s"))),
    "negative time": ("ttml:time-expression", document(event(begin="-1s"))),
    "time with a comma": ("ttml:time-expression", document(event(begin="00:00:01,5"))),
    "time with one digit": ("ttml:time-expression", document(event(begin="0:00:01"))),
    "second 60": ("ttml:time-expression", document(event(begin="00:00:60"))),
    "time of no digits": ("ttml:time-expression", document(event(begin="\u0661s"))),
    "wall clock": ("ttml:time-expression", document(event(begin="wallclock(10:00:00)"))),
    "bad time of a text": ("ttml:time-expression", document(text("<span end='2 s'>a</span>"))),
    "bad clip": ("ttml:time-expression", document(text('<audio src="a.wav" clipBegin="x"/>'))),
    "frames of the clock": (
        "ttml:time-clock-with-frames",
        document(event(begin="00:00:01:12"), ttp__frameRate="25"),
    ),
    "frames of the clock with parts": (
        "ttml:time-clock-with-frames",
        document(event(begin="00:00:01:12.1"), ttp__frameRate="25"),
    ),
    "frames without a rate": ("ttml:frameRate", document(event(begin="12f"))),
    "ticks without a rate": ("ttml:tickRate", document(event(begin="12t"))),
    "ticks with a frame rate": ("ttml:tickRate", document(event(begin="12t"), ttp__frameRate="25")),
    "frame rate 0": ("ttml:frameRate", document(event(begin="12f"), ttp__frameRate="0")),
    "frame rate with decimals": ("ttml:frameRate", document(ttp__frameRate="29.97")),
    "multiplier with a colon": ("ttml:frameRate", document(ttp__frameRate="30", ttp__frameRateMultiplier="1000:1001")),
    "tick rate in words": ("ttml:tickRate", document(ttp__tickRate="many")),
    "time base smpte": ("ttml:timeBase", document(ttp__timeBase="smpte")),
    "time base clock": ("ttml:timeBase", document(ttp__timeBase="clock")),
    "drop mode": ("ttml:prohibited-parameter", document(ttp__dropMode="nonDrop")),
    "marker mode": ("ttml:prohibited-parameter", document(ttp__markerMode="continuous")),
    "clock mode": ("ttml:prohibited-parameter", document(ttp__clockMode="utc")),
    "sub-frame rate": ("ttml:prohibited-parameter", document(ttp__subFrameRate="2")),
    "sequence": ("ttml:timeContainer", document(event(timeContainer="seq"))),
    # Sound
    "audio without a sound": ("dapt:audio", document(text("<audio/>"))),
    "audio with two kinds of source": ("dapt:audio", document(text('<audio src="a.wav"><source src="b"/></audio>'))),
    "source without a sound": ("dapt:audio", document(text("<audio><source/></audio>"))),
    "audio refers to nothing": ("dapt:audio", document(text('<audio src="#wav"/>'))),
    "audio refers to an event": ("dapt:audio", document(text('<audio src="#d1"/>'))),
    "data without a type": (
        "dapt:audio",
        document(text("<audio><source><data>UklGRg==</data></source></audio>")),
    ),
    "data that is no base64": (
        "dapt:audio",
        document(text('<audio><source><data type="a/b">R!FF</data></source></audio>')),
    ),
    "source in data": (
        "dapt:source-data",
        document(text(f'<audio><source><data type="a/b"><source>{WAV}</source></data></source></audio>')),
    ),
    "audio in another language": (
        "dapt:xmlLang-audio-nonMatching",
        document(text('<audio src="a.wav" xml:lang="fr"/>')),
    ),
    "audio inside a text in another language": (
        "dapt:xmlLang-audio-nonMatching",
        document(text('<span><audio src="a.wav" xml:lang="en"/></span>', xml__lang="fr")),
    ),
    "source in another language": (
        "dapt:xmlLang-audio-nonMatching",
        document(text('<audio><source src="a.wav" xml:lang="fr"/></audio>')),
    ),
    "animated speed with commas": (
        "dapt:synthesizedAudio",
        document(text('<animate begin="0s" end="1s" tta:speak="slow,fast"/>a')),
    ),
    "speed unknown": ("dapt:synthesizedAudio", document(text("<span tta:speak='quick'>a</span>"))),
    "pitch without a unit": ("dapt:synthesizedAudio", document(text("<span tta:pitch='+3'>a</span>"))),
    "gain in dB": ("dapt:mixingInstruction", document(text("a", tta__gain="-9dB"))),
    "gain as a list where nothing moves": ("dapt:mixingInstruction", document(text("a", tta__gain="1;0.39"))),
    "animated gain with commas": (
        "dapt:mixingInstruction",
        document(text('<animate begin="0s" end="1s" tta:gain="1,0.39"/>a')),
    ),
    "pan in words": ("dapt:mixingInstruction", document(text("a", tta__pan="left"))),
    "fill unknown": (
        "dapt:mixingInstruction",
        document(text('<animate begin="0s" end="1s" tta:gain="1;0.39" fill="hold"/>a')),
    ),
    "animation in the head": (
        "ttml:animation-out-of-line",
        document().replace(b"<body>", b'<head><animation><animate xml:id="x"/></animation></head><body>'),
    ),
    "animation by reference": ("ttml:animation-out-of-line", document(text("a", animate="x"))),
}

SOUND: dict[str, bytes] = {
    "plain": document(),
    "without declaration": document(declaration=""),
    "without body": document().replace(b"<body>", b"<!--").replace(b"</body>", b"-->"),
    "other prefixes": (
        document()
        .replace(b"xmlns:daptm=", b"xmlns:d=")
        .replace(b"daptm:", b"d:")
        .replace(b"xmlns:ttp", b"xmlns:par")
        .replace(b"ttp:c", b"par:c")
    ),
    "several profiles": document(
        ttp__contentProfiles=f" http://a.example/b\n{ROOT['ttp:contentProfiles']} ",
    ),
    "profiles combined": document(ttp__contentProfiles=f"all( {ROOT['ttp:contentProfiles']} )"),
    "processor profiles": document(ttp__processorProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/processor"),
    "languages": document(
        "".join(
            f'<div xml:id="d{n}"><p xml:lang="{tag}">a</p></div>'
            for n, tag in enumerate(("pt-BR", "zh-Hant-TW", "sl-rozaj-biske", "de-DE-1901", "x-klingon", "es-419"))
        )
    ),
    "user-defined descriptors": document(event(daptm__represents="visual.x-props.chair"), daptm__represents=None),
    "own descriptor alone": document(
        event(daptm__represents="x-mine.a"), daptm__scriptRepresents="x-mine", daptm__represents=None
    ),
    "groups": document('<div xml:id="g"><div xml:id="d1" begin="1s"/><div xml:id="d2"/></div>'),
    "division that is no event": document("<div/>", daptm__represents=None),
    # In “हिन्दी”, four of six characters are neither letters nor digits to Unicode, and all are of names to XML.
    "identifiers in Devanagari": document(
        '<div xml:id="\u0939\u093f\u0928\u094d\u0926\u0940"><p>a</p></div>',
        daptm__represents="visual.x-\u0939\u093f\u0928\u094d\u0926\u0940",
    ),
    "empty event": document('<div xml:id="gap" begin="5s" end="9s"/>'),
    "predefined entities": document(event("<p>&lt;&amp;&gt;&quot;&apos;&#x1F600;&#233;</p>")),
    "foreign elements and attributes": document(
        event('<x:a xmlns:x="urn:x"><x:b>Rain</x:b></x:a><p x:c="1" xmlns:x="urn:x" d="2">a</p>')
    ),
    "times of all kinds": document(
        event(
            '<p begin="0.5s" dur="1ms"><span begin="00:00:00" end="100:00:59.999999">a</span></p>'
            '<p begin="1.25h" end="2m"><span begin="3f" end="4t">b</span></p>'
        ),
        ttp__frameRate="24",
        ttp__frameRateMultiplier="1000 1001",
        ttp__tickRate="90000",
    ),
    "media time": document(ttp__timeBase="media"),
    "parallel": document(event(timeContainer="par")),
    "character": document(
        event(ttm__agent="c1"), head=PERSON + character(f'{ALIAS}<ttm:actor agent="a1"/>', 'xml:id="c1"')
    ),
    "origin": document(
        head=origin("10:01:20:24") + "<ebuttm:documentStartOfProgramme>10:02:00:00</ebuttm:documentStartOfProgramme>",
        ttp__frameRate="25",
    ),
    "start of programme without a frame rate": document(
        head="<ebuttm:documentStartOfProgramme>10:00:00:24</ebuttm:documentStartOfProgramme>"
    ),
    "styles and regions": document(event(style="s1", region="r1")).replace(
        b"<body>",
        b'<head><styling><style xml:id="s1" tts:color="red"/></styling><layout><region xml:id="r1"/></layout></head>'
        b"<body>",
    ),
    "embedded sound": document(text('<audio src="#wav"/>')).replace(
        b"<body>", b'<head><resources><data xml:id="wav" type="audio/wave">UklG\n Rg==</data></resources></head><body>'
    ),
    "embedded sound as in DAPT, and in another language": document(text('<audio src="#a"/>', xml__lang="fr")).replace(
        b"<body>",
        b'<head><resources><audio xml:id="a" type="audio/wave"><source><data>UklGRg==</data></source></audio>'
        b"</resources></head><body>",
    ),
    "typeface": document().replace(
        b"<body>",
        b'<head><resources><font family="a" style="italic" src="a.otf"/></resources></head><body>',
    ),
    "chunks": document(
        text('<audio><source><data type="a/b"><chunk>UklG</chunk><chunk>Rg==</chunk></data></source></audio>')
    ),
    "mixing": document(
        text(
            '<animate begin="0s" end="0.3s" tta:gain="1;0.39" fill="freeze"/><set tta:pan="-.5"/>'
            '<span tta:speak="fast" tta:pitch="-10%" tta:gain="-1">a</span>'
        )
    ),
    "animated speech": document(text('<animate begin="0s" end="1s" tta:speak="slow; fast" tta:pitch="+1st;-1st"/>a')),
    "speech": document(event("<p><span tta:speak='none' tta:pitch='120hz'>a</span></p>")),
    "as in the notes": document(
        '<div xml:id="d0" begin="5s" end="9s" daptm:represents="visual.nonText"/>'
        '<div xml:id="d1" begin="12.480s" end="15.100s" daptm:represents="visual.nonText">'
        '<ttm:desc daptm:descType="pronunciationNote">Alan: AL-uhn</ttm:desc>'
        '<p><animate begin="0s" end="0.3s" tta:gain="1;0.39" fill="freeze"/>'
        '<animate begin="2.32s" end="2.62s" tta:gain="0.39;1"/>'
        '<span begin="0.3s" end="2.32s" tta:speak="normal">Alan runs past the guards.</span></p></div>',
        head=character(ALIAS),
        daptm__langSrc="zxx",
    ),
}


def broken(data: bytes) -> set[str]:
    return {finding.rule.id for finding in check_dapt(data, "a.xml") if not finding.advice}


@pytest.mark.parametrize(("rule", "data"), BROKEN.values(), ids=BROKEN.keys())
def test_what_breaks_a_rule_is_refused_for_that_rule_alone(rule: str, data: bytes):
    assert broken(data) == {rule}


@pytest.mark.parametrize("data", SOUND.values(), ids=SOUND.keys())
def test_what_is_permitted_is_accepted(data: bytes):
    assert broken(data) == set()


def test_findings_name_line_and_clause():
    data = document(EVENT + '\n\n<div xml:id="d2" begin="1:2"/>')
    (finding,) = [each for each in check_dapt(data, "a.xml") if not each.advice]
    assert finding.line == data.decode()[: data.decode().index("d2")].count("\n") + 1
    assert "DAPT" in finding.rule.clause
    assert "1:2" in finding.what


def test_advice_does_not_make_a_file_invalid():
    data = document('<div xml:id="d1" begin="1s"/><div xml:id="d2" begin="00:00:01" end="00:00:02"/>')
    found = check_dapt(data, "a.xml")
    assert {each.rule.id for each in found} == {"dapt:scriptEvent", "ttml:time-expression"}
    assert all(each.advice for each in found)


def test_agents_should_be_in_the_head():
    (found,) = check_dapt(document(event(f"<metadata>{PERSON}</metadata>", begin="1s", end="2s")), "a.xml")
    assert (found.rule.id, found.advice) == ("dapt:agent", True)


@pytest.mark.parametrize(
    "data",
    [
        document(event(begin="1s", end="2s", daptm__eventType="dialogue")),
        document(EVENT, "<daptm:workflowType>ad</daptm:workflowType>"),
    ],
    ids=["attribute", "element"],
)
def test_what_another_version_of_dapt_may_define_is_advised_against(data: bytes):
    assert [(each.rule.id, each.advice) for each in check_dapt(data, "a.xml")] == [("dapt:namespaces", True)]


def test_texts_outside_of_events_are_advice():
    body = '<div><p>a</p></div><div xml:id="g"><div xml:id="d1" begin="1s" end="2s"/><p>b</p></div>'
    found = check_dapt(document(body), "a.xml")
    assert [(each.rule.id, each.advice) for each in found] == [("dapt:scriptEventMapping", True)] * 2


def test_a_missing_attribute_in_another_namespace_is_pointed_out():
    data = document(daptm__scriptType=None, scriptType="preRecording")
    (finding,) = check_dapt(data, "a.xml")
    assert "no namespace" in finding.what


def w3c_tests(kind: str) -> list[tuple[str, Path]]:
    if not W3C.is_dir():
        return []
    features = json.loads((W3C / "tests.json").read_text("utf-8"))
    found = [(name, W3C / kind / f"{each['test']}.xml") for name, of in features.items() for each in of[kind]]
    # Not all of the files that the list names are here.
    return [(feature, path) for feature, path in found if path.exists()]


@needs_w3c
def test_every_valid_file_of_the_w3c_is_accepted():
    files = [*(W3C / "valid").iterdir(), W3C / "schema-validator_valid_dapt.ttml"]
    assert len(files) > 20
    assert [path.name for path in files if not validate_file(path).valid] == []


@needs_w3c
@pytest.mark.parametrize(("feature", "path"), w3c_tests("invalid"), ids=lambda each: getattr(each, "stem", each))
def test_every_invalid_file_of_the_w3c_is_refused_for_its_feature(feature: str, path: Path):
    assert any(rule.startswith(f"dapt:{feature[1:]}") for rule in broken(path.read_bytes()))


BILLION = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "data",
    [
        document(declaration=f'<!DOCTYPE tt [<!ENTITY a0 "ha">{BILLION}]>', body=text("&a11;")),
        document(declaration='<!DOCTYPE tt SYSTEM "http://127.0.0.1:1/x.dtd">'),
        document(declaration='<!DOCTYPE tt [<!ENTITY x SYSTEM "file:///etc/passwd">]>', body=text("&x;")),
        document(declaration='<!DOCTYPE tt [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]>'),
    ],
    ids=["billion laughs", "external DTD", "external entity", "parameter entity"],
)
def test_nothing_is_expanded_or_loaded(data: bytes):
    (finding,) = check_dapt(data, "a.xml")
    assert finding.rule.id == "dapt:serialization"
    assert "\n" not in finding.what


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 200,
        pytest.param("<div/>" * 300_001, marks=pytest.mark.flood),
        pytest.param("<div " + " ".join(f"a{n}=''" for n in range(1_000_001)) + "/>", marks=pytest.mark.flood),
    ],
    ids=["depth", "elements", "attributes"],
)
def test_documents_beyond_the_limits_are_refused_in_a_sentence(body: str):
    with pytest.raises(BadInputError) as refused:
        check_dapt(document(body), "a.xml")
    assert "\n" not in str(refused.value)


def test_findings_are_bounded():
    assert len(check_dapt(document("<b/>" * 5_000), "a.xml")) <= 1_000
