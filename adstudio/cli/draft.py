"""`adstudio draft`: a film to a planned project."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from adstudio.cli import model_options, options
from adstudio.cli.option_groups import grouped
from adstudio.cli.options import flag, ms, option
from adstudio.cli.output import require_distinct, require_safe_target, require_sources, require_writable_target, say
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.script import People, Person, Scope, Settings, people_error
from adstudio.core.timebase import parse_rate
from adstudio.core.words import composed
from adstudio.drafting.limits import require_language, require_rate
from adstudio.drafting.weigh.methods import WAYS, Way

if TYPE_CHECKING:
    from adstudio.connections.model_access import Connection
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.policy import Policy
    from adstudio.drafting.events import Estimated
    from adstudio.drafting.existing_project import ExistingProject, Handover
    from adstudio.drafting.request import ModelDraft, Sources
    from adstudio.drafting.servers import Permit
    from adstudio.drafting.weigh.methods import Weighing


@dataclass(frozen=True)
class SourceOptions:
    """The film's files, and what is done with them."""

    TITLE: ClassVar[str] = "Sources"

    subtitles: Annotated[
        Path | None, option("FILE", "Dialogue subtitles (default: detect dialogue from the audio).")
    ] = None
    candidates: Annotated[Path | None, option("FILE", "Prepared lines, as JSON.")] = None
    screenplay: Annotated[Path | None, option("FILE", "A screenplay to draft from (Fountain, FDX, text, PDF).")] = None
    description: Annotated[Path | None, option("FILE", "Prose to draft from, best with times [00:01:23].")] = None
    any_screenplay: Annotated[
        bool, flag("--any-screenplay", "Use the screenplay even if it hardly matches the film.")
    ] = False
    in_step: Annotated[
        bool, flag("--in-step", "Sync the subtitles to the film’s speech, where they are certainly off.")
    ] = False
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
    language: Annotated[str | None, option("TAG", "Language of the description, such as en or pt-BR.")] = None
    frame_rate: Annotated[str | None, option("RATE", "Frame rate for timecode: 23.976, 25, 29.97df, 29.97ndf …")] = None
    start_timecode: Annotated[str, option("HH:MM:SS:FF", "Timecode of the first frame.")] = ""


@dataclass(frozen=True)
class PlanOptions:
    """How the film is planned."""

    TITLE: ClassVar[str] = "Plan"

    words_per_minute: Annotated[int, option("N", "Speaking rate.")] = 200
    delta_max: Annotated[str, option("SECONDS", "Maximum distance of a line from the action, middle to middle.")] = "10"
    min_pause: Annotated[str, option("SECONDS", "Least pause between lines.")] = "0"
    scope: Annotated[Literal["film", "scene"], option("film|scene", "Whether lines may cross scenes.")] = "film"

    def settings(self, gaps: options.GapOptions) -> Settings:
        """The settings of a project, read."""
        settings = Settings(
            words_per_minute=self.words_per_minute,
            gaps=gaps.settings,
            delta_max=ms(self.delta_max, "--delta-max"),
            min_pause=ms(self.min_pause, "--min-pause"),
            scope=Scope(self.scope),
        )
        with _about("--words-per-minute"):
            require_rate(self.words_per_minute)
        return settings


@grouped
def draft(
    context: typer.Context,
    video: Annotated[Path | None, typer.Argument(metavar="VIDEO", help="The film. Without one, give --end.")] = None,
    *,
    output: Annotated[Path, option("P.adproj", "The project to write.", "--output", "-o")],
    files: SourceOptions,
    model: LlmOptions,
    sending: model_options.SendingOptions,
    weigh: WeighOptions,
    film: FilmOptions,
    plan: PlanOptions,
    gaps: options.GapOptions,
    report: Annotated[Path | None, option("FILE", "Write everything odd in the sources to a file.")] = None,
    force: Annotated[bool, flag("--force", "Replace an existing project, unless a person has worked on it.")] = False,
) -> None:
    """Draft and plan a project from a film, its dialogue, and a screenplay, a description, prepared lines or a model.

    Of --candidates, --screenplay and --description the first one given is used. With --llm, a model supplies the rest:
    everything from the film alone, or wordings, times and salience for a screenplay or a description.

    If the project exists and is of the same film, --llm and --weigh continue in it: only what is missing is asked for,
    and everything people have done stays.
    """
    from adstudio.cli import ignored_options
    from adstudio.cli.draft_events import DraftPrinter
    from adstudio.drafting.existing_project import Handover, choose, content_of, existing_at
    from adstudio.drafting.request import DraftRequest, Existing, require_shown

    _require_model(model, sending, weigh)
    weighs_there = weigh.weigh is not None and not force and output.exists()
    _require_text(files, model, has_lines=weighs_there)
    video = _film(video, files, output if weighs_there and model.llm is None and film.end is None else None)
    passed_over = _passed_over(files)
    if files.candidates is not None:
        files = replace(files, screenplay=None, description=None)
    settings = plan.settings(gaps)
    _require_film(video, files, film)
    _require_files(video, files, output, report)
    found, content = existing_at(output, suggested_rules=files.suggest_rules), content_of(video)
    asks = model.llm is not None or weigh.weigh is not None
    existing, _ = choose(found, content, force=force, resumable=asks)
    require_writable_target(output)
    require_writable_target(report)
    sources = _sources(video, files, film, settings)
    previous = Handover() if found is None else found.passed_on(content)
    servers = _Servers(sources, output, previous, found, content, sending)
    weighing = servers.weighing(weigh, model)
    request = DraftRequest(output, sources, weighing=weighing, existing=existing)
    permit = None
    if model.llm is not None:
        require_shown(sources, direct=model.direct)
        named, servers = servers.named(model.llm), servers.besides(weighing, model.llm)
        people = servers.people(model.person or ())
        request = replace(
            request, model=servers.drafting(model, named, people), people=people, prompts=previous.prompts
        )
        permit = servers.permit(named, people)
    if existing is Existing.RESUME and found is not None and found.script is not None:
        ignored_options.report(context, found.script, sources, drafts=model.llm is not None)
    DraftPrinter(request, previous.policy, report, passed_over).run(permit)


