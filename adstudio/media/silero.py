"""Silero VAD: the probability of speech for each 32 ms of sound at 16 kHz.

The model comes from the package silero-vad, which is never imported because it needs torch: its ONNX file is used by
path. It is the variant for sequences, which gives bit-identical results to the frame-by-frame one (as its authors claim
and a test confirms) in a third of the time.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import OutsideFailureError
from adstudio.system.onnx import onnx_session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLE_RATE = 16_000
FRAME = 512
"""Samples of one judgement."""
FRAME_MS = 1000 * FRAME // SAMPLE_RATE
CONTEXT = 64
"""Samples of the frame before that are seen with each."""
_STATE = (1, 1, 128)
_MODEL = Path("data", "silero_vad_16k_sequence.onnx")
_MISSING = "the speech detector (silero-vad with onnxruntime) is not installed: run packaging/setup.sh again"


def model_file(name: Path = _MODEL) -> Path:
    """The model's file in the installed package, found without importing it.

    Raises:
        OutsideFailureError: where it is not installed.
    """
    try:
        found = find_spec("silero_vad")
    except (ImportError, ValueError):
        found = None
    for folder in (found.submodule_search_locations or ()) if found else ():
        if (Path(folder) / name).is_file():
            return Path(folder) / name
    raise OutsideFailureError(_MISSING)


class Silero:
    """The model with what it remembers of the sound so far; on one thread of the processor.

    Raises:
        OutsideFailureError: where it is not installed, or its file is damaged.
    """

    def __init__(self) -> None:
        path = model_file()
        try:
            self._session = onnx_session(str(path))
        except ImportError as error:
            raise OutsideFailureError(_MISSING) from error
        except Exception as error:  # onnxruntime's own exceptions have no common type but this
            raise OutsideFailureError(f"{path} is damaged: run packaging/setup.sh again") from error
        self.reset()

    def reset(self) -> None:
        """Begin anew, as at the start of a sound."""
        import numpy as np

        self._hidden = self._cell = np.zeros(_STATE, np.float32)
        self._context = np.zeros(CONTEXT, np.float32)

    def probabilities(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """How likely speech is (0..1) in each frame of sound (±1) that goes on where the last one ended.

        As many samples as whole frames.
        """
        import numpy as np

        if not len(samples):
            return np.zeros(0, np.float32)
        samples_seen = np.concatenate((self._context, samples.astype(np.float32, copy=False)))
        frames = np.lib.stride_tricks.sliding_window_view(samples_seen, CONTEXT + FRAME)[::FRAME]
        given = {"input": np.ascontiguousarray(frames), "h": self._hidden, "c": self._cell}
        speech, self._hidden, self._cell = self._session.run(None, given)
        self._context = samples_seen[-CONTEXT:]
        return speech
