"""What the stages of a draft have made, kept on the disk, so that a draft that was broken off goes on where it was.

Each result lies in a file of its own, named by a hash of all that shapes it: the stage, its code, what it was given.
Nothing is ever changed, so nothing can be out of date; what is damaged is made again. All of it can be thrown away.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from adstudio import __version__
from adstudio.core.errors import AdstudioError
from adstudio.system.cache import CacheFolder
from adstudio.system.files import read_bounded
from adstudio.system.locations import user_cache

T = TypeVar("T")

FORMAT = "adstudio-stage/1"
MOST_BYTES = 100_000_000
"""What all results together may take; those used longest ago go first."""
LARGEST = 20_000_000
"""Bytes of the largest result that is kept or read."""
ENDING = ".json"
_NAMES = re.compile(r"[0-9a-f]{40}\.json")


def folder() -> Path:
    """Where everything is kept."""
    return user_cache("drafts")


@cache
def code_of(*modules: str) -> str:
    """A hash of the code of these modules, packages whole: a stage that was changed makes its results anew."""
    digest = blake2b(__version__.encode(), digest_size=16)
    for name in modules:
        module = import_module(name)
        for root in getattr(module, "__path__", None) or [module.__file__ or ""]:
            path = Path(root)
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                with contextlib.suppress(OSError):
                    digest.update(file.read_bytes())
    return digest.hexdigest()


def cached(
    stage: str, given: object, make: Callable[[], T], *, plain: Callable[[T], Any], read: Callable[[Any], T]
) -> T:
    """A stage's result for what it is given (plain JSON values): as kept before, else made and kept.

    `plain` turns it into plain JSON values, `read` back. A disk that is full or read-only only costs time.
    """
    asked = json.dumps([FORMAT, stage, given], sort_keys=True, ensure_ascii=True).encode()
    key = blake2b(asked, digest_size=20).hexdigest()
    path = folder() / f"{key}{ENDING}"
    cache = _cache()
    cache.close()
    with contextlib.suppress(AdstudioError, ValueError, TypeError, KeyError, RecursionError):
        found: Any = json.loads(read_bounded(path, LARGEST, "file of the cache"))
        if found["key"] == key:
            value = read(found["value"])
            cache.mark_used(path)
            return value
    value = make()
    content = json.dumps({"format": FORMAT, "key": key, "stage": stage, "value": plain(value)}).encode()
    if len(content) <= LARGEST:
        with contextlib.suppress(AdstudioError):
            cache.write(path, content)
    return value


def tidy(most: int = MOST_BYTES) -> int:
    """Remove the results used longest ago until the rest take at most `most` bytes, and return how many those are."""
    return _cache().trim(most)


def _cache() -> CacheFolder:
    return CacheFolder(folder(), _NAMES)
