"""Rules between lines: alternatives, requirements, groups spoken together, and penalties for repetition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adstudio.core.plan import RuleConflict
from adstudio.core.script import Penalty, Rules, Script
from adstudio.core.steps import SetRules, Step
from adstudio.editing.change import EditRefused, line_of
from adstudio.editing.names import line_name
from adstudio.planning.film.film_problem import scene_of_each

ALTERNATIVES, REQUIRES, TOGETHER, PENALTIES = "alternatives", "requires", "together", "penalties"
"""The kinds of rules, as named in plans and problems."""

MAX_COST = 10**9 * 1_000_000
"""The highest penalty, in millionths, that a problem file may hold."""

MAX_RULE_LINES = 100
"""The most lines in one rule."""


def make_alternatives(script: Script, identities: Iterable[str]) -> Step | None:
    """Speak at most one of these lines; refusals as in `_checked_lines`."""
    chosen = _checked_lines(script, identities)
    return SetRules(script.rules, replace(script.rules, alternatives=(*script.rules.alternatives, chosen)))


def make_together(script: Script, identities: Iterable[str]) -> Step | None:
    """Speak all of these lines or none; refusals as in `_checked_lines`."""
    chosen = _checked_lines(script, identities)
    return SetRules(script.rules, replace(script.rules, together=(*script.rules.together, chosen)))


def make_requires(script: Script, dependent: str, needed: str) -> Step | None:
    """Speak `dependent` only if `needed` is spoken; refusals as in `_checked_lines`."""
    _checked_lines(script, (dependent, needed))
    return SetRules(script.rules, replace(script.rules, requires=(*script.rules.requires, (dependent, needed))))


def make_penalty(script: Script, first: str, second: str, cost: int) -> Step | None:
    """Make speaking both lines cost so many millionths of an objective unit, since they repeat each other.

    Raises:
        EditRefused: as in `_checked_lines`, and for a cost out of range.
    """
    chosen = _checked_lines(script, (first, second))
    penalty = Penalty(chosen[0], chosen[1], _checked_cost(cost))
    return SetRules(script.rules, replace(script.rules, penalties=(*script.rules.penalties, penalty)))


def remove_rule(script: Script, rule: RuleConflict) -> Step | None:
    """Delete one rule, identified as in plans.

    Raises:
        EditRefused: if it does not exist.
    """
    rules = _filtered(script.rules, lambda other: other != rule)
    if rules == script.rules:
        raise EditRefused("That rule no longer exists.")
    return SetRules(script.rules, rules)


def remove_rules_between(script: Script, identities: Iterable[str]) -> Step | None:
    """Delete every rule between these lines; for a single line, every rule that applies to it."""
    chosen = {line_of(script, identity).id for identity in identities}
    least = min(2, len(chosen))
    if not least:
        return None
    return _rules_step(script, _filtered(script.rules, lambda rule: len(chosen.intersection(rule.of)) < least))


def rules_of(script: Script, identity: str) -> tuple[RuleConflict, ...]:
    """The rules that apply to a line."""
    return tuple(rule for rule in list_rules(script.rules) if identity in rule.of)


def list_rules(rules: Rules) -> tuple[RuleConflict, ...]:
    """Every rule as its kind and the lines it applies to."""
    return (
        *(RuleConflict(ALTERNATIVES, group) for group in rules.alternatives),
        *(RuleConflict(REQUIRES, pair) for pair in rules.requires),
        *(RuleConflict(TOGETHER, group) for group in rules.together),
        *(RuleConflict(PENALTIES, (penalty.first, penalty.second)) for penalty in rules.penalties),
    )


def without_lines(rules: Rules, gone: Iterable[str]) -> Rules:
    """The rules after lines are deleted: larger groups go on without them, other rules on them go."""
    left_out = frozenset(gone)
    return _mapped(rules, lambda identity: None if identity in left_out else identity)


def with_merged_lines(rules: Rules, gone: Iterable[str], into: str) -> Rules:
    """The rules after lines are merged into another, which takes their places; a rule with itself goes."""
    taken = frozenset(gone)
    return _mapped(rules, lambda identity: into if identity in taken else identity)


def with_split_line(rules: Rules, line: str, part: str) -> Rules:
    """The rules after a part is split off a line, with the same meaning.

    Both parts join the line's alternatives and groups. What required the line requires its first part, which also keeps
    the penalties.
    """
    alternatives: list[tuple[str, ...]] = []
    for group in rules.alternatives:
        alternatives.append(group)
        if line in group:
            alternatives.append(tuple(part if identity == line else identity for identity in group))
    requires: list[tuple[str, str]] = []
    for dependent, needed in rules.requires:
        requires.append((dependent, needed))
        if dependent == line:
            requires.append((part, needed))
    together = tuple((*group, part) if line in group else group for group in rules.together)
    return replace(rules, alternatives=tuple(alternatives), requires=tuple(requires), together=together)


def _checked_lines(script: Script, identities: Iterable[str]) -> tuple[str, ...]:
    """The lines of a new rule.

    Raises:
        EditRefused: for fewer than two, duplicates, unknown lines, lines of several scenes, and two lines that already
            share a rule.
    """
    chosen = tuple(line_of(script, identity).id for identity in identities)
    if len(set(chosen)) < 2:
        raise EditRefused("A rule needs at least two lines: select another one as well.")
    if len(set(chosen)) != len(chosen):
        raise EditRefused("A rule cannot contain the same line twice.")
    if len(chosen) > MAX_RULE_LINES:
        raise EditRefused(f"A rule can contain at most {MAX_RULE_LINES} lines.")
    scenes = scene_of_each(script)
    if len({scenes[script.eventuality_index[identity]] for identity in chosen}) > 1:
        raise EditRefused("The lines of a rule must be in the same scene.")
    twice = next((both for rule in list_rules(script.rules) if len(both := _shared(chosen, rule)) > 1), None)
    if twice:
        first, second = (line_of(script, identity) for identity in twice[:2])
        raise EditRefused(f"{line_name(first)} and {line_name(second)} already share a rule: delete that rule first.")
    return chosen


def _shared(chosen: Sequence[str], rule: RuleConflict) -> list[str]:
    tied = frozenset(rule.of)
    return [identity for identity in chosen if identity in tied]


def _checked_cost(cost: int) -> int:
    if not 0 <= cost <= MAX_COST:
        raise EditRefused(f"A penalty must be from 0 to {MAX_COST // 1_000_000:,}.")
    return cost


def _rules_step(script: Script, rules: Rules) -> Step | None:
    return SetRules(script.rules, rules) if rules != script.rules else None


def _filtered(rules: Rules, keep: Callable[[RuleConflict], bool]) -> Rules:
    return Rules(
        alternatives=tuple(group for group in rules.alternatives if keep(RuleConflict(ALTERNATIVES, group))),
        requires=tuple(pair for pair in rules.requires if keep(RuleConflict(REQUIRES, pair))),
        together=tuple(group for group in rules.together if keep(RuleConflict(TOGETHER, group))),
        penalties=tuple(p for p in rules.penalties if keep(RuleConflict(PENALTIES, (p.first, p.second)))),
    )


def _mapped(rules: Rules, name: Callable[[str], str | None]) -> Rules:
    """The rules with ids renamed (None: dropped); rules left with fewer than two lines, and duplicates, go."""

    def groups(found: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
        for group in found:
            renamed = tuple(dict.fromkeys(new for old in group if (new := name(old)) is not None))
            if len(renamed) > 1:
                yield renamed

    def pairs(found: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
        for first, second in found:
            one, other = name(first), name(second)
            if one is not None and other is not None and one != other:
                yield one, other

    penalties: dict[frozenset[str], Penalty] = {}
    for penalty in rules.penalties:
        for first, second in pairs([(penalty.first, penalty.second)]):
            known = penalties.get(frozenset((first, second)))
            cost = penalty.cost if known is None else max(known.cost, penalty.cost)
            penalties[frozenset((first, second))] = Penalty(first, second, cost)
    return Rules(
        alternatives=tuple(dict.fromkeys(groups(rules.alternatives))),
        requires=tuple(dict.fromkeys(pairs(rules.requires))),
        together=tuple(dict.fromkeys(groups(rules.together))),
        penalties=tuple(penalties.values()),
    )
