"""The messages between the editor and the process that shortens the texts of a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adstudio.core.script import Variant
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "Shortening the script’s lines crashed: import it without shorter wordings, or try again"


@dataclass(frozen=True)
class ShortenTexts:
    """Shorten texts in a language, answered by `TextsShortened`."""

    texts: tuple[str, ...]
    language: str


@dataclass(frozen=True)
class TextsShortened:
    """The shorter wordings of each text that has some."""

    wordings: Mapping[str, tuple[Variant, ...]]


PROTOCOL = WorkerProtocol[ShortenTexts, TextsShortened | Failed](
    "adstudio.importing.wordings_worker", ShortenTexts, TextsShortened | Failed
)
