"""Names where spaces do not show words, or endings and prefixes are written on: Japanese, Korean, Russian, Arabic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adstudio.characters.name_index import NameIndex
from adstudio.characters.name_lists import GENITIVE_S, HONORIFICS, KOREAN_PARTICLES, UNINFLECTED
from adstudio.characters.name_words import Case, TextWords, key_of
from adstudio.core.language_tags import primary_subtag
from adstudio.core.words import UNSPACED

Found = tuple[int, int, tuple[str, ...], bool]
"""Start, end, whom it may mean (ids), and whether that is certain."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f]")
_HANGUL = re.compile("[\uac00-\ud7af]+")
_PREFIXES = ("و", "ف", "ب", "ل", "ك", "ו", "ה", "ב", "ל", "מ", "ש", "כ")
"""What Arabic and Hebrew write before a name without a space: and, to, in …"""
_LEAST_STEM = 3
_LONGEST_ENDING = 3
_LONGEST_SUFFIX = 6
"""Letters after an apostrophe, as Turkish writes them."""
_VOWELS = "aeiouyаеёиоуыэюяьйáéíóúąęěý"


@dataclass(frozen=True, slots=True)
class _Unspaced:
    name: str
    people: tuple[str, ...]


def unspaced_mentions(text: str, index: NameIndex) -> Iterator[Found]:
    """Names within runs of a script that is written without spaces, the longest first."""
    if not _UNSPACED.search(text):
        return
    names = sorted(_unspaced_names(index), key=lambda each: -len(each.name))
    taken: list[tuple[int, int]] = []
    for each in names:
        at = text.find(each.name)
        while at >= 0:
            end = at + len(each.name)
            if all(end <= first or at >= last for first, last in taken):
                taken.append((at, end))
                sure = len(each.people) == 1 and len(each.name) > 1 and _stands_alone(text, at, end)
                yield at, end, each.people, sure
            at = text.find(each.name, end)


def _unspaced_names(index: NameIndex) -> list[_Unspaced]:
    found: dict[str, set[str]] = {}
    for person in index.people:
        for name in person.names:
            for part in {name, *re.split(r"[\s・･]+", name)}:
                if part and all(_UNSPACED.match(char) for char in part):
                    found.setdefault(part, set()).add(person.id)
    order = {person.id: place for place, person in enumerate(index.people)}
    return [_Unspaced(name, tuple(sorted(ids, key=order.__getitem__))) for name, ids in found.items()]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter of the name's own script touches it, or an honorific follows."""
    if text.startswith(HONORIFICS, end):
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    for script in (_HAN, _KATAKANA):
        if script.match(text[start]) and script.match(before):
            return False
        if script.match(text[end - 1]) and script.match(after):
            return False
    written = _HAN.match(text[start]) or _KATAKANA.match(text[start])
    return bool(written) or not (_UNSPACED.match(before) or _UNSPACED.match(after))


def attached_mentions(read: TextWords, index: NameIndex, language: str) -> Iterator[Found]:
    """Names with an ending or a prefix: sure where the ending is known, else unsure."""
    main = primary_subtag(language)
    plain = main in UNINFLECTED
    for word in read.words:
        if (plain and word.whole.isascii() and word.whole.isalpha()) or index.claimants((word.key,)):
            continue
        for person, sure in _of_word(word.whole, word.case, index, main):
            yield word.start, word.tail, person, sure


def _of_word(written: str, case: Case, index: NameIndex, language: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    if case is Case.NONE:
        yield from _korean(written, index) if _HANGUL.fullmatch(written) else _prefixed(written, index)
        return
    if case is Case.SMALL:
        return
    stem, mark, ending = _at_apostrophe(written)
    if mark and 0 < len(ending) <= _LONGEST_SUFFIX and (people := _claimed(stem, index)):
        yield people, len(people) == 1 and language not in UNINFLECTED
    elif language in GENITIVE_S and written.endswith("s") and (people := _claimed(written[:-1], index)):
        yield people, len(people) == 1
    elif not (language in UNINFLECTED and written.isascii()) and (people := _inflected(key_of(written), index)):
        yield people, False


def _korean(written: str, index: NameIndex) -> Iterator[tuple[tuple[str, ...], bool]]:
    for length in range(len(written) - 1, 1, -1):
        people = _claimed(written[:length], index)
        if people and written[length:] in KOREAN_PARTICLES:
            yield people, len(people) == 1
            return


def _prefixed(written: str, index: NameIndex) -> Iterator[tuple[tuple[str, ...], bool]]:
    if written[:1] in _PREFIXES and len(written) > _LEAST_STEM and (people := _claimed(written[1:], index)):
        yield people, False


def _at_apostrophe(written: str) -> tuple[str, str, str]:
    found = re.search("['’ʼ]", written)
    return (written, "", "") if found is None else (written[: found.start()], found[0], written[found.end() :])


def _claimed(word: str, index: NameIndex) -> tuple[str, ...]:
    return tuple(each.person.id for each in index.claimants((key_of(word),)))


def _inflected(key: str, index: NameIndex) -> tuple[str, ...]:
    """Those of whose name a word may be a form: Норы of Нора."""
    found: list[str] = []
    for keys in index.forms:
        if len(keys) != 1:
            continue
        name = keys[0]
        stem = name[:-1] if name[-1] in _VOWELS else name
        ending = len(key) - len(stem)
        if len(stem) >= _LEAST_STEM and key.startswith(stem) and 0 <= ending <= _LONGEST_ENDING and key != name:
            found += [each.person.id for each in index.claimants(keys)]
    return tuple(dict.fromkeys(found))
