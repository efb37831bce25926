"""The rules about the root element: the script's type, language, what it represents, profiles and parameters."""

from __future__ import annotations

import re

from adstudio.core.language_tags import is_well_formed
from adstudio.core.rule_findings import Rule
from adstudio.dapt import rules
from adstudio.dapt.document import Document, written
from adstudio.dapt.names import (
    CONTENT_PROFILE,
    DAPT,
    LANGUAGE,
    PARAMETER,
    PROCESSOR_PROFILE,
    SCRIPT_TYPES,
    is_content_descriptor,
)
from adstudio.dapt.xml_tree import Name
from adstudio.subtitles.lines import quoted

_COMBINED = re.compile(r"\s*(?:all|any)\(([^()]*)\)\s*")
_PROHIBITED = ("clockMode", "dropMode", "markerMode", "subFrameRate")
_COUNT = re.compile(r"0*[1-9]\d{0,9}", re.ASCII)
_RATIO = re.compile(r"\s*(0*[1-9]\d{0,9})\s+(0*[1-9]\d{0,9})\s*", re.ASCII)


def check_root(document: Document) -> None:
    """Check the attributes of `tt`."""
    _profiles(document)
    _language(document)
    _script_type(document)
    _script_represents(document)
    _parameters(document)


def _required(document: Document, name: Name, rule: Rule) -> str | None:
    """A required attribute's value; where it is missing, that is found, with a similar one in another namespace."""
    value = document.root.get(name)
    if value is not None:
        return value
    similar = next((each for each in document.root.attributes if each[1] == name[1]), None)
    what = f"<tt> has no {written(name)}, which is required"
    if similar is not None:
        where = f"the namespace {quoted(similar[0])}" if similar[0] else "no namespace"
        what += f": the one it has is in {where}, not in {name[0]}"
    document.add(rule, what, document.root)
    return None


def _profiles(document: Document) -> None:
    root = document.root
    value = _required(document, (PARAMETER, "contentProfiles"), rules.CONTENT_PROFILES)
    if value is not None and CONTENT_PROFILE not in _designators(value):
        what = f"ttp:contentProfiles does not include {CONTENT_PROFILE}: add it to {quoted(value)}"
        document.add(rules.CONTENT_PROFILES, what, root)
    value = root.get((PARAMETER, "processorProfiles"))
    if value is not None and PROCESSOR_PROFILE not in _designators(value):
        what = f"ttp:processorProfiles does not include {PROCESSOR_PROFILE}: add it, or leave the attribute out"
        document.add(rules.PROCESSOR_PROFILES, what, root)
    if root.get((PARAMETER, "profile")) is not None:
        document.add(rules.PROFILE, "ttp:profile must not be on <tt>: use ttp:contentProfiles alone", root)


def _designators(value: str) -> list[str]:
    combined = _COMBINED.fullmatch(value)
    return (combined[1] if combined else value).split()


def _language(document: Document) -> None:
    value = _required(document, LANGUAGE, rules.ROOT_LANGUAGE)
    if value is None:
        return
    if not value.strip():
        document.add(rules.ROOT_LANGUAGE, "xml:lang on <tt> is empty: name the script’s language", document.root)
    elif not is_well_formed(value):
        what = f"xml:lang on <tt> is {quoted(value)}, which is not a language tag (examples are en and pt-BR)"
        document.add(rules.ROOT_LANGUAGE, what, document.root)


def _script_type(document: Document) -> None:
    value = _required(document, (DAPT, "scriptType"), rules.SCRIPT_TYPE)
    if value is not None and value not in SCRIPT_TYPES:
        what = f"daptm:scriptType is {quoted(value)}: use one of {', '.join(SCRIPT_TYPES)}"
        document.add(rules.SCRIPT_TYPE, what, document.root)


def _script_represents(document: Document) -> None:
    value = _required(document, (DAPT, "scriptRepresents"), rules.SCRIPT_REPRESENTS)
    if value is None:
        return
    if not value.split():
        what = "daptm:scriptRepresents is empty: say what the script represents, such as visual"
        document.add(rules.SCRIPT_REPRESENTS, what, document.root)
    for each in value.split():
        if not is_content_descriptor(each):
            what = (
                f"daptm:scriptRepresents has {quoted(each)}, which is not a content descriptor: values are separated "
                "by white space, and are in the registry or begin with x-"
            )
            document.add(rules.SCRIPT_REPRESENTS, what, document.root)


def _parameters(document: Document) -> None:
    root = document.root
    base = root.get((PARAMETER, "timeBase"))
    if base not in (None, "media"):
        document.add(rules.TIME_BASE, f"ttp:timeBase is {quoted(base or '')}: only media is permitted", root)
    for name in _PROHIBITED:
        if root.get((PARAMETER, name)) is not None:
            what = f"ttp:{name} is prohibited in DAPT, whose times are media time: remove it"
            document.add(rules.PROHIBITED_PARAMETER, what, root)
    for name, rule in (("frameRate", rules.FRAME_RATE), ("tickRate", rules.TICK_RATE)):
        value = root.get((PARAMETER, name))
        if value is not None and not _COUNT.fullmatch(value.strip()):
            document.add(rule, f"ttp:{name} is {quoted(value)}, which is not a whole number above 0", root)
    value = root.get((PARAMETER, "frameRateMultiplier"))
    if value is not None and not _RATIO.fullmatch(value):
        what = f"ttp:frameRateMultiplier is {quoted(value)}: write two whole numbers, such as 1000 1001"
        document.add(rules.FRAME_RATE, what, root)
