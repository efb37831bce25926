#!/usr/bin/env bash
# The picture of the editor in the README, made anew: sets up what is missing, drafts the sample film and takes a picture
# of the window at work on it. Its argument is the file to write, by default resources/pictures/editor.png.

# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"
set_up test

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
"$venv/bin/adstudio" demo --out "$work" --headless > /dev/null
"$venv/bin/python" "$root/tests/ui/journey/portrait.py" "$work" "${1:-$root/resources/pictures/editor.png}"
