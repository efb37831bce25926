"""`adstudio mix`: a project's narration in the film's sound, or by itself, as sound files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar, get_args

from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.options import AudioTrack, argument, flag, option
from adstudio.cli.output import require_safe_target, say, words
from adstudio.cli.project_film import project_film
from adstudio.cli.saved_script import plan_of, saved_script
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.progress import Progress, progress_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from adstudio.core.mix_settings import MixSettings
    from adstudio.core.progress import OnProgress
    from adstudio.mix.request import Stop

T = TypeVar("T")
Kind = Literal["mix", "stem", "lines", "control", "film", "extended"]


def mix(
    project: Annotated[Path, argument("P.adproj", "The project.")],
    kind: Annotated[Kind, option("NAME", "What to render: " + ", ".join(get_args(Kind)) + ".")],
    output: Annotated[Path, option("OUT", "The file to write; for lines, the folder.", "--output", "-o")],
    *,
    preset: Annotated[
        str, option("NAME", "The rules of the house to mix by: a preset’s name or file (adstudio preset lists them).")
    ] = "house",
    keep_level: Annotated[
        bool, flag("--keep-level", "Keep the programme at its level instead of bringing it to the preset’s loudness.")
    ] = False,
    duck: Annotated[
        float | None, option("DB", "How far the film goes down under narration, instead of the preset’s depth.")
    ] = None,
    bits: Annotated[Literal["16", "24"], option("N", "Bit depth: 16 or 24.")] = "24",
    audio_track: AudioTrack = None,
    accepted_only: Annotated[bool, flag("--accepted-only", "Leave out lines that nobody has accepted.")] = False,
    unsaved: Annotated[bool, flag("--unsaved", "Mix the last step, not the last save.")] = False,
    with_conflicts: Annotated[
        bool, flag("--with-conflicts", "Mix although locked lines are missing because their locks conflict.")
    ] = False,
) -> None:
    """Mix the narration of a project with the film’s sound, or write it by itself.

    Lines are spoken by the project’s voice, or are the takes that were chosen for them. The film goes down under them
    inside the gaps, and never under dialogue; the result is brought to the loudness and true peak of the preset.
    """
    from adstudio.delivery.export import export_findings
    from adstudio.delivery.findings import finding_message
    from adstudio.delivery.options import ExportOptions
    from adstudio.mix.messages import report_message
    from adstudio.mix.request import FILMS, MixKind, files_of
    from adstudio.mix.script_mix import ScriptMix, mix_script
    from adstudio.presets.library import preset_named
    from adstudio.store.project import ProjectFile
    from adstudio.store.source_guard import require_not_source

    settings = _settings(preset_named(preset).mix_settings, keep_level=keep_level, duck=duck)
    options = ExportOptions(accepted_only=accepted_only)
    with ProjectFile.open(project, read_only=True) as opened:
        for each in (opened.saved_script, opened.last_script):
            # A film may be named like one, but not like the one that it is of.
            guard = require_not_source if MixKind(kind) in FILMS else require_safe_target
            for file in files_of(MixKind(kind), output):
                guard(file, project, script=each, project=project)
        saved = saved_script(opened, unsaved=unsaved)
        script = saved.script
        video = project_film(script.film, project)
        media = script.film.media
        track = audio_track or (None if media is None else media.sound_track)
        plan = plan_of(project, saved, with_conflicts=with_conflicts)
        work = ScriptMix(MixKind(kind), script, plan, output, settings, video, track, int(bits), options)
        report, remarks = followed(lambda progress, stop: mix_script(work, opened.sound, progress, stop))
    say(f"{output}: {report_message(report)}")
    for each in remarks:
        say(each.sentence)
    for finding in export_findings(script, plan, options):
        say(finding_message(script, finding))
    saved.print_notes(project)


def _settings(settings: MixSettings, *, keep_level: bool, duck: float | None) -> MixSettings:
    """The preset’s settings with what the options say instead.

    Raises:
        BadInputError: for a depth that cannot be.
    """
    from adstudio.core.mix_settings import GREATEST_DUCK

    if keep_level:
        settings = replace(settings, target_loudness=None)
    if duck is None:
        return settings
    # A depth that is no number is in no range.
    if not 0 <= duck * 10 <= GREATEST_DUCK:
        raise BadInputError(f"--duck: {duck:g} dB is not a depth: choose 0 to {GREATEST_DUCK // 10} dB")
    return replace(settings, duck_depth=round(duck * 10))


def followed(work: Callable[[OnProgress, Stop], T]) -> T:
    """The result of some work, whose progress is shown, and which a signal stops.

    Raises:
        Stopped: if a signal came; nothing has been written then.
    """
    signals: list[int] = []
    with words.status("mixing") as status:

        def show(progress: Progress) -> None:
            status.update(progress_text(progress))

        # A line in the making fails when its engine gets the signal too.
        try:
            with stopping(lambda: None) as signals:
                result = work(show, lambda: bool(signals))
        except AdstudioError:
            if signals:
                raise Stopped(signals[0]) from None
            raise
    if signals:
        raise Stopped(signals[0])
    return result
