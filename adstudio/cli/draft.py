"""`adstudio draft`: from a film to a planned project."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from adstudio.cli import model_options, options
from adstudio.cli.ablation_options import AblationOptions
from adstudio.cli.model_options import SendingOptions
from adstudio.cli.options import argument, flag, given_options, grouped, language_option, ms, option
from adstudio.cli.output import (
    require_project_name,
    require_safe_target,
    require_sources,
    require_writable_target,
    say,
    words,
)
from adstudio.cli.plan_options import PlanOptions
from adstudio.core.cast import People, Person, people_error
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.progress import Progress, Stage, progress_text, stage_name
from adstudio.core.settings import Settings
from adstudio.core.timebase import RATES
from adstudio.core.words import composed
from adstudio.drafting.weigh.scene import WAYS, Way
from adstudio.presets.library import DEFAULT, WITHOUT_RULES
from adstudio.store.source_guard import require_not_source, same_file

if TYPE_CHECKING:
    from adstudio.connections.model_access import Connection
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.policy import Policy
    from adstudio.drafting.events import Estimated
    from adstudio.drafting.existing_project import ExistingProject, Handover
    from adstudio.drafting.request import Sources
    from adstudio.drafting.servers import Permit
    from adstudio.drafting.weigh.scene import Weighing


@dataclass(frozen=True)
class SourceOptions:
    """The film's files, and what is done with them."""

    TITLE: ClassVar[str] = "Sources"

    subtitles: options.Subtitles = None
    without_dialogue: options.WithoutDialogue = False
    candidates: Annotated[Path | None, option("FILE", "Prepared lines, as JSON.")] = None
    screenplay: Annotated[Path | None, option("FILE", "A screenplay to draft from (Fountain, FDX, text, PDF).")] = None
    description: Annotated[
        Path | None,
        option("FILE", "Prose or an AD script to draft from (text, Markdown, CSV), best with times [00:01:23]."),
    ] = None
    cast_list: Annotated[
        Path | None, option("LIST", "The film’s characters (CSV or text), beside those that the other sources name.")
    ] = None
    any_screenplay: Annotated[
        bool, flag("--any-screenplay", "Use the screenplay even if it hardly matches the film.")
    ] = False
    in_step: options.InStep = False
    suggest_rules: Annotated[
        bool, flag("--suggest-rules", "Apply the suggested rules: lines that say the same, lines that need another.")
    ] = False

    @property
    def text(self) -> Path | None:
        """The source of description."""
        return self.candidates or self.screenplay or self.description


@dataclass(frozen=True)
class LlmOptions:
    """How a model drafts."""

    TITLE: ClassVar[str] = "Drafting by a model"

    llm: model_options.Llm = None
    direct: Annotated[bool, flag("--direct", "Let the model write the whole script, times included.")] = False
    person: Annotated[
        list[str] | None,
        option("NAME[=FILE]", "A character, for the model: the name and, if you have one, a picture of the face."),
    ] = None
    thinking: Annotated[
        Literal["off", "low", "medium", "high"],
        option("LEVEL", "How long the model may think: off, low, medium or high."),
    ] = "off"
    anew: Annotated[bool, flag("--anew", "Ask for everything again, even what was answered before.")] = False
    again: Annotated[bool, flag("--again", "Ask again for what was withheld or cut off.")] = False
    most_cost: model_options.MostCost = None


@dataclass(frozen=True)
class WeighOptions:
    """Who scores the lines, and how."""

    TITLE: ClassVar[str] = "Salience by a server"

    weigh: Annotated[Way | None, option("WAY", f"Have a server score all lines: {', '.join(WAYS)}.")] = None
    weigh_with: Annotated[
        str | None, option("NAME", "The connection that scores them (default for model: that of --llm).")
    ] = None
    weigh_reviewed: Annotated[bool, flag("--weigh-reviewed", "Also score lines of reviewed scenes.")] = False


@dataclass(frozen=True)
class FilmOptions:
    """What is known of the film."""

    TITLE: ClassVar[str] = "Film"

    end: options.End = None
    encoding: options.Encoding = None
    title: Annotated[str, option("TEXT", "Title of the film (default: the name of its file).")] = ""
    language: Annotated[str | None, language_option("Language of the description, such as en or pt-BR.")] = None
    frame_rate: options.Rate = None
    start_timecode: options.StartTimecode = ""
    audio_track: options.AudioTrack = None


