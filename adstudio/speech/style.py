"""Which engine speaks a line, and how, from what the project and the line say."""

from __future__ import annotations

from adstudio.core.narration import LineVoice, VoiceSettings
from adstudio.speech.engine import Style


def resolved_voice(narrator: VoiceSettings, rate: int, line: LineVoice | None = None) -> tuple[str, Style]:
    """The engine's name (empty: this machine's first) and the style of a line.

    What the line does not say is as the project has it; `rate` is the project's for its language, in words a minute.
    """
    own = line or LineVoice()
    return narrator.engine, Style(
        voice=narrator.voice if own.voice is None else own.voice,
        rate=rate if own.rate is None else own.rate,
        pitch=narrator.pitch if own.pitch is None else own.pitch,
        volume=narrator.volume if own.volume is None else own.volume,
    )
