"""What leaves for a provider, and what it says that it does with that, in words: the command line's and the editor's.

Whoever confirms it confirms the same, wherever they do.
"""

from __future__ import annotations

from adstudio.core.policy import Sent
from adstudio.llm.cloud_hosts import CLOUDS

PROVIDERS = {cloud.name: cloud.called for cloud in CLOUDS}
"""What people call the providers that a project may name."""
WHO = {cloud.name: cloud.who for cloud in CLOUDS}
KINDS: dict[Sent, str] = {
    "clips": "The pictures of its scenes: one a second, small, without sound",
    "pictures": "The faces of its people as they were given, with their names",
    "text": "Its words: dialogue with speakers, descriptions, and the screenplay’s text where there is one",
}
"""What of a film is sent, the most telling first."""
_KEPT_THERE = {
    "gemini": (
        "With a paid key Google says that it trains nothing on what it is sent; it keeps it for a limited time to look "
        "for misuse, unless zero data retention was approved for your account. What comes with an unpaid key it uses "
        "to improve its products. Ask whoever gave you the key which kind it is, and your contract whether the film "
        "may go there at all."
    )
}
"""Google’s words on data logging and zero data retention of the Gemini API, autumn 2026."""


def kept_there(provider: str) -> str:
    """What a provider does with what it is sent, as far as that is known here."""
    who = WHO.get(provider, provider)
    return _KEPT_THERE.get(provider) or (
        f"What {who} keeps of it, for how long, and whether it learns from it, is in your contract with {who}. Ask"
        " whoever gave you the key for it, and whether the film may go there at all."
    )
