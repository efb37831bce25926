"""A script and its plan to a sound file or film, in one call: for the command line and the editor's process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.mix_settings import MixSettings
from adstudio.core.narration import NO_VOICE, VoiceSettings
from adstudio.core.plan import Plan
from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.core.script import Script
from adstudio.delivery.lines import extended_lines
from adstudio.delivery.options import DEFAULTS, ExportOptions
from adstudio.mix.job import MixRemark
from adstudio.mix.messages import no_voice_message, note_message
from adstudio.mix.request import NOTHING_EXTENDED, MixError, MixKind, MixReport, MixRequest, Stop, never
from adstudio.mix.script_lines import Narration, mix_lines
from adstudio.mix.service import render, require_renderable
from adstudio.speech.cache import speech_cache
from adstudio.speech.ignored import ignored_message


@dataclass(frozen=True)
class ScriptMix:
    """What is rendered of a script as it is planned; the other fields are as in `MixRequest`.

    `voice` speaks where the project has none: by default this machine's first.
    """

    kind: MixKind
    script: Script
    plan: Plan
    target: Path
    settings: MixSettings
    video: Path | None = None
    track: int | None = None
    bits: int = 24
    options: ExportOptions = DEFAULTS
    voice: VoiceSettings = NO_VOICE


def mix_script(
    work: ScriptMix,
    recording: Callable[[str], bytes],
    progress: OnProgress = ignore_progress,
    stop: Stop = never,
) -> tuple[MixReport, tuple[MixRemark, ...]]:
    """Speak the lines, or take their chosen takes, and render; `recording` gives recordings by their keys.

    Raises what `mix_lines` and `render` raise.
    """
    require_renderable(work.kind, work.target, work.video)
    if work.kind is MixKind.EXTENDED and not extended_lines(work.script, accepted_only=work.options.accepted_only):
        raise MixError(NOTHING_EXTENDED)
    has_voice = bool(work.script.voice.engine)
    script = work.script if has_voice or work.voice == NO_VOICE else replace(work.script, voice=work.voice)
    narration = Narration(script, recording, speech_cache())
    try:
        lines = mix_lines(script, work.plan, narration, work.options, progress, stop)
        request = MixRequest(work.kind, script, lines, work.target, work.settings, work.video, work.track, work.bits)
        report = render(request, progress, stop)
    finally:
        narration.close()
    notes = [MixRemark(note_message(note, lines), note.lines) for note in report.notes]
    if narration.engine and not has_voice:
        notes.append(MixRemark(no_voice_message(narration.engine)))
    return report, (*notes, *(MixRemark(ignored_message(each, narration.engine)) for each in narration.ignored))
