"""`adstudio draft`: a film to a planned project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from adstudio.cli import options
from adstudio.cli.options import gap_settings, ms
from adstudio.cli.output import (
    length,
    oddities_json,
    require_apart,
    require_other,
    require_place,
    say,
    tell_oddities,
    words,
)
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.reading import json_bytes
from adstudio.core.script import Scope, Settings
from adstudio.core.timebase import parse_rate


def draft(
    video: Annotated[Path | None, typer.Argument(metavar="VIDEO", help="The film; without it, give --end.")] = None,
    *,
    subtitles: Annotated[Path, typer.Option(metavar="FILE", help="Its dialogue subtitles.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="P.adproj", help="The project to write.")],
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What could be described, worded, as JSON.")
    ] = None,
    screenplay: Annotated[Path | None, typer.Option(metavar="FILE", help="A screenplay to take them from.")] = None,
    description: Annotated[Path | None, typer.Option(metavar="FILE", help="A text in prose to take them from.")] = None,
    llm: Annotated[str | None, typer.Option(metavar="NAME", help="The model that makes what is missing.")] = None,
    direct: Annotated[
        bool, typer.Option("--direct", metavar="", help="Let the model write the whole script in one go.")
    ] = False,
    end: options.End = None,
    encoding: options.Encoding = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The film's title; its file's name without it.")] = "",
    language: Annotated[str, typer.Option(metavar="TAG", help="The language described in, such as en or pt-BR.")] = "",
    frame_rate: Annotated[str | None, typer.Option(metavar="RATE", help="For timecode: 23.976, 25, 29.97df …")] = None,
    start_timecode: Annotated[str, typer.Option(metavar="HH:MM:SS:FF", help="The timecode of the first frame.")] = "",
    words_per_minute: Annotated[int, typer.Option(metavar="N", min=40, max=600, help="The speaking rate.")] = 200,
    delta_max: Annotated[str, typer.Option(metavar="SECONDS", help="How far from its event a line may be.")] = "10",
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
    force: Annotated[bool, typer.Option("--force", metavar="", help="Write over a project that is there.")] = False,
) -> None:
    """From a film, its dialogue subtitles and what could be described, make a planned project."""
    from adstudio.drafting.draft import Sources
    from adstudio.drafting.draft import draft as drafted
    from adstudio.store.files import write_atomically
    from adstudio.store.project import ProjectFile

    source = _source(candidates, screenplay, description, llm, direct=direct)
    settings = Settings(
        words_per_minute=words_per_minute,
        gaps=gap_settings(
            margin_before, margin_after, least_gap, keep_sound=keep_sound, keep_music=keep_music, free_sung=free_sung
        ),
        delta_max=ms(delta_max, "--delta-max"),
        min_pause=ms(min_pause, "--min-pause"),
        scope=Scope(scope),
    )
    if video is not None and end is not None:
        raise BadInputError("--end is for a film without its video: leave out one of them")
    require_apart(output, video, subtitles, source, report)
    require_other(report, video, subtitles, source)
    if output.exists() and not force:
        raise BadInputError(f"{output} is there already: choose another name, or give --force to write over it")
    require_place(output)
    require_place(report)
    sources = Sources(
        subtitles=subtitles,
        candidates=source,
        video=video,
        end=None if end is None else ms(end, "--end", least=1),
        title=title,
        language=language,
        encoding=encoding,
        frame_rate=None if frame_rate is None else parse_rate(frame_rate),
        start_timecode=start_timecode,
        settings=settings,
    )
    with words.status("drafting") as status:
        made = drafted(sources, output, status.update)
    ProjectFile.create(output, made.script, plan=made.plan).close()
    if report is not None:
        write_atomically(report, json_bytes(oddities_json(made.oddities)))
    tell_oddities(made.oddities)
    gaps = len(made.gaps.gaps)
    free = sum(gap.length for gap in made.gaps.gaps)
    used = sum(delivery.end - delivery.start for delivery in made.plan.deliveries)
    say(
        f"{output}: {made.plan.status.value}, {len(made.plan.deliveries)} of {len(made.script.eventualities)} "
        f"eventualities described, {length(used)} of {length(free)} free in {gaps} gap{'' if gaps == 1 else 's'} used"
    )


def _source(
    candidates: Path | None, screenplay: Path | None, description: Path | None, llm: str | None, *, direct: bool
) -> Path:
    if candidates is not None and llm is None and not direct:
        return candidates
    if screenplay is not None or description is not None or llm is not None or direct:
        raise OutsideFailureError(
            "drafting from a screenplay, from prose or by a model is not installed yet: give --candidates FILE alone"
        )
    raise BadInputError("nothing to describe: give --candidates FILE")
