"""Whether the references and systems of a film go together: names, languages, time bases. What does not is refused."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import MAX_TIME_MS, Span, clock
from adstudio.evaluation.languages import language_of, may_be_same
from adstudio.evaluation.material import TAU_MS, EvaluatedFilm, SequenceSource
from adstudio.evaluation.reading import ReadScript
from adstudio.evaluation.request import EXPERT, RANDOM, FilmFiles, ScriptFile, expert_name
from adstudio.evaluation.time_base import OtherFilm, OtherTimeBase, mismatch
from adstudio.gaps.gaps import spoken_until, subtract, union

_LEAST_IN_COMMON = 0.5
"""Of less of a project's dialogue the subtitles given are those of another film or cut."""
_MANY_PAIRS = 500_000
"""Of so many METEOR takes minutes."""

Scripts = Sequence[tuple[ScriptFile, ReadScript]]
"""Files, and what is in them."""


class OtherTimeBaseError(BadInputError):
    """A reference was timed to another version of the film than the one it is compared with, or is of another film."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.option = option


class OtherLanguageError(BadInputError):
    """Two ADs that are compared are in different languages, as their texts say."""

    option = "--language TAG, if that is guessed wrongly"


def require_names(files: FilmFiles) -> None:
    """Check that a film has references, that names are unique, and that no file is given as two things.

    Raises:
        BadInputError: otherwise.
    """
    if not files.references:
        raise BadInputError(f"{files.name} has no reference: give at least one finished AD of it to compare with")
    for what, scripts in (("references", files.references), ("systems", files.systems)):
        counts = Counter(each.name for each in scripts)
        twice = next((name for name, count in counts.items() if count > 1), None)
        if twice is not None:
            one, other = [each.path for each in scripts if each.name == twice][:2]
            raise BadInputError(f"two {what} are called “{twice}” ({one} and {other}): name them, as NAME=FILE")
    for each in files.systems:
        if each.name in (EXPERT, RANDOM) or each.name.startswith(expert_name("")):
            raise BadInputError(f"{each.path} cannot be called “{each.name}”, as a built-in system is: rename it")
    dialogue = None if files.subtitles is None else os.path.realpath(files.subtitles)
    for each in (*files.references, *files.systems):
        if os.path.realpath(each.path) == dialogue:
            raise BadInputError(
                f"{each.path} is given as the dialogue of {files.name}, so it cannot be an AD of it as well"
            )
    paths = {os.path.realpath(each.path): each for each in files.references}
    for each in files.systems:
        reference = paths.get(os.path.realpath(each.path))
        if reference is not None:
            raise BadInputError(
                f"{each.path} is the reference “{reference.name}”, so it cannot be a system as well: to evaluate each"
                f" reference against the others, give {EXPERT} as a system"
            )


def require_one_language(scripts: Scripts) -> str:
    """The language of all of them, as their texts say, else their files; empty where it is not known.

    Raises:
        OtherLanguageError: where two are in different ones.
    """
    found: tuple[ScriptFile, str] | None = None
    for source, read in scripts:
        language = language_of(read.transcript.descriptions, read.language)
        if not language:
            continue
        if found is None:
            found = source, language
        elif not may_be_same(language, found[1]):
            raise OtherLanguageError(
                f"{source.path} is in another language (“{language}”) than {found[0].path} (“{found[1]}”): compare ADs"
                " in one language"
            )
    return found[1] if found else ""


def require_one_time_base(references: Scripts) -> None:
    """Check that the references were timed to the same version of the film, as far as that can be seen.

    Raises:
        OtherTimeBaseError: if one was not.
    """
    first, *others = references
    for source, read in others:
        off = _off(first[1], source, read)
        confirm = f"--shift {source.name}=0"
        if isinstance(off, OtherFilm):
            why = f"{_difference(off, str(first[0].path))}: check that both are of the same film, and confirm it"
            raise OtherTimeBaseError(f"{source.path} {why}", confirm)
        if off is not None:
            raise OtherTimeBaseError(
                f"{source.path} {_difference(off, str(first[0].path))}: if one was timed to another version of the"
                " film, bring its times to the other’s, else confirm them",
                f"{_mending(off, source.name)}, or {confirm}",
            )


def times_notes(references: Scripts, systems: Scripts) -> Iterator[str]:
    """Which systems seem to be timed to another version of the film than the first reference, or of another film."""
    first = references[0]
    for source, read in systems:
        off = _off(first[1], source, read)
        if off is not None:
            other = isinstance(off, OtherFilm)
            what = "check that it is of this film" if other else f"{_mending(off, source.name)} would mend that"
            yield f"{source.path} {_difference(off, str(first[0].path))}; {what}"


def outside_oddities(read: ReadScript, end: int) -> Iterator[Oddity]:
    """That lines begin outside the film, which do not escape the measures."""
    count = sum(not 0 <= each.span.start < end for each in read.transcript.descriptions)
    if count:
        lines = "1 line begins" if count == 1 else f"{count:,} lines begin"
        yield Oddity(f"{lines} outside the film, which ends at {clock(end)}: counted with its first or last sequence")


def size_oddities(film: EvaluatedFilm) -> Iterator[Oddity]:
    """That a film as one sequence takes long: each description is compared with each of the reference."""
    if film.sequence_source is not SequenceSource.FILM:
        return
    references, systems = ([len(each.descriptions) for each in of] for of in (film.references, film.systems))
    pairs = sum(references) * sum(systems)
    if pairs > _MANY_PAIRS:
        yield Oddity(
            f"the film is one sequence, so {pairs:,} pairs of descriptions are compared, which takes long: give its"
            " sequences"
        )


def same_notes(film: EvaluatedFilm) -> Iterator[str]:
    """Which ADs say just what others do."""
    seen: dict[object, str] = {}
    for each in (*film.references, *film.systems):
        said = seen.setdefault(each.descriptions, each.name)
        if each.descriptions and said != each.name:
            yield f"{each.name} says just what {said} says in {film.name}, at the same times"


def other_dialogue_note(subtitles: Path, given: Iterable[Cue], project: Path, own: Iterable[Cue]) -> str:
    """That subtitles have dialogue elsewhere than the project that is evaluated by them; empty where they agree."""
    planned, there = _spoken(own), _spoken(given)
    whole = sum(span.length for span in planned)
    common = whole - sum(span.length for span in subtract(planned, there))
    if common >= _LEAST_IN_COMMON * whole:
        return ""
    return (
        f"{subtitles} has dialogue in {percent(common / whole)} of the time in which {project} has it, so its gaps are"
        " not those of the plan: are these the film’s subtitles?"
    )


def _spoken(cues: Iterable[Cue]) -> tuple[Span, ...]:
    """When there is speech, each moment once."""
    speech = (cue for cue in cues if cue.kind is CueKind.SPEECH)
    return union(((cue.start, spoken_until(cue)) for cue in speech), MAX_TIME_MS)


def _off(first: ReadScript, source: ScriptFile, read: ReadScript) -> OtherTimeBase | OtherFilm | None:
    if source.shift is not None or source.speed is not None:
        return None
    return mismatch(first.transcript.descriptions, read.transcript.descriptions)


def _difference(off: OtherTimeBase | OtherFilm, other: str) -> str:
    if isinstance(off, OtherFilm):
        seen = f"of {off.shared:,} pairs of lines with a rare word, {off.together:,} match in time"
        return f"has hardly anything in common with {other} at any time ({seen})"
    seen = (
        f"of {off.shared} pairs of lines with a rare word, {off.together} would then match in time, {off.before} do now"
    )
    if off.rates[0]:
        return f"runs at the speed of {off.rates[1]} frames a second where {other} runs at {off.rates[0]} ({seen})"
    amount = f"{abs(off.later) / 1000:.1f} s {'later' if off.later > 0 else 'earlier'}"
    return f"is {amount} than {other} throughout ({seen})"


def _mending(off: OtherTimeBase, name: str) -> str:
    shift = f"--shift {name}={-off.later / 1000:g}"
    if not off.rates[0]:
        return shift
    speed = f"--frame-rate {off.rates[0]} --speed {name}={off.rates[1]}"
    return f"{speed} {shift}" if abs(off.later) > TAU_MS else speed
