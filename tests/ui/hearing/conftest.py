import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "picture"))

from picture_fixtures import clip, edit

__all__ = ["clip", "edit"]
