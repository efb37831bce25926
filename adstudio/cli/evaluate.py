"""`adstudio evaluate`: ADs compared with reference ADs, by the measures of the REFRAMED benchmark."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli.evaluation_files import EvaluatedFilmOptions, SystemOptions, TimeOptions, evaluation_request
from adstudio.cli.model_options import Llm, MostCost, SendingOptions
from adstudio.cli.options import argument, flag, given_options, grouped, option
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
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.json_reading import json_bytes
from adstudio.core.progress import OnProgress, Progress, progress_text

if TYPE_CHECKING:
    from rich.status import Status

    from adstudio.cli.evaluation_model import EvaluationModel
    from adstudio.evaluation.film_reading import ReadFilm
    from adstudio.evaluation.qeval import QuestionedText
    from adstudio.evaluation.qeval_service import QEvalResult
    from adstudio.evaluation.request import EvaluationRequest
    from adstudio.evaluation.results import Evaluation
    from adstudio.evaluation.service import AnswerQuestions

STANDARD_OUTPUT = Path("-")
_OF_ONE_FILM = ("--shift", "--speed", "--frame-rate", "--start-timecode", "--subtitles", "--without-dialogue")
"""Options whose place is in the file of films, where there is one."""


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


@dataclass(frozen=True)
class ResultOptions:
    """Where the results go, and what they are beside."""

    TITLE: ClassVar[str] = "Results"

    base: Annotated[
        str | None, option("NAME", "The system that others are compared with in the table (default: the first file).")
    ] = None
    earlier: Annotated[
        Path | None, option("FILE", "An evaluation that was written with --json: say what changed since then.")
    ] = None
    json: Annotated[Path | None, option("FILE", "Write everything as JSON; - for standard output.")] = None
    html: Annotated[Path | None, option("FILE", "Write a report as one HTML page.")] = None
    report: Annotated[Path | None, option("FILE", "Write everything odd in the files to a file.")] = None


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
    other: SystemOptions,
    asking: QuestionOptions,
    sending: SendingOptions,
    results: ResultOptions,
    films: Annotated[
        Path | None, option("FILE", "Several films with their references and systems, in JSON (adstudio-films/1).")
    ] = None,
) -> None:
    """Evaluate ADs against finished ADs of the same film, by the measures of the REFRAMED benchmark.

    Gap CIDEr and METEOR compare what is said in each gap of the dialogue, SODA-M and SODA-T what is said in which
    order and when. expert is each reference as a system, compared with the others; random fills the gaps with
    descriptions from --pool. METEOR needs Java and the extra eval.
    """
    from adstudio.evaluation.json_report import read_json

    request = evaluation_request(systems or [], reference or [], films, film, times, other)
    request = replace(request, questions=asking.questions, scene_descriptions=asking.scene_descriptions)
    earlier = results.earlier
    _require_base(request, results.base)
    require_sources(*((path, "file") for path in request.files if path != film.video), (earlier, "evaluation"))
    if results.html == STANDARD_OUTPUT:
        raise BadInputError("--html: a page is written to a file: give its name")
    written = (None if results.json == STANDARD_OUTPUT else results.json, results.html, results.report)
    _require_targets([each for each in written if each is not None], request, films, earlier)
    before = None if earlier is None else read_json(earlier)
    try:
        found = _evaluated(request, _model(request, asking, sending), results.report)
    except AdstudioError as error:
        if films is not None and error.option.startswith(_OF_ONE_FILM):
            error.option = f"{error.option}, as keys in {films}"
        raise
    _write(found, results, request, before)


def _require_base(request: EvaluationRequest, base: str | None) -> None:
    from adstudio.evaluation.service import row_names

    names = () if base is None else row_names(request)
    if base is not None and base not in names:
        known = f"they are {', '.join(names)}" if names else "none is given"
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
    projects = [path for path in request.files if is_project(path)]
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


def _write(found: Evaluation, results: ResultOptions, request: EvaluationRequest, before: Evaluation | None) -> None:
    """Write all results; where a file fails after all, what goes to standard output is not lost with it."""
    from adstudio.cli.evaluation_table import table_lines
    from adstudio.evaluation.html_report import write_html
    from adstudio.evaluation.json_report import json_pieces, write_json
    from adstudio.evaluation.run_comparison import compare_runs

    compared = compare_runs(before, found, results.earlier.name) if before and results.earlier else None
    base = next((each.name for each in request.films[0].systems), None)
    if results.base is not None and any(each.name == results.base for each in found.systems):
        base = results.base
    elif results.base is not None:
        say(f"--base: “{results.base}” has no row, as no plan was found for it: the others are compared with the first")
    try:
        if results.json not in (None, STANDARD_OUTPUT):
            write_json(found, results.json)
            say(f"{results.json} written")
        if results.html is not None:
            write_html(found, results.html, base, compared)
            say(f"{results.html} written")
    finally:
        if results.json == STANDARD_OUTPUT:
            write_output("".join(json_pieces(found)).encode("utf-8", "replace"), None)
        else:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            # Its lines are safe for a terminal, and their spaces are columns.
            table = "".join(f"{line}\n" for line in table_lines(found, width, base, compared))
            write_output(table.encode("utf-8", "backslashreplace"), None)
