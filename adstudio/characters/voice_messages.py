"""The messages between whoever tells voices apart and the process that measures them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from adstudio.characters.alignment_messages import LARGEST_SOUND
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class MeasureVoice:
    """Measure the voice in a sound (16-bit PCM, little-endian, one channel, 16 kHz); answered by `VoiceMeasured`."""

    sound: Annotated[bytes, Limits(data=LARGEST_SOUND)]


@dataclass(frozen=True)
class VoiceMeasured:
    """The voice's vector as 32-bit numbers, little-endian; None where there is none."""

    vector: bytes | None


PROTOCOL = WorkerProtocol[MeasureVoice, VoiceMeasured | Failed](
    "adstudio.characters.voice_worker", MeasureVoice, VoiceMeasured | Failed
)
