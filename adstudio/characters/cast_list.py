"""Cast lists: tables with columns, or text with a character and an actor on each line.

A table has a head (name, alias, description, pronouns, in any order and a few languages). Text has lines such as
“NORA VALE … Anna Smith”, “Anna Smith as Nora Vale” or a name alone. Whatever is odd is said with its line.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.characters.cast_names import own_words, pronouns_of_title, shown_name, spelling_key
from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.cast import MAX_ALIASES, MAX_DESCRIBED_AS, MAX_PEOPLE, CharacterSource, People, Pronouns
from adstudio.core.errors import BadInputError, Oddity

LARGEST = 2 << 20
"""Bytes of a file."""
MOST_ODDITIES = 20
_LONGEST_LINE = 2_000
_MOST_WORDS = 8
"""Words of a line that is a name alone; more are a sentence."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_SEPARATORS = ("\t", ";", ",")
_NAME, _ALIAS, _DESCRIPTION, _PRONOUNS = "name", "alias", "description", "pronouns"
_HEADS = {
    _NAME: "name character role characters rolle figur personnage rôle personaje nombre nom personaggio",
    _ALIAS: "alias aliases also nickname nicknames aka spitzname auch surnom apodo",
    _DESCRIPTION: "description until beschreibung descripción descrizione notes",
    _PRONOUNS: "pronoun pronouns pronomen pronoms pronombres gender sex",
}
_COLUMN = {word: column for column, words in _HEADS.items() for word in words.split()}
_SHE, _HE, _THEY = (
    {"she", "her", "f", "female", "w", "sie", "elle", "ella", "woman"},
    {"he", "him", "m", "male", "er", "il", "él", "man"},
    {"they", "them", "x", "nb"},
)
_LEADER = re.compile(r"\s*(?:\.{2,}|…+|(?:\s\.){2,}|·{2,}|_{3,})[\s.…·_]*|\t+|\s{3,}|\s+[–—-]+\s+")
_AS = re.compile(r"\s+as\s+", re.IGNORECASE)
_BETWEEN_ALIASES = re.compile(r"[,/|;]")


@dataclass(frozen=True)
class CastList:
    """The people of a list in its order, and what of it was not taken."""

    people: tuple[FoundPerson, ...]
    oddities: tuple[Oddity, ...] = ()


def read_cast_list(data: bytes, name: str, people: People = ()) -> CastList:
    """The cast list in the bytes of a file; the `people` who are known tell characters from actors.

    Raises:
        BadInputError: for what is no text, or has no names in it.
    """
    text = _decoded(data, name)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    known = {spelling_key(each) for person in people for each in person.names}
    table = _table(lines)
    rows = _text_rows(lines, known) if table is None else table
    found: dict[str, FoundPerson] = {}
    oddities: list[Oddity] = []
    for number, row in rows:
        if isinstance(row, str):
            oddities.append(Oddity(row, number))
        elif (key := spelling_key(row.name)) in found:
            oddities.append(Oddity(f"“{row.name}” is there twice: the first one is taken", number))
        elif len(found) >= MAX_PEOPLE:
            oddities.append(Oddity(f"only the first {MAX_PEOPLE} people are taken", number))
            break
        else:
            found[key] = row
    if not found or (table is None and len(oddities) > len(found)):
        raise BadInputError(
            f"{name[:200]} is not a cast list: each line is to have a character and, if wanted, the actor "
            "(NORA VALE … Anna Smith), or it is a table with a column “name”"
        )
    if len(oddities) > MOST_ODDITIES:
        more = len(oddities) - MOST_ODDITIES
        oddities = [*oddities[:MOST_ODDITIES], Oddity(f"and {more:,} more lines")]
    return CastList(tuple(found.values()), tuple(oddities))


