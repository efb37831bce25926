"""What a project allows that was drafted by one model and weighed by another."""

from __future__ import annotations

from adstudio.cli.draft_weigh import Weigher, together
from adstudio.core.policy import OFFLINE, Consent, Host, Policy

HOUSE, OTHER = Host("gpu.example", 443), Host("other.example", 443)
HERE = Policy("on premises", (HOUSE,))


def weigher(policy, kept=OFFLINE, answered=True):
    return Weigher(None, None, policy, kept, ["house"] if answered else [], None)  # type: ignore[arg-type]


def consent(*sends, at="2026-11-28"):
    return Consent("gemini", frozenset(sends), at)


def test_what_either_was_allowed_is_allowed():
    assert together(HERE, None) == HERE
    assert together(OFFLINE, weigher(HERE)) == HERE
    assert together(Policy("on premises", (OTHER,)), weigher(HERE)).hosts == (OTHER, HOUSE)
    text, clips = Policy("cloud", (), consent("text")), Policy("cloud", (HOUSE,), consent("clips", at="2026-11-29"))
    assert together(text, weigher(clips)) == Policy("cloud", (HOUSE,), consent("text", "clips", at="2026-11-29"))


def test_one_that_has_not_answered_adds_nothing():
    assert together(OFFLINE, weigher(HERE, answered=False)) == OFFLINE
    assert together(OFFLINE, weigher(HERE, Policy("on premises", (OTHER,)), answered=False)).hosts == (OTHER,)


def test_what_was_withdrawn_is_not_allowed_by_the_others_rule():
    withdrawn = Policy("offline", (OTHER,), consent("clips"))
    assert together(withdrawn, weigher(HERE)) == HERE
    assert together(HERE, weigher(HERE, withdrawn, answered=False)) == HERE
    gone = Policy("on premises", (OTHER,), consent("clips"))
    assert together(gone, weigher(Policy("cloud", (), consent("text")))).confirmed == consent("text")
