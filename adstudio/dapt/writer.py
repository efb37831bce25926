"""Writing a script as a DAPT document.

The programme is lowered by `<animate>` on the paragraph, and the text is in a `<span>` inside it, beside its
recording if it has one: neither is lowered (the example “intro-script-with-gain” of the specification).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from adstudio.core.mix_settings import SHORTEST_RAMP
from adstudio.dapt.names import AUDIO, CONTENT_PROFILE, DAPT, METADATA, PARAMETER, TTML
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.sound_types import sound_type

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even by its number (production 2)."""
_CHANGED_BY_READERS = re.compile(r"(?:\A|\n)[ \t\r]|[ \t\r](?:\Z|\n)|[ \t\r]{2}|[\t\r]")
"""White space that is only read as it is written where the document says so."""
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_ATTRIBUTES = _ESCAPES | {'"': "&quot;", "\t": "&#9;", "\n": "&#10;"}


def write_dapt(script: DaptScript) -> bytes:
    """A document in UTF-8, without a byte-order mark. Characters that XML cannot hold become U+FFFD."""
    voices = {name: f"voice{number}" for number, name in enumerate(_voices(script.events), 1)}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', *_root(script), *_head(script, voices), "  <body>"]
    for event in script.events:
        lines += _event(script, event, voices)
    lines += ["  </body>", "</tt>"]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _voices(events: Iterable[ScriptEvent]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event.voice for event in events if event.voice))


def _root(script: DaptScript) -> list[str]:
    found = {
        "xmlns": TTML,
        "xmlns:ttp": PARAMETER,
        "xmlns:tta": AUDIO,
        "xmlns:ttm": METADATA,
        "xmlns:daptm": DAPT,
        "ttp:contentProfiles": CONTENT_PROFILE,
    }
    if script.frame_rate is not None:
        frames, over, under = script.frame_rate
        found["ttp:frameRate"] = str(frames)
        if over != under:
            found["ttp:frameRateMultiplier"] = f"{over} {under}"
    found["xml:lang"] = script.language
    if script.language_source:
        found["daptm:langSrc"] = script.language_source
    found["daptm:scriptRepresents"] = " ".join(script.represents)
    found["daptm:represents"] = script.represents[0]
    found["daptm:scriptType"] = script.script_type
    return ["<tt " + "\n    ".join(_attribute(name, value) for name, value in found.items()) + ">"]


def _head(script: DaptScript, voices: dict[str, str]) -> Iterator[str]:
    inside: list[str] = []
    if script.title:
        inside.append(f"<ttm:title>{_escaped(script.title)}</ttm:title>")
    for name, identifier in voices.items():
        named = f'<ttm:name type="alias">{_escaped(name)}</ttm:name>'
        inside.append(f'<ttm:agent type="character" xml:id="{identifier}">{named}</ttm:agent>')
    if script.origin:
        inside.append(f"<daptm:daptOriginTimecode>{_escaped(script.origin)}</daptm:daptOriginTimecode>")
    if inside:
        yield from ("  <head>", "    <metadata>", *(f"      {each}" for each in inside), "    </metadata>", "  </head>")


def _event(script: DaptScript, event: ScriptEvent, voices: dict[str, str]) -> Iterator[str]:
    duck = event.duck
    before, after = (duck.before, duck.after) if duck is not None and event.end is not None else (0, 0)
    attributes = {"xml:id": event.id, "begin": _seconds(event.start - before)}
    if event.end is not None:
        attributes["end"] = _seconds(event.end + after)
    if event.represents != script.represents[0]:
        attributes["daptm:represents"] = event.represents
    if event.voice:
        attributes["ttm:agent"] = voices[event.voice]
    yield f"    <div {_attributes(attributes)}>"
    for kind, text in _descriptions(event):
        typed = f" {_attribute('daptm:descType', kind)}" if kind else ""
        yield f"      <ttm:desc{typed}>{_escaped(text)}</ttm:desc>"
    if event.text:
        yield f"      {_text(event, before, after)}"
    yield "    </div>"


def _descriptions(event: ScriptEvent) -> Iterator[tuple[str, str]]:
    if event.scene:
        yield "scene", event.scene
    for each in event.pronunciations:
        yield "pronunciationNote", each
    if event.description:
        yield "", event.description


def _text(event: ScriptEvent, before: int, after: int) -> str:
    """The paragraph, without white space of its own: it would be part of the text."""
    paragraph = {"xml:lang": event.language} if event.language else {}
    if event.language_source:
        paragraph["daptm:langSrc"] = event.language_source
    span: dict[str, str] = {}
    length = None if event.end is None else event.end - event.start
    if event.duck is not None and (before or after) and length is not None:
        span = {"begin": _seconds(before), "end": _seconds(before + length)}
    if event.speed:
        span["tta:speak"] = event.speed
    if event.pitch:
        span["tta:pitch"] = f"{event.pitch:+d}%"
    if _CHANGED_BY_READERS.search(event.text):
        span["xml:space"] = "preserve"
    mixing = ""
    if event.duck is not None:
        level = _gain(event.duck)
        if not length or event.duck.starts:
            paragraph["tta:gain"] = level
        if length:
            mixing = _ramps(event.duck, level, before, after, length)
    words = _escaped(event.text).replace("\n", "<br/>")
    return f"<p{_led(paragraph)}>{mixing}<span{_led(span)}>{_recording(event)}{words}</span></p>"


def _recording(event: ScriptEvent) -> str:
    if not event.recording:
        return ""
    kind = sound_type(event.recording)
    return f"<audio{_led({'src': event.recording} | ({'type': kind} if kind else {}))}/>"


def _ramps(duck: Duck, level: str, before: int, after: int, length: int) -> str:
    found = ""
    # Not at once, which clicks: without room beside the words the ramp lies within them, as in the mix.
    within = min(SHORTEST_RAMP, length // 2)
    if not duck.starts:
        found += f'<animate begin="0s" end="{_seconds(before or within)}" tta:gain="1;{level}" fill="freeze"/>'
    if not duck.stays:
        begin, end = before + length - (0 if after else within), before + length + after
        found += f'<animate begin="{_seconds(begin)}" end="{_seconds(end)}" tta:gain="{level};1"/>'
    return found


def _gain(duck: Duck) -> str:
    """A depth as the factor of `tta:gain`, exact enough to be read back as the same tenth of a dB."""
    return f"{10 ** (-duck.depth / 200):.4g}"


def _seconds(ms: int) -> str:
    whole, thousandths = divmod(ms, 1000)
    return f"{whole}.{thousandths:03d}s" if thousandths else f"{whole}s"


def _led(attributes: dict[str, str]) -> str:
    return f" {_attributes(attributes)}" if attributes else ""


def _attributes(attributes: dict[str, str]) -> str:
    return " ".join(_attribute(name, value) for name, value in attributes.items())


def _attribute(name: str, value: str) -> str:
    return f'{name}="{_legal(value).translate(str.maketrans(_IN_ATTRIBUTES))}"'


def _escaped(text: str) -> str:
    return _legal(text).translate(str.maketrans(_ESCAPES))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
