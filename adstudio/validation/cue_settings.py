"""The settings of WebVTT's regions and cues (sections 4.3 and 4.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adstudio.core.rule_findings import Findings, Rule
from adstudio.subtitles.lines import quoted

REGION = Rule("vtt:region", "WebVTT 4.3, WebVTT region settings")
SETTINGS = Rule("vtt:settings", "WebVTT 4.4, WebVTT cue settings")

_PERCENTAGE = r"(?:0*100(?:\.0+)?|0*\d{1,2}(?:\.\d+)?)%"
_ANCHOR = re.compile(rf"{_PERCENTAGE},{_PERCENTAGE}", re.ASCII)
_REGION_FORMS = {
    "id": re.compile(r"\S+"),
    "width": re.compile(_PERCENTAGE, re.ASCII),
    "lines": re.compile(r"\d+", re.ASCII),
    "regionanchor": _ANCHOR,
    "viewportanchor": _ANCHOR,
    "scroll": re.compile("up"),
}
_CUE_FORMS = {
    "vertical": (re.compile(r"rl|lr"), "rl or lr"),
    "line": (
        re.compile(rf"(?:{_PERCENTAGE}|-?\d+)(?:,(?:start|center|end))?", re.ASCII),
        "a percentage or a number of lines, and perhaps ,start or ,center or ,end",
    ),
    "position": (
        re.compile(rf"{_PERCENTAGE}(?:,(?:line-left|center|line-right))?", re.ASCII),
        "a percentage, and perhaps ,line-left or ,center or ,line-right",
    ),
    "size": (re.compile(_PERCENTAGE, re.ASCII), "a percentage"),
    "align": (re.compile(r"start|center|end|left|right"), "start, center, end, left or right"),
    "region": (re.compile(r"\S+"), "the id of a region"),
}


class RegionIds(set[str]):
    """The ids of the regions defined so far."""


def check_region(lines: Sequence[str], before: int, regions: RegionIds, findings: Findings) -> None:
    """Check the settings of a region; `before` is how many lines of the file are above them."""
    seen: set[str] = set()
    for number, line in enumerate(lines, before + 1):
        for setting in line.split():
            name, colon, value = setting.partition(":")
            form = _REGION_FORMS.get(name)
            if not colon or form is None:
                what = f"{quoted(setting)} is not a region setting: use {', '.join(_REGION_FORMS)}, with a colon"
                findings.add(REGION, what, number)
            elif name in seen:
                findings.add(REGION, f"{name} is given twice: keep one", number)
            elif not form.fullmatch(value):
                findings.add(REGION, f"{name} is {quoted(value)}, which it cannot be", number)
            elif name == "id":
                if value in regions:
                    findings.add(REGION, f"there is a region {quoted(value)} already: give this one another id", number)
                regions.add(value)
            seen.add(name)
    if "id" not in seen:
        findings.add(REGION, "the region has no id, so that no cue can be in it", before)


def check_cue_settings(text: str, line: int, regions: RegionIds, findings: Findings) -> None:
    """Check what follows the times of a cue."""
    if not text.startswith((" ", "\t")):
        findings.add(SETTINGS, f"there has to be a blank between the times and {quoted(text)}", line)
    seen: set[str] = set()
    for setting in text.split():
        name, colon, value = setting.partition(":")
        found = _CUE_FORMS.get(name)
        if not colon or found is None:
            what = f"{quoted(setting)} is not a cue setting: use {', '.join(_CUE_FORMS)}, with a colon"
            findings.add(SETTINGS, what, line)
            continue
        if name in seen:
            findings.add(SETTINGS, f"{name} is given twice: keep one", line)
        seen.add(name)
        form, expected = found
        if not form.fullmatch(value):
            findings.add(SETTINGS, f"{name} is {quoted(value)}: it has to be {expected}", line)
        elif name == "region" and value not in regions:
            findings.add(SETTINGS, f"no region above has the id {quoted(value)}", line)
