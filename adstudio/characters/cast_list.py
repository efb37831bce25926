"""Cast lists: tables with columns, or text with a character and an actor on each line.

A table has a head (name, alias, description, pronouns, in any order and a few languages). Text has lines such as
“NORA VALE … Anna Smith”, “Anna Smith as Nora Vale” or a name alone. Whatever is odd is said with its line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adstudio.characters.cast_list_names import are_several, listed_name, listed_people, may_be_several, what_changed
from adstudio.characters.cast_names import own_words, pronouns_of_title, shown_name, spelling_key
from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.cast import (
    MAX_ALIASES,
    MAX_DESCRIBED_AS,
    MAX_NAME_LENGTH,
    MAX_PEOPLE,
    CharacterSource,
    People,
    Pronouns,
)
from adstudio.core.errors import BadInputError, Oddity
from adstudio.subtitles.decoding import decode, recoded
from adstudio.subtitles.invisible import without_marks

LARGEST = 2_000_000
"""Bytes of a file."""
MOST_ODDITIES = 20
_LONGEST_LINE = 2_000
_LONGEST_ROW = 100_000
"""Characters of a row of a table; `csv` refuses longer cells."""
_LONGEST_NAME = 300
_MOST_WORDS = 8
"""Words of a line that is a name alone; more are a sentence."""
_SHOWN = 60
"""Characters of what a file says in a message about it."""
_NO_NAME = "“{}” is no name, so it is left out"
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
_CELLS = re.compile(r",(?=\S)|[;_={}<>|\\]")
"""What is in tables, programs and markup, but in no name; after the comma of a name there is a space."""


@dataclass(frozen=True)
class CastList:
    """The people of a list in its order, and what of it was not taken."""

    people: tuple[FoundPerson, ...]
    oddities: tuple[Oddity, ...] = ()


@dataclass(frozen=True)
class _Row:
    """A line of a list: its name as written, whom it gives (None if it is not taken), and what is said of it."""

    line: int
    written: str = ""
    person: FoundPerson | None = None
    said: tuple[str, ...] = ()
    actors: bool = False
    """Whether actors may stand in brackets."""


def read_cast_list(data: bytes, name: str, people: People = (), encoding: str | None = None) -> CastList:
    """The cast list in the bytes of a file; the `people` who are known tell characters from actors.

    The `encoding` is guessed unless it is given, and the guess is said.

    Raises:
        BadInputError: for what is no text in that encoding, or has no names in it.
    """
    text, about_text = _decoded(data, name, encoding)
    shown = ((number, without_marks(line)) for number, line in enumerate(text.splitlines(), 1))
    lines = [(number, line) for number, line in shown if line.strip()]
    if not lines:
        raise BadInputError(f"{name[:200]} is empty: choose another cast list")
    known = {spelling_key(each) for person in people for each in person.names}
    table = _table(lines)
    if table == []:
        raise BadInputError(f"{name[:200]} has a head and nothing below it: write a line for each character")
    rows = list(_text_rows(lines, known)) if table is None else table
    found, oddities, lost = _taken(rows, [each for person in people for each in person.names])
    if not found or (table is None and lost > len(found)):
        if table is not None:
            raise BadInputError(f"{name[:200]} is not a cast list: no line below its head has a name{_first(oddities)}")
        if 2 * sum(_CELLS.search(line) is not None for _, line in lines) > len(lines):
            raise BadInputError(
                f"{name[:200]} is not a cast list: if it is a table, its first line is to name the columns, one of them"
                " “name”"
            )
        raise BadInputError(
            f"{name[:200]} is not a cast list: each line is to have a character and, if wanted, the actor "
            "(NORA VALE … Anna Smith), or it is a table with a column “name”"
        )
    if len(oddities) > MOST_ODDITIES:
        more = len(oddities) - MOST_ODDITIES
        oddities = [*oddities[:MOST_ODDITIES], Oddity(f"and {more:,} more lines")]
    return CastList(tuple(found), (*about_text[:MOST_ODDITIES], *oddities))


def _first(oddities: Sequence[Oddity]) -> str:
    """The first thing that is odd, with its line, in brackets."""
    return f" (line {oddities[0].line}: {oddities[0].what})" if oddities else ""


def _taken(rows: Sequence[_Row], known: Sequence[str]) -> tuple[list[FoundPerson], list[Oddity], int]:
    """The people of the rows, what is said of these, and how many gave nobody; `known` are names of the project."""
    people = [row.person for row in rows if row.person is not None]
    names_there = (*known, *(name for person in people for name in (person.name, *person.aliases)))
    single = [name for name in names_there if not may_be_several(name)]
    keys = {key for name in single for key in (spelling_key(name), *own_words(name))}
    named_by = {
        written: listed_people(written, keys, actors=actors)
        for written, actors in {(row.written, row.actors) for row in rows}
    }
    named = [(row, named_by[row.written]) for row in rows]
    own = {spelling_key(names[0]) for _, names in named if len(names) == 1}
    there = own | {spelling_key(alias) for person in people for alias in person.aliases}
    found: dict[str, FoundPerson] = {}
    oddities: list[Oddity] = []
    lost = 0
    for row, names in named:
        said = list(row.said)
        new: list[FoundPerson] = []
        if row.person is not None and len(names) > 1:
            said = [_several(row.written, row.person, names)]
            missing = (each for each in names if spelling_key(each) not in there and spelling_key(each) not in found)
            new = [FoundPerson(each, CharacterSource.CAST_LIST, pronouns=pronouns_of_title(each)) for each in missing]
        elif row.person is not None and names and spelling_key(names[0]) in found:
            lost += 1
            said = [f"“{names[0]}” is there twice: the first one is taken"]
        elif row.person is not None and names:
            person, dropped = _without_names_of_others(replace(row.person, name=names[0]), own)
            cut = [what_changed(row.written, names[0])] if names[0] != row.person.name else []
            new, said = [person], [*cut, *dropped, *said]
        else:
            lost += 1
        if len(found) + len(new) > MAX_PEOPLE:
            oddities.append(Oddity(f"only the first {MAX_PEOPLE} people are taken", row.line))
            break
        found.update((spelling_key(each.name), each) for each in new)
        oddities += (Oddity(what, row.line) for what in said)
    return list(found.values()), oddities, lost


def _several(written: str, person: FoundPerson, names: Sequence[str]) -> str:
    more = person.aliases or person.described_as or person.pronouns is not pronouns_of_title(person.name)
    rest = "; what else the line says is left out" if more else ""
    return f"“{written[:_SHOWN]}” are several people, who are taken one by one: {', '.join(names)}{rest}"


def _without_names_of_others(person: FoundPerson, own: set[str]) -> tuple[FoundPerson, list[str]]:
    """A person without further names that another character has for a name, or that are several people's."""
    aliases: list[str] = []
    said: list[str] = []
    for alias in person.aliases:
        if spelling_key(alias) != spelling_key(person.name) and spelling_key(alias) in own:
            said.append(f"“{alias}” is not taken as a further name of {person.name}: another character is called so")
        elif are_several(alias):
            said.append(f"“{alias}” is not taken as a further name of {person.name}: these are several people")
        else:
            aliases.append(alias)
    return replace(person, aliases=tuple(aliases)), said