@grouped
def draft(
    context: typer.Context,
    video: Annotated[Path | None, argument("VIDEO", "The film. Without one, give --end.")] = None,
    *,
    output: Annotated[Path, option("P.adproj", "The project to write.", "--output", "-o")],
    files: SourceOptions,
    model: LlmOptions,
    sending: SendingOptions,
    weigh: WeighOptions,
    film: FilmOptions,
    plan: PlanOptions,
    gaps: options.GapOptions,
    ablations: AblationOptions,
    report: Annotated[Path | None, option("FILE", "Write everything odd in the sources to a file.")] = None,
    force: options.Force = False,
) -> None:
    """Draft and plan a project from a film, its dialogue, and a screenplay, a description, prepared lines or a model.

    Of --candidates, --screenplay and --description the first one given is used. With --llm, a model supplies the rest:
    everything from the film alone, or wordings, times and salience for a screenplay or a description.

    If the project exists and is of the same film, --llm and --weigh continue in it: only what is missing is asked for,
    and everything people have done stays.
    """
    from adstudio.cli import ignored_options
    from adstudio.cli.draft_events import DraftPrinter, estimate_lines
    from adstudio.connections import data_categories
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.existing_project import choose, content_of, existing_at, identity_for
    from adstudio.drafting.model.prompts import prompts
    from adstudio.drafting.model.requests import ModelOptions
    from adstudio.drafting.request import DraftRequest, Existing, ModelDraft, require_shown

    _require_together(model, sending, weigh, ablations)
    require_film(video, files, film, gaps)
    _require_files(video, files, output, report, model.person or (), ablations.references)
    weighs_there = weigh.weigh is not None and not force and output.exists()
    if files.text is None and model.llm is None and not weighs_there:
        raise BadInputError(
            "nothing to draft from: give --candidates, --screenplay, --description, or a model (--llm NAME)"
        )
    video = _film(video, files, output if weighs_there and model.llm is None and film.end is None else None)
    passed_over = _passed_over(files)
    if files.candidates is not None:
        files = replace(files, screenplay=None, description=None)
    require_writable_target(output)
    settings = plan.settings(gaps, default=WITHOUT_RULES if model.direct else DEFAULT)
    found, content = existing_at(output, suggested_rules=files.suggest_rules), content_of(video)
    asks = model.llm is not None or weigh.weigh is not None
    existing, _ = choose(found, content, force=force, resumable=asks)
    _require_new(ablations, output, resumes=existing is Existing.RESUME)
    require_safe_target(report, script=None if found is None else found.script, project=output)
    require_writable_target(report)
    sources = film_sources(video, files, film, plan, settings)
    previous = _previous(found, content, video if asks else None)

    def connect(named: SavedConnection, policy: Policy) -> Connection:
        identity = identity_for(found, output, content)
        return named.connection(policy, project=output.name, salt=identity, identity=identity)

    weighing = _weighing(weigh, model, sending, previous.policy, connect, video=video is not None)
    request = DraftRequest(
        output,
        sources,
        weighing=weighing,
        existing=existing,
        ablation=ablations.ablation(sources.frame_rate or RATES["25"], film.start_timecode, film.encoding),
    )
    permit: Permit | None = None
    if model.llm is not None:
        require_shown(sources, direct=model.direct)
        named = connection_named(model.llm)
        sending = sending if weighing is None else sending.meant_for(named)
        people = _people(model.person or (), previous.people, output)
        sends = data_categories.drafting(people)
        most = model_options.micro_usd(model.most_cost, named)
        sending.require(named, previous.policy, sends)
        way = ModelOptions(
            prompts(dict(previous.prompts)),
            thinking=model.thinking,
            again=model.again,
            anew=model.anew,
            most_micro_usd=most,
        )
        drafting = ModelDraft(connect(named, previous.policy), named.name, way, model.direct)
        request = replace(request, model=drafting, people=people, prompts=previous.prompts)

        def permitted(estimated: Estimated) -> Policy:
            return sending.policy(named, previous.policy, sends, list(estimate_lines(estimated)))

        permit = permitted

    if existing is Existing.RESUME and found is not None and found.script is not None:
        ignored_options.report(context, found.script, sources, drafts=model.llm is not None)
    DraftPrinter(request, previous.policy, report, passed_over).run(permit)


