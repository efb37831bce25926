"""Names as screenplays and subtitles write them, and whether two of them mean one person by a rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from adstudio.characters.name_lists import ADJECTIVES_OF_NAMES, HER_TITLES, HIS_TITLES, NICKNAMES, ROLES, TITLES
from adstudio.characters.name_words import plain_key, words_of_name
from adstudio.core.cast import MAX_NAME_LENGTH, MergeRule, Pronouns, require_name
from adstudio.core.words import composed
from adstudio.subtitles.invisible import without_marks

_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]*")
_SPACES = re.compile(r"\s+")
_AROUND = " :.-–—*"
_QUOTED = re.compile(r"(?<!\S)\"[^\"]+\"|(?<!\S)'[^']+'(?!\w)|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»")
_QUOTATION_MARKS = tuple("“”„«»\"'")
WITHIN = rf"[(\[][^)\]]*[)\]]*|{_QUOTED.pattern}"
"""What of a name separates nobody: brackets and quotations."""
_SEPARATORS = re.compile(rf"{WITHIN}|\s*(?P<between>[/&+]|\band\b)\s*", re.IGNORECASE)
_NOBODY = frozenset(
    ("all", "both", "everyone", "everybody", "crowd", "together", "others", "various", "chorus", "cast")
)
"""What stands for several people at once."""
_OTHER_AGES = ADJECTIVES_OF_NAMES | frozenset(
    ("younger", "older", "teenage", "adult", "baby", "child", "future", "past", "fake", "evil")
)
"""Words that make of a name somebody who is cast, seen and described apart: Young Nora."""
_LONGEST_WRITTEN = 300


def shown_name(written: str) -> str:
    """A name as people write it: Anna for ANNA, and without what is in brackets, as (V.O.); empty if it is none."""
    return name_of(_BRACKETS.sub("", readable(written)))


def readable(written: str) -> str:
    """A name without characters that show nothing, in NFC, with single spaces."""
    return _SPACES.sub(" ", without_marks(composed(written[:_LONGEST_WRITTEN]))).strip()


def name_of(plain: str) -> str:
    """A readable name without what stands around it, at most `MAX_NAME_LENGTH` long; empty if it is none."""
    plain = _bare(plain).removesuffix("’s")[:MAX_NAME_LENGTH].strip()
    if plain.isupper() and len(plain) > 2:
        plain = " ".join("-".join(part.capitalize() for part in word.split("-")) for word in plain.split(" "))
    try:
        require_name(plain)
    except ValueError:
        return ""
    return plain


def _bare(name: str) -> str:
    """A name without quotation marks and other signs around it; those of Nora “the Fox” are part of it."""
    while True:
        bare = name.strip(_AROUND)
        spans = [match.span() for match in _QUOTED.finditer(bare)]
        if bare.endswith(_QUOTATION_MARKS) and not any(start and end == len(bare) for start, end in spans):
            bare = bare[:-1]
        elif bare.startswith(_QUOTATION_MARKS) and not any(not start and end < len(bare) for start, end in spans):
            bare = bare[1:]
        if bare == name:
            return name
        name = bare


def people_in(written: str) -> tuple[str, ...]:
    """The single people that a speaker's name means, as shown: Nora and Tom for NORA & TOM; nobody for ALL."""
    return several(map(shown_name, parts_of(readable(written), _SEPARATORS)))


def parts_of(written: str, separators: re.Pattern[str]) -> list[str]:
    """A name cut at what the group `between` of the separators matches."""
    written = _bare(written)
    cuts = [match.span() for match in separators.finditer(written) if match["between"]]
    starts, ends = (0, *(end for _, end in cuts)), (*(start for start, _ in cuts), len(written))
    return [written[start:end] for start, end in zip(starts, ends, strict=True)]


def several(names: Iterable[str]) -> tuple[str, ...]:
    """Who of the parts of a name is somebody, each once: not OTHERS; MR & MRS VALE have one surname."""
    found = [name for name in names if name]
    last = found[-1].split()[-1] if found and has_title(found[-1]) and own_words(found[-1]) else ""
    whole = (f"{name.title()} {last}" if last and set(words_of_name(name)) <= TITLES else name for name in found)
    return tuple(dict.fromkeys(name for name in whole if not set(words_of_name(name)) <= _NOBODY))


@lru_cache(16_384)
def spelling_key(name: str) -> str:
    """A name by its words alone, without accents and punctuation: the same for Zoë, ZOE and “Zoe.”."""
    words = words_of_name(name)
    return " ".join(map(plain_key, words)) or name.casefold()


@lru_cache(16_384)
def own_words(name: str) -> tuple[str, ...]:
    """The words of a name without a title; empty where it names nobody in particular, as THE CLERK or GUARD 2."""
    rest = tuple(plain_key(word) for word in words_of_name(name) if word not in TITLES)
    common = any(word in ROLES or word in _OTHER_AGES or word.isdigit() for word in rest)
    return () if common else rest


def has_title(name: str) -> bool:
    """Whether a name begins with a form of address."""
    return words_of_name(name)[:1] != () and words_of_name(name)[0] in TITLES


def pronouns_of_title(name: str) -> Pronouns:
    """The pronouns that a form of address tells, as Mrs."""
    first = next(iter(words_of_name(name)), "")
    return Pronouns.SHE if first in HER_TITLES else Pronouns.HE if first in HIS_TITLES else Pronouns.UNKNOWN


@lru_cache(1 << 18)
def merge_rule(short: str, full: str) -> MergeRule | None:
    """The rule by which a shorter name may mean the person of a fuller one; None if none lets it.

    Whether it means nobody else is for the caller to see. Roles, numbers and ages keep people apart, and Nora is not
    NORA & TOM.
    """
    if spelling_key(short) == spelling_key(full):
        return MergeRule.WRITTEN_ALIKE
    one, other = own_words(short), own_words(full)
    together = any(len(parts_of(name, _SEPARATORS)) > 1 for name in (short, full))
    if together or not one or not other or len(one) > len(other):
        return None
    if has_title(short):
        last = one[-1] == other[-1] and set(one) <= set(other)
        return MergeRule.TITLE_AND_SURNAME if last and (len(other) > 1 or has_title(full)) else None
    if len(one) < len(other) and _within(one, other):
        return MergeRule.PART_OF_NAME
    if one == other:
        return MergeRule.PART_OF_NAME if has_title(full) else None
    return MergeRule.NICKNAME if _is_nickname(one, other) else None


def _within(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    words: Iterator[str] = iter(other)
    return all(word in words for word in one)


def _is_nickname(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the first names are a full and a short form of one, and what follows is the same as far as it goes."""
    first, full = one[0], other[0]
    return (first in NICKNAMES.get(full, ()) or full in NICKNAMES.get(first, ())) and _within(one[1:], other[1:])
