"""The request store's file: its tables, the texts in them, and the locks of processes that send."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

LARGEST = 1_000_000
"""Characters of the longest answer that is stored."""

JOBS = """CREATE TABLE job (
    key TEXT PRIMARY KEY, film TEXT NOT NULL, scene TEXT NOT NULL, stage TEXT NOT NULL, state TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '', text BLOB NOT NULL DEFAULT x'', why TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '', at REAL NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 0,
    tokens_in INTEGER NOT NULL DEFAULT 0, tokens_cached INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0, tokens_thought INTEGER NOT NULL DEFAULT 0, micro_usd INTEGER
) STRICT"""
SCENES = """CREATE TABLE scene (
    film TEXT NOT NULL, scene TEXT NOT NULL, whole REAL NOT NULL DEFAULT 0, anew REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (film, scene)
) STRICT"""
"""When scenes were last complete, and since when they are drafted anew, by number (`NEXT`); 0 for neither."""
NEXT = (
    "(SELECT 1 + max((SELECT coalesce(max(number), 0) FROM job), "
    "(SELECT coalesce(max(max(whole, anew)), 0) FROM scene)))"
)
"""The number of what happens now: higher than all before, whatever the clock says."""
NUMBERS = (
    "ALTER TABLE job ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
    "UPDATE job SET number = CAST(at * 1000000 AS INTEGER)",
    "UPDATE scene SET whole = CAST(whole * 1000000 AS INTEGER), anew = CAST(anew * 1000000 AS INTEGER)",
    "CREATE INDEX job_number ON job (number)",
)
"""What numbers the rows of a file that went by the clock, in their order."""


def packed(text: str) -> bytes:
    """A text as it is stored."""
    return zlib.compress(text[:LARGEST].encode("utf-8", "replace")) if text else b""


def unpacked(data: bytes) -> str:
    """The text that was stored; empty if it is damaged."""
    if not data:
        return ""
    try:
        return zlib.decompressobj().decompress(data, 4 * LARGEST).decode("utf-8", "replace")
    except zlib.error:
        return ""


def locked(path: Path) -> sqlite3.Connection:
    """A database with an exclusive lock; raises sqlite3.OperationalError if another process holds it."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
    except BaseException:
        connection.close()
        raise
    return connection
