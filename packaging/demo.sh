#!/usr/bin/env bash
# The main job on the sample film, from a fresh checkout and nothing else: sets up what is missing, then copies the film,
# drafts its audio description, plans it to a proven optimum, writes the script and mixes it; then opens the editor where
# there is a display and the system has what a window needs. Arguments go to `adstudio demo`.

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
if [[ " $* " == *" --headless "* ]] || [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
  set_up demo voice
else
  set_up demo window picture voice booth spelling
  has_window || set -- --headless "$@"
fi
exec "$venv/bin/adstudio" demo "$@"
