"""The script as a DAPT document (https://www.w3.org/TR/dapt/): the lines with their ducks and pronunciations."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.film import Film
from adstudio.core.language_tags import is_well_formed
from adstudio.core.mix_settings import MixSettings
from adstudio.core.narration import Pronunciation
from adstudio.core.script import Eventuality, Script
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.writer import write_dapt
from adstudio.delivery.columns import pronunciation_text, pronunciations
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.recorded_files import Recordings
from adstudio.delivery.text import on_one_line

NO_LANGUAGE_OF_ITS_OWN = "zxx"
"""BCP 47: no linguistic content, which is what a description describes."""
_UNDETERMINED = "und"
_MIX = MixSettings()
_SHORTEST_RISE = _MIX.ramp_up + _MIX.least_rise + _MIX.ramp_down
"""Milliseconds of a pause in which the film comes up at all."""


def dapt_document(script: Script, lines: Sequence[ScriptLine], recordings: Recordings = ()) -> bytes:
    """A document with an event for each line, of type `asRecorded` where it refers to recordings of them."""
    film, recorded = script.film, dict(recordings)
    refers = any(line.number in recorded for line in lines)
    words = pronunciations(lines, script.lexicon)
    return write_dapt(
        DaptScript(
            language=_language(film),
            events=tuple(
                _event(script, line, duck, spelled, recorded.get(line.number, ""))
                for line, duck, spelled in zip(lines, _ducks(lines), words, strict=True)
            ),
            script_type="asRecorded" if refers else "preRecording",
            language_source=NO_LANGUAGE_OF_ITS_OWN,
            title=on_one_line(film.title),
            origin=film.start_timecode.strip().replace(";", ":"),
            frame_rate=_frame_rate(film) if film.start_timecode else None,
        )
    )


def _event(
    script: Script, line: ScriptLine, duck: Duck | None, words: Sequence[Pronunciation], recording: str
) -> ScriptEvent:
    source = None if line.element is None else script.eventuality(line.element)
    scene = script.scene_by_id.get(source.scene) if source is not None and source.scene is not None else None
    return ScriptEvent(
        f"ad{line.number}",
        line.text.replace("\r\n", "\n").replace("\r", "\n"),
        line.span.start,
        line.span.end,
        represents="visual",
        description=line.notes.replace("\r\n", "\n").replace("\r", "\n").strip(),
        pronunciations=tuple(map(pronunciation_text, words)),
        scene="" if scene is None else on_one_line(scene.title),
        # Who speaks all lines needs no mention.
        voice="" if line.voice == script.voice.voice else on_one_line(line.voice),
        # A recording is played instead of a machine's voice.
        speed="" if recording else _speed(script, line, source),
        pitch=0 if recording else _pitch(script, line, source),
        duck=duck,
        recording=recording,
    )


def _ducks(lines: Sequence[ScriptLine]) -> list[Duck | None]:
    """How the film goes down under each line: in ramps, as far as its gap has room for them.

    Between two lines of a gap that follow each other closely it stays down, as in the mix; those further apart share
    the pause between them.
    """
    depths = [_MIX.duck_depth if line.duck is None else line.duck for line in lines]
    found: list[Duck | None] = []
    for place, (line, depth) in enumerate(zip(lines, depths, strict=True)):
        before, after, starts, stays = 0, 0, False, False
        if line.gap is not None:
            pause = line.span.start - lines[place - 1].span.end if place else None
            alike = place > 0 and depths[place - 1] == depth
            before, starts = _beside(pause, line.span.start - line.gap.start, _MIX.ramp_down, alike=alike)
            pause = lines[place + 1].span.start - line.span.end if place + 1 < len(lines) else None
            alike = place + 1 < len(lines) and depths[place + 1] == depth
            after, stays = _beside(pause, line.gap.end - line.span.end, _MIX.ramp_up, alike=alike)
            if stays and pause is not None:
                # The line before has the odd millisecond, so that both meet.
                after = pause - after
        found.append(Duck(depth, before, after, starts, stays) if depth > 0 else None)
    return found


def _beside(pause: int | None, in_gap: int, ramp: int, *, alike: bool) -> tuple[int, bool]:
    """How long the film is lowered on one side of a line, in milliseconds, and whether it stays down there.

    `pause` is that to the next line on this side, None if there is none; `alike`: it has the same depth.
    """
    if pause is None or pause >= in_gap:
        return min(in_gap, ramp), False
    half = max(0, pause) // 2
    if alike and pause < _SHORTEST_RISE:
        return half, True
    return min(half, ramp), False


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
    return tag if is_well_formed(tag) else _UNDETERMINED


def _frame_rate(film: Film) -> tuple[int, int, int]:
    rate = film.frame_rate
    exact = rate.rate / rate.nominal
    return rate.nominal, exact.numerator, exact.denominator
