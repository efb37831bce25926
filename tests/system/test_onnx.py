"""Models are run without a word to anybody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EMBED = "from adstudio.drafting.text.score.embeddings import embedder; embedder().embeddings(['Rain falls.'])"
HEAR = "from adstudio.media.silero import Silero; Silero()"


@pytest.mark.parametrize("code", [EMBED, HEAR])
def test_a_model_leaves_nothing_behind_and_says_nothing(code: str, tmp_path: Path) -> None:
    """Where telemetry is on, a folder with an identity of this machine and a queue of events appears at home."""
    pytest.importorskip("onnxruntime")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**surroundings, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("", "")
    assert list(tmp_path.rglob("*")) == []
