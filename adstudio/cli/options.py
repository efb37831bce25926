"""Options that several commands share: seconds, rates, and how gaps are made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adstudio.core.errors import BadInputError
from adstudio.core.script import GapSettings
from adstudio.core.timebase import ms_from_seconds

Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; standard output without it.")]
End = Annotated[str | None, typer.Option("--end", metavar="SECONDS", help="How long the film is.")]
Encoding = Annotated[str | None, typer.Option(help="The subtitles' encoding, where the guess is wrong.")]
MarginBefore = Annotated[str, typer.Option(metavar="SECONDS", help="Kept free before speech starts.")]
MarginAfter = Annotated[str, typer.Option(metavar="SECONDS", help="Kept free after speech ends.")]
LeastGap = Annotated[str, typer.Option(metavar="SECONDS", help="Gaps shorter than this are not used.")]
KeepSound = Annotated[bool, typer.Option("--keep-sound", help="Sound labels such as [door creaks] are no gaps.")]
KeepMusic = Annotated[bool, typer.Option("--keep-music", help="Instrumental music is no gap.")]
FreeSung = Annotated[bool, typer.Option("--free-sung", help="Sung lines may be spoken over.")]


def ms(seconds: str, option: str, *, least: int = 0) -> int:
    """The milliseconds of an option in seconds.

    Raises:
        BadInputError: for what is no number of seconds, or less than `least` milliseconds.
    """
    try:
        found = ms_from_seconds(seconds.strip().replace(",", "."))
    except BadInputError as error:
        raise BadInputError(f"{option}: {error}") from None
    if found < least:
        raise BadInputError(f"{option}: {seconds} s is too little (at least {least / 1000:g} s)")
    return found


def gap_settings(
    margin_before: str, margin_after: str, least_gap: str, *, keep_sound: bool, keep_music: bool, free_sung: bool
) -> GapSettings:
    """The options about gaps, read."""
    return GapSettings(
        margin_before=ms(margin_before, "--margin-before"),
        margin_after=ms(margin_after, "--margin-after"),
        least=ms(least_gap, "--least-gap"),
        keep_sound=keep_sound,
        keep_music=keep_music,
        keep_sung=not free_sung,
    )
