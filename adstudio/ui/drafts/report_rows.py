"""The report of a draft as rows: how far film and screenplay agree, what has footing, rules suggested, what is odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Script
from adstudio.core.steps import SetRules, Step
from adstudio.drafting.report import Found, Report
from adstudio.drafting.text.align.match import match_summary
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.editing.rules import make_penalty, make_requires
from adstudio.ui.widgets.formatting import counted, quoted, timecode

MOST_SHOWN = 500
"""Rows of one kind; of more, only their number is shown."""
Suggestion = SuggestedPenalty | SuggestedRequirement


@dataclass(frozen=True)
class Row:
    """A sentence, the lines that it leads to, the rule that it suggests, and the rows below it."""

    what: str
    lines: tuple[str, ...] = ()
    rule: Suggestion | None = None
    below: tuple[Row, ...] = field(default=())


def summary(report: Report) -> str:
    """The draft in one sentence or two."""
    if not report.lines:
        return "Nothing was drafted: every line is yours to write."
    guesses, spoken = len(report.unsure), f"the plan speaks {report.spoken:,}"
    if not report.lost and not guesses:
        return f"{counted(report.lines, 'line')} drafted, each with a place in the film; {spoken}."
    said = f"{counted(report.lines, 'line')} drafted: {report.placed:,} with a place in the film"
    said += f", {guesses:,} of them a guess" if guesses else ""
    said += f"; {len(report.lost):,} without one" if report.lost else ""
    return f"{said}; {spoken}."


def report_rows(report: Report, script: Script) -> tuple[Row, ...]:
    """The rows of a report, the lines as the script has them now."""
    rows = [
        _section("How far film and screenplay agree", [Row(each) for each in _agreement(report)]),
        _section(f"Rules that the lines suggest · {len(suggestions(report)):,}", _rules(report)),
        _section(f"Lines whose time is a guess · {len(report.unsure):,}", _lines(report.unsure, script)),
        _section(f"Lines without a place in the film · {len(report.lost):,}", _lines(report.lost, script)),
        *(_section(f"Odd in {name} · {len(found):,}", _odd(found)) for name, found in _by_source(report.found)),
    ]
    return tuple(row for row in rows if row.below)


def suggestions(report: Report) -> tuple[Suggestion, ...]:
    """Every rule that the draft suggests."""
    return (*report.repetitions, *report.needs)


def tied(rule: Suggestion) -> tuple[str, str]:
    """The two lines that a suggested rule ties."""
    return (rule.penalty.first, rule.penalty.second) if isinstance(rule, SuggestedPenalty) else (rule.line, rule.needs)


def not_set(rules: Iterable[Suggestion], script: Script) -> list[Suggestion]:
    """Those of the suggested rules that are not in the script, whatever their cost."""
    requires = set(script.rules.requires)
    penalties = {frozenset((penalty.first, penalty.second)) for penalty in script.rules.penalties}
    return [
        rule
        for rule in rules
        if (
            tied(rule) not in requires
            if isinstance(rule, SuggestedRequirement)
            else frozenset(tied(rule)) not in penalties
        )
    ]


def set_rule(script: Script, rule: Suggestion) -> Step | None:
    """Set one suggested rule.

    Raises:
        EditRefused: where its lines are gone, in several scenes, or tied already.
    """
    if isinstance(rule, SuggestedRequirement):
        return make_requires(script, rule.line, rule.needs)
    return make_penalty(script, rule.penalty.first, rule.penalty.second, rule.penalty.cost)


def set_rules(script: Script, rules: Sequence[Suggestion]) -> tuple[Step | None, int]:
    """Set as many of the rules as can be, as one step; and how many could not."""
    became, refused = script, 0
    for rule in rules:
        try:
            step = set_rule(became, rule)
        except BadInputError:
            refused += 1
        else:
            became = became if step is None else step.apply(became)
    return (SetRules(script.rules, became.rules) if became.rules != script.rules else None), refused


def _section(title: str, rows: Sequence[Row]) -> Row:
    more = len(rows) - MOST_SHOWN
    shown = [*rows[:MOST_SHOWN], *([Row(f"and {more:,} more")] if more > 0 else [])]
    return Row(title, below=tuple(shown))


def _agreement(report: Report) -> Iterator[str]:
    for clause in match_summary(report.words, report.scenes):
        yield f"{clause[0].upper()}{clause[1:]}."
    if report.words is not None:
        cues = counted(report.cues, "cue")
        yield f"{report.speakers:,} of {cues} of dialogue now have their speaker from the screenplay."


def _lines(ids: Sequence[str], script: Script) -> list[Row]:
    rows: list[Row] = []
    for identity in ids:
        place = script.eventuality_index.get(identity)
        if place is None:
            rows.append(Row("a line that has been deleted"))
            continue
        line = script.eventualities[place]
        at = "" if line.occurrence is None else f"{timecode(script.film, line.occurrence.start)}  "
        parts = (quoted(line.variants[0].text, 12), provenance_text(line.provenance))
        rows.append(Row(at + " · ".join(filter(None, parts)), (identity,)))
    return rows


def _rules(report: Report) -> list[Row]:
    return [Row(rule.reason, tied(rule), rule) for rule in suggestions(report)]


def _odd(found: Sequence[Found]) -> list[Row]:
    return [
        Row(f"line {each.oddity.line:,}: {each.oddity.what}" if each.oddity.line else each.oddity.what, each.lines)
        for each in found
    ]


def _by_source(found: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    sources: dict[str, list[Found]] = {}
    for each in found:
        sources.setdefault(each.source, []).append(each)
    return [(Path(source).name, those) for source, those in sources.items()]
