"""The names of DAPT: namespaces, profiles, and the values that its registries and enumerations have.

DAPT 1.0 (https://www.w3.org/TR/dapt/), Candidate Recommendation; TTML2 (https://www.w3.org/TR/ttml2/).
"""

from __future__ import annotations

import re

XML = "http://www.w3.org/XML/1998/namespace"
TTML = "http://www.w3.org/ns/ttml"
PARAMETER = f"{TTML}#parameter"
STYLING = f"{TTML}#styling"
AUDIO = f"{TTML}#audio"
METADATA = f"{TTML}#metadata"
DAPT = "http://www.w3.org/ns/ttml/profile/dapt#metadata"
EBU = "urn:ebu:tt:metadata"

CONTENT_PROFILE = "http://www.w3.org/ns/ttml/profile/dapt1.0/content"
PROCESSOR_PROFILE = "http://www.w3.org/ns/ttml/profile/dapt1.0/processor"

LANGUAGE = (XML, "lang")
IDENTIFIER = (XML, "id")
SPACE = (XML, "space")
ORIGIN = (DAPT, "daptOriginTimecode")

SCRIPT_TYPES = ("originalTranscript", "translatedTranscript", "preRecording", "asRecorded")
ON_SCREEN = ("ON", "OFF", "ON_OFF", "OFF_ON")
DESCRIPTION_TYPES = ("pronunciationNote", "scene", "plotSignificance")
CONTENT_DESCRIPTORS = frozenset(
    {
        *("audio", "audio.dialogue", "audio.nonDialogueSounds"),
        *("visual", "visual.dialogue", "visual.nonText", "visual.text"),
        *("visual.text.title", "visual.text.credit", "visual.text.location"),
    }
)
USER_PREFIX = "x-"
"""What begins the values of registries that anybody may define."""

_NAME_START = (
    r"A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
    r"\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""XML 1.0, production 4, without the colon."""
_NAME_CHAR = rf"{_NAME_START}0-9\-\u00b7\u0300-\u036f\u203f\u2040"
"""Production 4a, without colon and full stop."""
_NAME = re.compile(f"[{_NAME_START}][{_NAME_CHAR}.]*")
_DESCRIPTOR = re.compile(rf"[{_NAME_CHAR}:]+(?:\.[{_NAME_CHAR}:]+)*")
_LONGEST = 200
"""Characters of a content descriptor; longer ones are none."""


def is_name(text: str) -> bool:
    """Whether a text can be an identifier (`NCName` of Namespaces in XML)."""
    return _NAME.fullmatch(text) is not None


def is_content_descriptor(text: str) -> bool:
    """Whether a text is a content descriptor: one of the registry, which tokens that begin with `x-` may follow."""
    if len(text) > _LONGEST or not _DESCRIPTOR.fullmatch(text):
        return False
    tokens = text.split(".")
    own = next((place for place, token in enumerate(tokens) if token.startswith(USER_PREFIX)), len(tokens))
    return own == 0 or ".".join(tokens[:own]) in CONTENT_DESCRIPTORS


def is_subtype(descriptor: str, of: str) -> bool:
    """Whether a content descriptor is another one, or a part of it."""
    return descriptor == of or descriptor.startswith(f"{of}.")
