#!/usr/bin/env bash
# Every check that a change must pass, from a fresh checkout and nothing else: sets up what is missing, then runs the
# linter, the formatter's check, the type checker and all tests but those marked slow. Arguments go to pytest.

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
set_up test
cd -- "$root"

failed=()
check() { # NAME COMMAND...
  say "$1"
  "$venv/bin/python" -m "${@:2}" < /dev/null || failed+=("$1")
}

check "ruff check" ruff check .
check "ruff format" ruff format --check .
check "pyright" pyright
check "pytest" pytest -m "not slow" "$@"

if [ ${#failed[@]} -gt 0 ]; then
  printf -v list '%s, ' "${failed[@]}"
  stop 1 "failed: ${list%, }"
fi
