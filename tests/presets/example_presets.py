"""A preset's file as JSON, written by hand."""

from __future__ import annotations

import copy
import json
from typing import Any

VALUES: dict[str, Any] = {
    "margin_before": 0.25,
    "margin_after": 0.4,
    "least_gap": 1.2,
    "keep_sound": False,
    "keep_music": True,
    "keep_sung": True,
    "words_per_minute": 165,
    "min_pause": 0.19,
    "max_share": 0.875,
    "delta_early": 1.5,
    "delta_late": 4,
    "near": {"early": 0.5, "late": 2.0, "far_gain": 0.8},
    "reach": 1,
    "scope": "scene",
}


def example(**values: Any) -> dict[str, Any]:
    """A sound preset, with these values in the section `plan`."""
    plan = {key: {"value": value, "source": f"the guide, on {key}"} for key, value in (VALUES | values).items()}
    return copy.deepcopy({"format": "adstudio-preset/1", "title": "Ours", "plan": plan})


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
