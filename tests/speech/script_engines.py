"""Engines whose process is a script, for what real engines seldom do."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from adstudio.speech.engine import Capabilities, Style, Voice
from adstudio.speech.engine_process import Command, run


@dataclass
class ScriptEngine:
    """An engine whose process is a Python script: it finds the target in `target`, and the text in `text`."""

    script: str
    name: str = "the script"
    version: str = "1"
    capabilities: Capabilities = field(default_factory=Capabilities)
    asked: list[str] = field(default_factory=list)

    def voices(self, language: str) -> tuple[Voice, ...]:
        return (Voice("one", "One", "en"),)

    def fingerprint(self, voice: str) -> str:
        return self.version

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        self.asked.append(text)
        head = "import sys, time, wave, os; target = sys.argv[1]; text = sys.stdin.buffer.read().decode()\n"
        run(Command(sys.executable, ("-I", "-c", head + self.script, str(target)), text.encode()), limit, self.name)

    def close(self) -> None:
        pass


WRITE_SOUND = """
with wave.open(target, "wb") as f:
    f.setnchannels(1); f.setsampwidth(2); f.setframerate(8000)
    f.writeframes(b"\\0\\0" * 800 + b"\\0\\x40" * 4000 + b"\\0\\0" * 1600)
"""
"""0.1 s of silence, 0.5 s of sound, 0.2 s of silence."""
