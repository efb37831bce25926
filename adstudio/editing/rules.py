"""Rules between lines: at most one of, one only with another, all or none, and what it costs to say both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adstudio.core.plan import RuleConflict
from adstudio.core.script import Penalty, Rules, Script
from adstudio.core.steps import SetRules, Step
from adstudio.editing.change import line_of
from adstudio.editing.names import line_name
from adstudio.editing.refusal import EditRefused
from adstudio.planning.film.film_problem import scene_of_each

ALTERNATIVES, REQUIRES, TOGETHER, PENALTIES = "alternatives", "requires", "together", "penalties"
"""The rules by the names that plans and problems give them."""

MAX_COST = 10**9 * 1_000_000
"""The dearest penalty, in millionths: what a problem file may hold."""

MOST_TIED = 100
"""The most lines in one rule."""


def make_alternatives(script: Script, identities: Iterable[str]) -> Step | None:
    """At most one of these lines is said; refused as all new rules are, see `_checked`."""
    chosen = _checked(script, identities)
    return SetRules(script.rules, replace(script.rules, alternatives=(*script.rules.alternatives, chosen)))


def make_together(script: Script, identities: Iterable[str]) -> Step | None:
    """All of these lines are said, or none; refused as all new rules are, see `_checked`."""
    chosen = _checked(script, identities)
    return SetRules(script.rules, replace(script.rules, together=(*script.rules.together, chosen)))


def make_requires(script: Script, dependent: str, needed: str) -> Step | None:
    """`dependent` is said only if `needed` is; refused as all new rules are, see `_checked`."""
    _checked(script, (dependent, needed))
    return SetRules(script.rules, replace(script.rules, requires=(*script.rules.requires, (dependent, needed))))


def make_penalty(script: Script, first: str, second: str, cost: int) -> Step | None:
    """Saying both costs so many millionths of an objective unit: the second would tell little new.

    Raises:
        EditRefused: as all new rules, see `_checked`, and for a cost that is no cost.
    """
    chosen = _checked(script, (first, second))
    penalty = Penalty(chosen[0], chosen[1], _cost(cost))
    return SetRules(script.rules, replace(script.rules, penalties=(*script.rules.penalties, penalty)))


def set_penalty(script: Script, first: str, second: str, cost: int) -> Step | None:
    """Change what it costs to say both.

    Raises:
        EditRefused: where there is no such penalty, or the cost is none.
    """
    pair = {first, second}
    if not any({penalty.first, penalty.second} == pair for penalty in script.rules.penalties):
        raise EditRefused("There is no penalty between these two lines any more.")
    changed = tuple(
        replace(penalty, cost=_cost(cost)) if {penalty.first, penalty.second} == pair else penalty
        for penalty in script.rules.penalties
    )
    return _to(script, replace(script.rules, penalties=changed))


def remove_rule(script: Script, rule: RuleConflict) -> Step | None:
    """Take one rule away, named as plans name it.

    Raises:
        EditRefused: where it is not there.
    """
    rules = _filtered(script.rules, lambda other: other != rule)
    if rules == script.rules:
        raise EditRefused("That rule is not there any more.")
    return SetRules(script.rules, rules)


def untie(script: Script, identities: Iterable[str]) -> Step | None:
    """Take away every rule that ties these lines with one another; for a single line, every rule that ties it."""
    chosen = {line_of(script, identity).id for identity in identities}
    least = min(2, len(chosen))
    if not least:
        return None
    return _to(script, _filtered(script.rules, lambda rule: len(chosen.intersection(rule.of)) < least))


def rules_of(script: Script, identity: str) -> tuple[RuleConflict, ...]:
    """The rules that tie a line."""
    return tuple(rule for rule in listed(script.rules) if identity in rule.of)


def listed(rules: Rules) -> tuple[RuleConflict, ...]:
    """Every rule by its name and the lines it ties."""
    return (
        *(RuleConflict(ALTERNATIVES, group) for group in rules.alternatives),
        *(RuleConflict(REQUIRES, pair) for pair in rules.requires),
        *(RuleConflict(TOGETHER, group) for group in rules.together),
        *(RuleConflict(PENALTIES, (penalty.first, penalty.second)) for penalty in rules.penalties),
    )


def without(rules: Rules, gone: Iterable[str]) -> Rules:
    """The rules when lines go: what ties them goes, larger groups go on without them."""
    left_out = frozenset(gone)
    return _mapped(rules, lambda identity: None if identity in left_out else identity)


def merged(rules: Rules, gone: Iterable[str], into: str) -> Rules:
    """The rules when lines become part of another: it takes their places, and a rule with itself goes."""
    taken = frozenset(gone)
    return _mapped(rules, lambda identity: into if identity in taken else identity)


def divided(rules: Rules, line: str, part: str) -> Rules:
    """The rules when a part is split off a line, so that they mean what they meant.

    Both are said with what the line was to be said with, and neither where it was not to be. What needs the line needs
    its first part, and what it costs beside another remains with that.
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


def _checked(script: Script, identities: Iterable[str]) -> tuple[str, ...]:
    """The lines of a new rule.

    Raises:
        EditRefused: for fewer than two, one given twice or not in the script, lines of several scenes, and two lines
            that a rule ties already.
    """
    chosen = tuple(line_of(script, identity).id for identity in identities)
    if len(set(chosen)) < 2:
        raise EditRefused("A rule ties two lines or more: choose another one as well.")
    if len(set(chosen)) != len(chosen):
        raise EditRefused("A line is chosen twice; a rule ties different lines.")
    if len(chosen) > MOST_TIED:
        raise EditRefused(f"One rule ties {MOST_TIED} lines at most.")
    scenes = scene_of_each(script)
    if len({scenes[script.eventuality_index[identity]] for identity in chosen}) > 1:
        raise EditRefused("A rule ties lines of one scene, and these are of several.")
    twice = next((both for rule in listed(script.rules) if len(both := _shared(chosen, rule)) > 1), None)
    if twice:
        first, second = (line_of(script, identity) for identity in twice[:2])
        raise EditRefused(f"{line_name(first)} and {line_name(second)} are tied already: take that rule away first.")
    return chosen


def _shared(chosen: Sequence[str], rule: RuleConflict) -> list[str]:
    tied = frozenset(rule.of)
    return [identity for identity in chosen if identity in tied]


def _cost(cost: int) -> int:
    if not 0 <= cost <= MAX_COST:
        raise EditRefused(f"A penalty is a number from 0 to {MAX_COST // 1_000_000:,}.")
    return cost


def _to(script: Script, rules: Rules) -> Step | None:
    return SetRules(script.rules, rules) if rules != script.rules else None


def _filtered(rules: Rules, keep: Callable[[RuleConflict], bool]) -> Rules:
    return Rules(
        alternatives=tuple(group for group in rules.alternatives if keep(RuleConflict(ALTERNATIVES, group))),
        requires=tuple(pair for pair in rules.requires if keep(RuleConflict(REQUIRES, pair))),
        together=tuple(group for group in rules.together if keep(RuleConflict(TOGETHER, group))),
        penalties=tuple(p for p in rules.penalties if keep(RuleConflict(PENALTIES, (p.first, p.second)))),
    )


def _mapped(rules: Rules, name: Callable[[str], str | None]) -> Rules:
    """The rules with other ids; what is left with fewer than two lines, or is there already, goes."""

    def groups(found: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
        for group in found:
            kept = tuple(dict.fromkeys(new for old in group if (new := name(old)) is not None))
            if len(kept) > 1:
                yield kept

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
