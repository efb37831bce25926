"""Times and figures as they are read."""

from __future__ import annotations

import pytest

from adstudio.ui.widgets.formatting import duration


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "0.0 s"),
        (4_200, "4.2 s"),
        (99_000, "99.0 s"),
        (99_001, "1 min 39 s"),
        (119_500, "2 min 0 s"),
        (754_000, "12 min 34 s"),
        # 12237.3 s are 3 hours (10,800 s), 23 minutes (1,380 s) and 57.3 s.
        (12_237_300, "3 h 23 min 57 s"),
        (-1_500, "-1.5 s"),
        (-125_000, "-2 min 5 s"),
    ],
)
def test_a_length_is_seconds_up_to_a_point_and_then_minutes(qapp, ms: int, said: str):
    assert duration(ms) == said
