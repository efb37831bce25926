"""Shortens the texts of a script, for the editor: `python -m adstudio.importing.wordings_worker`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.importing.service import shortened
from adstudio.importing.wordings_messages import PROTOCOL, ShortenTexts, TextsShortened
from adstudio.system.worker import Failed, run_job


def main() -> int:
    """Do what is requested, and return the exit code."""
    return run_job(PROTOCOL, _work, background=True)


def _work(request: ShortenTexts, send: Callable[[TextsShortened | Failed], None]) -> None:
    send(TextsShortened(shortened(request.texts, request.language)))


if __name__ == "__main__":
    sys.exit(main())
