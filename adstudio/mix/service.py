"""Renders what is requested: one call for the command line and the editor."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.mix.control_file import render_control
from adstudio.mix.extended_film import extended_format_of
from adstudio.mix.film_files import format_of
from adstudio.mix.film_renders import film_to_render, render_extended, render_film
from adstudio.mix.request import FILMS, MixError, MixKind, MixReport, MixRequest, Stop, never
from adstudio.mix.sound_files import render_lines, render_mix, render_stem
from adstudio.mix.wav import BITS
from adstudio.speech.sound import not_wav
from adstudio.system.files import require_writable, require_writable_folder

_RENDERS = {
    MixKind.MIX: render_mix,
    MixKind.STEM: render_stem,
    MixKind.LINES: render_lines,
    MixKind.CONTROL: render_control,
    MixKind.FILM: render_film,
    MixKind.EXTENDED: render_extended,
}

_SOUND_FILES = {MixKind.MIX, MixKind.STEM, MixKind.CONTROL}


def require_name(kind: MixKind, target: Path) -> None:
    """Check that the name of a file is that of what is written.

    Raises:
        MixError: for another extension.
    """
    if kind is MixKind.FILM:
        format_of(target)
    elif kind is MixKind.EXTENDED:
        extended_format_of(target)
    elif kind in _SOUND_FILES and (sentence := not_wav(target)):
        raise MixError(sentence)


def require_renderable(kind: MixKind, target: Path, video: Path | None) -> None:
    """Check what can be checked before lines are spoken and the film is measured, which takes minutes.

    Raises:
        MixError: for a name that does not fit, or a film that is to be made of none.
        BadInputError: if the film would be written over, or for lines into a file.
        OutsideFailureError: if nothing can be written there.
    """
    require_name(kind, target)
    if kind in FILMS:
        film_to_render(target, video)
    elif kind is MixKind.LINES:
        require_writable_folder(target)
    else:
        require_writable(target)


def render(request: MixRequest, progress: OnProgress = ignore_progress, stop: Stop = never) -> MixReport:
    """Render a request to its target, which is there whole in the end or not at all.

    Raises:
        MixError: for a request that cannot be rendered.
        MixStoppedError: once `stop` says so.
        BadInputError: if the film cannot be read.
        OutsideFailureError: if the target cannot be written, or a line cannot be spoken.
    """
    require_renderable(request.kind, request.target, request.video)
    if request.bits not in BITS:
        raise MixError(f"{request.bits} bits cannot be written: choose 16 or 24")
    if request.script.film.end <= 0:
        raise MixError("the programme has no length: nothing can be rendered")
    return _RENDERS[request.kind](request, progress, stop)
