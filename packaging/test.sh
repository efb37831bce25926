#!/usr/bin/env bash
# Every check that a change must pass, from a fresh checkout and nothing else: sets up what is missing, then runs the
# linter, the formatter's check, the type checker and all tests but those marked slow. Arguments go to pytest.
#
# The tests run in parallel, and the type checker beside them; their outputs stay apart. Many tests wait for a process,
# so there are half as many workers again as cores.
# ADSTUDIO_HYPOTHESIS=full searches as long as the tests ask for (see tests/conftest.py).

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
set_up test
cd -- "$root"

outputs=$(mktemp -d)
beside=() # processes that run in the background
trap '[ ${#beside[@]} -eq 0 ] || kill "${beside[@]}" 2> /dev/null || true; rm -rf -- "$outputs"' EXIT

start() { # NAME COMMAND...
  "$venv/bin/python" -m "${@:2}" < /dev/null > "$outputs/$1" 2>&1 &
  beside+=($!)
}

failed=()
show() { # NAME PROCESS: what the process writes, as it comes
  say "$1"
  tail --lines=+1 --follow --sleep-interval=0.2 --pid="$2" "$outputs/$1"
  wait "$2" || failed+=("$1")
}

check() { # NAME COMMAND...
  say "$1"
  "$venv/bin/python" -m "${@:2}" < /dev/null || failed+=("$1")
}

start pytest pytest -n "$(($(nproc) * 3 / 2))" --maxprocesses 12 --dist loadgroup --no-loadscope-reorder -m "not slow" "$@"
start pyright pyright
check "ruff check" ruff check .
check "ruff format" ruff format --check .
show pyright "${beside[1]}"
show pytest "${beside[0]}" # last, so that its closing line is at the end
beside=()

if [ ${#failed[@]} -gt 0 ]; then
  printf -v list '%s, ' "${failed[@]}"
  stop 1 "failed: ${list%, }"
fi
