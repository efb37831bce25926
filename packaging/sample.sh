#!/usr/bin/env bash
# The sample film, made anew from what people wrote in packaging/sample_film/written: sets up what is missing, then draws,
# speaks and encodes it (a minute or two). Its argument is the folder to write to, by default resources/sample, from where
# it ships with the program.

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
set_up test
PYTHONPATH=$root/packaging exec "$venv/bin/python" -m sample_film "${1:-$root/resources/sample}"
