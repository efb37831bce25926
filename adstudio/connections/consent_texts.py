"""Texts for consent to a cloud provider, shared by the command line and the editor: what is sent and how it is used."""

from __future__ import annotations

from adstudio.core.policy import SENT_NAMES, Sent
from adstudio.llm.cloud_hosts import CLOUDS

PROVIDERS = {cloud.name: cloud.called for cloud in CLOUDS}
"""Display names of the providers that a policy may name."""
WHO = {cloud.name: cloud.who for cloud in CLOUDS}
KINDS: dict[Sent, str] = {
    "clips": f"{SENT_NAMES['clips'].capitalize()}: one per second, small, without sound",
    "pictures": SENT_NAMES["pictures"].capitalize(),
    "text": f"{SENT_NAMES['text'].capitalize()}: dialogue with speakers, descriptions, and the screenplay, if any",
}
"""The kinds of data that are sent, in detail, the most sensitive first."""
_PROVIDER_TERMS = {
    "gemini": (
        "With a paid key, Google states that it does not train on your data; it stores it for a limited time to detect "
        "abuse, unless zero data retention was approved for your account. Data sent with an unpaid key is used to "
        "improve its products. Ask whoever gave you the key which kind it is, and check your contract for whether the "
        "film may be sent at all."
    )
}
"""According to Google's terms on data logging and zero data retention of the Gemini API, autumn 2026."""


def provider_terms(provider: str) -> str:
    """What a provider does with the data, as far as known."""
    who = WHO.get(provider, provider)
    return _PROVIDER_TERMS.get(provider) or (
        f"What {who} stores, for how long, and whether it trains on it is set out in your contract with {who}. Ask"
        " whoever gave you the key, and whether the film may be sent there at all."
    )
