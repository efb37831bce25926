"""The rules about content: identifiers, languages, Script Events and what is said of them."""

from __future__ import annotations

from adstudio.core.language_tags import is_well_formed
from adstudio.dapt import rules
from adstudio.dapt.document import Document
from adstudio.dapt.names import (
    DAPT,
    DESCRIPTION_TYPES,
    IDENTIFIER,
    LANGUAGE,
    METADATA,
    ON_SCREEN,
    TTML,
    USER_PREFIX,
    is_content_descriptor,
    is_name,
    is_subtype,
)
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.lines import quoted

REPRESENTS = (DAPT, "represents")
LANGUAGE_SOURCE = (DAPT, "langSrc")
_CONTENT = ("tt", "body", "div", "p", "span")
_DIV = (TTML, "div")
_P = (TTML, "p")


def check_content(document: Document) -> None:
    """Check everything in the document that is about its content."""
    _identifiers(document)
    represented = (document.root.get((DAPT, "scriptRepresents")) or "").split()
    for element in document.elements:
        _languages(document, element)
        _represents(document, element, represented)
        _on_screen(document, element)
        _description(document, element)
    for event in document.events:
        _event(document, event)
    events = frozenset(document.events)
    for text in document.elements:
        if text.name == _P and text.parent is not None and text.parent.name == _DIV and text.parent not in events:
            what = "the text belongs to no event: its <div> needs an xml:id, and no <div> inside it"
            document.add(rules.EVENT_MAPPING, what, text, advice=True)


def _identifiers(document: Document) -> None:
    seen: set[str] = set()
    for element in document.elements:
        identifier = element.get(IDENTIFIER)
        if identifier is None:
            continue
        if not is_name(identifier):
            what = f"xml:id is {quoted(identifier)}: it has to begin with a letter, without white space, “#” or “:”"
            document.add(rules.AGENT if element.name == (METADATA, "agent") else rules.IDENTIFIER, what, element)
        elif identifier in seen:
            document.add(rules.IDENTIFIER, f"xml:id {quoted(identifier)} is used twice: each needs its own", element)
        seen.add(identifier)


def _languages(document: Document, element: Element) -> None:
    value = element.get(LANGUAGE)
    if value and element is not document.root and not is_well_formed(value):
        document.add(rules.LANGUAGE, f"xml:lang is {quoted(value)}, which is not a language tag", element)
    source = element.get(LANGUAGE_SOURCE)
    if source is None:
        return
    if not _is_content(element):
        what = f"daptm:langSrc is on <{element.local}>, where it has no meaning: move it to a text, or around it"
        document.add(rules.LANGUAGE_SOURCE, what, element)
    if not source:
        what = "daptm:langSrc is empty: name the language of the source, zxx where it has none, or leave it out"
        document.add(rules.LANGUAGE_SOURCE, what, element)
    elif not is_well_formed(source):
        document.add(rules.LANGUAGE_SOURCE, f"daptm:langSrc is {quoted(source)}, which is not a language tag", element)


def _is_content(element: Element) -> bool:
    return element.namespace == TTML and element.local in _CONTENT


def _represents(document: Document, element: Element, represented: list[str]) -> None:
    value = element.get(REPRESENTS)
    if value is None:
        return
    if not _is_content(element):
        what = f"daptm:represents is on <{element.local}>, where it has no meaning: move it to an event or a text"
        document.add(rules.REPRESENTS, what, element)
    if not is_content_descriptor(value):
        what = f"daptm:represents is {quoted(value)}, which is neither in the registry nor begins with x-"
        document.add(rules.REPRESENTS, what, element)
    elif represented and not any(is_subtype(value, each) for each in represented):
        what = (
            f"daptm:represents is {quoted(value)}, which is not part of what the script represents "
            f"({quoted(' '.join(represented))})"
        )
        document.add(rules.REPRESENTS, what, element)


def _on_screen(document: Document, element: Element) -> None:
    value = element.get((DAPT, "onScreen"))
    if value is None:
        return
    if element.name != _DIV:
        document.add(rules.ON_SCREEN, f"daptm:onScreen is on <{element.local}>: it belongs on a <div>", element)
    if value not in ON_SCREEN:
        what = f"daptm:onScreen is {quoted(value)}: use one of {', '.join(ON_SCREEN)}"
        document.add(rules.ON_SCREEN, what, element)


def _description(document: Document, element: Element) -> None:
    value = element.get((DAPT, "descType"))
    if value is None:
        return
    if element.name != (METADATA, "desc"):
        what = f"daptm:descType is on <{element.local}>: it belongs on <ttm:desc>"
        document.add(rules.DESCRIPTION_TYPE, what, element)
    if value not in DESCRIPTION_TYPES and not (value.startswith(USER_PREFIX) and len(value) > len(USER_PREFIX)):
        what = f"daptm:descType is {quoted(value)}: use {', '.join(DESCRIPTION_TYPES)}, or a value that begins with x-"
        document.add(rules.DESCRIPTION_TYPE, what, element)


def _event(document: Document, event: Element) -> None:
    if not event.inherited(REPRESENTS):
        what = "daptm:represents is set neither on this event nor around it: say what it represents, such as visual"
        document.add(rules.REPRESENTS, what, event)
    missing = [name for name in ("begin", "end") if event.get(("", name)) is None]
    if missing == ["end"] and event.get(("", "dur")) is not None:
        missing = []
    if missing:
        what = f"an event should have times of its own, and lacks {' and '.join(missing)}"
        document.add(rules.SCRIPT_EVENT, what, event, advice=True)