def _decoded(data: bytes, name: str) -> str:
    if len(data) > LARGEST:
        raise BadInputError(f"{name[:200]} is larger than {LARGEST >> 20} MB: choose a cast list as CSV or text")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data or data.startswith((b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8")):
        raise BadInputError(f"{name[:200]} is not a text file: choose a cast list as CSV or text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _table(lines: Sequence[tuple[int, str]]) -> list[tuple[int, FoundPerson | str]] | None:
    """The rows of a table, whose first line names a column of names; None for text."""
    if not lines or len(lines[0][1]) > _LONGEST_LINE:
        return None
    for separator in _SEPARATORS:
        columns = [_COLUMN.get(cell.strip().casefold(), "") for cell in _cells(lines[0][1], separator)]
        if _NAME in columns and (len(columns) > 1 or separator == _SEPARATORS[-1]):
            return [(number, _row(line, separator, columns)) for number, line in lines[1:]]
    return None


def _row(line: str, separator: str, columns: Sequence[str]) -> FoundPerson | str:
    if len(line) > _LONGEST_LINE:
        return "this line is too long"
    cells = {column: cell.strip() for column, cell in zip(columns, _cells(line, separator), strict=False) if column}
    name = shown_name(cells.get(_NAME, "").lstrip("'"))
    if not name:
        return "this line has no name"
    aliases = [shown_name(each) for each in _BETWEEN_ALIASES.split(cells.get(_ALIAS, ""))][:MAX_ALIASES]
    described = " ".join(cells.get(_DESCRIPTION, "").split())
    return FoundPerson(
        name,
        CharacterSource.CAST_LIST,
        aliases=tuple(dict.fromkeys(each for each in aliases if each)),
        described_as=described if len(described) <= MAX_DESCRIBED_AS and described.isprintable() else "",
        pronouns=_pronouns(cells.get(_PRONOUNS, ""), name),
    )


def _pronouns(written: str, name: str) -> Pronouns:
    first = re.split(r"\W+", written.strip().casefold())[0]
    known = {
        **dict.fromkeys(_SHE, Pronouns.SHE),
        **dict.fromkeys(_HE, Pronouns.HE),
        **dict.fromkeys(_THEY, Pronouns.THEY),
    }
    return known.get(first) or pronouns_of_title(name)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), list[str]())
    except csv.Error:
        return []


def _text_rows(lines: Sequence[tuple[int, str]], known: set[str]) -> Iterator[tuple[int, FoundPerson | str]]:
    """A character of each line; of two names the character is on the side that is known, or in capitals, or first."""
    pairs = [(number, _sides(line)) for number, line in lines]
    two = [sides for _, sides in pairs if sides is not None and len(sides) == 2]
    side = 0
    if two:
        side = max((0, 1), key=lambda place: (_known(two, place, known), _shouted(two, place), -place))
    for number, sides in pairs:
        if sides is None:
            yield number, "this line is not a name, or a character and an actor"
            continue
        name = shown_name(sides[min(side, len(sides) - 1)])
        if not name or not any(char.isalpha() for char in name):
            yield number, "this line has no name"
        elif len(sides) > 1 or len(name.split()) <= _MOST_WORDS:
            yield number, FoundPerson(name, CharacterSource.CAST_LIST, pronouns=pronouns_of_title(name))


def _sides(line: str) -> tuple[str, ...] | None:
    """The names on a line; None for a line that is none, as a sentence."""
    if len(line) > _LONGEST_LINE:
        return None
    plain = line.strip()
    parts = tuple(part for part in _LEADER.split(plain, maxsplit=1) if part.strip())
    if len(parts) < 2 and (actor_and_part := _AS.split(plain, maxsplit=1))[1:]:
        parts = (actor_and_part[1], actor_and_part[0])
    if any(len(part.split()) > _MOST_WORDS for part in parts) or (plain.endswith((".", "!", "?")) and len(parts) < 2):
        return None
    return parts


def _known(two: Sequence[tuple[str, ...]], place: int, known: set[str]) -> int:
    return sum(spelling_key(shown_name(sides[place])) in known or _first_known(sides[place], known) for sides in two)


def _first_known(written: str, known: set[str]) -> bool:
    words = own_words(shown_name(written))
    return bool(words) and words[0] in known


def _shouted(two: Sequence[tuple[str, ...]], place: int) -> int:
    return sum(sides[place].isupper() for sides in two)
