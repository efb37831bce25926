"""Names of exported files, and what their endings say of the format."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from adstudio.delivery.formats import FORMATS


def filter_of(name: str) -> str:
    """The file dialog's filter for a format."""
    return f"{FORMATS[name].title} (*{FORMATS[name].ending})"


def form_of(name: str, chosen: str, forms: Iterable[str]) -> str:
    """The intended format: the chosen one, unless the typed name has another one's ending."""
    typed = name.lower()
    if FORMATS[chosen].ending.endswith(Path(typed).suffix or " "):
        return chosen
    named = [form for form in forms if typed.endswith(FORMATS[form].ending)]
    return max(named, key=lambda form: len(FORMATS[form].ending), default=chosen)


def with_ending_of(path: Path, name: str) -> Path:
    """The path with the ending of a format, typed or not."""
    ending = FORMATS[name].ending
    return path if ending.endswith(path.suffix.lower() or " ") else path.with_name(path.name + ending)


def proposed(project: Path, name: str) -> Path:
    """A name beside the project; not the subtitles' own, which is often the film's: `film.ad.srt`."""
    return project.with_name(project.stem.removesuffix(".ad") + ".ad" + FORMATS[name].ending)
