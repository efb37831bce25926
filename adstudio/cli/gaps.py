"""`adstudio gaps`: the gaps between the dialogue."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adstudio.cli import options
from adstudio.cli.options import gap_settings, ms
from adstudio.cli.output import VIDEO_ENDINGS, hand_over, length, require_other, say, words
from adstudio.core.errors import OutsideFailureError
from adstudio.core.reading import json_bytes


def gaps(
    source: Annotated[Path, typer.Argument(metavar="SUBTITLES", help="Dialogue subtitles: SRT, WebVTT, TTML, ASS.")],
    output: options.Output = None,
    end: options.End = None,
    encoding: options.Encoding = None,
    margin_before: options.MarginBefore = "0",
    margin_after: options.MarginAfter = "0",
    least_gap: options.LeastGap = "1.0",
    *,
    keep_sound: options.KeepSound = False,
    keep_music: options.KeepMusic = False,
    free_sung: options.FreeSung = False,
) -> None:
    """Find where there is room to describe: the gaps between the dialogue, and everything odd in the subtitles."""
    from adstudio.gaps.gaps import find_gaps
    from adstudio.gaps.report import gaps_json
    from adstudio.subtitles.dialogue import dialogue
    from adstudio.subtitles.file import read_subtitles

    settings = gap_settings(
        margin_before, margin_after, least_gap, keep_sound=keep_sound, keep_music=keep_music, free_sung=free_sung
    )
    film_end = None if end is None else ms(end, "--end", least=1)
    if source.suffix.lower() in VIDEO_ENDINGS:
        _refuse_video(source)
    require_other(output, source)
    with words.status("reading the subtitles"):
        file = read_subtitles(source, encoding=encoding)
        spoken = dialogue(file)
    cues = [entry.cue for entry in spoken.entries]
    if film_end is None:
        film_end = max((max(cue.end, cue.start) for cue in cues), default=0)
    found = find_gaps(cues, (), film_end, settings)
    problems = (*file.oddities, *spoken.oddities)
    report = gaps_json(found, cues, end=film_end, encoding=file.encoding, problems=problems)
    hand_over(json_bytes(report), output)
    if end is None and output is not None:
        say(f"the film is taken to end with its last dialogue, at {length(film_end)}: --end says how long it is")


def _refuse_video(source: Path) -> None:
    from adstudio.media.probe import probe

    probe(source)
    raise OutsideFailureError(f"finding speech in {source} itself is not installed yet: give its dialogue subtitles")