@dataclass(frozen=True)
class _Servers:
    """Which servers may be asked for a film, checked before any work is done."""

    sources: Sources
    output: Path
    previous: Handover
    found: ExistingProject | None
    film: str
    sending: model_options.SendingOptions

    def named(self, name: str) -> SavedConnection:
        """A connection by its name, which raises where there is none."""
        from adstudio.connections.saved_connections import connection_named

        return connection_named(name)

    def besides(self, weighing: Weighing | None, llm: str) -> _Servers:
        """The same, with those of the options about sending that are meant for the model that drafts."""
        if weighing is None:
            return self
        return replace(self, sending=self.sending.meant_for(self.named(llm)))

    def weighing(self, options: WeighOptions, model: LlmOptions) -> Weighing | None:
        """Who scores the lines; None where nobody is to.

        Raises:
            BadInputError: for a method without a server, one that is not known or may not be sent what it needs.
            OutsideFailureError: where the connections cannot be read.
        """
        way, weigh_with = options.weigh, options.weigh_with
        if way is None:
            said = "--weigh-with" if weigh_with is not None else "--weigh-reviewed"
            if weigh_with is not None or options.weigh_reviewed:
                raise BadInputError(f"{said} needs a method: add --weigh ({', '.join(WAYS)})")
            return None
        from adstudio.drafting.weigh.methods import Weighing
        from adstudio.drafting.weigh.script_weighing import require_weighable, sends

        require_weighable(way, video=self.sources.video is not None)
        name = weigh_with or (model.llm if way == "model" else None)
        if name is None:
            raise BadInputError(f"--weigh {way} needs a server: name it with --weigh-with NAME")
        named = self.named(name)
        most = model_options.micro_usd(model.most_cost, named)
        if way == "video-embedding" and named.kind == "gemini":
            raise BadInputError(f"--weigh {way} needs a server of your own, and “{name}” is not one: choose another")
        sending = self.sending.meant_for(named)
        policy = sending.policy(named, self.previous.policy, sends(way))
        connection = self._connection(named, policy)
        connection.require_allowed()
        return Weighing(connection, named.name, way, most, options.weigh_reviewed)

    def drafting(self, options: LlmOptions, named: SavedConnection, people: People) -> ModelDraft:
        """How the model drafts.

        Raises:
            BadInputError: for sources of which a model makes nothing, or a model that may not be sent anything.
        """
        from adstudio.connections import data_categories
        from adstudio.drafting.model.prompts import prompts
        from adstudio.drafting.model.requests import ModelOptions
        from adstudio.drafting.request import ModelDraft

        most = model_options.micro_usd(options.most_cost, named)
        sends = data_categories.drafting(people)
        self.sending.require(named, self.previous.policy, sends)
        way = ModelOptions(
            prompts(dict(self.previous.prompts)),
            thinking=options.thinking,
            again=options.again,
            anew=options.anew,
            most_micro_usd=most,
        )
        return ModelDraft(self._connection(named, self.previous.policy), named.name, way, options.direct)

    def permit(self, named: SavedConnection, people: People) -> Permit:
        """What asks for the policy under which the model is asked, once it is known what that will take."""
        from adstudio.cli.draft_events import estimate_lines
        from adstudio.connections import data_categories

        def permit(estimated: Estimated) -> Policy:
            sends = data_categories.drafting(people)
            return self.sending.policy(named, self.previous.policy, sends, list(estimate_lines(estimated)))

        return permit

    def people(self, given: Sequence[str]) -> People:
        """The people that the project keeps and those given, checked before a model is paid to be told of them."""
        from adstudio.drafting.existing_project import with_given

        people = tuple(map(_person, given))
        if wrong := people_error(people):
            raise BadInputError(f"--person: {wrong}")
        for each in people:
            if not each.face:
                say(f"{each.name} has no picture of the face, so the model gets only the name (--person NAME=FILE)")
        people = with_given(self.previous.people, people)
        if wrong := people_error(people):
            raise BadInputError(f"--person: {wrong} (those of {self.output} are kept)")
        return people

    def _connection(self, named: SavedConnection, policy: Policy) -> Connection:
        from adstudio.drafting.existing_project import identity_for

        identity = identity_for(self.found, self.output, self.film)
        return named.connection(policy, project=self.output.name, salt=identity, identity=identity)


