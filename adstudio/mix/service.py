"""Renders what is requested: one call for the command line and the editor."""

from __future__ import annotations

from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.mix.control_file import render_control
from adstudio.mix.film_renders import render_extended, render_film
from adstudio.mix.request import MixError, MixKind, MixReport, MixRequest, Stop, never
from adstudio.mix.sound_files import render_lines, render_mix, render_stem
from adstudio.mix.wav import BITS

_RENDERS = {
    MixKind.MIX: render_mix,
    MixKind.STEM: render_stem,
    MixKind.LINES: render_lines,
    MixKind.CONTROL: render_control,
    MixKind.FILM: render_film,
    MixKind.EXTENDED: render_extended,
}


def render(request: MixRequest, progress: OnProgress = ignore_progress, stop: Stop = never) -> MixReport:
    """Render a request to its target, which is there whole in the end or not at all.

    Raises:
        MixError: for a request that cannot be rendered.
        MixStoppedError: once `stop` says so.
        BadInputError: if the film cannot be read.
        OutsideFailureError: if the target cannot be written, or a line cannot be spoken.
    """
    if request.bits not in BITS:
        raise MixError(f"{request.bits} bits cannot be written: choose 16 or 24")
    if request.script.film.end <= 0:
        raise MixError("the programme has no length: nothing can be rendered")
    return _RENDERS[request.kind](request, progress, stop)
