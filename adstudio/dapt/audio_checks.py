"""The rules about recordings, synthetic speech and mixing."""

from __future__ import annotations

import re

from adstudio.dapt import rules
from adstudio.dapt.document import Document
from adstudio.dapt.names import AUDIO, DAPT, IDENTIFIER, LANGUAGE, TTML
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.lines import quoted

RECORDING = (TTML, "audio")
SOURCE = (TTML, "source")
DATA = (TTML, "data")
ANIMATE = (TTML, "animate")
GAIN = (AUDIO, "gain")
_SPEED = re.compile("none|normal|fast|slow")
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_LEVEL = re.compile(_NUMBER, re.ASCII)
_PITCH = re.compile(rf"{_NUMBER}(?:%|hz|st)", re.ASCII | re.IGNORECASE)
_ENCODINGS = {
    "base16": re.compile(r"[0-9A-Fa-f\s]*"),
    "base32": re.compile(r"[A-Z2-7=\s]*"),
    "base32hex": re.compile(r"[0-9A-V=\s]*"),
    "base64": re.compile(r"[A-Za-z0-9+/=\s]*"),
    "base64url": re.compile(r"[A-Za-z0-9_\-=\s]*"),
}


def check_audio(document: Document) -> None:
    """Check recordings, the data that is embedded, and audio styles."""
    for element in document.elements:
        if element.name == RECORDING:
            _recording(document, element)
        elif element.name == DATA:
            _data(document, element)
        _styles(document, element)
    if document.root.get((DAPT, "scriptType")) == "preRecording":
        audio = next((each for event in document.events for each in event.everything() if each.name == RECORDING), None)
        if audio is not None:
            what = "a script of type preRecording should not have recordings"
            document.add(rules.SCRIPT_TYPE, what, audio, advice=True)


def _recording(document: Document, audio: Element) -> None:
    sources = [*audio.elements(SOURCE)]
    address = audio.get(("", "src"))
    if (address is None) is not bool(sources):
        what = "both src and <source>: keep one" if sources else "neither src nor <source>, so that it has no sound"
        document.add(rules.AUDIO, f"<audio> has {what}", audio)
    referring = [each for each in (audio, *sources) if each.get(("", "src")) is not None]
    if address is not None and not address.startswith("#") and audio.get(("", "type")) is None:
        what = "<audio> should say the type of its sound, such as audio/wave"
        document.add(rules.AUDIO, what, audio, advice=True)
    data = [each for source in sources for each in source.elements(DATA)]
    for source in sources:
        if (source.get(("", "src")) is None) is not any(source.elements(DATA)):
            document.add(rules.AUDIO, "<source> needs either src or <data>, and not both", source)
    for each in referring:
        data += _embedded(document, each, each.get(("", "src")) or "")
    _language(document, audio, (*sources, *data))


def _embedded(document: Document, element: Element, address: str) -> list[Element]:
    """What an address within the document refers to."""
    if not address.startswith("#"):
        if not address.strip():
            document.add(rules.AUDIO, "src is empty: give the address of a sound", element)
        return []
    found = document.by_id.get(address[1:])
    if found is None or found not in document.resources or found.name not in (RECORDING, DATA):
        what = f"src refers to {quoted(address)}, which is not a <data> or <audio> in <resources> of <head>"
        document.add(rules.AUDIO, what, element)
        return []
    if found.get(("", "type")) is None:
        document.add(rules.AUDIO, f"what {quoted(address)} refers to has no type, such as audio/wave", found)
    # The language of an <audio> there may be that of the document: only <data> has to have that of the text.
    return [found] if found.name == DATA else []


def _language(document: Document, audio: Element, others: tuple[Element, ...]) -> None:
    if audio in document.resources:
        return
    own = (audio.inherited(LANGUAGE) or "").lower()
    around = (audio.parent.inherited(LANGUAGE) or "").lower() if audio.parent is not None else own
    if own != around:
        what = f"the language of <audio> is {quoted(own)}, that of its text {quoted(around)}: they have to be the same"
        document.add(rules.AUDIO_LANGUAGE, what, audio)
    for each in others:
        language = (each.inherited(LANGUAGE) or "").lower()
        if language != own:
            what = f"the language of <{each.local}> is {quoted(language)}, that of its <audio> {quoted(own)}"
            document.add(rules.AUDIO_LANGUAGE, what, each)


def _data(document: Document, data: Element) -> None:
    chunks = [*data.elements((TTML, "chunk"))]
    texts = [each for each in data.children if isinstance(each, str) and each.strip()]
    for source in data.elements(SOURCE):
        document.add(rules.SOURCE_DATA, "<source> is not allowed in <data>: give the data itself", source)
    if texts and chunks:
        document.add(rules.AUDIO, "<data> holds both text and <chunk>: keep one", data)
    # An <audio> or <source> around it may have said the type, as in DAPT’s example of an embedded sound.
    if data.inherited(("", "type")) is None and not any(data.elements(SOURCE)):
        document.add(rules.AUDIO, "<data> has no type, such as audio/wave", data)
    if data in document.resources and data.get(IDENTIFIER) is None:
        document.add(rules.AUDIO, "<data> in <resources> has no xml:id, by which it is referred to", data)
    own = data.get(("", "encoding"))
    for part, text in ((data, texts), *((chunk, [chunk.words()]) for chunk in chunks)):
        encoding = part.get(("", "encoding")) or own or "base64"
        pattern = _ENCODINGS.get(encoding)
        if pattern is None:
            what = f"the encoding is {quoted(encoding)}: use one of {', '.join(_ENCODINGS)}"
            document.add(rules.AUDIO, what, part)
        elif not all(pattern.fullmatch(each) for each in text):
            document.add(rules.AUDIO, f"<{part.local}> has characters that {encoding} does not", part)


def _styles(document: Document, element: Element) -> None:
    animated = element.name == ANIMATE
    for name, pattern, rule, example in (
        ("gain", _LEVEL, rules.MIXING, "a number such as 0.39"),
        ("pan", _LEVEL, rules.MIXING, "a number from -1 to 1"),
        ("pitch", _PITCH, rules.SYNTHESIZED, "a pitch such as +10%, 120hz or -2st"),
        ("speak", _SPEED, rules.SYNTHESIZED, "none, normal, fast or slow"),
    ):
        value = element.get((AUDIO, name))
        if value is None:
            continue
        parts = value.split(";") if animated else [value]
        if not all(pattern.fullmatch(part.strip()) for part in parts):
            several = ", or several with “;” between" if animated else ""
            document.add(rule, f"tta:{name} is {quoted(value)}: write {example}{several}", element)
    fill = element.get(("", "fill"))
    if element.namespace == TTML and fill not in (None, "freeze", "remove"):
        document.add(rules.MIXING, f"fill is {quoted(fill or '')}: use freeze or remove", element)
