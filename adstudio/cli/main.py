"""The program's entry point. Nothing is imported before Ctrl-C is handled."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run a command and end the process with its exit code (DESIGN section 5)."""
    try:
        from adstudio.cli.interrupt import guarded

        code = guarded(lambda: _run(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    from adstudio.cli.run import run

    return run(arguments)


if __name__ == "__main__":
    main()
