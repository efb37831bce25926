#!/usr/bin/env bash
# The main job on the sample film, from a fresh checkout and nothing else: sets up what is missing, then makes the film,
# drafts its audio description, plans it to a proven optimum and writes the script. Arguments go to `adstudio demo`.

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
set_up demo
exec "$venv/bin/adstudio" demo "$@"
