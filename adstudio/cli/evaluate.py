"""`adstudio evaluate`: ADs compared with reference ADs, by the measures of the REFRAMED benchmark."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli import options
from adstudio.cli.model_options import Llm, MostCost, SendingOptions
from adstudio.cli.options import argument, flag, given_options, grouped, ms, option
from adstudio.cli.output import (
    oddities_json,
    print_oddities,
    require_safe_target,
    require_sources,
    require_writable_target,
    say,
    words,
    write_output,
)
from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import json_bytes
from adstudio.core.progress import OnProgress, Progress, progress_text
from adstudio.core.timebase import MAX_TIME_MS

if TYPE_CHECKING:
    from rich.status import Status

    from adstudio.cli.evaluation_model import EvaluationModel
    from adstudio.core.timebase import FrameRate
    from adstudio.evaluation.film_reading import ReadFilm
    from adstudio.evaluation.qeval import QuestionedText
    from adstudio.evaluation.qeval_service import QEvalResult
    from adstudio.evaluation.request import EvaluationRequest, FilmFiles, ScriptFile
    from adstudio.evaluation.results import Evaluation
    from adstudio.evaluation.run_comparison import RunComparison
    from adstudio.evaluation.service import AnswerQuestions

STANDARD_OUTPUT = Path("-")
_PROOF_LIMIT = 60.0
"""Seconds a scene; beyond it the paper has no stratum."""


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
class QuestionOptions:
    """What is asked of a model about the ADs."""

    TITLE: ClassVar[str] = "Questions (QEval)"

    questions: Annotated[
        Path | None, option("FILE", "Questions that a model answers from each AD (adstudio questions makes them).")
    ] = None
    llm: Llm = None
    scene_descriptions: Annotated[
        bool, flag("--scene-descriptions", "Also answer from all that projects have to say of each scene.")
    ] = False
    again: Annotated[bool, flag("--again", "Ask again for what was withheld or cut off.")] = False
    most_cost: MostCost = None


@grouped
def evaluate(
    systems: Annotated[
        list[str] | None,
        argument("[NAME=]FILE|expert|random", "ADs to evaluate: scripts of any form, or projects, whose plan counts."),
    ] = None,
    reference: Annotated[
        list[str] | None, option("[NAME=]FILE", "A finished AD to compare with; may be repeated.", "--reference", "-r")
    ] = None,
    *,
    film: EvaluatedFilmOptions,
    times: TimeOptions,
    asking: QuestionOptions,
    sending: SendingOptions,
    films: Annotated[
        Path | None, option("FILE", "Several films with their references and systems, in JSON (adstudio-films/1).")
    ] = None,
    realistic: Annotated[
        list[str] | None,
        option("NAME", "Add a row for a system without what cannot be narrated, as for prompted models."),
    ] = None,
    pool: Annotated[Path | None, option("FILE", "For random: a JSON array of descriptions to draw from.")] = None,
    seed: Annotated[int, option("N", "For random: equal seeds give equal descriptions.")] = 0,
    ablations: Annotated[
        bool, flag("--ablations", "Also plan the project with parts left out or replaced, as the paper’s table does.")
    ] = False,
    difficulty: Annotated[
        bool, flag("--difficulty", "Measure how hard the project’s scenes are to plan, for the report.")
    ] = False,
    time_limit: Annotated[
        float | None, option("SECONDS", "With --difficulty: the longest that a scene is planned (default: 60).")
    ] = None,
    language: Annotated[str, option("TAG", "Language of the ADs (default: guessed from their texts).")] = "",
    base: Annotated[
        str | None, option("NAME", "The system that others are compared with in the table (default: the first file).")
    ] = None,
    earlier: Annotated[
        Path | None, option("FILE", "An evaluation that was written with --json: say what changed since then.")
    ] = None,
    json: Annotated[Path | None, option("FILE", "Write everything as JSON; - for standard output.")] = None,
    html: Annotated[Path | None, option("FILE", "Write a report as one HTML page.")] = None,
    report: Annotated[Path | None, option("FILE", "Write everything odd in the files to a file.")] = None,
) -> None:
    """Evaluate ADs against finished ADs of the same film, by the measures of the REFRAMED benchmark.

    Gap CIDEr and METEOR compare what is said in each gap of the dialogue, SODA-M and SODA-T what is said in which
    order and when. expert is each reference as a system, compared with the others; random fills the gaps with
    descriptions from --pool. METEOR needs Java and the extra eval.
    """
    request = _request(systems or [], reference or [], film, times, films)
    request = replace(request, realistic=tuple(realistic or ()), pool=_pool(pool, systems or []), seed=seed)
    request = replace(request, language=language, expert="expert" in (systems or []), ablations=ablations)
    request = replace(request, proof_limit=_proof_limit(time_limit, given=difficulty))
    request = replace(request, questions=asking.questions, scene_descriptions=asking.scene_descriptions)
    _require_base(request, base)
    require_sources(*((path, "file") for path in request.files if path != film.video), (earlier, "evaluation"))
    if html == STANDARD_OUTPUT:
        raise BadInputError("--html: a page is written to a file: give its name")
    targets = [each for each in (json, html, report) if each not in (None, STANDARD_OUTPUT)]
    _require_targets(targets, request, films, earlier)
    before = None if earlier is None else _read_earlier(earlier)
    found = _evaluated(request, _model(request, asking, sending), report)
    compared = None if earlier is None or before is None else _compared(before, found, earlier)
    base = base or next((each.name for each in request.films[0].systems), None)
    _write(found, json, html, base, compared)


def _request(
    systems: Sequence[str],
    references: Sequence[str],
    film: EvaluatedFilmOptions,
    times: TimeOptions,
    films: Path | None,
) -> EvaluationRequest:
    from adstudio.evaluation.films_file import read_films
    from adstudio.evaluation.reading import is_project
    from adstudio.evaluation.request import EXPERT, RANDOM, EvaluationRequest, FilmFiles

    files = [each for each in systems if each not in (EXPERT, RANDOM)]
    if films is not None:
        for given in (*given_options(film), *given_options(times), *(["--reference"] if references else ()), *files):
            raise BadInputError(f"{given}: with --films, the films’ files are named in {films}: leave it out")
        return EvaluationRequest(read_films(films))
    if not references:
        raise BadInputError("there is no reference: give at least one finished AD of the film with --reference")
    rate = None if film.frame_rate is None else options.rate(film.frame_rate, film.start_timecode)
    shifts = {name: ms(value, "--shift", least=-MAX_TIME_MS) for name, value in _values(times.shift, "--shift").items()}
    speeds = {name: options.rate(value, "", "--speed") for name, value in _values(times.speed, "--speed").items()}
    projects = [path for each in files if is_project(path := _path_of(each))]
    called = film.video or film.subtitles or next(iter(projects), _path_of(references[0]))
    named = FilmFiles(
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
    _require_known({*shifts, *speeds}, named)
    return EvaluationRequest((named,))


def _script(text: str, shifts: Mapping[str, int], speeds: Mapping[str, FrameRate]) -> ScriptFile:
    from adstudio.evaluation.request import ScriptFile

    path = _path_of(text)
    name = path.stem if str(path) == text else text[: -len(str(path)) - 1]
    return ScriptFile(name, path, shifts.get(name), speeds.get(name))


def _path_of(text: str) -> Path:
    """The file in `NAME=FILE`; a name has no stroke, so that a path with an equals sign in it is one."""
    name, equals, path = text.partition("=")
    if not equals or not name.strip() or not path or {"/", "\\"} & set(name) or Path(text).exists():
        return Path(text)
    return Path(path)


def _values(given: Sequence[str] | None, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.rpartition("=")
        if not equals or not name:
            raise BadInputError(f"{option}: “{text[:40]}” names no script: write NAME=, and the value after it")
        found[name] = value
    return found


def _require_known(names: set[str], film: FilmFiles) -> None:
    known = [each.name for each in (*film.references, *film.systems)]
    unknown = next((name for name in sorted(names) if name not in known), None)
    if unknown is not None:
        raise BadInputError(f"no script is called “{unknown[:40]}”: they are {', '.join(known)}")


def _pool(pool: Path | None, systems: Sequence[str]) -> Path | None:
    if (pool is None) is ("random" in systems):
        raise BadInputError(
            "random draws from a pool: give --pool FILE, a JSON array of descriptions"
            if pool is None
            else "--pool is for random: give that as a system, or leave it out"
        )
    return pool


def _proof_limit(seconds: float | None, *, given: bool) -> float | None:
    if seconds is not None and not given:
        raise BadInputError("--time-limit is for --difficulty: give that too, or leave it out")
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadInputError(f"--time-limit: {seconds:g} s is not a limit: give more than 0 seconds, or leave it out")
    return (seconds or _PROOF_LIMIT) if given else None


def _require_base(request: EvaluationRequest, base: str | None) -> None:
    names = [each.name for each in request.films[0].systems]
    if base is not None and base not in names:
        known = f"they are {', '.join(names)}" if names else "no files are given"
        raise BadInputError(f"--base: no system is called “{base[:40]}”: {known}")


def _require_targets(
    targets: Sequence[Path], request: EvaluationRequest, films: Path | None, earlier: Path | None
) -> None:
    """Check that no file is replaced by a result, and no result by another.

    Raises:
        BadInputError: if one would be.
        OutsideFailureError: if one cannot be written.
    """
    from adstudio.evaluation.reading import is_project
    from adstudio.store.project import ProjectFile
    from adstudio.store.source_guard import same_file

    if not targets:
        return
    for place, target in enumerate(targets):
        require_safe_target(target, *request.files, films, earlier)
        require_writable_target(target)
        if any(same_file(target, other) for other in targets[:place]):
            raise BadInputError(f"{target} is named for two results: give each a file of its own")
    for path in filter(is_project, request.files):
        with ProjectFile.open(path, read_only=True) as opened:
            script = opened.saved_script
        for target in targets:
            require_safe_target(target, script=script, project=path)


def _model(request: EvaluationRequest, asking: QuestionOptions, sending: SendingOptions) -> EvaluationModel | None:
    """The model that answers the questions, if there are any.

    Raises:
        BadInputError, OutsideFailureError: where it may not be asked, or options are given without questions.
    """
    from adstudio.cli.evaluation_model import evaluation_model
    from adstudio.evaluation.reading import is_project

    if asking.questions is None:
        for given in (*given_options(asking), *given_options(sending)):
            raise BadInputError(
                f"{given} is for the questions that a model answers: give --questions FILE, or leave it out"
            )
        return None
    if asking.llm is None:
        raise BadInputError(
            "a model answers the questions: name one with --llm NAME (adstudio connect --list shows them)"
        )
    projects = [each.path for film in request.films for each in film.systems if is_project(each.path)]
    return evaluation_model(asking.llm, sending, projects, asking.most_cost, again=asking.again)


def _evaluated(request: EvaluationRequest, model: EvaluationModel | None, report: Path | None) -> Evaluation:
    from adstudio.evaluation.service import evaluate_files
    from adstudio.system.files import write_atomically

    with words.status("reading") as status:

        def progress(event: Progress) -> None:
            status.update(progress_text(event))

        def read(films: Sequence[ReadFilm]) -> None:
            odd = [each for film in films for each in film.oddities]
            print_oddities(odd)
            if report is not None:
                write_atomically(report, json_bytes(oddities_json(odd)))

        answer = None if model is None else _answering(model, status, progress)
        return evaluate_files(request, progress, answer=answer, on_read=read)


def _answering(model: EvaluationModel, status: Status, progress: OnProgress) -> AnswerQuestions:
    from adstudio.cli.evaluation_model import about_answering, answered

    def answer(texts: Sequence[QuestionedText]) -> QEvalResult:
        # Consent may have to be typed.
        status.stop()
        permitted = model.permitted([about_answering(texts, model)])
        status.start()
        return answered(texts, permitted, progress)

    return answer


def _read_earlier(path: Path) -> Evaluation:
    from adstudio.evaluation.json_report import read_json

    return read_json(path)


def _compared(earlier: Evaluation, found: Evaluation, path: Path) -> RunComparison:
    from adstudio.evaluation.run_comparison import compare_runs

    return compare_runs(earlier, found, path.name)


def _write(
    found: Evaluation, json: Path | None, html: Path | None, base: str | None, compared: RunComparison | None
) -> None:
    from adstudio.cli.evaluation_table import table_lines
    from adstudio.evaluation.html_report import write_html
    from adstudio.evaluation.json_report import json_pieces, write_json

    if html is not None:
        write_html(found, html, base, compared)
        say(f"{html} written")
    if json == STANDARD_OUTPUT:
        write_output("".join(json_pieces(found)).encode("utf-8", "replace"), None)
        return
    if json is not None:
        write_json(found, json)
        say(f"{json} written")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    # Its lines are safe for a terminal, and their spaces are columns.
    table = "".join(f"{line}\n" for line in table_lines(found, width, base, compared))
    write_output(table.encode("utf-8", "backslashreplace"), None)
