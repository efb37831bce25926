"""The renders that are films: with the mix as a further sound track, and held where extended lines are spoken."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.core.progress import OnProgress, Stage
from adstudio.core.timebase import Span
from adstudio.delivery.subtitle_scripts import vtt
from adstudio.mix.captions import Caption, captions_of
from adstudio.mix.extended_film import write_extended_film
from adstudio.mix.extended_request import HeldSound, extended_request
from adstudio.mix.film_files import NewSound, format_of
from adstudio.mix.film_sound import FilmSound, film_sound
from adstudio.mix.film_track import add_sound_track
from adstudio.mix.pauses import pauses_for
from adstudio.mix.preparing import Outcome, Prepared, followed, prepare
from adstudio.mix.request import (
    DESCRIPTIONS,
    NOTHING_EXTENDED,
    MixError,
    MixNote,
    MixNoteKind,
    MixReport,
    MixRequest,
    Stop,
)
from adstudio.mix.sound_files import write_mix
from adstudio.store.source_guard import require_not_source
from adstudio.system.files import reason, require_writable, written_atomically
from adstudio.system.temporaries import clear_leftovers, temporary_in


def render_film(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """The film with the mix as a further sound track, flagged for the visually impaired; all else is copied."""
    video = film_to_render(request.target, request.video)
    with _mix_beside(request, progress, stop) as (ready, outcome, sound):
        writing = followed(Stage.WRITING_FILM, progress, stop)
        notes = add_sound_track(video, request.target, sound, on_fraction=writing)
    return _report(ready, outcome, [request.target], notes)


def render_extended(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """The film, held where an extended line is spoken, with the mix as its sound; beside it captions and the script.

    Times in the report are those of the extended film.

    Raises:
        MixError: also where no line is extended.
    """
    video = film_to_render(request.target, request.video)
    pauses = pauses_for(request.lines, request.script.film.end)
    if not pauses.pauses:
        raise MixError(NOTHING_EXTENDED)
    longer = extended_request(request, pauses)
    captions = captions_of(request.script, pauses)
    texts = {request.target.with_suffix(captions.suffix): captions.data}
    texts[request.target.with_suffix(DESCRIPTIONS)] = _descriptions(longer)
    for path in texts:
        require_writable(path)
        require_not_source(path, *(Path(source.path) for source in request.script.sources))
    held = HeldSound.of(film_sound(video, request.track), pauses, request.settings.click_guard)
    with _mix_beside(longer, progress, stop, held) as (ready, outcome, sound), contextlib.ExitStack() as written:
        for path, data in texts.items():
            written.enter_context(written_atomically(path)).write_bytes(data)
        writing = followed(Stage.WRITING_FILM, progress, stop)
        notes = write_extended_film(video, request.target, sound, pauses, longer.script.film.end, writing)
    starts = {line.id: line.start for line in request.lines}
    moved = tuple(pause.line for pause in pauses.pauses if starts[pause.line] != pause.at)
    if moved:
        notes = (*notes, MixNote(MixNoteKind.HELD_LATER, moved))
    return _report(ready, outcome, [request.target, *texts], notes)


def _descriptions(longer: MixRequest) -> bytes:
    """The narration as text, at its extended times."""
    film = longer.script.film
    end = film.end
    lines = sorted((line for line in longer.lines if line.start < end), key=lambda line: line.start)
    texts = (
        Caption(number, Span(line.start, min(line.span.end, end)), line.text) for number, line in enumerate(lines, 1)
    )
    return vtt(texts, language=film.language, title=film.title)


def film_to_render(target: Path, video: Path | None) -> Path:
    """The film that is to be written anew.

    Raises:
        MixError: where there is none, it would be written over, or its format is unknown.
    """
    if video is None:
        raise MixError("the project has no film: choose its video first")
    format_of(target)
    require_writable(target)
    require_not_source(target, video)
    return video


@contextlib.contextmanager
def _mix_beside(
    request: MixRequest, progress: OnProgress, stop: Stop, sound: FilmSound | None = None
) -> Generator[tuple[Prepared, Outcome, NewSound]]:
    """The mix, rendered to a temporary file beside the target, and as the sound track that it becomes."""
    ready = prepare(request, progress, stop, sound)
    folder = request.target.absolute().parent
    clear_leftovers(folder)
    with contextlib.ExitStack() as stack:
        try:
            path = stack.enter_context(temporary_in(folder, Path.touch))
            ready, outcome = write_mix(path, ready, followed(Stage.MIXING, progress, stop))
        except OSError as error:
            raise OutsideFailureError(f"{request.target} could not be written: {reason(error)}") from error
        layout = ready.parts.film.layout
        blocks = stack.enter_context(
            contextlib.closing(replace(film_sound(path), layout=layout).blocks(ready.parts.length))
        )
        yield ready, outcome, NewSound(blocks, layout, request.script.film.language)


def _report(ready: Prepared, outcome: Outcome, files: list[Path], notes: tuple[MixNote, ...]) -> MixReport:
    report = ready.report(files, outcome)
    return replace(report, notes=(*report.notes, *notes))
