"""The sample film: a drama of our own of under three minutes, ready-made in `resources/sample`.

`packaging/sample_film` is the program that draws, speaks and encodes it; it is not part of the installation.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason, write_atomically
from adstudio.system.locations import resource

TITLE = "Things Turn Up"


@dataclass(frozen=True)
class SampleFilm:
    """Where the files of the sample film are."""

    film: Path
    srt: Path
    vtt: Path
    sdh_srt: Path
    screenplay: Path
    description: Path
    candidates: Path
    reference_british: Path
    reference_american: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        """All of them."""
        return (
            self.film,
            self.srt,
            self.vtt,
            self.sdh_srt,
            self.screenplay,
            self.description,
            self.candidates,
            self.reference_british,
            self.reference_american,
        )


def sample_paths(folder: Path) -> SampleFilm:
    """The paths of its files in `folder`, whether they exist or not."""
    return SampleFilm(
        film=folder / "film.mp4",
        srt=folder / "dialogue.srt",
        vtt=folder / "dialogue.vtt",
        sdh_srt=folder / "dialogue.sdh.srt",
        screenplay=folder / "screenplay.fountain",
        description=folder / "description.txt",
        candidates=folder / "candidates.json",
        reference_british=folder / "reference-british.vtt",
        reference_american=folder / "reference-american.vtt",
    )


def copy_sample_film(folder: Path) -> SampleFilm:
    """Copy the film and its companion files into `folder`, which is created if need be; older copies are replaced.

    Raises:
        OutsideFailureError: if the installation lacks a file, or the folder cannot be written.
    """
    sources, copies = sample_paths(resource("sample")), sample_paths(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in zip(sources.paths, copies.paths, strict=True):
            write_atomically(target, source.read_bytes())
    except OSError as error:
        raise OutsideFailureError(f"the sample film cannot be copied to {folder}: {reason(error)}") from error
    return copies
