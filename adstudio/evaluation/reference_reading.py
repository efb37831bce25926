"""A reference AD read for comparison with a project: every form of script that can be imported, in the film's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.evaluation.gap_rows import SpokenLine
from adstudio.evaluation.languages import language_of, may_be_same
from adstudio.evaluation.material import Description
from adstudio.evaluation.time_base import OtherFilm, OtherTimeBase, mismatch
from adstudio.importing.film_script import read_film_script
from adstudio.importing.script_times import ScriptTimes
from adstudio.script_files.columns import ColumnChoices
from adstudio.script_files.finished import FinishedLine


@dataclass(frozen=True)
class ReferenceScript:
    """The lines of a reference AD in the order of time.

    `notes` are what was assumed of it, and what of it is not compared; `oddities` what is odd in its file.
    """

    lines: tuple[SpokenLine, ...]
    notes: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()


def read_reference(
    path: Path,
    script: Script,
    times: ScriptTimes,
    columns: ColumnChoices | None = None,
    plan: Sequence[Description] = (),
) -> ReferenceScript:
    """Read a reference AD; of the project's script its film, dialogue and settings count, and what its plan says.

    Lines whose end the file does not say are as long as their text takes at the project's speaking rate, at most until
    the next one begins.

    Raises:
        UnclearColumnsError, ScriptTimesError, BadInputError, OutsideFailureError: as `read_film_script` does.
    """
    read = read_film_script(path, script, times, columns)
    finished, film = read.finished, script.film
    rate = script.settings.rate_for(finished.language or film.language)
    inside = sorted((line for line in finished.lines if _is_compared(line, film.end)), key=lambda line: line.start)
    follows = [line.start for line in inside[1:]]
    spoken = (_spoken(line, following, rate) for line, following in zip(inside, [*follows, None], strict=True))
    lines = sorted(spoken, key=lambda line: line.description.span)
    notes = list(read.notes)
    missing = sum(not 0 <= line.start < film.end for line in finished.lines)
    if missing:
        notes.append(f"{_count(missing)} outside the film and not compared")
    if finished.untimed:
        notes.append(f"{_count(len(finished.untimed))} without a time and not compared")
    descriptions = [line.description for line in lines]
    language, ours = language_of(descriptions, finished.language), language_of(plan, film.language)
    if not may_be_same(language, ours):
        notes.append(f"it is in another language ({language}) than the project ({ours})")
    off = None if times.speed is not None else mismatch(plan, descriptions)
    if off is not None:
        notes.append(_time_base_note(off))
    return ReferenceScript(tuple(lines), tuple(notes), (*finished.oddities, *read.label_oddities))


def _is_compared(line: FinishedLine, end: int) -> bool:
    return 0 <= line.start < end and count_words(line.text) > 0


def _spoken(line: FinishedLine, following: int | None, words_per_minute: int) -> SpokenLine:
    text, start = " ".join(line.text.split()), line.start
    length = spoken_ms(text, words_per_minute) if line.end is None or line.end <= start else line.end - start
    if line.extended:
        # The film stands still meanwhile.
        return SpokenLine(Description(Span(start, start), text), length, line.origin)
    if (line.end is None or line.end <= start) and following is not None and following > start:
        length = min(length, following - start)
    return SpokenLine(Description(Span(start, start + length), text), length, line.origin)


def _count(lines: int) -> str:
    return "1 line is" if lines == 1 else f"{lines:,} lines are"


def _time_base_note(off: OtherTimeBase | OtherFilm) -> str:
    if isinstance(off, OtherFilm):
        seen = f"{off.together:,} of {off.shared:,} pairs of lines that share a rare word match in time"
        return f"it has hardly anything in common with the plan at any time: check that it is of this film ({seen})"
    seen = f"{off.together} of {off.shared} pairs of lines that share a rare word would then match in time"
    if off.rates[0]:
        theirs, ours = off.rates[1], off.rates[0]
        return f"it runs at the speed of {theirs} frames a second, where the plan runs at {ours} ({seen})"
    amount = f"{abs(off.later) / 1000:.1f} s {'later' if off.later > 0 else 'earlier'}"
    return f"its times are {amount} than the plan’s throughout ({seen})"
