"""The script as a DAPT document (https://www.w3.org/TR/dapt/): the lines with their ducks and pronunciations."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.film import Film
from adstudio.core.mix_settings import MixSettings
from adstudio.core.narration import Pronunciation
from adstudio.core.script import Eventuality, Script
from adstudio.dapt.names import is_language
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.writer import write_dapt
from adstudio.delivery.columns import pronunciation_text, pronunciations
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import on_one_line

NO_LANGUAGE_OF_ITS_OWN = "zxx"
"""BCP 47: no linguistic content, which is what a description describes."""
_UNDETERMINED = "und"
_MIX = MixSettings()


def dapt_document(script: Script, lines: Sequence[ScriptLine]) -> bytes:
    """A document of type `preRecording` with an event for each line."""
    film = script.film
    words = pronunciations(lines, script.lexicon)
    return write_dapt(
        DaptScript(
            language=_language(film),
            events=tuple(_event(script, *each) for each in zip(lines, _ramps(lines), words, strict=True)),
            language_source=NO_LANGUAGE_OF_ITS_OWN,
            title=on_one_line(film.title),
            origin=film.start_timecode.strip().replace(";", ":"),
            frame_rate=_frame_rate(film) if film.start_timecode else None,
        )
    )


def _event(script: Script, line: ScriptLine, ramps: tuple[int, int], words: Sequence[Pronunciation]) -> ScriptEvent:
    source = None if line.element is None else script.eventuality(line.element)
    scene = script.scene_by_id.get(source.scene) if source is not None and source.scene is not None else None
    depth = _MIX.duck_depth if line.duck is None else line.duck
    return ScriptEvent(
        f"ad{line.number}",
        line.text.replace("\r\n", "\n").replace("\r", "\n"),
        line.span.start,
        line.span.end,
        represents="visual",
        description=line.notes.replace("\r\n", "\n").replace("\r", "\n").strip(),
        pronunciations=tuple(map(pronunciation_text, words)),
        scene="" if scene is None else on_one_line(scene.title),
        voice=on_one_line(line.voice),
        speed=_speed(script, line, source),
        pitch=_pitch(script, line, source),
        duck=Duck(depth, *ramps) if depth > 0 else None,
    )


def _ramps(lines: Sequence[ScriptLine]) -> list[tuple[int, int]]:
    """How long the film goes down before each line and comes up after it: as long as its gap has room.

    Two lines of a gap share the pause between them.
    """
    found: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        if line.gap is None:
            found.append((0, 0))
            continue
        before = lines[place - 1].span.end if place else line.gap.start
        after = lines[place + 1].span.start if place + 1 < len(lines) else line.gap.end
        down = _room(line.span.start - before, line.span.start - line.gap.start)
        up = _room(after - line.span.end, line.gap.end - line.span.end)
        found.append((min(_MIX.ramp_down, down), min(_MIX.ramp_up, up)))
    return found


def _room(pause: int, in_gap: int) -> int:
    """Milliseconds beside a line: half of the pause to the other line of its gap, else all to the edge of the gap."""
    return in_gap if pause >= in_gap else max(0, pause) // 2


def _is_synthetic(script: Script, line: ScriptLine, source: Eventuality | None) -> bool:
    """Whether the project's voice speaks a line: it has one, and nobody has recorded the line."""
    return bool(script.voice.engine) and (source is None or source.variants[line.variant].chosen_take is None)


def _speed(script: Script, line: ScriptLine, source: Eventuality | None) -> str:
    if not _is_synthetic(script, line, source):
        return ""
    own = None if source is None or source.voice is None else source.voice.rate
    rate = script.narrator.rate
    if own is None or own == rate:
        return "normal"
    return "fast" if own > rate else "slow"


def _pitch(script: Script, line: ScriptLine, source: Eventuality | None) -> int:
    if not _is_synthetic(script, line, source):
        return 0
    own = None if source is None or source.voice is None else source.voice.pitch
    return script.voice.pitch if own is None else own


def _language(film: Film) -> str:
    tag = film.language.strip().replace("_", "-")
    return tag if is_language(tag) else _UNDETERMINED


def _frame_rate(film: Film) -> tuple[int, int, int]:
    rate = film.frame_rate
    exact = rate.rate / rate.nominal
    return rate.nominal, exact.numerator, exact.denominator
