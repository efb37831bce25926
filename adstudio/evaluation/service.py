"""Evaluating as command line and window do it: files in, everything that reports show out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from adstudio.core.errors import BadInputError
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.evaluation.built_in_systems import experts, random_transcript, read_pool
from adstudio.evaluation.film_checks import require_names
from adstudio.evaluation.film_reading import ReadFilm, read_film
from adstudio.evaluation.material import EvaluatedFilm, Transcript
from adstudio.evaluation.reading import OpenedProject, is_project
from adstudio.evaluation.request import RANDOM, EvaluationRequest, expert_name, realistic_name, scenes_name
from adstudio.evaluation.results import Evaluation, QuestionResult, Scores, SequenceFacts
from adstudio.evaluation.sequence_facts import PlannedSystem, scene_descriptions, selections, sequence_facts
from adstudio.evaluation.text_scoring import TextScorer
from adstudio.gaps.gaps import gaps_of

if TYPE_CHECKING:
    from adstudio.evaluation.qeval import QuestionedText
    from adstudio.evaluation.qeval_service import QEvalResult
    from adstudio.evaluation.questions import Question

AnswerQuestions: TypeAlias = "Callable[[Sequence[QuestionedText]], QEvalResult]"
"""Has a model answer questions from texts; may raise to stop everything."""


def _nothing_to_say(_read: Sequence[ReadFilm]) -> None:
    """For callers who look at the result alone."""


def evaluate_files(
    request: EvaluationRequest,
    on_progress: OnProgress = ignore_progress,
    *,
    scorer: TextScorer | None = None,
    answer: AnswerQuestions | None = None,
    on_read: Callable[[Sequence[ReadFilm]], None] = _nothing_to_say,
) -> Evaluation:
    """Read the files of a request and evaluate its systems; the notes of the films are among those of the result.

    `on_read` is told what was read, with all that is odd in it, before the work that takes long. `on_progress` may
    raise to stop. `scorer` replaces METEOR and its tokenizer. `answer` has a model answer the request's questions, of
    which there are some only then.

    Raises:
        BadInputError: for files that cannot be used, or do not go together.
        OutsideFailureError: if one cannot be read, or Java or the extra is missing.
        Exception: whatever `on_progress` and `answer` raise.
    """
    with ExitStack() as opened:
        if scorer is None:
            from adstudio.evaluation.java_scorer import JavaScorer

            # Where Java is missing it is said before anything is read.
            scorer = opened.enter_context(JavaScorer())
        questions = _questions(request, answer)
        read = read_films(request, on_progress)
        on_read(read)
        pool = None if request.pool is None else read_pool(request.pool)
        films = [_with_built_in_systems(request, each, pool, on_progress) for each in read]
        # First, as a solver that is not there or not licensed is to cost no scores.
        facts = tuple(each for film in films for each in _facts(request, film, on_progress))
        found = _scored(request, films, scorer, on_progress, questions, answer)
    return _with_facts(found, films, facts)


def row_names(request: EvaluationRequest) -> tuple[str, ...]:
    """The names of the rows of a request, those of ablations for which there may be no plan among them."""
    names: list[str] = []
    for film in request.films:
        names += (expert_name(each.name) for each in film.references if request.expert)
        names += [RANDOM] if request.pool is not None else []
        for each in film.systems:
            names += [each.name, *([realistic_name(each.name)] if each.name in request.realistic else ())]
            if request.scene_descriptions and is_project(each.path):
                names.append(scenes_name(each.name))
        if request.ablations:
            from adstudio.evaluation.ablations import REPLACED

            names += REPLACED
    return tuple(dict.fromkeys(names))


def read_films(request: EvaluationRequest, on_progress: OnProgress = ignore_progress) -> tuple[ReadFilm, ...]:
    """The films of a request, read; every system is in every film.

    Raises:
        BadInputError, OutsideFailureError: as `evaluate_files` does.
    """
    if not request.films:
        raise BadInputError("there is no film to evaluate: give references, or a file of films")
    for files in request.films:
        require_names(files)
    _require_systems(request)
    found: list[ReadFilm] = []
    for number, files in enumerate(request.films):
        on_progress(Progress(Stage.READING_SCRIPTS, number / len(request.films)))
        found.append(read_film(files, request.language))
    return tuple(found)


@dataclass(frozen=True)
class _Film:
    """A film with all its systems, those of them that are projects and that are plans, by name, and its notes."""

    film: EvaluatedFilm
    projects: Mapping[str, OpenedProject]
    planned: Mapping[str, PlannedSystem]
    notes: tuple[str, ...]


def _with_built_in_systems(
    request: EvaluationRequest, read: ReadFilm, pool: list[str] | None, on_progress: OnProgress
) -> _Film:
    planned = {name: PlannedSystem(each.script, each.plan) for name, each in {**read.projects, **read.plans}.items()}
    notes = list(read.notes)
    systems = list(experts(read.film)) if request.expert else []
    if pool is not None:
        systems.append(random_transcript(read.script, pool, request.seed))
    systems += (replace(system, filtered=system.name in request.realistic) for system in read.film.systems)
    if request.ablations:
        from adstudio.evaluation.ablations import PLAN, ablations

        ablated, project = _ablated_project(read)
        found = ablations(
            *(project.script, gaps_of(project.script).gaps, read.film.references),
            plan=project.plan,
            seed=request.seed,
            progress=on_progress,
        )
        rows = [each for each in found.rows if each.name != PLAN]
        systems += (each.transcript for each in rows)
        planned |= {each.name: PlannedSystem(each.script, each.plan) for each in rows}
        notes += found.notes
        if len(read.projects) > 1:
            notes.append(f"the ablations are of {ablated}, the first project among the systems")
    _require_unique(systems, read.film.name)
    return _Film(replace(read.film, systems=tuple(systems)), read.projects, planned, tuple(notes))


def _ablated_project(read: ReadFilm) -> tuple[str, OpenedProject]:
    """The first project among the systems, whose plan is ablated, and its name.

    Raises:
        BadInputError: if there is none.
    """
    if not read.projects:
        raise BadInputError(f"ablations are of a project, and there is none among the systems of {read.film.name}")
    return next((each.name, read.projects[each.name]) for each in read.film.systems if each.name in read.projects)


def _require_unique(systems: Sequence[Transcript], film: str) -> None:
    twice = [name for name, count in Counter(each.name for each in systems).items() if count > 1]
    if twice:
        raise BadInputError(f"two systems of {film} are called “{twice[0]}”: rename the one that you named")


def _require_systems(request: EvaluationRequest) -> None:
    """Check that there is something to evaluate, and that every film has every system."""
    first = request.films[0]
    names = [each.name for each in first.systems]
    if not names and not request.expert and request.pool is None:
        raise BadInputError("there is nothing to evaluate: give the file of a system, expert, or random with a pool")
    for files in request.films:
        here = {each.name for each in files.systems}
        for lacking, having in ((set(names) - here, files), (here - set(names), first)):
            if lacking:
                raise BadInputError(
                    f"{having.name} has no system “{min(lacking)}”, which another film has: every system is needed in"
                    " every film"
                )
        moved = [each for each in files.systems if is_project(each.path) and (each.shift or each.speed is not None)]
        if request.ablations and moved:
            raise BadInputError(
                f"ablations have the times of their project: give neither a shift nor a speed for {moved[0].path}, or"
                " leave them out"
            )
    unknown = next((name for name in request.realistic if name not in names), None)
    if unknown is not None:
        known = f"they are {', '.join(names)}" if names else "no files are given"
        raise BadInputError(f"no system is called “{unknown}”, whose realistic row is asked for: {known}")


def _questions(request: EvaluationRequest, answer: AnswerQuestions | None) -> tuple[Question, ...]:
    if request.questions is None or answer is None:
        return ()
    from adstudio.evaluation.question_file import read_questions

    return read_questions(request.questions)


def _scored(
    request: EvaluationRequest,
    films: Sequence[_Film],
    scorer: TextScorer,
    on_progress: OnProgress,
    questions: Sequence[Question],
    answer: AnswerQuestions | None,
) -> Evaluation:
    from adstudio.evaluation.scoring import evaluate, with_realistic

    extra: Mapping[tuple[str, str, str], Scores] | None = None
    notes: tuple[str, ...] = ()
    results: tuple[QuestionResult, ...] = ()
    values = [each.film for each in films]
    if questions and answer is not None:
        from adstudio.evaluation.qeval_service import questioned, questioned_scenes

        asked = questioned(with_realistic(values, scorer)[0] if request.realistic else values, questions)
        texts = list(asked.texts)
        for film in films if request.scene_descriptions else ():
            for name, project in film.projects.items():
                scenes = scene_descriptions(project.script)
                texts += questioned_scenes(film.film, scenes, asked, scenes_name(name))
        answered = answer(texts)
        extra, results, notes = answered.scores, answered.questions, (*asked.notes, *answered.notes)
    found = evaluate(values, scorer, extra=extra, on_progress=on_progress)
    unfiltered = {realistic_name(name): name for name in request.realistic}
    systems = tuple(replace(each, unfiltered=unfiltered.get(each.name)) for each in found.systems)
    return replace(found, systems=systems, questions=results, notes=(*found.notes, *notes))


def _facts(request: EvaluationRequest, film: _Film, on_progress: OnProgress) -> tuple[SequenceFacts, ...]:
    """What reports stratify by; how hard the first project's scenes are to plan where that is asked for."""
    project = next(iter(film.projects.values()), None)
    planned = None if project is None else PlannedSystem(project.script, project.plan)
    return sequence_facts(film.film, planned, request.proof_limit, request.solver, on_progress)


def _with_facts(found: Evaluation, films: Sequence[_Film], facts: tuple[SequenceFacts, ...]) -> Evaluation:
    """The evaluation with what reports stratify by, and the notes of the films."""
    selected = {
        name: [each for film in films if name in film.planned for each in selections(film.film, film.planned[name])]
        for name in {name for film in films for name in film.planned}
    }
    notes = {each.film.name: each.notes for each in films}
    return replace(
        found,
        films=tuple(replace(each, notes=(*notes[each.name], *each.notes)) for each in found.films),
        systems=tuple(replace(each, selections=tuple(selected.get(each.name, ()))) for each in found.systems),
        sequences=facts,
        day=datetime.now(UTC).date().isoformat(),
    )
