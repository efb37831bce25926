"""Names explain themselves: words that say nothing of what they name are no identifiers (CONTRIBUTING, naming)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "adstudio"
VAGUE = frozenset({"told", "heard", "made", "kept", "stand", "hand"})
OF_LIBRARIES = frozenset({"connection_made", "OpenHandCursor", "ClosedHandCursor", "PointingHandCursor"})
"""Names that asyncio and Qt chose."""


def identifiers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every name that the code defines or uses, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.keyword(arg=str(name)):
                yield name, node.value.lineno
            case ast.alias(name=name, asname=asname):
                for part in (*name.split("."), asname or ""):
                    yield part, node.lineno


def words_of(identifier: str) -> set[str]:
    """The words of a name, whether they are joined by underscores or by capitals."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().split("_"))


def vague_names(source: str) -> list[str]:
    return [
        f"{line}: {name}"
        for name, line in identifiers(ast.parse(source))
        if name not in OF_LIBRARIES and words_of(name) & VAGUE
    ]


def test_no_name_is_vague():
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 100, "the check looks in the wrong place"
    found = [f"{file.relative_to(PACKAGE)}:{each}" for file in files for each in vague_names(file.read_text("utf-8"))]
    found += [str(file.relative_to(PACKAGE)) for file in files if words_of(file.stem) & VAGUE]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "def is_heard(): ...",
        "class MadeHere: ...",
        "def f(kept_lines): ...",
        "a.stand()",
        "f(hand=1)",
        "from a import b as told",
        "import a.made",
        "ABOUT_HAND = 1",
    ],
)
def test_a_vague_name_is_found(source: str):
    assert vague_names(source)


def test_words_that_only_contain_one_are_none():
    assert vague_names("handle = standard = understand = beforehand = 1") == []
