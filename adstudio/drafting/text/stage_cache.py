"""The results of a draft's stages, cached on the disk, so that an interrupted draft resumes where it was.

Each result lies in a file of its own, named by a hash of all that shapes it: the stage, its code, what it was given.
Files are never changed, so none can be out of date; a damaged one is computed again. All of them can be deleted.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TypeVar, cast

from adstudio import __version__
from adstudio.core.errors import AdstudioError
from adstudio.system.cache import CacheFolder
from adstudio.system.codec import Codec
from adstudio.system.files import read_bounded
from adstudio.system.locations import resource, user_cache

T = TypeVar("T")

FORMAT = "adstudio-stage/2"
MOST_BYTES = 100_000_000
"""What all results together may take; those used longest ago go first."""
LARGEST = 20_000_000
"""Bytes of the largest result that is cached or read."""
ENDING = ".json"
_CODEC = Codec()
_NAMES = re.compile(r"[0-9a-f]{40}\.json")


def folder() -> Path:
    """Where everything is cached."""
    return user_cache("drafts")


@cache
def code_of(*modules: str, data: str = "") -> str:
    """A hash of the code of these modules and packages: a stage that was changed computes its results again.

    `data` is the folder in `resources` of what the code learns from, if it does.
    """
    digest = blake2b(__version__.encode(), digest_size=16)
    roots = [Path(root) for name in modules for root in _roots_of(name)]
    files = [file for root in roots for file in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    for file in (*files, *(sorted(resource(data).iterdir()) if data else ())):
        with contextlib.suppress(OSError):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _roots_of(name: str) -> Sequence[str]:
    """The folders of a package, or the file of a module."""
    module = import_module(name)
    return getattr(module, "__path__", None) or [module.__file__ or ""]


def cached(stage: str, given: object, make: Callable[[], T], kind: object) -> T:
    """A stage's result for what it is given (plain JSON values): from the cache, or computed and cached.

    `kind` is the result's type, as the codec takes it. A disk that is full or read-only only costs time.
    """
    asked = json.dumps([FORMAT, stage, given], sort_keys=True, ensure_ascii=True).encode()
    key = blake2b(asked, digest_size=20).hexdigest()
    path = folder() / f"{key}{ENDING}"
    cache = _cache()
    cache.close()
    with contextlib.suppress(AdstudioError):
        line, _, content = read_bounded(path, LARGEST, "file of the cache").partition(b"\n")
        if line == key.encode():
            value = cast("T", _CODEC.decode_any(content, kind))
            cache.mark_used(path)
            return value
    value = make()
    with contextlib.suppress(AdstudioError):
        content = key.encode() + b"\n" + _CODEC.encode(value, kind)
        if len(content) <= LARGEST:
            cache.write(path, content)
    return value


def tidy(most: int = MOST_BYTES) -> int:
    """Remove the results used longest ago until the rest take at most `most` bytes, and return how many those are."""
    return _cache().trim(most)


def _cache() -> CacheFolder:
    return CacheFolder(folder(), _NAMES)
