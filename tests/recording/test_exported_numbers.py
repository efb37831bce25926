"""The numbers of an exported script count where it is given, whatever the plan is now."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT, changed

from adstudio.core.json_reading import JsonError
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.delivery.export import export_of, plan_to_export
from adstudio.recording.exported_numbers import exported_numbers


def exported(script: Script) -> bytes:
    return export_of("json", script, plan_to_export(script, None)).content


def numbers(data: bytes, script: Script) -> list[tuple[int, str, int]]:
    return [(place.number, place.line, place.variant) for place in exported_numbers(data, "x.json", script)]


def test_lines_keep_the_numbers_of_the_script_that_was_exported() -> None:
    data = exported(SCRIPT)
    assert numbers(data, SCRIPT) == [(1, "e1", 0), (2, "e2", 0), (3, "e4", 0)]
    without = replace(SCRIPT, eventualities=SCRIPT.eventualities[1:])
    assert numbers(data, without) == [(2, "e2", 0), (3, "e4", 0)]
    # One that holds the picture now, and was in no gap then, follows.
    held = changed(SCRIPT, "e3", extended=True, occurrence=Span(28_000, 29_000))
    assert numbers(data, held) == [(1, "e1", 0), (2, "e2", 0), (3, "e4", 0), (4, "e3", 0)]


def test_linked_lines_share_the_number() -> None:
    lines = list(SCRIPT.eventualities)
    lines[0] = replace(lines[0], occurrence=Span(4000, 5000))
    lines[1] = replace(lines[1], joined=True)
    script = replace(SCRIPT, eventualities=tuple(lines))
    assert numbers(exported(script), SCRIPT)[:2] == [(1, "e1", 0), (1, "e2", 0)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "x.json"),
        (b"[]", "no exported script"),
        (b'{"format": 1}', "no exported script"),
        (b'{"format": "adstudio-script/1"}', "missing key “lines”"),
        (b'{"format": "adstudio-script/1", "lines": [{}]}', "missing key “number”"),
        (b'{"format": "adstudio-script/1", "lines": [{"number": 0}]}', "whole number"),
        (b'{"format": "adstudio-script/1", "lines": [{"number": 1, "element": "e1", "variant": -1}]}', "whole number"),
        (b'{"format": "adstudio-script/1", "lines": [3]}', "missing key “number”"),
    ],
)
def test_what_is_no_exported_script_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(JsonError, match=said):
        exported_numbers(data, "x.json", SCRIPT)
