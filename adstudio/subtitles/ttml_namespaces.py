"""The namespaces of TTML, by which its elements and attributes are recognised, whatever their prefixes.

TTML2 (https://www.w3.org/TR/ttml2/), section 5.1, and the drafts of 2004 to 2009, which had a namespace each.
"""

from __future__ import annotations

import html
import re
from enum import Enum
from functools import lru_cache

from adstudio.subtitles.xml_scan import Attribute, Element

_URI = re.compile(r"https?://www\.w3\.org/(?:ns/ttml|\d{4}/\d\d/ttaf1)/?(?:#([\w\-]*))?", re.ASCII | re.IGNORECASE)


class Vocabulary(Enum):
    """What a namespace is for."""

    CONTENT = "content"
    STYLING = "styling"
    PARAMETER = "parameter"
    METADATA = "metadata"
    FOREIGN = "foreign"


_FRAGMENTS = {
    "": Vocabulary.CONTENT,
    "style": Vocabulary.STYLING,
    "styling": Vocabulary.STYLING,
    "parameter": Vocabulary.PARAMETER,
    "metadata": Vocabulary.METADATA,
}
_NAMES = frozenset(
    {"head", "styling", "style", "layout", "region", "body", "div", "p", "span", "br", "set", "metadata"}
)


def vocabulary(uri: str) -> Vocabulary:
    """The vocabulary of a namespace's URI, as written in an attribute."""
    return _vocabulary(uri[:200])


@lru_cache(maxsize=256)
def _vocabulary(uri: str) -> Vocabulary:
    match = _URI.fullmatch(html.unescape(uri).strip())
    return _FRAGMENTS.get((match[1] or "").lower(), Vocabulary.FOREIGN) if match else Vocabulary.FOREIGN


def attribute(element: Element, local: str, of: Vocabulary) -> Attribute | None:
    """An element's attribute in a vocabulary.

    Careless writers leave prefixes out or undeclared, so one in no namespace or an unknown one is second choice.
    """
    second = element.attributes.get(local)
    if second is not None and of is Vocabulary.CONTENT:
        return second
    for name, found in element.attributes.items():
        # Most attributes have another name, which the end of it tells fastest.
        if not name.endswith(local):
            continue
        prefix, colon, rest = name.rpartition(":")
        if rest != local or not colon or prefix == "xmlns":
            continue
        uri = element.scope.get(prefix)
        if uri is not None and vocabulary(uri) is of:
            return found
        if uri is None and second is None:
            second = found
    return second


class Recogniser:
    """Tells which elements of a document are TTML content: those in a TTML namespace or the root's own.

    Careless writers forget to declare a prefix or the default, so what is in no namespace counts by its name.
    """

    def __init__(self, root: Element) -> None:
        self._own = root.namespace
        self._prefix = root.prefix
        self.undeclared: Element | None = None
        """The first element that counts by its name only."""

    def is_content(self, element: Element) -> bool:
        """Whether an element is TTML content."""
        uri = element.namespace
        if uri is not None:
            return uri == self._own or vocabulary(uri) is Vocabulary.CONTENT
        if self._own is None and element.prefix == self._prefix:
            return True
        if element.local not in _NAMES:
            return False
        self.undeclared = self.undeclared or element
        return True
