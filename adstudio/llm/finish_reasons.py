"""What servers call the end of a response: OpenAI's, Google's, Anthropic's, Cohere's and inference engines' own names.

Gateways pass other providers' names through, in any case, so all are known to all protocols.
"""

from __future__ import annotations

from typing import Literal

End = Literal["stop", "limit", "blocked", "refused", "tool", "repeated", "lost", "overloaded", "error"]
"""How a response ended: `stop` is the model's own end; `lost`, `overloaded` and `error` are the server's."""

_NOT_YET = ("", "null", "none", "finishreasonunspecified")
"""Some servers send these with every chunk, even the last."""
_NAMES: dict[End, str] = {
    "limit": "length maxtokens maxoutputtokens modellength modelcontextwindowexceeded errorlimit",
    "blocked": "contentfilter contentfiltered sensitive errortoxic guardrailintervened",
    "refused": "refusal",
    "tool": "toolcalls toolcall tooluse functioncall malformedfunctioncall unexpectedtoolcall toomanytoolcalls",
    "repeated": "repetition",
    "lost": "abort aborted cancelled canceled usercancel networkerror timeout incomplete",
    "overloaded": "insufficientsystemresource overloaded",
    "error": "error malformedresponse",
}
_ENDS: dict[str, End] = {name: end for end, names in _NAMES.items() for name in names.split()}
_BLOCKS = {
    "contentfilter": "its content filter",
    "safety": "its safety filter",
    "recitation": "too similar to a text it was trained on",
    "language": "a language it does not support",
    "blocklist": "a blocklisted word",
    "prohibitedcontent": "prohibited content",
    "spii": "personal data",
    "imagesafety": "its safety filter for images",
    "jailbreak": "the prompt was taken for an attack",
    "modelarmor": "a filter set up in the account",
}


def end_of(reason: str) -> End | None:
    """How a response ended, by the server's name for it; None if it has not. An unknown name is the model's own end."""
    name = _plain(reason)
    if name in _NOT_YET:
        return None
    return "blocked" if name in _BLOCKS else _ENDS.get(name, "stop")


def block_words(reason: str) -> str:
    """Why a response was blocked, in words; "" for Google's "other"."""
    return "" if reason == "OTHER" else _BLOCKS.get(_plain(reason), reason.replace("_", " ").lower())


def _plain(reason: str) -> str:
    return "".join(letter for letter in reason.lower() if letter.isalpha())
