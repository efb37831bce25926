"""`adstudio draft`: a film to a planned project."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from adstudio.cli import draft_weigh, model_options, options
from adstudio.cli.draft_result import Result
from adstudio.cli.options import gap_settings, ms
from adstudio.cli.output import (
    length,
    oddities_json,
    print_oddities,
    require_distinct,
    require_safe_target,
    require_sources,
    require_writable_target,
    say,
    words,
)
from adstudio.cli.output_check import film_in, kept_aside, require_own, require_still_free
from adstudio.cli.overwrite import forget_unfinished, identity_of, kept_of, with_given
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.json_reading import json_bytes
from adstudio.core.policy import OFFLINE, Policy
from adstudio.core.script import Scope, Settings
from adstudio.core.timebase import parse_rate
from adstudio.drafting.limits import require_language, require_rate

if TYPE_CHECKING:
    from adstudio.cli.draft_by_model import Wish
    from adstudio.cli.draft_weigh import Weigher
    from adstudio.drafting.draft import Draft, Sources


def draft(
    context: typer.Context,
    video: Annotated[Path | None, typer.Argument(metavar="VIDEO", help="The film; without it, give --end.")] = None,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="P.adproj", help="The project to write.")],
    subtitles: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its dialogue subtitles; without them its speech is listened for."),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What could be described, worded, as JSON.")
    ] = None,
    screenplay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A screenplay to take it from (Fountain, FDX, text, PDF).")
    ] = None,
    description: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A text in prose to take it from, best with times [00:01:23].")
    ] = None,
    any_screenplay: Annotated[
        bool,
        typer.Option("--any-screenplay", metavar="", help="Use the screenplay even if it is hardly this film’s."),
    ] = False,
    in_step: Annotated[
        bool,
        typer.Option("--in-step", metavar="", help="Put subtitles in step with the speech heard, where that is sure."),
    ] = False,
    suggest_rules: Annotated[
        bool,
        typer.Option("--suggest-rules", metavar="", help="Set rules for lines that repeat or need one another."),
    ] = False,
    llm: model_options.Llm = None,
    direct: Annotated[
        bool,
        typer.Option("--direct", metavar="", help="Let the model write the whole script itself, times and all."),
    ] = False,
    on_premises: model_options.OnPremises = False,
    cloud: model_options.Cloud = None,
    plain_http: model_options.PlainHttp = False,
    person: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=FILE]",
            help="Somebody in the film, for the model: the name, and a picture of the face where there is one.",
        ),
    ] = None,
    thinking: Annotated[
        Literal["off", "low", "medium", "high"],
        typer.Option(metavar="LEVEL", help="How long the model may think: off, low, medium or high."),
    ] = "off",
    anew: Annotated[
        bool, typer.Option("--anew", metavar="", help="Ask for everything once more, whatever is kept of it.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", metavar="", help="Ask anew for what was withheld or cut short.")
    ] = False,
    most_cost: Annotated[
        float | None, typer.Option(metavar="DOLLARS", help="Ask no more once the film has cost this (US dollars).")
    ] = None,
    weigh: draft_weigh.Weigh = None,
    weigh_with: draft_weigh.WeighWith = None,
    weigh_reviewed: draft_weigh.WeighReviewed = False,
    end: options.End = None,
    encoding: options.Encoding = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The film's title; its file's name without it.")] = "",
    language: Annotated[
        str | None, typer.Option(metavar="TAG", help="The language described in, such as en or pt-BR.")
    ] = None,
    frame_rate: Annotated[
        str | None, typer.Option(metavar="RATE", help="For timecode: 23.976, 25, 29.97df, 29.97ndf …")
    ] = None,
    start_timecode: Annotated[str, typer.Option(metavar="HH:MM:SS:FF", help="The timecode of the first frame.")] = "",
    words_per_minute: Annotated[int, typer.Option(metavar="N", help="The speaking rate.")] = 200,
    delta_max: Annotated[
        str, typer.Option(metavar="SECONDS", help="How far a line may be from its event, from middle to middle.")
    ] = "10",
    min_pause: Annotated[str, typer.Option(metavar="SECONDS", help="The least pause between two lines.")] = "0",
    scope: Annotated[
        Literal["film", "scene"],
        typer.Option(metavar="film|scene", help="How far a line may stray."),
    ] = "film",
    margin_before: options.MarginBefore = "0",
    margin_after: options.MarginAfter = "0",
    least_gap: options.LeastGap = "1.0",
    keep_sound: options.KeepSound = False,
    keep_music: options.KeepMusic = False,
    free_sung: options.FreeSung = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all that is odd in the sources to it.")
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force", metavar="", help="Write over a project that is there, unless a person has worked on it."
        ),
    ] = False,
) -> None:
    """From a film, its dialogue subtitles and what tells what is seen in it, make a planned project.

    Where the project is there and of the same film, --llm and --weigh go on in it: what is missing is asked for, and
    all that people have done stays.

    The first of --candidates, --screenplay and --description that is given tells that. With --llm a model makes what
    is missing: all of it from the film alone, or wordings, times and weights for a screenplay or a description.
    """
    from adstudio.cli import draft_by_model, draft_resume, ignored_options
    from adstudio.drafting.draft import Sources

    if llm is None:
        thoughts = {"thinking": thinking != "off"}
        sending = {"on_premises": on_premises, "cloud": cloud, "plain_http": plain_http, "most_cost": most_cost}
        about_sending = sending if weigh is None else {}
        _refuse(_given(direct=direct, **about_sending, person=person, again=again, anew=anew, **thoughts))
    weighs_there = weigh is not None and not force and output.exists()
    source = _source(candidates, screenplay, description, llm, has_lines=weighs_there)
    video = _film(video, subtitles, output if weighs_there and llm is None and end is None else None)
    if candidates is not None:
        screenplay, description, passed_over = None, None, _given(screenplay=screenplay, description=description)
    else:
        passed_over = _given(description=description) if screenplay is not None else []
    settings = Settings(
        words_per_minute=words_per_minute,
        gaps=gap_settings(
            margin_before, margin_after, least_gap, keep_sound=keep_sound, keep_music=keep_music, free_sung=free_sung
        ),
        delta_max=ms(delta_max, "--delta-max"),
        min_pause=ms(min_pause, "--min-pause"),
        scope=Scope(scope),
    )
    with _about("--words-per-minute"):
        require_rate(words_per_minute)
    if language is not None:
        with _about("--language"):
            require_language(language)
    if in_step and (video is None or subtitles is None):
        raise BadInputError("--in-step lays subtitles over the film’s own speech: give both, the film and --subtitles")
    if video is not None and end is not None:
        raise BadInputError("--end is for a film without its video: leave out one of them")
    require_distinct(output, video, subtitles, candidates, screenplay, description, report)
    require_safe_target(report, video, subtitles, candidates, screenplay, description)
    require_sources(
        (video, "film"),
        (subtitles, "subtitle file"),
        (candidates, "candidates file"),
        (screenplay, "screenplay"),
        (description, "description"),
    )
    was_there = output.exists()
    there = require_own(
        output, video, force=force, goes_on=llm is not None or weigh is not None, suggested_rules=suggest_rules
    )
    require_writable_target(output)
    require_writable_target(report)
    sources = Sources(
        subtitles=subtitles,
        candidates=candidates,
        video=video,
        end=None if end is None else ms(end, "--end", least=1),
        title=title,
        language=language or "",
        encoding=encoding,
        frame_rate=None if frame_rate is None else parse_rate(frame_rate, start_timecode),
        start_timecode=start_timecode,
        settings=settings,
        screenplay=screenplay,
        description=description,
        any_screenplay=any_screenplay,
        suggested_rules=suggest_rules,
        listening=subtitles is None,
        in_step=in_step,
    )
    weighing = draft_weigh.weigher(
        weigh,
        weigh_with,
        llm,
        sources,
        output,
        on_premises=on_premises,
        cloud=cloud,
        plain_http=plain_http,
        most_usd=most_cost,
        reviewed=weigh_reviewed,
    )
    asked_for: Wish | None = None
    if llm is not None:
        on_premises, cloud = draft_weigh.options_for_llm(llm, weighing, on_premises=on_premises, cloud=cloud)
        asked_for = draft_by_model.wish(
            llm,
            sources,
            output,
            on_premises=on_premises,
            cloud=cloud,
            plain_http=plain_http,
            direct=direct,
            again=again,
            anew=anew,
            most_usd=most_cost,
            persons=person or (),
            thinking=thinking,
        )
    if there.goes_on:
        ignored_options.tell(context, output, sources, drafts=llm is not None)
        result = draft_resume.gone_on(output, sources, asked_for, weighing)
        if asked_for is not None and person:
            result = ignored_options.with_people(result, asked_for.people)
    else:
        result = _new(output, sources, asked_for, weighing, force=force, was_there=was_there)
    passing = [f"{source} tells what could be described; the {what} was not looked at" for what in passed_over]
    result = replace(result, words=(*result.words, *passing))
    # Without the video nobody can tell that the project is of this film.
    goes_on = "the same command with --force" if video is None else f"the same command{' without --force' * force}"
    _end(output, result, weighing, report, goes_on)


def _new(
    output: Path, sources: Sources, asked_for: Wish | None, weighing: Weigher | None, *, force: bool, was_there: bool
) -> Result:
    """A new project drafted and written, in the place of one where that is forced."""
    video, asked = sources.video, asked_for is not None or weighing is not None
    result = _made(sources, output, asked_for, weighing)
    policy = draft_weigh.together(result.policy, weighing)
    # The draft took its time, in which another may have been written, or somebody have worked on what is written over.
    if not was_there and not force:
        require_still_free(output, video, goes_on=asked)
    there = require_own(output, video, force=force, suggested_rules=sources.suggested_rules)
    aside = kept_aside(output, result.draft.script) if force else ""
    _write(output, result.draft, policy, video, force=force, asked=asked)
    return replace(result, words=(*(said for said in (there.said, aside) if said), *result.words))


def _end(output: Path, result: Result, weighing: Weigher | None, report: Path | None, goes_on: str) -> None:
    """Tell what came; `goes_on` is the command that asks for what did not.

    Raises:
        OutsideFailureError: where something did not come.
    """
    made = result.draft
    _tell(made, report, [*result.notes, *draft_weigh.noted(weighing)])
    for line in result.words:
        say(line)
    draft_weigh.tell(weighing)
    _tell_plan(made, output)
    draft_weigh.require_whole(weighing, len(made.script.scenes), goes_on)
    if result.missing:
        raise OutsideFailureError(
            f"{result.missing} of {len(made.script.scenes)} scenes did not come whole, for the reasons above;"
            f" {output} holds what came. Once that is mended, {goes_on} goes on in it and asks for what is missing"
            " alone (with --again, for what was withheld or cut at a limit too); or draft them in the editor"
        )


def _write(output: Path, made: Draft, policy: Policy, video: Path | None, *, force: bool, asked: bool) -> None:
    """The project, and what it allows that one of the same film which is written over did not.

    Where a model was `asked`, the log of what was sent knows the project already.
    """
    from adstudio.store.project import ProjectFile

    kept = kept_of(output, video)
    script = made.script.with_changes(people=with_given(kept.people, made.script.people), prompts=kept.prompts)
    identity = identity_of(output, video) if asked else kept.identity
    ProjectFile.create(output, script, plan=made.plan, replacing=force, policy=policy, identity=identity).close()
    if asked:
        forget_unfinished(output, video)
    if policy not in (kept.policy, OFFLINE):
        say(model_options.noted(output, kept.policy, policy))


def _without_model(sources: Sources, output: Path, weighing: Weigher | None) -> Result:
    from adstudio.drafting.draft import draft as drafted

    with words.status("drafting") as status:

        def told(what: str, share: float) -> None:
            status.update(_doing(what, share))

        return Result(drafted(sources, output, told, weigh=weighing and functools.partial(weighing, told)))


def _made(sources: Sources, output: Path, asked_for: Wish | None, weighing: Weigher | None) -> Result:
    if asked_for is None:
        return _without_model(sources, output, weighing)
    return _by_model(sources, output, asked_for, weighing)


def _by_model(sources: Sources, output: Path, wish: Wish, weighing: Weigher | None) -> Result:
    from adstudio.cli import draft_by_model, draft_messages

    made = draft_by_model.drafted(sources, output, wish, weighing)
    return Result(
        made.draft,
        made.policy,
        draft_messages.noted(made.draft.script, made.outcome),
        list(draft_messages.told_direct(made.draft)) if made.direct else [],
        draft_messages.not_whole(made.outcome),
    )


def _tell(made: Draft, report: Path | None, notes: Sequence[tuple[str, Oddity]] = ()) -> None:
    """What was odd; a report holds the `notes` too, of which there are too many to be shown."""
    from adstudio.system.files import write_atomically

    if report is not None:
        write_atomically(report, json_bytes(oddities_json([*made.oddities, *notes])))
    print_oddities(made.oddities)


def _tell_plan(made: Draft, output: Path) -> None:
    for line in _told(made):
        say(line)
    gaps = len(made.gaps.gaps)
    free = sum(gap.length for gap in made.gaps.gaps)
    used = sum(delivery.end - delivery.start for delivery in made.plan.deliveries)
    film = made.script.film
    first = film.frame_rate.label(0, start=film.start_timecode)
    say(f"timecode: {film.frame_rate.name} frames a second, the first is {first}")
    say(
        f"{output}: {made.plan.status.value}, {len(made.plan.deliveries)} of {len(made.script.eventualities)} "
        f"eventualities described, {length(used)} of {length(free)} free in {gaps} gap{'' if gaps == 1 else 's'} used"
    )


@contextlib.contextmanager
def _about(option: str) -> Generator[None]:
    """Inside, what is wrong is wrong with this option."""
    try:
        yield
    except BadInputError as error:
        raise BadInputError(f"{option}: {error}") from None


def _film(video: Path | None, subtitles: Path | None, project: Path | None) -> Path | None:
    """The film; where none is given, and no subtitles, that of the `project` whose lines are weighed."""
    if video is None and subtitles is None:
        video = None if project is None else film_in(project)
        if video is None:
            raise BadInputError("nothing tells what is said in the film: give its subtitles (--subtitles), or the film")
    return video


def _source(
    candidates: Path | None, screenplay: Path | None, description: Path | None, llm: str | None, *, has_lines: bool
) -> Path | None:
    """What tells what could be described; nothing has to where lines are there to be weighed."""
    source = candidates or screenplay or description
    if source is None and llm is None and not has_lines:
        raise BadInputError(
            "nothing to describe: give --candidates, --screenplay or --description with a FILE, or a model (--llm NAME)"
        )
    return source


def _refuse(given: Sequence[str]) -> None:
    if given:
        raise BadInputError(
            f"--{given[0].replace('_', '-')} is about a model: name one with --llm NAME, or leave it out"
        )


def _given(**named: object) -> list[str]:
    return [what for what, value in named.items() if value is not None and value is not False]


def _doing(what: str, share: float) -> str:
    return what if share < 0 else f"{what}: {share:.0%}"


def _told(made: Draft) -> Iterator[str]:
    """How far a screenplay and the film agree, and what rules the lines suggest."""
    matched = made.matched
    if matched is not None:
        from adstudio.drafting.text.align.match import match_summary

        yield from match_summary(matched.words, matched.scenes)
    penalties = sum(len(each.penalties) for each in made.suggested)
    requires = sum(len(each.requires) for each in made.suggested)
    if penalties or requires:
        rules = "1 rule" if penalties + requires == 1 else f"{penalties + requires:,} rules"
        state = "set" if made.script.rules else "suggested, and set with --suggest-rules"
        yield f"{rules} {state}: {penalties:,} for lines that repeat another, {requires:,} for lines that need another"
