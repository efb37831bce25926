"""What quality control finds as `adstudio-qc/1` (docs/quality-checks.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import Enum
from typing import Any

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span, seconds
from adstudio.quality.checks import Checks
from adstudio.quality.findings import Finding
from adstudio.quality.messages import finding_message
from adstudio.quality.rules import RULES, Level

FORMAT = "adstudio-qc/1"
_NO_TIMES = frozenset({"words", "most", "of", "described"})
"""Facts that are numbers but no times."""


def report_json(script: Script, plan: Plan, checks: Checks, findings: Sequence[Finding]) -> dict[str, object]:
    """The findings with the rules and values they go by, ready for `json.dumps`; times are seconds of the film."""
    return {
        "format": FORMAT,
        "preset": checks.preset,
        "counts": {level.value: sum(each.level is level for each in findings) for level in Level},
        "findings": [
            {
                "rule": each.rule.id,
                "level": each.level.value,
                "lines": list(each.lines),
                "start": seconds(each.span.start),
                "end": seconds(each.span.end),
                "what": finding_message(script, plan, each),
                "facts": {name: _value(name, value) for name, value in _facts(each).items()},
            }
            for each in findings
        ],
        "rules": [
            {
                "id": rule.id,
                "title": rule.title,
                "level": rule.level.value,
                "source": rule.source,
                "values": {
                    each.key.name: {"value": each.key.written(each.value), "source": each.source}
                    for each in checks.values_of(rule)
                },
            }
            for rule in RULES
        ],
    }


def _facts(finding: Finding) -> dict[str, Any]:
    return {name: getattr(finding.facts, name) for name in asdict(finding.facts)}


def _value(name: str, value: object) -> object:
    match value:
        case Enum():
            return value.value
        case Span():
            return [seconds(value.start), seconds(value.end)]
        case int() if not isinstance(value, bool) and name not in _NO_TIMES:
            return seconds(value)
        case _:
            return value
