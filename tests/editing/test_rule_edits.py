"""Rules made, changed and taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, TIED, done

from adstudio.core.plan import RuleConflict
from adstudio.core.script import Penalty, Rules, Script
from adstudio.editing import rules
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of

ONE_SCENE = replace(SCRIPT, eventualities=tuple(replace(line, scene="s1") for line in SCRIPT.eventualities))


def test_making_rules() -> None:
    first = done(rules.make_alternatives(ONE_SCENE, ["e1", "e2", "e3"]), ONE_SCENE)
    second = done(rules.make_requires(first, "e4", "e1"), first)
    third = done(rules.make_penalty(second, "e2", "e4", 250_000), second)
    assert third.rules == Rules((("e1", "e2", "e3"),), (("e4", "e1"),), (), (Penalty("e2", "e4", 250_000),))
    assert done(rules.make_together(ONE_SCENE, ["e4", "e1"]), ONE_SCENE).rules == Rules(together=(("e4", "e1"),))


def test_checks() -> None:
    for few in ([], ["e1"]):
        with pytest.raises(EditRefused, match="at least two lines"):
            rules.make_alternatives(SCRIPT, few)
    with pytest.raises(EditRefused):
        rules.make_requires(SCRIPT, "e1", "e1")
    with pytest.raises(EditRefused, match="same line twice"):
        rules.make_together(SCRIPT, ["e1", "e2", "e1"])
    with pytest.raises(EditRefused, match="no longer in the script"):
        rules.make_alternatives(SCRIPT, ["e1", "e9"])
    with pytest.raises(EditRefused, match="in the same scene"):
        rules.make_alternatives(SCRIPT, ["e1", "e4"])
    for cost in (-1, 10**15 + 1):
        with pytest.raises(EditRefused, match="A penalty must be"):
            rules.make_penalty(SCRIPT, "e1", "e2", cost)
    many = replace(SCRIPT, eventualities=tuple(replace(SCRIPT.eventualities[0], id=f"e{n}") for n in range(101)))
    with pytest.raises(EditRefused, match="at most 100 lines"):
        rules.make_alternatives(many, [f"e{n}" for n in range(101)])


def test_two_lines_are_tied_once() -> None:
    tied = done(rules.make_alternatives(SCRIPT, ["e1", "e2"]))
    for edit in (
        lambda: rules.make_alternatives(tied, ["e2", "e1"]),
        lambda: rules.make_together(tied, ["e3", "e2", "e1"]),
        lambda: rules.make_requires(tied, "e2", "e1"),
        lambda: rules.make_penalty(tied, "e1", "e2", 5),
    ):
        with pytest.raises(EditRefused, match="already share a rule"):
            edit()
    assert rules.make_alternatives(tied, ["e2", "e3"]) is not None


def left(script: Script) -> list[str]:
    return [f"{rule.rule} {'-'.join(rule.of)}" for rule in rules.list_rules(script.rules)]


def test_taking_rules_away() -> None:
    assert left(TIED) == [
        "alternatives e1-e2-e3",
        "requires e2-e4",
        "requires e4-e1",
        "together e3-e4",
        "penalties e1-e4",
    ]
    for rule in rules.list_rules(TIED.rules):
        after = done(rules.remove_rule(TIED, rule), TIED)
        assert rules.list_rules(after.rules) == tuple(each for each in rules.list_rules(TIED.rules) if each != rule)
    with pytest.raises(EditRefused, match="That rule no longer exists"):
        rules.remove_rule(SCRIPT, RuleConflict("requires", ("e1", "e2")))


def test_untying() -> None:
    assert left(done(rules.remove_rules_between(TIED, ["e1", "e4"]), TIED)) == [
        "alternatives e1-e2-e3",
        "requires e2-e4",
        "together e3-e4",
    ]
    assert left(done(rules.remove_rules_between(TIED, ["e1"]), TIED)) == ["requires e2-e4", "together e3-e4"]
    assert left(done(rules.remove_rules_between(TIED, ["e1", "e2", "e3", "e4"]), TIED)) == []
    assert rules.remove_rules_between(SCRIPT, ["e1"]) is None
    assert rules.remove_rules_between(TIED, []) is None


def test_the_rules_of_a_line() -> None:
    assert rules.rules_of(TIED, "e2") == (
        RuleConflict("alternatives", ("e1", "e2", "e3")),
        RuleConflict("requires", ("e2", "e4")),
    )


def test_labels() -> None:
    step = rules.make_requires(SCRIPT, "e1", "e2")
    assert step is not None
    assert label_of(step, SCRIPT) == "Speak “She parks her motorbike…” only if “Tom waits” is spoken"
    step = rules.make_alternatives(SCRIPT, ["e1", "e2", "e3"])
    assert step is not None
    assert label_of(step, SCRIPT) == "Speak at most one of “She parks her motorbike…”, “Tom waits” and “Rain”"
    step = rules.remove_rules_between(TIED, ["e1"])
    assert step is not None
    assert label_of(step, TIED) == "Delete 3 rules"
    step = rules.remove_rule(TIED, RuleConflict("together", ("e3", "e4")))
    assert step is not None
    assert label_of(step, TIED) == "Delete rule on “Rain” and “A train leaves”"
