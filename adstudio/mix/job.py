"""What the editor asks of the process that renders, and what that says. A light module: no numpy comes with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.mix_settings import MixSettings
from adstudio.core.narration import NO_VOICE, VoiceSettings
from adstudio.core.plan import Plan
from adstudio.core.progress import Progress
from adstudio.core.script import Script
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class MixJob:
    """Render a script as it is planned; `kind` is the value of a `MixKind`, `bits` are those of a sample.

    `recordings` is a folder with the recordings of chosen takes under their keys, where there are any. Without a
    `video` the film's sound is silence.
    """

    kind: str
    script: Script
    plan: Plan
    target: Path
    settings: MixSettings
    recordings: Path | None = None
    video: Path | None = None
    bits: int = 24
    accepted_only: bool = False
    voice: VoiceSettings = NO_VOICE
    """Speaks where the script has no voice."""


@dataclass(frozen=True)
class MixRemark:
    """A sentence worth knowing of a render, and the lines (ids) that it is about."""

    sentence: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class MixFinished:
    """What was rendered: how loud (LUFS) and with which true peak (dBTP), None where nothing sounds; lengths in ms."""

    kind: str
    files: tuple[Path, ...]
    length: int
    channels: int
    lines: int
    loudness: float | None
    true_peak: float | None
    programme_loudness: float | None
    narration_loudness: float | None
    remarks: tuple[MixRemark, ...] = ()


MixEvent = Progress | MixFinished | Failed
PROTOCOL = WorkerProtocol[MixJob, MixEvent]("adstudio.mix.worker", MixJob, MixEvent)
"""When the process is stopped, nothing half-written is left."""
CRASHED = "Rendering has failed because of a fault in adstudio: see the log"