def _previous(found: ExistingProject | None, film: str, shown: Path | None) -> Handover:
    """What an existing project passes on; a video to be `shown` is read if its permission requires that."""
    from adstudio.drafting.existing_project import Handover
    from adstudio.store.film_contents import hash_film

    if found is None:
        return Handover()
    if shown is None or not found.handover.policy.content:
        return found.passed_on(film)
    with words.status(stage_name(Stage.CHECKING_VIDEO)) as status:
        read = hash_film(shown, lambda share: status.update(progress_text(Progress(Stage.CHECKING_VIDEO, share))))
    return found.passed_on(film, read.content)


def _weighing(
    options: WeighOptions,
    model: LlmOptions,
    sending: SendingOptions,
    current: Policy,
    connect: Callable[[SavedConnection, Policy], Connection],
    *,
    video: bool,
) -> Weighing | None:
    """Which server scores the lines, and how; None without `--weigh`.

    Raises:
        BadInputError: for a method without a server, an unknown server, or one that may not be sent what it needs.
        OutsideFailureError: if the connections cannot be read.
    """
    way = options.weigh
    if way is None:
        for given in given_options(options):
            raise BadInputError(f"{given} needs a method: add --weigh ({', '.join(WAYS)})")
        return None
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.weigh.scene import Weighing
    from adstudio.drafting.weigh.script_weighing import require_weighable, sends

    require_weighable(way, video=video)
    name = options.weigh_with or (model.llm if way == "model" else None)
    if name is None:
        raise BadInputError(f"--weigh {way} needs a server: name it with --weigh-with NAME")
    named = connection_named(name)
    most = model_options.micro_usd(model.most_cost, named)
    if way == "video-embedding" and named.kind == "gemini":
        raise BadInputError(f"--weigh {way} needs a server of your own, and “{name}” is not one: choose another")
    connection = connect(named, sending.meant_for(named).policy(named, current, sends(way)))
    connection.require_allowed()
    return Weighing(connection, named.name, way, most, options.weigh_reviewed)


def _people(given: Sequence[str], known: People, output: Path) -> People:
    """The project's people and those given, checked before any request is paid for."""
    from adstudio.drafting.existing_project import with_given

    people = tuple(_person(each, output) for each in given)
    if wrong := people_error(people):
        raise BadInputError(f"--person: {wrong}")
    for each in people:
        if not each.face:
            say(f"{each.name} has no picture of the face, so the model gets only the name (--person NAME=FILE)")
    people = with_given(known, people)
    if wrong := people_error(people):
        raise BadInputError(f"--person: {wrong} (those of {output} are kept)")
    return people


def _person(given: str, project: Path) -> Person:
    """A person given as NAME or NAME=FILE, where the file is a picture of the face."""
    from adstudio.media.faces import picture
    from adstudio.store.media import source_file

    name, mark, file = given.partition("=")
    if mark and not file.strip():
        raise BadInputError(f"--person {given[:60]}: no picture is given; write ANNA=anna.jpg, or only the name")
    try:
        face, source = (picture(Path(file)), source_file(Path(file), project)) if file else (b"", None)
        return Person.named(composed(name.strip()), face, source)
    except ValueError as error:
        raise BadInputError(f"--person: {error}; write ANNA=anna.jpg") from None


def film_sources(
    video: Path | None, files: SourceOptions, film: FilmOptions, plan: PlanOptions, settings: Settings
) -> Sources:
    """What the options say of the film and its files.

    Raises:
        BadInputError, OutsideFailureError: for a time or rate that is none, and as `PlanOptions.project_voice` does.
    """
    from adstudio.drafting.request import Sources

    return Sources(
        subtitles=files.subtitles,
        candidates=files.candidates,
        video=video,
        end=None if film.end is None else ms(film.end, "--end", least=1),
        title=film.title,
        language=film.language or "",
        encoding=film.encoding,
        frame_rate=None if film.frame_rate is None else options.rate(film.frame_rate, film.start_timecode),
        start_timecode=film.start_timecode,
        settings=settings,
        screenplay=files.screenplay,
        description=files.description,
        any_screenplay=files.any_screenplay,
        suggested_rules=files.suggest_rules,
        listening=files.subtitles is None,
        without_dialogue=files.without_dialogue,
        in_step=files.in_step,
        sound_track=film.audio_track,
        voice=plan.project_voice,
        cast_list=files.cast_list,
    )


