"""`python -m sample_film FOLDER`: make the sample film and its companion files in a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from adstudio.core.errors import AdstudioError
from sample_film.make import make_sample

PROGRESS_STEP = 0.1


def main() -> int:
    """Make the film; the exit code is 0, or that of the failure."""
    (folder,) = sys.argv[1:] or ("sample-film",)
    reported = 0.0

    def progress(doing: str, share: float) -> None:
        nonlocal reported
        if share >= reported:
            sys.stderr.write(f"{share:4.0%}  {doing}\n")
            reported += PROGRESS_STEP

    try:
        sample = make_sample(Path(folder), progress=progress)
    except AdstudioError as error:
        sys.stderr.write(f"sample_film: {error}\n")
        return error.exit_code
    sys.stderr.write(f"{sample.film}: {sample.film.stat().st_size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
