"""What a server's refusal means: HTTP's status and the words with it, as a fault with a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from adstudio.candidates.provider import faults
from adstudio.candidates.provider.faults import FaultError
from adstudio.candidates.provider.keys import Secret, masked
from adstudio.candidates.provider.watch import well_formed

_TOO_LONG = re.compile(
    r"(?i)maximum context length|context[_ ]length|max_model_len|input token count|too many (input )?tokens|"
    r"maximum number of tokens|encoder cache|prompt is too long|longer than the maximum model length"
)
_BAD_KEY = re.compile(r"(?i)api[_ ]key[_ ](not valid|invalid|expired)")
_SAID = 200
_MOST_READ = 4000
_LONGEST_WAIT = 3600.0


_BUSY = (faults.OverloadedError, "{place} is too busy or just starting{quoted}: try again later")
_KEY = (faults.KeyRefusedError, "{place} does not take the key{quoted}: enter it anew")
_LONG = (
    faults.TooLongError,
    "the scene is too long for {model}{quoted}: split the scene, or send fewer or smaller pictures",
)
_SPENT = (faults.QuotaError, "the quota at {place} is used up{quoted}: go on tomorrow, or raise it there")
_SERVER = (
    faults.ServerError,
    "{place} failed at it (error {status}){quoted}: try again, and look at the server’s log",
)
_REQUEST = (
    faults.BadRequestError,
    "{place} did not take what was asked (error {status}){quoted}: check that the model takes clips and pictures",
)
_MEANINGS: dict[int, tuple[type[FaultError], str]] = {
    401: _KEY,
    403: (faults.KeyRefusedError, "{place} does not let this key do that{quoted}: ask its keeper for leave"),
    404: (
        faults.ModelMissingError,
        "{place} has no model “{model}”{quoted}: choose one of those it has, and check its address",
    ),
    408: _BUSY,
    413: (
        faults.TooLargeError,
        "the scene’s pictures are more than {place} takes at once{quoted}: send smaller ones, or split the scene",
    ),
    429: (faults.RateError, "{place} was asked too often{quoted}: wait a little and try again"),
    502: _BUSY,
    503: _BUSY,
    504: _BUSY,
    529: _BUSY,
}


@dataclass(frozen=True, slots=True)
class Said:
    """Whom we asked, and what came back: HTTP's status, the server's words, and how long it asks us to wait.

    `spent` is the server saying that the quota of a whole day is used up.
    """

    place: str
    model: str
    status: int
    words: str = ""
    wait: float | None = None
    spent: bool = False


def fault_of(said: Said, *secrets: Secret | None) -> FaultError:
    """The fault that a refusal is. Keys are masked in what the server said."""
    words = masked(" ".join(well_formed(said.words[:_MOST_READ]).split()), *secrets)
    kind, sentence = _meaning(said, words)
    words = words[: _SAID - 1] + "…" if len(words) > _SAID else words
    quoted = f" (it says: {words.rstrip('.')})" if words else ""
    told = sentence.format(place=said.place, model=said.model, status=said.status, quoted=quoted)
    return kind(told, wait=said.wait)


def _meaning(said: Said, words: str) -> tuple[type[FaultError], str]:
    if said.status == 400 and _BAD_KEY.search(words):
        return _KEY
    if said.status in (400, 422) and _TOO_LONG.search(words):
        return _LONG
    if said.status == 429 and said.spent:
        return _SPENT
    return _MEANINGS.get(said.status, _SERVER if said.status >= 500 else _REQUEST)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a server's Retry-After asks for, whether said as a number or as a time; at most an hour."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value) if value else None
    except ValueError:
        try:
            then = parsedate_to_datetime(value)
        except ValueError:
            return None
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        seconds = (then - (now or datetime.now(UTC))).total_seconds()
    return None if seconds is None or math.isnan(seconds) else min(max(seconds, 0.0), _LONGEST_WAIT)
