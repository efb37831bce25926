"""What a project allows that was drafted by one model and weighed by another."""

from __future__ import annotations

from adstudio.core.policy import OFFLINE, Consent, Host, Policy, merged

HOUSE, OTHER = Host("gpu.example", 443), Host("other.example", 443)
HERE = Policy("on premises", (HOUSE,))


def consent(*sends, at="2026-11-28"):
    return Consent("gemini", frozenset(sends), at)


def test_what_either_was_allowed_is_allowed():
    assert merged(OFFLINE, HERE) == HERE
    assert merged(HERE, OFFLINE) == HERE
    assert merged(Policy("on premises", (OTHER,)), HERE).hosts == (OTHER, HOUSE)
    text, clips = Policy("cloud", (), consent("text")), Policy("cloud", (HOUSE,), consent("clips", at="2026-11-29"))
    assert merged(text, clips) == Policy("cloud", (HOUSE,), consent("text", "clips", at="2026-11-29"))


def test_what_was_withdrawn_is_not_allowed_by_the_others_rule():
    withdrawn = Policy("offline", (OTHER,), consent("clips"))
    assert merged(withdrawn, HERE) == HERE
    assert merged(HERE, withdrawn) == HERE
    gone = Policy("on premises", (OTHER,), consent("clips"))
    assert merged(gone, Policy("cloud", (), consent("text"))).confirmed == consent("text")
