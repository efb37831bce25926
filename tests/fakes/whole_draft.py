"""A film drafted and planned in one call, without a project around it."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.drafting.draft import Draft, draft_film, planned
from adstudio.drafting.draft_cast import with_cast
from adstudio.drafting.request import Sources
from adstudio.drafting.text.stages import Stages


def draft(
    sources: Sources, project: Path, progress: OnProgress = ignore_progress, stages: Stages | None = None
) -> Draft:
    """Draft a film from its files and plan it; see `draft_film`, `with_cast` and `planned`."""
    film = with_cast(sources, draft_film(sources, project, progress, stages))
    by_text = sources.text is not None and sources.text != sources.candidates
    return planned(sources, project, film, progress, suggests=by_text)
