"""What a project has no place for of an imported line, for the describer to read in the line’s note."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from adstudio.core.narration import Pronunciation
from adstudio.importing.placing import PlacedLine, pronunciations_in

_LONGEST_NUMBER = 10


def note_parts(
    line: PlacedLine, *, numbers: Collection[str], voices: Collection[str], lexicon: Collection[Pronunciation]
) -> Iterator[str]:
    """The notes of the file, a number other than those that the line has here, another voice, and pronunciations.

    Pronunciations that the lexicon has are left out.
    """
    source = line.source
    yield line.note
    number = source.number.strip(" .#")
    if number and number not in numbers:
        yield f"number {source.number}"
    if source.voice and source.voice not in voices:
        yield f"voice: {source.voice}"
    words = pronunciations_in(source.pronunciation, line.text)
    if source.pronunciation and (words is None or any(each not in lexicon for each in words)):
        yield f"pronunciation: {source.pronunciation}"


def only_counts(lines: Sequence[PlacedLine]) -> bool:
    """Whether a script's numbers only count its rows, through or anew for each reel, and are no house's own."""
    numbers = [number for line in lines if (number := line.source.number.strip(" .#"))]
    plain = all(number.isdecimal() and len(number) < _LONGEST_NUMBER for number in numbers)
    return plain and min(map(int, numbers), default=0) <= len(lines)


def narrator_of(lines: Sequence[PlacedLine]) -> str:
    """The voice that all lines have, if they are several: it is the script's narrator, and no note about each."""
    voices = {line.source.voice for line in lines}
    return min(voices) if len(voices) == 1 and len(lines) > 2 else ""


def without_known(parts: Iterable[str], note: str) -> Iterator[str]:
    """The parts with anything in them that a note lacks, whatever its spaces and line breaks."""
    known = " ".join(note.split())
    for part in parts:
        words = " ".join(part.split())
        if words and words not in known:
            yield part
            known = f"{known} {words}"