def _require_together(
    model: LlmOptions, sending: SendingOptions, weigh: WeighOptions, ablations: AblationOptions
) -> None:
    """Check that options that need each other are given together, and none that contradict each other."""
    _require_model(model, sending, weigh)
    ablations.require()
    if ablations.salience is not None and weigh.weigh is not None:
        raise BadInputError("--salience and --weigh both score the lines: leave out one of them")
    for given in ablations.changes if model.direct else ():
        raise BadInputError(f"--direct leaves nothing to plan that {given} could change: leave out one of them")


def _require_model(model: LlmOptions, sending: SendingOptions, weigh: WeighOptions) -> None:
    """Check that options about a model come with one; a server that scores lines may cost money and needs consent."""
    if model.llm is not None:
        return
    groups = (model, sending) if weigh.weigh is None else (replace(model, most_cost=None),)
    for option_given in chain.from_iterable(map(given_options, groups)):
        raise BadInputError(f"{option_given} needs a model: name one with --llm NAME, or leave it out")


def _require_new(ablations: AblationOptions, output: Path, *, resumes: bool) -> None:
    for given in ablations.changes if resumes else ():
        raise BadInputError(f"{given} is for a new project, and {output} exists: name another with --output")


def _film(video: Path | None, files: SourceOptions, project: Path | None) -> Path | None:
    """The film; without one and without subtitles, that of the `project` whose lines are scored."""
    from adstudio.drafting.existing_project import existing_at

    if video is None and files.subtitles is None:
        with contextlib.suppress(AdstudioError):
            found = None if project is None else existing_at(project)
            video = None if found is None else found.video
        require_sources((video, "film"))
        if video is None:
            raise BadInputError("no source of dialogue: give the subtitles (--subtitles), or the film")
    return video


def _passed_over(files: SourceOptions) -> tuple[str, ...]:
    """Messages about sources of description that are given but not used."""
    given = {"screenplay": files.screenplay, "description": files.description}
    others = [what for what, path in given.items() if path is not None and path != files.text]
    return tuple(f"drafted from {files.text}; the {what} was not used" for what in others)


def require_film(video: Path | None, files: SourceOptions, film: FilmOptions, gaps: options.GapOptions) -> None:
    """Check the options about the film that need each other.

    Raises:
        BadInputError: otherwise.
    """
    if files.in_step and (video is None or files.subtitles is None):
        raise BadInputError("--in-step compares subtitles with the film’s speech: give both, the film and --subtitles")
    if gaps.word_edges and (video is None or files.subtitles is None):
        raise BadInputError(
            "--word-edges finds the words of the subtitles in the film’s sound: give both, the film and --subtitles"
        )
    if video is None and film.audio_track is not None:
        raise BadInputError("--audio-track is a sound track of the film: give the video")
    if video is not None and film.end is not None:
        raise BadInputError("--end is for working without the video: leave out one of them")


def _require_files(
    video: Path | None,
    files: SourceOptions,
    output: Path,
    report: Path | None,
    people: Sequence[str],
    references: Sequence[Path],
) -> None:
    texts = (files.candidates, files.screenplay, files.description)
    given = (video, files.subtitles, *texts, files.cast_list, *references)
    pictures = [Path(file) for _, _, file in (each.partition("=") for each in people) if file]
    require_not_source(output, *given, *pictures)
    require_project_name(output)
    if report is not None and same_file(output, report):
        raise BadInputError(f"--report and --output both name {report}: choose another name for one of them")
    require_safe_target(report, *given, *pictures)
    names = ("film", "subtitle file", "candidates file", "screenplay", "description", "cast list")
    names += ("reference",) * len(references)
    require_sources(*zip(given, names, strict=True))
