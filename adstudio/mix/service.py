"""Renders what is requested: one call for the command line and the editor."""

from __future__ import annotations

from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.mix.request import MixError, MixReport, MixRequest, Stop, never


def render(request: MixRequest, progress: OnProgress = ignore_progress, stop: Stop = never) -> MixReport:
    """Render a request to its target, which is there whole in the end or not at all.

    Raises:
        MixError: for a request that cannot be rendered.
        MixStoppedError: once `stop` says so.
        BadInputError: if the film cannot be read.
        OutsideFailureError: if the target cannot be written, or a line cannot be spoken.
    """
    del progress, stop
    raise MixError(f"“{request.kind.value}” cannot be rendered yet")
