"""What is said of a model and of a test, in words."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from adstudio.connections.connection_test import Reached
from adstudio.connections.model_access import Kind
from adstudio.llm.capabilities import Capabilities, capabilities_of

KIND_NAMES: dict[Kind, str] = {
    "vllm": "vLLM server (on premises)",
    "openai": "Other server (OpenAI protocol)",
    "gemini": "Google Gemini",
}
SHOWN_MODELS = 4


def known_of(kind: Kind, model: str, *, cloud: bool = False) -> str:
    """What the table of models knows of one: what it takes and costs. `cloud`: a provider's machine is asked."""
    if not model.strip():
        return ""
    found = capabilities_of(kind, model.strip(), cloud=cloud)
    takes = f"{_number(found.tokens_in)} tokens and {_number(found.images)} face pictures per request"
    if found.known:
        return f"Takes {takes}. {_price(found)}"
    return f"Not a known model, so cautious limits apply: {takes}. {_price(found)}"


def reached(place: str, model: str, said: Reached) -> tuple[str, bool]:
    """What a test that reached its server tells, and whether all is well."""
    if not said.models:
        return f"{place} responds, but has no model: load one there.", False
    if not model.strip():
        return f"{place} responds. Choose a model; it has {_some(said.models)}.", False
    if model.strip() not in said.models:
        return f"{place} responds, but has no model “{model.strip()}”. It has {_some(said.models)}: choose one.", False
    return f"{place} responds, and has {model.strip()}.", True


def _some(models: tuple[str, ...]) -> str:
    shown = ", ".join(models[:SHOWN_MODELS])
    return f"{shown} and {len(models) - SHOWN_MODELS} more" if len(models) > SHOWN_MODELS else shown


def _price(found: Capabilities) -> str:
    if found.usd_in is None or found.usd_out is None:
        return "Its price is unknown, so the cost of a film cannot be estimated."
    if not found.usd_in and not found.usd_out:
        return "Tokens cost nothing."
    money = QLocale()
    into, out = (money.toString(price, "f", 2) for price in (found.usd_in, found.usd_out))
    return f"Price for a million tokens: {into} US dollars in, {out} out."


def _number(count: int) -> str:
    return QLocale().toString(count)
