"""Lexicons as files: CSV, or text with one word a line (`Siobhan = shiv-AWN`); phonemes there between strokes.

Whatever is read is taken as far as it makes sense; the rest is said with its line.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.narration import MAX_PRONUNCIATIONS, Lexicon, Pronunciation
from adstudio.core.words import composed, folded

LARGEST = 2 << 20
"""Bytes of a file."""
COLUMNS = ("word", "spoken", "phonemes")
MOST_ODDITIES = 100
_LONGEST_LINE = 4_000
_TEXT_HEAD = "# word\tspoken"
"""What the text form begins with; what follows is a word, whatever it is."""
_SEPARATORS = ("\t", ";", ",", "=")
_TRUE = {"yes", "true", "1", "x", "y", "ipa", "phonemes", "phoneme", "ja", "oui", "sí", "si"}
_HEADS = {"word", "words", "term", "name", "grapheme", "wort", "mot", "palabra"}
_SPOKEN_HEADS = {"spoken", "spoken as", "pronunciation", "alias", "respelling", "say", "aussprache", "prononciation"}
_STROKES = re.compile(r"/\s*(.+?)\s*/\Z")
_FALSE = {"no", "false", "0", "n", "nein", "non"}
_GUARDED_STARTS = ("=", "+", "-", "@", "#")
"""A cell that begins so would be a formula to a spreadsheet, or a comment here; it gets an apostrophe in front."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True)
class ReadLexicon:
    """The pronunciations of a file, each word once, and what of it was not taken."""

    entries: Lexicon
    oddities: tuple[Oddity, ...] = ()


def read_lexicon(data: bytes, name: str) -> ReadLexicon:
    """The lexicon in the bytes of a file; of two entries for a word the later counts.

    Raises:
        BadInputError: for what is no text, or has no pronunciation in it.
    """
    text, oddities = _decoded(data, name)
    separator = _separator(text)
    entries: dict[str, Pronunciation] = {}
    for place, (number, cells) in enumerate(_rows(text, separator)):
        if not place and _is_head(cells) and not text.startswith(_TEXT_HEAD):
            continue
        entry, problem = _entry(cells)
        if entry is None:
            oddities.append(Oddity(problem, number))
            continue
        word = folded(entry.word)
        if word not in entries and len(entries) >= MAX_PRONUNCIATIONS:
            oddities.append(Oddity(f"only the first {MAX_PRONUNCIATIONS:,} words are taken", number))
            break
        if word in entries and entries[word] != entry:
            oddities.append(Oddity(f"“{entry.word}” is there twice: the later one is taken", number))
        entries[word] = entry
    if not entries:
        raise BadInputError(f"{name[:200]} has no pronunciations: each line is to have a word and how it is spoken")
    if len(oddities) > MOST_ODDITIES:
        more = len(oddities) - MOST_ODDITIES
        oddities = [*oddities[:MOST_ODDITIES], Oddity(f"and {more:,} more lines")]
    return ReadLexicon(tuple(entries.values()), tuple(oddities))


def lexicon_as_csv(lexicon: Sequence[Pronunciation]) -> bytes:
    """Values separated by commas, in UTF-8 with a byte-order mark; a cell that is a formula gets an apostrophe."""
    rows = ((entry.word, entry.spoken, "yes" if entry.phonemes else _unlike_phonemes(entry)) for entry in lexicon)
    return codecs.BOM_UTF8 + _table((COLUMNS, *rows), ",", "\r\n")


def lexicon_as_text(lexicon: Sequence[Pronunciation]) -> bytes:
    """A word and how it is spoken in each line, with a tab between; phonemes between strokes. UTF-8."""
    return f"{_TEXT_HEAD}\n".encode() + _table(map(_text_row, lexicon), "\t", "\n")


def _text_row(entry: Pronunciation) -> tuple[str, ...]:
    if not entry.phonemes:
        no = _unlike_phonemes(entry)
        return (entry.word, entry.spoken, no) if no else (entry.word, entry.spoken)
    between = f"/{entry.spoken}/"
    found = _STROKES.match(between)
    exact = found is not None and found[1] == entry.spoken
    return (entry.word, between) if exact else (entry.word, entry.spoken, "yes")


def _unlike_phonemes(entry: Pronunciation) -> str:
    """What says of a respelling that it is one, where it is written between strokes."""
    return "no" if _STROKES.match(entry.spoken) else ""


def _table(rows: Iterable[Sequence[str]], delimiter: str, end: str) -> bytes:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator=end).writerows(map(_guarded, row) for row in rows)
    return written.getvalue().encode("utf-8")


def _decoded(data: bytes, name: str) -> tuple[str, list[Oddity]]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), []
    if b"\0" in data:
        raise BadInputError(f"{name[:200]} is not a text file: choose a list of words as CSV or text")
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), [Oddity("it is not UTF-8, and is read as Windows-1252")]


def _separator(text: str) -> str:
    """What stands between a word and how it is spoken: what most of the first lines have, the rarest in words first."""
    lines = [line for line in text[:100_000].splitlines()[:200] if line.strip() and not line.startswith("#")]
    headed = (each for each in _SEPARATORS[:3] if lines and _is_head(_cells(lines[0], each)))
    frequent = (each for each in _SEPARATORS if sum(each in line for line in lines) * 2 > len(lines) > 0)
    return next(chain(headed, frequent), _SEPARATORS[0])


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each line's cells: no word has a line break in it, so a mark that is not closed spoils its own line only."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        yield number, [] if len(line) > _LONGEST_LINE else _cells(line, separator)


def _cells(line: str, separator: str) -> list[str]:
    if separator == "=":
        return line.split("=", 1)
    try:
        return [cell for row in csv.reader([line], delimiter=separator) for cell in row]
    except csv.Error:
        return []


def _is_head(cells: list[str]) -> bool:
    plain = [cell.strip().casefold() for cell in cells[:2]]
    return len(plain) == 2 and plain[0] in _HEADS and plain[1] in _SPOKEN_HEADS


def _entry(cells: list[str]) -> tuple[Pronunciation | None, str]:
    """The pronunciation in a line, else why there is none."""
    if len(cells) < 2:
        return None, "this line has no word with how it is spoken"
    word, spoken = (_unguarded(composed(cell.strip())) for cell in cells[:2])
    kind = cells[2].strip().casefold() if len(cells) > 2 else ""
    strokes = None if kind in _TRUE or kind in _FALSE else _STROKES.match(spoken)
    phonemes = strokes is not None or kind in _TRUE
    try:
        return Pronunciation(word, strokes[1] if strokes else spoken, phonemes), ""
    except ValueError as error:
        return None, str(error)


def _guarded(text: str) -> str:
    return f"'{text}" if text.lstrip("'").startswith(_GUARDED_STARTS) else text


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_GUARDED_STARTS) else text
