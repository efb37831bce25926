"""The program's door. Nothing heavy is imported before Ctrl-C is listened to."""

from __future__ import annotations

import sys

from adstudio.cli.interrupt import INTERRUPTED, Stopped, stoppable


def main(arguments: list[str] | None = None) -> None:
    """Run a command and end the process with its exit code (DESIGN section 5)."""
    try:
        with stoppable():
            from adstudio.cli.run import run

            code = run(sys.argv[1:] if arguments is None else arguments)
    except Stopped as stopped:
        code = stopped.code
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    main()
