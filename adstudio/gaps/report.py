"""Gaps as a file: `adstudio-gaps/1` (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adstudio.core.errors import Oddity
from adstudio.core.script import Cue
from adstudio.core.timebase import seconds
from adstudio.gaps.gaps import Gaps

FORMAT = "adstudio-gaps/1"


def gaps_json(
    gaps: Gaps, cues: Sequence[Cue], *, end: int, encoding: str, problems: Iterable[Oddity] | None = None
) -> dict[str, object]:
    """The gaps, the dialogue they come from and every oddity on the way, ready for `json.dumps`.

    `encoding` is the subtitles' own. `problems` are those of reading them, which name odd times by their lines: only
    what lies outside the film is added to them. Where nothing was read it is None, and all that the gaps know of is
    listed. Times are in seconds with at most three places.
    """
    listed = gaps.oddities if problems is None else tuple(problems)
    return {
        "format": FORMAT,
        "end": seconds(end),
        "encoding": encoding,
        "gaps": [[seconds(gap.start), seconds(gap.end)] for gap in gaps.gaps],
        "dialogue": [
            {
                "start": seconds(cue.start),
                "end": seconds(cue.end),
                "text": cue.text,
                "speaker": cue.speaker,
                "kind": cue.kind.value,
            }
            for cue in cues
        ],
        "problems": [{"line": oddity.line, "what": oddity.what} for oddity in (*listed, *gaps.outside)],
    }
