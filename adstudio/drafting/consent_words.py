"""What leaves for a provider, and what it says that it does with that, in words: the command line's and the editor's.

Whoever confirms it confirms the same, wherever they do.
"""

from __future__ import annotations

from adstudio.core.policy import Sent

PROVIDERS = {"gemini": "Google’s Gemini"}
"""What people call the providers that a project may name."""
WHO = {"gemini": "Google"}
KINDS: dict[Sent, str] = {
    "clips": "The pictures of its scenes: one a second, small, without sound",
    "pictures": "The faces of its people as they were given, with their names",
    "text": "Its words: dialogue with speakers, descriptions, and the screenplay’s text where there is one",
}
"""What of a film is sent, the most telling first."""
KEPT_THERE = {
    "gemini": (
        "With a paid key Google says that it trains nothing on what it is sent; it keeps it for a limited time to look "
        "for misuse, unless zero data retention was approved for your account. What comes with an unpaid key it uses "
        "to improve its products. Ask whoever gave you the key which kind it is, and your contract whether the film "
        "may go there at all."
    )
}
"""What they do with it; Google’s words on data logging and zero data retention of the Gemini API, autumn 2026."""
