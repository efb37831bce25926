"""The GPUs of this machine, as nvidia-smi reports them; lines it cannot parse are skipped."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass

from adstudio.core.errors import BadInputError
from adstudio.system.environment import without_keys

MIB = 1 << 20
PATIENCE_S = 15.0
"""Seconds; drivers hang when a card is broken."""
QUERY = ("nvidia-smi", "--query-gpu=index,memory.total,memory.used,name", "--format=csv,noheader,nounits")
MOST = 64

_NUMBER = re.compile(r"\s*(\d+)(?:\.\d+)?\s*(?:MiB)?\s*\Z")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU: the driver's index, its memory and the memory in use, in MiB (None if not reported)."""

    index: int
    memory_mib: int
    used_mib: int | None = None
    name: str = "GPU"

    @property
    def memory(self) -> int:
        """Its memory in bytes."""
        return self.memory_mib * MIB


def parse_gpus(said: str) -> tuple[Gpu, ...]:
    """The GPUs in nvidia-smi's output for `QUERY`; lines without index and memory are skipped."""
    found: dict[int, Gpu] = {}
    for line in said.splitlines()[:1000]:
        cells = [cell.strip() for cell in line.split(",", 3)]
        numbers = [_number(cell) for cell in cells[:3]]
        if len(cells) < 2 or numbers[0] is None or not numbers[1]:
            continue
        used = numbers[2] if len(numbers) > 2 else None
        name = cells[3][:80] if len(cells) > 3 and cells[3].isprintable() and cells[3] else "GPU"
        found.setdefault(numbers[0], Gpu(numbers[0], numbers[1], used, name))
    return tuple(sorted(found.values(), key=lambda gpu: gpu.index))[:MOST]


async def find_gpus(patience_s: float) -> tuple[Gpu, ...]:
    """The GPUs of this machine; none if nvidia-smi is missing, fails or hangs."""
    try:
        process = await asyncio.create_subprocess_exec(
            *QUERY, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=without_keys()
        )
    except OSError:
        return ()
    try:
        said, _ = await asyncio.wait_for(process.communicate(), patience_s)
    except TimeoutError:
        process.kill()
        await process.wait()
        return ()
    return parse_gpus(said.decode("utf-8", "replace"))


def gpus_here() -> tuple[Gpu, ...]:
    """As `find_gpus`, outside an event loop."""
    return asyncio.run(find_gpus(PATIENCE_S))


def chosen_gpus(found: tuple[Gpu, ...], wanted: str | None) -> tuple[Gpu, ...]:
    """The GPUs that the option selects: `0,2`, `all` (the default), or `none`.

    Raises:
        BadInputError: for anything that is not the number of a GPU of this machine.
    """
    if wanted is None or wanted.strip().lower() == "all":
        return found
    if wanted.strip().lower() == "none":
        return ()
    by_number = {gpu.index: gpu for gpu in found}
    here = ", ".join(map(str, by_number)) or "none"
    numbers: list[int] = []
    for cell in wanted.split(","):
        number = _number(cell)
        if number is None or number not in by_number or number in numbers:
            raise BadInputError(
                f"--gpus {wanted[:60]}: give the numbers of GPUs of this machine ({here}), like 0,1; or all, or none"
            )
        numbers.append(number)
    return tuple(by_number[number] for number in numbers)


def _number(cell: str) -> int | None:
    found = _NUMBER.match(cell)
    return int(found[1]) if found and len(found[1]) < 10 else None
