"""The rules of TTML2 about what stands where: its vocabulary, and references by identifier.

What DAPT’s own namespace does not define may be of a later version: validators should only warn of it (DAPT,
Validation warnings and errors).
"""

from __future__ import annotations

from adstudio.dapt import rules
from adstudio.dapt.document import Document, written
from adstudio.dapt.names import AUDIO, DAPT, METADATA, ORIGIN, PARAMETER, STYLING, TTML
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.lines import quoted

_METADATA = frozenset({"metadata"})
_ANIMATION = frozenset({"animate", "set"})
_EMBEDDED = frozenset({"audio", "chunk", "data", "font", "image", "resources", "source"})
_INSIDE = {
    "tt": frozenset({"head", "body"}),
    "head": frozenset({"metadata", "resources", "styling", "layout", "animation"}),
    "body": frozenset({"div", "audio"}) | _METADATA | _ANIMATION,
    "div": frozenset({"div", "p", "audio", "image", "region"}) | _METADATA | _ANIMATION,
    "p": frozenset({"span", "br", "audio", "image", "region"}) | _METADATA | _ANIMATION,
    "span": frozenset({"span", "br", "audio", "image"}) | _METADATA | _ANIMATION,
    "br": _METADATA | _ANIMATION,
    "resources": frozenset({"audio", "data", "font", "image"}) | _METADATA,
    "styling": frozenset({"initial", "style"}) | _METADATA,
    "layout": frozenset({"region"}) | _METADATA,
    "region": frozenset({"style"}) | _METADATA | _ANIMATION,
    "style": _METADATA,
    "initial": _METADATA,
    "audio": frozenset({"source"}) | _METADATA | _ANIMATION,
    "image": frozenset({"source"}) | _METADATA | _ANIMATION,
    "font": frozenset({"source"}) | _METADATA,
    "source": frozenset({"data"}) | _METADATA,
    "data": frozenset({"chunk", "source"}) | _METADATA,
    "chunk": _METADATA,
    "animate": _METADATA,
    "set": _METADATA,
    "animation": _ANIMATION | _METADATA,
}
"""Which elements of TTML stand in which (TTML2, sections 8 to 14); `data` in `source` has a rule of its own."""
_TEXT = frozenset({"p", "span", "data", "chunk", "metadata"})
_IN_METADATA = frozenset({"agent", "actor", "name", "desc", "title", "copyright", "item"})
_METADATA_CHILDREN = {
    "agent": frozenset({"name", "actor"}),
    "item": frozenset({"item"}),
}
_NAMES = {
    PARAMETER: frozenset(
        {
            *("cellResolution", "clockMode", "contentProfileCombination", "contentProfiles", "displayAspectRatio"),
            *("dropMode", "frameRate", "frameRateMultiplier", "inferProcessorProfileMethod", "markerMode"),
            *("inferProcessorProfileSource", "permitFeatureNarrowing", "permitFeatureWidening", "pixelAspectRatio"),
            *("processorProfileCombination", "processorProfiles", "profile", "subFrameRate", "tickRate", "timeBase"),
            *("validation", "validationAction", "version"),
        }
    ),
    AUDIO: frozenset({"gain", "pan", "pitch", "speak"}),
    METADATA: frozenset({"agent", "role"}),
    DAPT: frozenset({"descType", "langSrc", "onScreen", "represents", "scriptRepresents", "scriptType"}),
}
"""The attributes of each namespace; other names in them are reserved."""
_ROOT_ONLY = frozenset({(DAPT, "scriptRepresents"), (DAPT, "scriptType")})


def check_structure(document: Document) -> None:
    """Check the elements and attributes of TTML, wherever they stand; those of other namespaces are free."""
    _order(document)
    for element in document.elements:
        if element.namespace == TTML:
            _inside(document, element)
        elif element.namespace == METADATA:
            _metadata(document, element)
        elif element.namespace in (DAPT, AUDIO, STYLING) and element.name != ORIGIN:
            _reserved(document, f"<{written(element.name)}>", element)
        _attributes(document, element)
        _references(document, element)
    _out_of_line(document)


def _order(document: Document) -> None:
    parts = [each for each in document.root.elements() if each.namespace == TTML]
    for name in ("head", "body"):
        for each in [part for part in parts if part.local == name][1:]:
            document.add(rules.STRUCTURE, f"there is more than one <{name}>: leave one", each)
    names = [each.local for each in parts]
    if "body" in names and "head" in names and names.index("body") < names.index("head"):
        document.add(rules.STRUCTURE, "<head> comes after <body>: move it before", parts[names.index("head")])


def _inside(document: Document, element: Element) -> None:
    permitted = _INSIDE.get(element.local)
    if permitted is None:
        # In metadata anything of TTML may be quoted but its metadata, which is checked by itself.
        if element.local != "metadata":
            _reserved(document, f"<{element.local}>", element)
        return
    for child in element.elements():
        if child.namespace == TTML and child.local not in permitted and child.local in (*_INSIDE, "metadata"):
            what = f"<{child.local}> is not allowed in <{element.local}>"
            document.add(rules.STRUCTURE, what, child)
    if element.local not in _TEXT:
        stray = next((each for each in element.children if isinstance(each, str) and each.strip()), None)
        if stray is not None:
            what = f"the text {quoted(stray)} is directly in <{element.local}>: put it in a <p>"
            document.add(rules.STRUCTURE, what, element)


def _metadata(document: Document, element: Element) -> None:
    if element.local not in _IN_METADATA:
        _reserved(document, f"<{written(element.name)}>", element)
        return
    for child in element.elements():
        if child.namespace == METADATA and child.local not in _METADATA_CHILDREN.get(element.local, ()):
            document.add(rules.STRUCTURE, f"<ttm:{child.local}> is not allowed in <ttm:{element.local}>", child)


def _reserved(document: Document, what: str, element: Element) -> None:
    message = f"{what} is not defined in the namespace {element.namespace}: use a namespace of your own"
    document.add(rules.NAMESPACES, message, element, advice=element.namespace == DAPT)


def _attributes(document: Document, element: Element) -> None:
    for name in element.attributes:
        namespace, local = name
        known = _NAMES.get(namespace)
        if known is not None and local not in known:
            what = f"{written(name)} is not defined in the namespace {namespace}: remove it"
            document.add(rules.NAMESPACES, what, element, advice=namespace == DAPT)
        elif element is not document.root and (
            name in _ROOT_ONLY or (namespace == PARAMETER and element.namespace == TTML)
        ):
            document.add(rules.NAMESPACES, f"{written(name)} belongs on <tt>, not on <{element.local}>", element)


def _references(document: Document, element: Element) -> None:
    # In <font>, style is that of the typeface.
    if element.namespace != TTML or element.local == "font":
        return
    for name in ("style", "region"):
        for identifier in (element.get(("", name)) or "").split():
            found = document.by_id.get(identifier)
            if found is None or found.name != (TTML, name):
                what = f"{name} refers to {quoted(identifier)}, which is not a <{name}> in the document"
                document.add(rules.REFERENCE, what, element)


def _out_of_line(document: Document) -> None:
    for element in document.elements:
        if element.name == (TTML, "animation"):
            what = "<animation> in the head is prohibited: put <animate> where it applies"
            document.add(rules.ANIMATION, what, element)
        elif element.namespace == TTML and element.get(("", "animate")) is not None:
            what = "the attribute animate is prohibited: put <animate> in the element"
            document.add(rules.ANIMATION, what, element)
