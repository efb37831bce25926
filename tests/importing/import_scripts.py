"""A film, and finished scripts for it as files, for tests of importing."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.importing.service import Import, ImportRequest, prepare_import

MINUTE = 60_000
CUES = tuple(
    # Ten seconds of dialogue at the beginning of each half minute: it is free from 10 to 30 and from 40 to 60.
    Cue(f"c{n}", n * 30_000, n * 30_000 + 10_000, "Who is there?")
    for n in range(40)
)
END = 20 * MINUTE


def film(
    rate: FrameRate = RATES["25"], start: str = "", lines: tuple[Eventuality, ...] = (), **settings: int
) -> Script:
    """Twenty minutes with dialogue; nothing keeps lines away from it, and no margins are around it."""
    return Script(
        Film("Film", END, frame_rate=rate, start_timecode=start),
        settings=Settings(**settings),  # type: ignore[arg-type] - whole numbers
        scenes=(Scene("s1", Span(0, END)),),
        cues=CUES,
        eventualities=lines,
    )


def line(identity: str, start: int, *texts: str, locked: bool = True) -> Eventuality:
    """A line of the project that lasts two seconds."""
    return Eventuality(
        identity,
        tuple(Variant(text, duration=2_000) for text in texts),
        Span(start, start + 2_000),
        500_000,
        "s1",
        Pin(selected=True, start=start) if locked else Pin(),
    )


def srt(*cues: tuple[int, int, str]) -> str:
    """Cues with their times in ms."""

    def time(ms: int) -> str:
        return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"

    return "".join(f"{n}\n{time(a)} --> {time(b)}\n{text}\n\n" for n, (a, b, text) in enumerate(cues, 1))


def prepared(text: str, script: Script, folder: Path, name: str = "script.srt", **request: object) -> Import:
    """What importing a text as a file does to a script."""
    path = folder / name
    path.write_text(text, "utf-8")
    return prepare_import(ImportRequest(path, **request), script, None, folder / "p.adproj")  # type: ignore[arg-type]
