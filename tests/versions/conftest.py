"""The small film of the tests of edits is that of the tests of versions too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
