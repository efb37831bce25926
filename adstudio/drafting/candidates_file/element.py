"""One candidate element: validated key by key and converted to wordings, an occurrence and a salience."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import cast

from adstudio.core.script import SALIENCE_UNIT, Variant
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.core.words import composed, count_words
from adstudio.drafting.candidates_file.findings import Findings, Place, shortened, shown

LONGEST_TEXT = 2_000
"""Characters of a wording."""
LONGEST_ID = 100
"""Characters of an id."""
LARGEST_SALIENCE = 10_000
"""|σ| at most (DESIGN section 1)."""
RATES = tuple(Fraction(tenths, 10) for tenths in (9, 8, 7, 6, 5))
"""The compression rates of the paper, in descending order."""

_KEYS = frozenset(
    {
        "id",
        "scene_description_extract",
        "audio_description",
        "compressed_audio_descriptions",
        "occurrence_start",
        "occurrence_end",
        "salience",
    }
)
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,4}):([0-9]{1,2}(?:[.,][0-9]{1,12})?)\Z")
_SECONDS = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{1,12})?\Z")
_RATE = re.compile(r"[01]?\.[0-9]{1,6}\Z")


class ElementError(ValueError):
    """Why an element is unusable, as the end of a sentence."""


@dataclass(frozen=True)
class Draft:
    """A valid element. `occurrence` is in milliseconds from the start of its scene; `salience` is in millionths."""

    place: Place
    identity: str | None
    extract: str
    variants: tuple[Variant, ...]
    occurrence: Span | None
    salience: int | None


def read_element(value: object, place: Place, findings: Findings) -> Draft | None:
    """The element, or None if it is unusable; problems are added to the findings either way."""
    if not isinstance(value, dict):
        findings.report(place, f"{shown(value)} is not an element: skipped")
        return None
    element = cast("Mapping[str, object]", value)
    for key in (key for key in element if key not in _KEYS):
        findings.report_shared(f"the key “{shortened(key)}” is unknown and ignored", place)
    named = Place(f"{place.path}{_subject(element)}", place.line)
    try:
        full = _full(element.get("audio_description"))
        occurrence, salience = _occurrence(element, named, findings), _salience(element, named, findings)
    except ElementError as error:
        findings.report(named, f"{error}: skipped")
        return None
    if occurrence is None or salience is None:
        occurrence = salience = None
    compressions = _compressions(element.get("compressed_audio_descriptions"), full, named, findings)
    return Draft(
        place=named,
        identity=_identity(element, named, findings),
        extract=_extract(element, named, findings),
        variants=(Variant(full), *compressions),
        occurrence=occurrence,
        salience=salience,
    )


def read_time(value: object) -> int:
    """A time in milliseconds: seconds as a number or text, `MM:SS` or `HH:MM:SS`, with or without decimals.

    Models write any number of decimals; beyond three they are rounded.

    Raises:
        ElementError: for anything else, a negative time, or one beyond a hundred hours.
    """
    seconds = _seconds(value)
    if not seconds.is_finite() or seconds > MAX_TIME_MS // 1000:
        raise ElementError(f"{shown(value)} is not a time in a film")
    if seconds < 0:
        raise ElementError(f"{shown(value)} is negative")
    return int((seconds * 1000).to_integral_value())


def _seconds(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if not isinstance(value, str):
        raise ElementError(f"{shown(value)} is not a time")
    text = value.strip()
    if text.startswith(("-", "−")):
        raise ElementError(f"{shown(value)} is negative or not a time")
    if _SECONDS.match(text):
        return Decimal(text.replace(",", "."))
    found = _CLOCK.match(text)
    if found is None:
        raise ElementError(f"{shown(value)} is not a time (HH:MM:SS.mmm, MM:SS or seconds)")
    hours, minutes, seconds = int(found[1] or 0), int(found[2]), Decimal(found[3].replace(",", "."))
    if seconds >= 60 or (found[1] and minutes >= 60):
        raise ElementError(f"{shown(value)} is not a time: minutes and seconds go up to 59")
    return (hours * 60 + minutes) * 60 + seconds


def tidy(text: str) -> str:
    """A text on one line, composed (NFC); spaces other than line breaks and tabs are preserved (French needs them)."""
    return _BREAKS.sub(" ", composed(text)).strip()


def unfit(text: str) -> bool:
    """Whether a text has control characters or lone surrogates, which a script cannot contain."""
    return _UNFIT.search(text) is not None


def _subject(element: Mapping[str, object]) -> str:
    for key in ("id", "scene_description_extract", "audio_description"):
        value = element.get(key)
        if isinstance(value, str) and value.strip():
            return f" (“{shortened(value)}”)"
    return ""


def _full(value: object) -> str:
    if value is None:
        raise ElementError("audio_description is missing")
    if not isinstance(value, str):
        raise ElementError(f"audio_description is {shown(value)}, not a text")
    text = tidy(value)
    fault = _text_fault(text, count_words(text))
    if fault:
        raise ElementError(f"audio_description {fault}")
    return text


def _text_fault(text: str, word_count: int) -> str:
    if len(text) > LONGEST_TEXT:
        return f"is longer than {LONGEST_TEXT:,} characters"
    if unfit(text):
        return "has control characters in it"
    if word_count == 0:
        return "has no words"
    return ""


def _occurrence(element: Mapping[str, object], place: Place, findings: Findings) -> Span | None:
    times: list[int] = []
    absent: list[str] = []
    for key in ("occurrence_start", "occurrence_end"):
        if element.get(key) is None:
            absent.append(key)
            continue
        try:
            times.append(read_time(element[key]))
        except ElementError as error:
            raise ElementError(f"{key} {error}") from None
    missing = [key for key in absent if key not in element]
    if missing or len(absent) == 1:
        findings.report_shared(f"{' and '.join(missing or absent)} missing, so it cannot be placed", place)
    if absent:
        return None
    start, end = times
    if end < start:
        raise ElementError(
            f"occurrence_end {shown(element['occurrence_end'])} is before "
            f"occurrence_start {shown(element['occurrence_start'])}"
        )
    if end == start:
        findings.report_shared("the occurrence has zero length", place)
    return Span(start, end)


def _salience(element: Mapping[str, object], place: Place, findings: Findings) -> int | None:
    value = element.get("salience")
    if value is None:
        if element.get("occurrence_start") is not None and element.get("occurrence_end") is not None:
            findings.report_shared("an occurrence without a salience, so it cannot be placed", place)
        return None
    if not isinstance(value, Decimal) or not value.is_finite() or not -LARGEST_SALIENCE <= value <= LARGEST_SALIENCE:
        raise ElementError(f"salience {shown(value)} is not a number from −10,000 to 10,000")
    if not 0 <= value <= 1:
        findings.report_shared("salience outside 0…1, used as given", place)
    return int((value * SALIENCE_UNIT).to_integral_value())


def _compressions(value: object, full: str, place: Place, findings: Findings) -> list[Variant]:
    if value is None:
        findings.report_shared("no compressed_audio_descriptions, so there is only the full wording", place)
        return []
    if not isinstance(value, dict):
        findings.report(
            place, f"compressed_audio_descriptions is {shown(value)}, not an object: only the full wording is used"
        )
        return []
    by_rate: dict[Fraction, object] = {}
    for key, text in cast("Mapping[str, object]", value).items():
        rate = Fraction(key) if _RATE.match(key) else None
        if rate is not None and rate in RATES:
            by_rate[rate] = text
        else:
            findings.report_shared(f"the compression “{shortened(key)}” is not one of 0.9 … 0.5 and ignored", place)
    found: list[Variant] = []
    taken = {full: "is the same as the full wording"}
    most_words = count_words(full)
    for rate in RATES:
        text, fault = _compression(by_rate.get(rate), taken, most_words)
        if fault:
            findings.report_shared(f"the compression at {float(rate)} {fault}: skipped", place)
        else:
            found.append(Variant(text, rate))
            taken[text] = "is the same as another"
    return found


def _compression(value: object, taken: Mapping[str, str], most_words: int) -> tuple[str, str]:
    """The wording, and what is wrong with it; `taken` maps existing wordings to the message for a duplicate."""
    if not isinstance(value, str):
        return "", "is missing" if value is None else "is not a text"
    text = tidy(value)
    if not text or text in taken:
        return text, taken.get(text, "is empty")
    word_count = count_words(text)
    if word_count > most_words:
        return text, "has more words than the full wording"
    return text, _text_fault(text, word_count)


def _identity(element: Mapping[str, object], place: Place, findings: Findings) -> str | None:
    value = element.get("id")
    if value is None:
        return None
    if isinstance(value, Decimal) and value.is_finite() and 0 <= value < 10**18 and value == value.to_integral_value():
        return str(int(value))
    if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_ID and not unfit(tidy(value)):
        return tidy(value)
    findings.report(place, f"the id {shown(value)} is invalid: a new one is assigned")
    return None


def _extract(element: Mapping[str, object], place: Place, findings: Findings) -> str:
    value = element.get("scene_description_extract")
    if value is None:
        findings.report_shared("no scene_description_extract", place)
        return ""
    text = tidy(value) if isinstance(value, str) else ""
    if not isinstance(value, str) or len(text) > LONGEST_TEXT or unfit(text):
        findings.report(place, f"the scene_description_extract {shown(value)} is not valid text: ignored")
        return ""
    return text
