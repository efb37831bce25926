"""`adstudio questions`: questions for QEval, made from a reference AD by a model, or brought into another form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli import options
from adstudio.cli.evaluation_files import named_file
from adstudio.cli.model_options import Llm, MostCost, SendingOptions
from adstudio.cli.options import argument, flag, given_options, grouped, language_option, ms, option
from adstudio.cli.output import (
    print_oddities,
    require_safe_target,
    require_sources,
    require_writable_target,
    say,
    words,
    write_output,
)
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError
from adstudio.core.progress import Progress, progress_text

if TYPE_CHECKING:
    from adstudio.evaluation.asking import Asked, ModelAsked
    from adstudio.evaluation.material import EvaluatedFilm, Transcript
    from adstudio.evaluation.question_making import NewQuestions
    from adstudio.evaluation.questions import Question

TABLE, JSON = ".csv", ".json"


@dataclass(frozen=True)
class MakingOptions:
    """How a model makes questions."""

    TITLE: ClassVar[str] = "Questions by a model"

    llm: Llm = None
    language: Annotated[str, language_option("Language of the reference (default: guessed from its text).")] = ""
    film_name: Annotated[
        str, option("TEXT", "Name of the film in the questions, where those of several films are put together.")
    ] = ""
    seed: Annotated[int, option("N", "Decides which place the right answer has; equal seeds, equal places.")] = 0
    again: Annotated[bool, flag("--again", "Ask again for what was withheld or cut off.")] = False
    most_cost: MostCost = None


@dataclass(frozen=True)
class ReferenceOptions:
    """The film of the reference, by which its times are read."""

    TITLE: ClassVar[str] = "Film"

    project: Annotated[
        Path | None, option("P.adproj", "A project of the film, for its dialogue and what it allows to be sent.")
    ] = None
    subtitles: Annotated[Path | None, option("FILE", "Dialogue subtitles (SRT, WebVTT, TTML, ASS).")] = None
    without_dialogue: Annotated[
        bool, flag("--without-dialogue", "Nobody speaks in the film, or use the subtitles even so.")
    ] = False
    encoding: options.Encoding = None
    end: options.End = None
    frame_rate: options.Rate = None
    start_timecode: options.StartTimecode = ""


@grouped
def questions(
    source: Annotated[
        list[str], argument("[NAME=]REFERENCE|QUESTIONS", "Finished ADs of one film, or a file of questions.")
    ],
    *,
    output: options.Output = None,
    making: MakingOptions,
    sending: SendingOptions,
    film: ReferenceOptions,
    force: Annotated[bool, flag("--force", "Replace an existing file of questions.")] = False,
) -> None:
    """Make five-way questions for adstudio evaluate --questions from a finished AD, by a model.

    The output is JSON, or a table for reviewing if its name ends in .csv: say yes or no in its last column, and give it
    to evaluate as it is. Given a file of questions, the command writes that in the other form.
    """
    table = output is not None and output.suffix.lower() == TABLE
    if output is not None and not table and output.suffix.lower() != JSON:
        raise BadInputError(f"{output}: questions are written as {JSON} or {TABLE}: name the file so")
    paths = [named_file(each)[1] for each in source]
    require_sources(*((path, "file") for path in paths))
    require_safe_target(output, *paths, film.project, film.subtitles)
    require_writable_target(output)
    if output is not None and output.exists() and not force:
        raise BadInputError(f"{output} exists, and a person may have reviewed it: give --force to replace it")
    found = _converted(paths, film, sending) if making.llm is None else _by_model(source, making, sending, film)
    _write(found, output, table=table)
    if output is not None:
        say(f"{output}: {counted(len(found), 'question')}")


def _converted(paths: Sequence[Path], film: ReferenceOptions, sending: SendingOptions) -> tuple[Question, ...]:
    from adstudio.evaluation.question_file import read_questions

    for given in (*given_options(film), *given_options(sending)):
        raise BadInputError(f"{given} is for making questions: name the model with --llm NAME, or leave it out")
    if len(paths) > 1:
        raise BadInputError("give one file of questions, or --llm NAME to make questions from references")
    try:
        return read_questions(paths[0])
    except BadInputError as error:
        raise BadInputError(f"{error}; to make questions from a finished AD, name a model with --llm NAME") from None


def _by_model(
    source: Sequence[str], making: MakingOptions, sending: SendingOptions, film: ReferenceOptions
) -> tuple[Question, ...]:
    from adstudio.cli.evaluation_model import about_requests, evaluation_model, say_asked
    from adstudio.evaluation.question_service import estimate_making
    from adstudio.evaluation.reading import is_project

    references = (named_file(each)[1] for each in source)
    projects = [*filter(is_project, references), *([] if film.project is None else [film.project])]
    model = evaluation_model(making.llm or "", sending, projects, making.most_cost, again=making.again)
    read = _references(source, making.language, film)
    language = making.language or read.language
    estimate = estimate_making(read.references, model.provider_name, model.named.capabilities, language)
    lines = counted(sum(len(each.descriptions) for each in read.references), "description")
    requests = f"{lines} in {counted(estimate.requests, 'request')} and more where questions are refused"
    asked = model.permitted([about_requests(requests, estimate.before, estimate.usage)])
    new, took = _asked(read.references, asked, making, language)
    for why, number in sorted(new.dropped.items()):
        say(f"{counted(number, 'description')} without a question: {why}")
    say_asked(model.named.name, took)
    if not new.questions:
        raise BadInputError(f"“{model.named.name}” made no question that can be used: try another model")
    return new.questions


def _references(source: Sequence[str], language: str, film: ReferenceOptions) -> EvaluatedFilm:
    """The film with its references, checked as for an evaluation; prints what is odd."""
    from adstudio.evaluation.film_reading import read_film
    from adstudio.evaluation.request import FilmFiles, ScriptFile

    references = tuple(ScriptFile(*named_file(each)) for each in source)
    files = FilmFiles(
        name=references[0].path.stem,
        references=references,
        systems=() if film.project is None else (ScriptFile("project", film.project),),
        subtitles=film.subtitles,
        encoding=film.encoding,
        end=None if film.end is None else ms(film.end, "--end", least=1),
        frame_rate=None if film.frame_rate is None else options.rate(film.frame_rate, film.start_timecode),
        start_timecode=film.start_timecode,
        without_dialogue=film.without_dialogue,
    )
    read = read_film(files, language)
    print_oddities(read.oddities, "")
    return read.film


def _asked(
    references: Sequence[Transcript], model: ModelAsked, making: MakingOptions, language: str
) -> tuple[NewQuestions, Asked]:
    """Have the model make questions, with progress; a signal stops it."""
    from adstudio.cli.evaluation_model import asking_stoppable
    from adstudio.evaluation.question_service import run_making

    with words.status("making questions") as status, asking_stoppable() as stop:

        def progress(event: Progress) -> None:
            status.update(progress_text(event))

        return run_making(references, model, progress, stop, film=making.film_name, language=language, seed=making.seed)


def _write(questions: Sequence[Question], output: Path | None, *, table: bool) -> None:
    from adstudio.evaluation.question_file import questions_json
    from adstudio.evaluation.question_table import questions_csv

    write_output(questions_csv(questions) if table else questions_json(questions), output)
