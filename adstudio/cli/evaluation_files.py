"""The options of `adstudio evaluate` that name what is evaluated, and the request that they make."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from adstudio.cli import options
from adstudio.cli.options import flag, given_options, language_option, ms, option
from adstudio.core.errors import BadInputError
from adstudio.core.timebase import MAX_TIME_MS

if TYPE_CHECKING:
    from adstudio.core.timebase import FrameRate
    from adstudio.evaluation.request import EvaluationRequest, FilmFiles, ScriptFile


@dataclass(frozen=True)
class EvaluatedFilmOptions:
    """The film that the ADs are of. What is not given is taken from the first project among the systems."""

    TITLE: ClassVar[str] = "Film"

    subtitles: Annotated[Path | None, option("FILE", "Dialogue subtitles (SRT, WebVTT, TTML, ASS).")] = None
    without_dialogue: Annotated[
        bool, flag("--without-dialogue", "Nobody speaks in the film, or use the subtitles even so.")
    ] = False
    encoding: options.Encoding = None
    end: options.End = None
    video: Annotated[Path | None, option("FILE", "The film, for its length.", "--film")] = None
    sequences: Annotated[
        Path | None,
        option("FILE", "Groups of scenes over which measures are averaged: CSV (name,start,end) or JSON."),
    ] = None
    frame_rate: options.Rate = None
    start_timecode: options.StartTimecode = ""


@dataclass(frozen=True)
class TimeOptions:
    """What mends the times of single files."""

    TITLE: ClassVar[str] = "Times"

    shift: Annotated[
        list[str] | None, option("NAME=SECONDS", "Add to a script’s times; 0 says that they are right as they are.")
    ] = None
    speed: Annotated[
        list[str] | None, option("NAME=RATE", "Frame rate of the film’s version that a script was timed to.")
    ] = None


@dataclass(frozen=True)
class SystemOptions:
    """What is evaluated besides files."""

    TITLE: ClassVar[str] = "Systems"

    realistic: Annotated[
        list[str] | None,
        option("NAME", "Add a row for a system without what cannot be narrated, as for prompted models."),
    ] = None
    pool: Annotated[Path | None, option("FILE", "For random: a JSON array of descriptions to draw from.")] = None
    seed: Annotated[int, option("N", "For whatever is random: equal seeds give equal results.")] = 0
    ablations: Annotated[
        bool,
        flag("--ablations", "Also plan the first project with parts left out or replaced, as the paper’s table does."),
    ] = False
    difficulty: Annotated[
        bool, flag("--difficulty", "Measure how hard the project’s scenes are to plan, for the report.")
    ] = False
    time_limit: Annotated[
        float | None, option("SECONDS", "With --difficulty: the longest that a scene is planned (default: 60).")
    ] = None
    solver: Annotated[
        Literal["cpsat", "gurobi"], option("NAME", "With --difficulty: cpsat, or gurobi, as the paper has it.")
    ] = "cpsat"
    language: Annotated[str, language_option("Language of the ADs (default: guessed from their texts).")] = ""


def evaluation_request(
    systems: Sequence[str],
    references: Sequence[str],
    films: Path | None,
    film: EvaluatedFilmOptions,
    times: TimeOptions,
    other: SystemOptions,
) -> EvaluationRequest:
    """What is to be evaluated, by the arguments and options; of `other` everything but the questions.

    Raises:
        BadInputError: for options that contradict each other, or name what there is not.
        OutsideFailureError: if the file of films cannot be read.
    """
    from adstudio.evaluation.films_file import read_films
    from adstudio.evaluation.request import EXPERT, RANDOM, EvaluationRequest

    files = [each for each in systems if each not in (EXPERT, RANDOM)]
    if films is not None:
        for given in (*given_options(film), *given_options(times), *(["--reference"] if references else ()), *files):
            raise BadInputError(f"{given}: with --films, the films’ files are named in {films}: leave it out")
        found = read_films(films)
    else:
        found = (_film(files, references, film, times),)
    if (other.pool is None) is (RANDOM in systems):
        raise BadInputError(
            "random draws from a pool: give --pool FILE, a JSON array of descriptions"
            if other.pool is None
            else "--pool is for random: give that as a system, or leave it out"
        )
    return EvaluationRequest(
        found,
        expert=EXPERT in systems,
        pool=other.pool,
        seed=other.seed,
        realistic=tuple(other.realistic or ()),
        language=other.language,
        ablations=other.ablations,
        proof_limit=_proof_limit(other.time_limit, other.solver, given=other.difficulty),
        solver=other.solver,
    )


def named_file(text: str) -> tuple[str, Path]:
    """The name and the file of `NAME=FILE`, or of a file that is called by its own name.

    A name has no slash, so that a path with an equals sign in it is one.
    """
    name, equals, path = text.partition("=")
    if not equals or not name.strip() or not path or {"/", "\\"} & set(name) or Path(text).exists():
        return Path(text).stem, Path(text)
    return name.strip(), Path(path)


def _film(files: Sequence[str], references: Sequence[str], film: EvaluatedFilmOptions, times: TimeOptions) -> FilmFiles:
    from adstudio.evaluation.reading import is_project
    from adstudio.evaluation.request import FilmFiles

    if not references:
        raise BadInputError("there is no reference: give at least one finished AD of the film with --reference")
    rate = None if film.frame_rate is None else options.rate(film.frame_rate, film.start_timecode)
    shifts = {name: ms(value, "--shift", least=-MAX_TIME_MS) for name, value in _values(times.shift, "--shift").items()}
    speeds = {name: options.rate(value, "", "--speed") for name, value in _values(times.speed, "--speed").items()}
    projects = [path for _, path in map(named_file, files) if is_project(path)]
    called = film.video or film.subtitles or next(iter(projects), named_file(references[0])[1])
    found = FilmFiles(
        name=called.stem,
        references=tuple(_script(each, shifts, speeds) for each in references),
        systems=tuple(_script(each, shifts, speeds) for each in files),
        subtitles=film.subtitles,
        encoding=film.encoding,
        video=film.video,
        end=None if film.end is None else ms(film.end, "--end", least=1),
        sequences=film.sequences,
        frame_rate=rate,
        start_timecode=film.start_timecode,
        without_dialogue=film.without_dialogue,
    )
    known = [each.name for each in (*found.references, *found.systems)]
    unknown = next((name for name in sorted({*shifts, *speeds}) if name not in known), None)
    if unknown is not None:
        raise BadInputError(f"no script is called “{unknown[:40]}”: they are {', '.join(known)}")
    return found


def _script(text: str, shifts: Mapping[str, int], speeds: Mapping[str, FrameRate]) -> ScriptFile:
    from adstudio.evaluation.request import ScriptFile

    name, path = named_file(text)
    return ScriptFile(name, path, shifts.get(name), speeds.get(name))


def _values(given: Sequence[str] | None, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.rpartition("=")
        if not equals or not name:
            raise BadInputError(f"{option}: “{text[:40]}” names no script: write NAME=, and the value after it")
        found[name] = value
    return found


def _proof_limit(seconds: float | None, solver: str, *, given: bool) -> float | None:
    from adstudio.evaluation.difficulty import LIMIT

    if solver != "cpsat" and not given:
        raise BadInputError("--solver is for --difficulty: give that too, or leave it out")
    if seconds is not None and not given:
        raise BadInputError("--time-limit is for --difficulty: give that too, or leave it out")
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadInputError(f"--time-limit: {seconds:g} s is not a limit: give more than 0 seconds, or leave it out")
    return (seconds or LIMIT) if given else None
