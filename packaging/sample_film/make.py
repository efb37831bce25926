"""`make_sample`: every file of the sample film, from what people wrote."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL.Image import Image

from adstudio.core.errors import OutsideFailureError
from adstudio.sample_film import SampleFilm, sample_paths
from sample_film.encode import encode
from sample_film.picture import SIZE, drawings
from sample_film.script_files import candidates, description, fountain
from sample_film.soundtrack import mix
from sample_film.source import FRAME_MS, FilmSource, read_source
from sample_film.speech import Espeak, find_espeak
from sample_film.subtitle_files import descriptions_vtt, sdh_srt, srt, vtt
from sample_film.timeline import speak_lines

_WORK = ".sample-"
"""How the folders that the film is made in begin, before it takes its place."""

Progress = Callable[[str, float], None]

_SPEECH_SHARE, _SOUND_SHARE = 0.08, 0.22


class SampleCancelledError(OutsideFailureError):
    """The making was called off; nothing has been written."""

    exit_code = 130


def _sweep(out: Path) -> None:
    """Take away what a making that was killed has left in the folder; what another one is at work on stays."""
    for left in out.glob(f"{_WORK}*"):
        maker = left.name.removeprefix(_WORK).split("-")[0]
        if not maker.isdigit() or not Path("/proc", maker).exists():
            shutil.rmtree(left, ignore_errors=True)


def make_sample(
    out: Path,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    source: FilmSource | None = None,
) -> SampleFilm:
    """Make the sample film and its companions in the folder `out`, which is made if it is not there.

    `progress` hears what is being done and the share of the whole (0 to 1) that is behind; `cancelled` is asked often.
    `source` is another script than the one in `written` (a shortened one, for tests). Files appear
    complete or not at all.

    Raises:
        SampleCancelledError: when `cancelled` says so.
        OutsideFailureError: when espeak-ng is missing, or the folder cannot be written.
    """
    espeak = find_espeak()
    source = source or read_source()
    heed = _heeding(progress, cancelled)
    made_out = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        _sweep(out)
        work = Path(tempfile.mkdtemp(prefix=f"{_WORK}{os.getpid()}-", dir=out))
    except OSError as error:
        raise OutsideFailureError(f"the folder {out} cannot be written ({error.strerror}): choose another") from error
    try:
        _fill(sample_paths(work), source, espeak, heed)
        final = sample_paths(out)
        for made, target in zip(sample_paths(work).paths, final.paths, strict=True):
            made.replace(target)
    except OSError as error:
        raise OutsideFailureError(f"the sample film could not be written to {out} ({error.strerror})") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if made_out and out.exists() and not any(out.iterdir()):
            out.rmdir()
    if progress:
        progress("The sample film is made", 1.0)
    return final


Heed = Callable[[str, float], None]


def _heeding(progress: Progress | None, cancelled: Callable[[], bool] | None) -> Heed:
    def heed(doing: str, share: float) -> None:
        if cancelled and cancelled():
            raise SampleCancelledError("The sample film was called off; nothing was written")
        if progress:
            progress(doing, share)

    return heed


def _fill(paths: SampleFilm, source: FilmSource, espeak: Espeak, heed: Heed) -> None:
    lines = speak_lines(source, espeak, lambda share: heed("Speaking the dialogue", _SPEECH_SHARE * share))
    sound = mix(
        source,
        lines,
        lambda share: heed("Mixing the sound", _SPEECH_SHARE + (_SOUND_SHARE - _SPEECH_SHARE) * share),
    )

    def heeded() -> Iterator[tuple[Image, int]]:
        shown = 0
        for drawing, frames in drawings(source, lines):
            heed("Drawing the picture", _SOUND_SHARE + (1 - _SOUND_SHARE) * shown * FRAME_MS / source.end)
            yield drawing, frames
            shown += frames

    encode(paths.film, SIZE, heeded, sound)
    british, american = source.references["british"], source.references["american"]
    for path, text in (
        (paths.srt, srt(lines)),
        (paths.vtt, vtt(lines)),
        (paths.sdh_srt, sdh_srt(source, lines)),
        (paths.screenplay, fountain(source)),
        (paths.description, description(source)),
        (paths.candidates, candidates(source)),
        (paths.reference_british, descriptions_vtt(british, f"{source.title}, British audio description")),
        (paths.reference_american, descriptions_vtt(american, f"{source.title}, American audio description")),
    ):
        path.write_text(text, encoding="utf-8", newline="\n")
