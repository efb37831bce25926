"""One way of writing per cent, by one function: `85 %`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import adstudio
from adstudio.core.counts import percent

ROOT = Path(adstudio.__file__).parent
FILE_FORMATS = {
    "dapt/audio_checks.py",
    "dapt/writer.py",
    "drafting/text/align/normalisation.py",
    "ui/picture/mpv_core.py",
}
"""Where a percentage is part of a file format, an option of mpv or normalised text, not of a message."""
GIVEN = {"cli/plan_options.py"}
"""What somebody types: `85%` is one word of a command."""
FIXED = {"evaluation/messages.py"}
"""Tables with the same number of decimals in every row."""


@pytest.mark.parametrize(
    ("share", "decimals", "said"),
    [
        (0.85, 0, "85 %"),
        (1, 0, "100 %"),
        (0, 0, "0 %"),
        (Fraction(9, 10), 0, "90 %"),
        (0.825, 4, "82.5 %"),
        (0.85, 4, "85 %"),
        (1.0427, 2, "104.27 %"),
        (0.1, 1, "10 %"),
    ],
)
def test_a_share_is_written_with_a_space_and_without_idle_zeros(share, decimals, said):
    assert percent(share, decimals) == said


def test_no_text_writes_percentages_in_a_way_of_its_own():
    found = [place for file in sorted(ROOT.rglob("*.py")) for place in _own_ways(file)]
    assert found == []


def _own_ways(file: Path) -> Iterator[str]:
    name = file.relative_to(ROOT).as_posix()
    if name in FILE_FORMATS | GIVEN | FIXED:
        return
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for before, after in zip(node.values, [*node.values[1:], None], strict=True):
            if not isinstance(before, ast.FormattedValue):
                continue
            spec = ast.unparse(before.format_spec).strip("f'\"") if before.format_spec else ""
            if spec.endswith("%") and not spec.startswith("%"):
                yield f"{name}:{node.lineno}: a specification in per cent"
            if isinstance(after, ast.Constant) and str(after.value).startswith("%"):
                yield f"{name}:{node.lineno}: a percentage without a space"
