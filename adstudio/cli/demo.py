"""`adstudio demo`: the main job on the sample film."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from adstudio.cli.output import say, shows_progress, tell_oddities, words
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


def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder to write to.")] = Path("adstudio-demo"),
    *,
    headless: Annotated[bool, typer.Option("--headless", metavar="", help="Open no window afterwards.")] = False,
) -> None:
    """Make the sample film, draft it, plan it, and write its audio-description script."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from adstudio.delivery.formats import deliver
    from adstudio.drafting.draft import Sources, draft
    from adstudio.sample.make import make_sample
    from adstudio.store.project import ProjectFile

    del headless  # there is no window yet
    began = perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=words, transient=True, disable=not shows_progress()) as bar:
        task = bar.add_task("making the sample film", total=1.0)

        def progress(what: str, share: float) -> None:
            bar.update(task, description=what, completed=share)

        sample = make_sample(out, progress=progress)
    say(f"sample film made in {perf_counter() - began:.0f} s: {sample.film}")
    project = out / "sample.adproj"
    sources = Sources(subtitles=sample.srt, candidates=sample.candidates, video=sample.film, title="The sample film")
    made = draft(sources, project)
    ProjectFile.create(project, made.script, plan=made.plan).close()
    for form, name in FILES.items():
        deliver(out / name, form, made.script, made.plan)
    tell_oddities(made.oddities)
    for delivery in made.plan.deliveries:
        text = made.script.eventuality(delivery.element).variants[delivery.variant].text
        say(f"  {clock(delivery.start)[3:]}  {text}")
    say(
        f"{made.plan.status.value} in {made.plan.seconds * 1000:.0f} ms: {len(made.plan.deliveries)} of "
        f"{len(made.script.eventualities)} eventualities described; script, project and film are in {out}"
    )
