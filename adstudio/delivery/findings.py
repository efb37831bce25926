"""What is amiss with a script before it is handed in: locks that are not met, lines nobody has seen or accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.counts import counted
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script
from adstudio.core.words import opening_words
from adstudio.delivery.formats import exported_lines
from adstudio.delivery.options import DEFAULTS, ExportOptions
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.editing.departures import departures

MOST_QUOTED = 3
"""Lines that are quoted in a sentence; the rest is counted."""
QUOTED_WORDS = 6


class FindingKind(Enum):
    """What is amiss, the gravest first."""

    NOTHING_SPOKEN = "nothing spoken"
    LOCKED_MISSING = "locked missing"
    """Locked in, but left out: the locks conflict."""
    LOCKED_OTHERWISE = "locked otherwise"
    """Spoken otherwise than locked: the locks conflict."""
    RULE_BROKEN = "rule broken"
    """Spoken, or left out, against a rule that conflicts with locks."""
    CHANGED = "changed"
    """The plan speaks it otherwise than it was approved."""
    STALE = "stale"
    """Spoken in a wording that may no longer say what the full one says, which was changed since."""
    WORDLESS = "wordless"
    """Planned, but without words."""
    NOT_ACCEPTED_LEFT_OUT = "not accepted, left out"
    """Left out of the export because nobody has accepted it."""
    UNSEEN = "unseen"
    UNACCEPTED = "unaccepted"
    EXTENDED = "extended"
    """Spoken while the picture is held, and so not in an exported script."""


CONFLICTS = frozenset({FindingKind.LOCKED_MISSING, FindingKind.LOCKED_OTHERWISE, FindingKind.RULE_BROKEN})
_OF_LINES = frozenset({FindingKind.NOT_ACCEPTED_LEFT_OUT, FindingKind.UNSEEN, FindingKind.UNACCEPTED})


@dataclass(frozen=True)
class Finding:
    """Something amiss: the items (ids, in script order) that it is about, of `of` lines looked at.

    `count` is how many lines they are in, where a line can say several of them.
    """

    kind: FindingKind
    lines: tuple[str, ...] = ()
    of: int = 0
    count: int | None = None


def export_findings(script: Script, plan: Plan, options: ExportOptions = DEFAULTS) -> tuple[Finding, ...]:
    """What is amiss with the script that these options export, the gravest first.

    Raises:
        DeliveryError: for a plan of another script.
    """
    lines, all_lines = exported_lines(script, plan, options), exported_lines(script, plan)
    spoken = {name for line in lines for name in line.elements}
    all_spoken = {name for line in all_lines for name in line.elements}
    unmet = unmet_pins(script, plan)
    kind = FindingKind
    names: dict[FindingKind, set[str]] = {
        kind.LOCKED_MISSING: {line.id for line in unmet.missing},
        kind.LOCKED_OTHERWISE: {line.id for line in unmet.otherwise},
        kind.RULE_BROKEN: {name for rule in unmet.rules for name in rule.of},
        kind.CHANGED: {each.line for each in departures(script, plan)},
        kind.STALE: {
            delivery.element
            for delivery in plan.deliveries
            if delivery.element in spoken and script.eventuality(delivery.element).variants[delivery.variant].stale
        },
        kind.WORDLESS: plan.by_line.keys() - all_spoken,
        kind.NOT_ACCEPTED_LEFT_OUT: all_spoken - spoken,
        kind.UNSEEN: {name for name in spoken if not script.eventuality(name).seen},
        kind.UNACCEPTED: {name for name in spoken if not script.eventuality(name).accepted},
    }
    found = [] if lines else [Finding(kind.NOTHING_SPOKEN)]
    for each in kind:
        ids = tuple(line.id for line in script.eventualities if line.id in names.get(each, ()))
        if ids:
            looked_at = all_lines if each is kind.NOT_ACCEPTED_LEFT_OUT else lines
            count = sum(not names[each].isdisjoint(line.elements) for line in looked_at) if each in _OF_LINES else None
            found.append(Finding(each, ids, len(looked_at), count))
    return tuple(found)


def finding_message(script: Script, finding: Finding) -> str:
    """A sentence, with its full stop."""
    count = len(finding.lines) if finding.count is None else finding.count
    one = count == 1
    return _MESSAGES[finding.kind].format(
        counted=counted(count, "line"),
        of_all=f"{count:,} of {counted(finding.of, 'line')}",
        named=_names([script.eventuality(name) for name in finding.lines]),
        are="is" if one else "are",
        have="has" if one else "have",
        them="it" if one else "them",
        they_were="it was" if one else "they were",
        their="its" if one else "their",
    )


_MESSAGES = {
    FindingKind.NOTHING_SPOKEN: "No line is in it.",
    FindingKind.LOCKED_MISSING: "{counted} you locked {are} not in it, because {their} locks conflict: {named}.",
    FindingKind.LOCKED_OTHERWISE: (
        "{counted} {are} not in it as you locked {them}, because {their} locks conflict: {named}."
    ),
    FindingKind.RULE_BROKEN: "A rule is not kept, because it conflicts with locks: {named}.",
    FindingKind.CHANGED: "{counted} changed since {they_were} accepted or reviewed: {named}.",
    FindingKind.STALE: "{counted} {are} spoken in a wording made before the full one was changed: {named}.",
    FindingKind.WORDLESS: "{counted} {have} no words yet and {are} left out.",
    FindingKind.NOT_ACCEPTED_LEFT_OUT: "{of_all} {have} not been accepted and {are} left out.",
    FindingKind.UNSEEN: "{of_all} {have} not been seen.",
    FindingKind.UNACCEPTED: "{of_all} {have} not been accepted.",
    FindingKind.EXTENDED: (
        "{counted} marked as extended {are} not in it, but in the script that comes with an extended film: {named}."
    ),
}


def _names(lines: Sequence[Eventuality]) -> str:
    quoted = ", ".join(_quoted(line.variants[0].text) for line in lines[:MOST_QUOTED])
    return quoted + (f" and {len(lines) - MOST_QUOTED} more" if len(lines) > MOST_QUOTED else "")


def _quoted(text: str) -> str:
    return f"“{opening_words(text, QUOTED_WORDS)}”"