def _decoded(data: bytes, name: str, encoding: str | None) -> tuple[str, list[Oddity]]:
    if len(data) > LARGEST:
        raise BadInputError(f"{name[:200]} is larger than {LARGEST / 1e6:g} MB: choose a cast list as CSV or text")
    if data.startswith((b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8")):
        raise BadInputError(f"{name[:200]} is not a text file: choose a cast list as CSV or text")
    source, oddities = decode(recoded(data, name[:200], encoding), name[:200])
    return source.clean(source.text), oddities


def _table(lines: Sequence[tuple[int, str]]) -> list[_Row] | None:
    """The rows of a table, whose first line names a column of names; None for text."""
    if not lines or len(lines[0][1]) > _LONGEST_ROW:
        return None
    for separator in _SEPARATORS:
        columns = [_COLUMN.get(cell.strip().casefold(), "") for cell in _cells(lines[0][1], separator)]
        if _NAME in columns and (len(columns) > 1 or separator == _SEPARATORS[-1]):
            return [_row(number, line, separator, columns) for number, line in lines[1:]]
    return None


def _row(number: int, line: str, separator: str, columns: Sequence[str]) -> _Row:
    """The person of a row, and what of it was not taken."""
    if len(line) > _LONGEST_ROW:
        return _Row(
            number, said=(f"this line has more than {_LONGEST_ROW:,} characters, so it is left out: shorten it",)
        )
    cells = _cells(line, separator)
    if not cells:
        return _Row(number, said=("the quotation marks of this line do not match, so it is left out",))
    return _row_of({column: cell.strip() for column, cell in zip(columns, cells, strict=False) if column}, number)


def _row_of(cells: Mapping[str, str], number: int) -> _Row:
    written = cells.get(_NAME, "")
    if len(written) > _LONGEST_NAME:
        cut = f"“{written[:_SHOWN]}…” is too long for a name, so it is left out (at most {MAX_NAME_LENGTH} characters)"
        return _Row(number, said=(cut,))
    name = listed_name(written)
    if not name:
        return _Row(number, said=(_without_name(written),))
    also = cells.get(_ALIAS, "").strip()
    parts = _BETWEEN_ALIASES.split(also) if listed_name(also) else [also]  # N/A is one
    further = [each.strip() for each in parts if each.strip()]
    names = [(each, listed_name(each)) for each in further]
    aliases = tuple(dict.fromkeys(alias for _, alias in names if alias))
    described = " ".join(cells.get(_DESCRIPTION, "").split())
    fits = len(described) <= MAX_DESCRIBED_AS and described.isprintable()
    asked = cells.get(_PRONOUNS, "")
    pronouns = _pronouns(asked)
    person = FoundPerson(
        name,
        CharacterSource.CAST_LIST,
        aliases=aliases[:MAX_ALIASES],
        described_as=described if fits else "",
        pronouns=pronouns or pronouns_of_title(name),
    )
    said = [what_changed(written, name)]
    said += (what_changed(each, alias) if alias else _NO_NAME.format(each[:_SHOWN]) for each, alias in names)
    if len(aliases) > MAX_ALIASES:
        said.append(f"only the first {MAX_ALIASES} further names of “{name}” are taken")
    if not fits:
        said.append(f"the description of “{name}” is not taken: it is to have at most {MAX_DESCRIBED_AS} characters")
    if asked and pronouns is None:
        said.append(f"“{asked[:_SHOWN]}” are no pronouns that are known (she, he, they): those of “{name}” stay open")
    return _Row(number, written, person, tuple(filter(None, said)))


def _without_name(written: str) -> str:
    if not written.strip():
        return "this line has no name, so it is left out: write one, or delete the line"
    return f"“{written.strip()[:_SHOWN]}” names nobody, so this line is left out: write the character’s name there"


def _pronouns(written: str) -> Pronouns | None:
    first = re.split(r"\W+", written.strip().casefold())[0]
    known = {
        **dict.fromkeys(_SHE, Pronouns.SHE),
        **dict.fromkeys(_HE, Pronouns.HE),
        **dict.fromkeys(_THEY, Pronouns.THEY),
    }
    return known.get(first)


def _cells(line: str, separator: str) -> list[str]:
    """The cells of a line; none where its quotation marks do not match."""
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), list[str]())
    except csv.Error:
        return []