def _person(given: str) -> Person:
    """Somebody given as NAME or NAME=FILE, the file a picture of the face."""
    from adstudio.media.faces import picture

    name, mark, file = given.partition("=")
    if mark and not file.strip():
        raise BadInputError(f"--person {given[:60]}: no picture is given; write ANNA=anna.jpg, or only the name")
    try:
        return Person(composed(name.strip()), picture(Path(file)) if file else b"")
    except ValueError as error:
        raise BadInputError(f"--person: {error}; write ANNA=anna.jpg") from None


def _sources(video: Path | None, files: SourceOptions, film: FilmOptions, settings: Settings) -> Sources:
    from adstudio.drafting.request import Sources

    return Sources(
        subtitles=files.subtitles,
        candidates=files.candidates,
        video=video,
        end=None if film.end is None else ms(film.end, "--end", least=1),
        title=film.title,
        language=film.language or "",
        encoding=film.encoding,
        frame_rate=None if film.frame_rate is None else parse_rate(film.frame_rate, film.start_timecode),
        start_timecode=film.start_timecode,
        settings=settings,
        screenplay=files.screenplay,
        description=files.description,
        any_screenplay=files.any_screenplay,
        suggested_rules=files.suggest_rules,
        listening=files.subtitles is None,
        in_step=files.in_step,
    )


@contextlib.contextmanager
def _about(option: str) -> Generator[None]:
    """Inside, what is wrong is wrong with this option."""
    try:
        yield
    except BadInputError as error:
        raise BadInputError(f"{option}: {error}") from None


def _require_model(model: LlmOptions, sending: model_options.SendingOptions, weigh: WeighOptions) -> None:
    """Check that nothing is said of a model where there is none."""
    if model.llm is not None:
        return
    of_servers = {**asdict(sending), "most_cost": model.most_cost} if weigh.weigh is None else {}
    given = {
        "direct": model.direct,
        **of_servers,
        "person": model.person,
        "again": model.again,
        "anew": model.anew,
        "thinking": model.thinking != "off",
    }
    for name, value in given.items():
        if value is not None and value is not False:
            raise BadInputError(f"--{name.replace('_', '-')} needs a model: name one with --llm NAME, or leave it out")


def _require_text(files: SourceOptions, model: LlmOptions, *, has_lines: bool) -> None:
    """Check that something tells what could be described; nothing has to where lines are there to be weighed."""
    if files.text is None and model.llm is None and not has_lines:
        raise BadInputError(
            "nothing to draft from: give --candidates, --screenplay, --description, or a model (--llm NAME)"
        )


def _film(video: Path | None, files: SourceOptions, project: Path | None) -> Path | None:
    """The film; where none is given, and no subtitles, that of the `project` whose lines are weighed."""
    from adstudio.drafting.existing_project import existing_at

    if video is None and files.subtitles is None:
        with contextlib.suppress(AdstudioError):
            found = None if project is None else existing_at(project)
            video = None if found is None else found.video
        if video is None:
            raise BadInputError("no source of dialogue: give the subtitles (--subtitles), or the film")
    return video


def _passed_over(files: SourceOptions) -> tuple[str, ...]:
    """What is said of sources of description that are given and not used."""
    given = {"screenplay": files.screenplay, "description": files.description}
    others = [what for what, path in given.items() if path is not None and path != files.text]
    return tuple(f"drafted from {files.text}; the {what} was not used" for what in others)


def _require_film(video: Path | None, files: SourceOptions, film: FilmOptions) -> None:
    if film.language is not None:
        with _about("--language"):
            require_language(film.language)
    if files.in_step and (video is None or files.subtitles is None):
        raise BadInputError("--in-step compares subtitles with the film’s speech: give both, the film and --subtitles")
    if video is not None and film.end is not None:
        raise BadInputError("--end is for drafting without a video: leave out one of them")


def _require_files(video: Path | None, files: SourceOptions, output: Path, report: Path | None) -> None:
    given = (video, files.subtitles, files.candidates, files.screenplay, files.description)
    require_distinct(output, *given, report)
    require_safe_target(report, *given)
    names = ("film", "subtitle file", "candidates file", "screenplay", "description")
    require_sources(*zip(given, names, strict=True))
