"""The GPUs of this machine, as the driver's own tool tells of them; whatever it says oddly is passed over."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

from adstudio.core.errors import BadInputError
from adstudio.system.environment import without_keys

MIB = 1 << 20
PATIENCE_S = 15.0
"""A driver that hangs (it does, with a broken card) is no GPU."""
QUERY = ("nvidia-smi", "--query-gpu=index,memory.total,memory.used,name", "--format=csv,noheader,nounits")
MOST = 64

_NUMBER = re.compile(r"\s*(\d+)(?:\.\d+)?\s*(?:MiB)?\s*\Z")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU: its number as the driver counts, its memory and what of it is taken already, in MiB (null: not told)."""

    index: int
    memory_mib: int
    used_mib: int | None = None
    name: str = "GPU"

    @property
    def memory(self) -> int:
        """Its memory in bytes."""
        return self.memory_mib * MIB


def parse_gpus(said: str) -> tuple[Gpu, ...]:
    """The GPUs in what nvidia-smi answers to `QUERY`; lines without a number and a memory are none."""
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


def gpus_here() -> tuple[Gpu, ...]:
    """The GPUs of this machine; none where the driver's tool is not there, fails or hangs."""
    tool = shutil.which(QUERY[0])
    if tool is None:
        return ()
    try:
        run = subprocess.run(
            [tool, *QUERY[1:]], capture_output=True, timeout=PATIENCE_S, check=False, env=without_keys()
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return parse_gpus(run.stdout.decode("utf-8", "replace"))


def chosen_gpus(found: tuple[Gpu, ...], wanted: str | None) -> tuple[Gpu, ...]:
    """Those of `found` that an option names: `0,2`, `all` (as without), or `none`.

    Raises:
        BadInputError: for numbers that are none, or of no GPU that is here.
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
                f"--gpus {wanted[:60]}: give numbers of GPUs that are here ({here}), each once, like 0,1; all; or none"
            )
        numbers.append(number)
    return tuple(by_number[number] for number in numbers)


def _number(cell: str) -> int | None:
    found = _NUMBER.match(cell)
    return int(found[1]) if found and len(found[1]) < 10 else None
