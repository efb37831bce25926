"""All attacks on a film, a permission or a purse that the suite plays: `python tests/attacks.py [NUMBER ...]`.

A test that plays one is marked `@pytest.mark.attack(NUMBER)`. This runs them all, or those of the numbers given, and
prints what came of each number.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ATTACKS = {
    1: "an export over what the film is made of",
    2: "a permission that is forged, a colleague's, or for another film",
    3: "a journal beside a project that it does not belong to",
    4: "a compressed answer that unpacks to gigabytes",
    5: "a description of no use",
    6: "thoughts and refusals in place of narration",
    7: "a connection that is lost in the middle of an answer",
    8: "times and salience of no use",
    9: "a clock that is wrong",
    10: "parts, trailers, client certificates, and keys that are echoed",
    11: "a socket while offline",
    12: "localhost by another resolver, and a pipe in place of the log",
    13: "askers that starve, stall or listen at the front",
    14: "subtitles in which nothing can be read as speech",
    15: "a drive without locks, and two writers",
    16: "files that take the memory",
    17: "the recipe for a server without a graphics card",
    18: "more or fewer requests at once than a server bears, and warnings of libraries",
}
"""The numbers and what each is about."""


class Outcomes:
    """Collects what came of each number's tests."""

    def __init__(self, numbers: set[int]) -> None:
        self.numbers = numbers
        self.found: dict[int, Counter[str]] = defaultdict(Counter)
        self._number_of: dict[str, int] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Run marked tests only."""
        wanted: list[pytest.Item] = []
        for item in items:
            mark = item.get_closest_marker("attack")
            if mark is not None and (not self.numbers or mark.args[0] in self.numbers):
                self._number_of[item.nodeid] = mark.args[0]
                wanted.append(item)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self._number_of])
        items[:] = wanted

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count each test once, and a failure wherever it happens."""
        if report.when == "call" or report.outcome != "passed":
            self.found[self._number_of[report.nodeid]][report.outcome] += 1


def main(arguments: list[str]) -> int:
    """Run the attacks; the exit code is pytest's."""
    outcomes = Outcomes({int(number) for number in arguments})
    os.environ["ADSTUDIO_HYPOTHESIS"] = "full"  # all cases
    tests = str(Path(__file__).parent)
    code = pytest.main(
        ["-q", "-p", "no:randomly", "-o", "addopts=", "--ignore", f"{tests}/bench", tests], plugins=[outcomes]
    )
    for number, what in ATTACKS.items():
        found = outcomes.found.get(number)
        if found or not outcomes.numbers:
            said = ", ".join(f"{count} {outcome}" for outcome, count in sorted((found or {}).items())) or "no test"
            print(f"{number:3}  {what:64} {said}")
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
