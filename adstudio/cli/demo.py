"""`adstudio demo`: the main job on the sample film."""

from __future__ import annotations

import contextlib
import itertools
import sys
from pathlib import Path
from typing import Annotated

from adstudio.cli.edit import edit, has_display
from adstudio.cli.options import flag, option
from adstudio.cli.output import print_oddities, say
from adstudio.core.errors import BadInputError
from adstudio.core.script import Script
from adstudio.core.timebase import clock

FILES = {
    "srt": "script.srt",
    "vtt": "script.vtt",
    "csv": "script.csv",
    "json": "script.json",
    "reframed": "reframed.json",
    "problem": "problem.json",
    "plan": "plan.json",
}
"""The forms that the script is written in, and their files."""

PROJECT = "sample.adproj"


def demo(
    out: Annotated[Path, option("FOLDER", "The folder to write to.")] = Path("adstudio-demo"),
    *,
    headless: Annotated[bool, flag("--headless", "Do not open the editor afterwards.")] = False,
) -> int:
    """Draft and plan the sample film, export its script, and open it in the editor."""
    from adstudio.delivery.formats import deliver
    from adstudio.drafting.draft import draft
    from adstudio.drafting.request import Sources
    from adstudio.sample_film import TITLE, copy_sample_film
    from adstudio.store.project import ProjectFile

    _require_own_folder(out)
    sample = copy_sample_film(out)
    say(f"sample film: {sample.film}")
    project = out / PROJECT
    sources = Sources(subtitles=sample.srt, candidates=sample.candidates, video=sample.film, title=TITLE)
    drafted = draft(sources, project)
    _set_aside_edited(project, drafted.script)
    ProjectFile.create(project, drafted.script, plan=drafted.plan).close()
    for form, name in FILES.items():
        deliver(out / name, form, drafted.script, drafted.plan)
    print_oddities(drafted.oddities)
    for delivery in drafted.plan.deliveries:
        text = drafted.script.eventuality(delivery.element).variants[delivery.variant].text
        say(f"  {clock(delivery.start)[3:]}  {text}")
    say(
        f"{drafted.plan.status.value} in {drafted.plan.seconds * 1000:.0f} ms: {len(drafted.plan.deliveries)} of "
        f"{len(drafted.script.eventualities)} items described"
    )
    say(f"film, project and script are in {out}")
    say(f"next: play {sample.film} with {out / FILES['srt']} as its subtitles, and ask for reasons:")
    say(f"{sys.argv[0]} explain {out / FILES['problem']}")
    return edit(project) if not headless and has_display() else 0


def _require_own_folder(out: Path) -> None:
    """Check that nothing of the describer's would be written over: a folder from an earlier demo is known by a name."""
    from adstudio.sample_film import sample_paths

    sample = sample_paths(out)
    if sample.reference_british.exists():
        return
    for path in (*sample.paths, *(out / name for name in FILES.values()), out / PROJECT):
        if path.exists():
            raise BadInputError(f"{path} already exists and may be yours: choose another folder with --out")


def _set_aside_edited(project: Path, script: Script) -> None:
    """Keep under another name a project of an earlier demo that somebody has worked on."""
    from adstudio.store.project import ProjectFile

    if not project.exists():
        return
    with contextlib.suppress(BadInputError), ProjectFile.open(project, read_only=True) as opened:
        if opened.last_script == script:
            return
    renamed = next(
        path for number in itertools.count(1) if not (path := project.with_stem(f"sample (yours {number})")).exists()
    )
    project.rename(renamed)
    say(f"{project} had been worked on: it is kept as {renamed}")