def _text_rows(lines: Sequence[tuple[int, str]], known: set[str]) -> Iterator[_Row]:
    """A character of each line; of two names the character is on the side that is known, or in capitals, or first."""
    pairs = [(number, _sides(line)) for number, line in lines]
    two = [sides for _, sides in pairs if sides is not None and len(sides) == 2]
    side = 0
    if two:
        side = max((0, 1), key=lambda place: (_known(two, place, known), _shouted(two, place), -place))
    for number, sides in pairs:
        if sides is None:
            yield _Row(number, said=("this line is not a name, or a character and an actor",))
            continue
        written = sides[min(side, len(sides) - 1)]
        name = listed_name(written, actors=True)
        if not name:
            yield _Row(number, said=(_without_name(written),))
            continue
        person = FoundPerson(name, CharacterSource.CAST_LIST, pronouns=pronouns_of_title(name))
        yield _Row(number, written, person, tuple(filter(None, (what_changed(written, name),))), actors=True)


def _sides(line: str) -> tuple[str, ...] | None:
    """The names on a line; None for a line that is none, as a sentence."""
    if len(line) > _LONGEST_LINE:
        return None
    plain = line.strip()
    parts = tuple(part for part in _LEADER.split(plain, maxsplit=1) if part.strip())
    if len(parts) < 2 and (actor_and_part := _AS.split(plain, maxsplit=1))[1:]:
        parts = (actor_and_part[1], actor_and_part[0])
    if _CELLS.search(_LEADER.sub(" ", plain)) or any(len(part.split()) > _MOST_WORDS for part in parts):
        return None
    if plain.endswith((".", "!", "?")) and len(parts) < 2:
        return None
    return parts


def _known(two: Sequence[tuple[str, ...]], place: int, known: set[str]) -> int:
    return sum(spelling_key(shown_name(sides[place])) in known or _first_known(sides[place], known) for sides in two)


def _first_known(written: str, known: set[str]) -> bool:
    words = own_words(shown_name(written))
    return bool(words) and words[0] in known


def _shouted(two: Sequence[tuple[str, ...]], place: int) -> int:
    return sum(sides[place].isupper() for sides in two)
