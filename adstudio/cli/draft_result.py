"""What came of a draft, for the command to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.policy import OFFLINE, Policy

if TYPE_CHECKING:
    from adstudio.drafting.draft import Draft


@dataclass(frozen=True)
class Result:
    """A draft, what its project allows, notes for a report, lines to be said, and how many scenes did not come."""

    draft: Draft
    policy: Policy = OFFLINE
    notes: Sequence[tuple[str, Oddity]] = ()
    words: Sequence[str] = ()
    missing: int = 0
