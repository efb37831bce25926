"""`adstudio demo`: the main job on the sample film."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.edit import edit, has_display
from adstudio.cli.options import flag, option
from adstudio.cli.output import print_oddities, say
from adstudio.core.errors import BadInputError
from adstudio.core.timebase import clock

if TYPE_CHECKING:
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script

FILES = {
    "srt": "script.srt",
    "vtt": "script.vtt",
    "csv": "script.csv",
    "xlsx": "script.xlsx",
    "docx": "script.docx",
    "pdf": "script.pdf",
    "json": "script.json",
    "reframed": "reframed.json",
    "problem": "problem.json",
    "plan": "plan.json",
}
"""The forms that the script is written in, and their files."""
DESCRIBED = "described.mp4"
"""The film with its narration as a further sound track."""


def demo(
    out: Annotated[Path, option("FOLDER", "The folder to write to.")] = Path("adstudio-demo"),
    *,
    headless: Annotated[bool, flag("--headless", "Do not open the editor afterwards.")] = False,
) -> int:
    """Draft and plan the sample film, export its script, mix it, and open it in the editor."""
    from adstudio.delivery.formats import deliver
    from adstudio.delivery.lines import script_lines
    from adstudio.delivery.spoken_counts import described_in_lines, spoken_counts
    from adstudio.drafting.events import DraftEvent, Finished, Noted
    from adstudio.drafting.request import Existing, sample_request
    from adstudio.drafting.service import DraftRun
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.film.film_plan import plan_film
    from adstudio.store.project import ProjectFile

    def show(event: DraftEvent) -> None:
        match event:
            case Noted(sentence):
                say(sentence)
            case Finished(oddities=oddities):
                print_oddities(oddities)
            case _:
                pass

    _require_own_folder(out)
    request = replace(sample_request(out), existing=Existing.REPLACE)
    project, film = request.project, request.sources.video
    say(f"sample film: {film}")
    _set_aside_edited(project)
    DraftRun(request, show).run()
    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.saved_script
    plan = plan_film(script, gaps_of(script).gaps)
    for form, name in FILES.items():
        deliver(out / name, form, script, plan, project)
    for line in script_lines(script, plan):
        say(f"  {clock(line.span.start)[3:]}  {line.text}")
    described = described_in_lines(spoken_counts(script, plan))
    say(f"{plan.status.value} in {plan.seconds * 1000:.0f} ms: {described}")
    mixed = film is not None and _mix(project, script, plan, film, out / DESCRIBED)
    say(f"film, project and script are in {out}")
    if mixed:
        say(f"next: play {out / DESCRIBED} with its sound track “Audio description”, and ask for reasons:")
    else:
        say(f"next: play {film} with {out / FILES['srt']} as its subtitles, and ask for reasons:")
    say(f"{_program()} explain {out / FILES['problem']}")
    return edit(project) if not headless and has_display() else 0


def _program() -> str:
    """The command as it was called; python -m leaves the path of a module, which is none."""
    return "adstudio" if sys.argv[0].endswith(".py") else sys.argv[0]


def _mix(project: Path, script: Script, plan: Plan, film: Path, target: Path) -> bool:
    """Write the film with its narration; whether that was possible. Without a voice it says so."""
    from adstudio.cli.mix import followed
    from adstudio.mix.messages import report_message
    from adstudio.mix.request import MixKind
    from adstudio.mix.script_mix import ScriptMix, mix_script
    from adstudio.presets.library import DEFAULT, preset_named
    from adstudio.speech.engine import SpeechError
    from adstudio.store.project import ProjectFile

    work = ScriptMix(MixKind.FILM, script, plan, target, preset_named(DEFAULT).mix_settings, film)
    with ProjectFile.open(project, read_only=True) as opened:
        try:
            report, _ = followed(lambda progress, stop: mix_script(work, opened.sound, progress, stop))
        except SpeechError as error:
            say(f"the film is not mixed: {error}")
            return False
    say(f"{target}: {report_message(report)}")
    return True


def _require_own_folder(out: Path) -> None:
    """Check that nothing of the describer's would be written over.

    A folder from an earlier demo is known by a name. What its project is made of must not have been edited since.
    """
    from adstudio.drafting.existing_project import existing_at
    from adstudio.drafting.request import SAMPLE
    from adstudio.sample_film import sample_paths
    from adstudio.store.source_guard import edited_sources

    sample = sample_paths(out)
    written = (*sample.paths, *(out / name for name in FILES.values()), out / DESCRIBED, out / SAMPLE)
    mine = [path for path in written if path.is_symlink()]
    if sample.reference_british.exists():
        found = existing_at(out / SAMPLE)
        edited = () if found is None or found.script is None else edited_sources(found.script, found.path)
        mine += [path for path in edited if path in written]
    else:
        mine += [path for path in written if path.exists()]
    for path in mine:
        raise BadInputError(f"{path} already exists and may be yours: choose another folder with --out")


def _set_aside_edited(project: Path) -> None:
    """Keep under another name a project of an earlier demo that somebody has worked on, or that cannot be read."""
    from adstudio.drafting.existing_project import existing_at

    found = existing_at(project)
    if found is None or (found.is_project and not found.fault and not found.work):
        return
    renamed = next(
        path for number in itertools.count(1) if not (path := project.with_stem(f"sample (yours {number})")).exists()
    )
    project.rename(renamed)
    say(f"{project} had been worked on: it is kept as {renamed}")
