# The set-up that packaging/demo.sh and packaging/test.sh share: they source this file and call `set_up demo` or
# `set_up test`. It installs the system packages that are missing and makes the Python environment .venv in the
# checkout, from packaging/constraints.txt. Run again it finds its stamp in .venv and asks neither apt nor pip.
#
# It ends the script with 2 where this machine cannot do it (no way to install a package, Python too old) and with 3
# where a download or the disk fails, each with a sentence that says what to do.

# shellcheck shell=bash
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
stamp=$venv/.adstudio-complete     # what was installed, where and from what
unfinished=$venv/.adstudio-partial # there while packages are being installed: whoever finds it starts afresh

# Each line: a package, the command that shows it is here already (or -), and why it is needed. Where Debian 12 and
# Ubuntu name it differently both names stand, with a bar between them: old|new.
system_packages() {
  if [ -z "$(find_python)" ]; then
    cat << 'END'
python3       -           runs adstudio
python3-venv  -           keeps its Python packages in .venv, apart from the system's
END
  fi
  cat << 'END'
espeak-ng     espeak-ng   speaks the dialogue of the sample film
END
  if [ "$1" = test ]; then
    cat << 'END'
shellcheck    shellcheck  checks these scripts
END
  fi
}

say() { printf 'adstudio: %s\n' "$*" >&2; }

stop() { # EXIT-CODE SENTENCE
  say "${*:2}"
  exit "$1"
}

# What the caller's shell has set for other projects must not reach this one. Of pip's settings those stay that say
# where packages come from: a mirror, a proxy, a certificate, a cache.
clean_environment() {
  local name
  for name in $(compgen -e); do
    case $name in
      PIP_INDEX_URL | PIP_EXTRA_INDEX_URL | PIP_FIND_LINKS | PIP_NO_INDEX | PIP_TRUSTED_HOST | PIP_CERT) ;;
      PIP_CLIENT_CERT | PIP_PROXY | PIP_TIMEOUT | PIP_DEFAULT_TIMEOUT | PIP_RETRIES | PIP_CACHE_DIR) ;;
      PIP_NO_CACHE_DIR | PIP_CONFIG_FILE | PIP_KEYRING_PROVIDER) ;;
      PIP_* | PYTHON* | PYTEST_* | VIRTUAL_ENV | VIRTUAL_ENV_PROMPT) unset "$name" ;;
    esac
  done
  export PYTHONNOUSERSITE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
}

# Prints the first Python that is new enough and can make environments; nothing where there is none. An environment's
# Python stands for the one it was made from.
find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if "$name" -I -c 'import sys, venv, ensurepip
if sys.version_info < (3, 11): sys.exit(1)
print(sys._base_executable)' 2> /dev/null; then
      break
    fi
  done
}

is_installed() { # PACKAGE or OLD|NEW
  local name
  for name in ${1//|/ }; do
    if [[ $(dpkg-query --show --showformat='${Status}' "$name" 2> /dev/null) == *' installed' ]]; then
      return 0
    fi
  done
  return 1
}

missing_packages() {
  local package shown_by _why
  while read -r package shown_by _why; do
    if [ "$shown_by" = - ] || ! command -v "$shown_by" > /dev/null; then
      is_installed "$package" || printf '%s\n' "$package"
    fi
  done < <(system_packages "$1")
}

name_here() { # of OLD|NEW the one that this system's apt can install
  local name
  for name in ${1//|/ }; do
    if [[ $(LC_ALL=C apt-cache policy "$name" 2> /dev/null) == *'  Candidate: '[!\(]* ]]; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  printf '%s\n' "${1%%|*}"
}

install_system_packages() {
  local missing package names=() as_root=()
  missing=$(missing_packages "$1")
  if [ -z "$missing" ]; then
    return 0
  fi
  missing=${missing//$'\n'/ }
  if ! command -v apt-get > /dev/null; then
    stop 2 "these are missing, and there is no apt-get here to install them; please install them in this system's own way, then run this again: $missing"
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      stop 2 "these system packages are missing, and installing them takes root or sudo; please ask whoever looks after this machine to install them, then run this again: $missing"
    fi
    say "sudo may ask for your password, to install these system packages: $missing"
    if ! sudo true; then
      stop 2 "these system packages are missing, and sudo refused to install them; please ask whoever looks after this machine to install them, then run this again: $missing"
    fi
    as_root=(sudo)
  else
    say "installing these system packages: $missing"
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  "${as_root[@]}" update >&2 < /dev/null || say "apt-get could not renew all its lists of packages; trying with those at hand."
  for package in $missing; do
    names+=("$(name_here "$package")")
  done
  if ! "${as_root[@]}" install --yes --no-install-recommends "${names[@]}" >&2 < /dev/null; then
    stop 3 "apt-get did not install these packages, for the reason above; please mend that or install them by hand, then run this again: ${names[*]}"
  fi
}

# The stamp: the kind of set-up, the place (an environment cannot be moved), and a hash of all that decides its content.
stamp_of() {
  local python
  python=$("$venv/bin/python" -I -c 'import sys; print(sys.version, sys.base_prefix)' 2> /dev/null) || python=none
  printf '%s\n%s\n' "$1" "$venv"
  { cat "$root/pyproject.toml" "$root/packaging/constraints.txt" && printf '%s' "$python"; } | sha256sum
}

is_complete() {
  [ -f "$stamp" ] && [ ! -e "$unfinished" ] || return 1
  [ "$(cat "$stamp")" = "$(stamp_of "$1")" ] || [ "$(cat "$stamp")" = "$(stamp_of test)" ] # test holds all of demo
}

discard_broken_environment() {
  if [ ! -e "$venv" ] && [ ! -L "$venv" ]; then
    return 0
  fi
  if [ ! -e "$unfinished" ] && "$venv/bin/python" -I -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
    if [ ! -f "$stamp" ] || [ "$(sed -n 2p "$stamp")" = "$venv" ]; then
      return 0
    fi
  fi
  say "the Python environment in .venv is unfinished, or from another place or Python; making it anew."
  rm -rf -- "$venv" || stop 3 "$venv cannot be removed, for the reason above; please remove it, then run this again."
}

make_environment() {
  local wanted=. python said file
  if is_complete "$1"; then
    return 0
  fi
  if [ "$1" = test ]; then
    wanted='.[dev,gurobi]'
  fi
  discard_broken_environment
  if ! mkdir -p -- "$venv" || ! : > "$unfinished"; then
    stop 3 "$venv cannot be written, for the reason above; please make the checkout yours, then run this again."
  fi
  rm -f -- "$stamp"
  say "installing the Python packages into .venv (once; a minute or two)."
  if [ ! -e "$venv/bin/python" ]; then
    python=$(find_python)
    if [ -z "$python" ]; then
      stop 2 "Python 3.11 or newer is needed, with its venv module, and is not here (python3 is $(python3 -V 2>&1 || true)); Debian 12 and Ubuntu 24.04 have it."
    fi
    said=$("$python" -I -m venv "$venv" 2>&1) || stop 3 "the Python environment in $venv could not be made: ${said##*$'\n'}"
  fi
  # The two variables, in the words of older and newer pip, bind the packages that build others too. Their value may
  # hold no space, so it starts from the checkout.
  if ! PIP_CONSTRAINT=packaging/constraints.txt PIP_BUILD_CONSTRAINT=packaging/constraints.txt \
    "$venv/bin/python" -m pip install --quiet --no-user --use-pep517 --editable "$wanted" < /dev/null >&2; then
    stop 3 "pip did not install the Python packages, for the reason above; please mend that, then run this again."
  fi
  # pip has written the path of the checkout into a file that Python reads in the locale's encoding, and under LC_ALL=C
  # letters beyond ASCII there would keep Python from starting. The same path from where the file lies has none.
  for file in "$venv"/lib/python3.*/site-packages/*adstudio*.pth; do
    echo ../../../.. > "$file"
  done
  stamp_of "$1" > "$stamp"
  rm -f -- "$unfinished"
}

set_up() { # demo or test
  trap 'exit 130' INT
  clean_environment
  # Two at once in one checkout: the second waits here and then finds everything done. The lock is this file.
  exec 9< "$root/packaging/setup.sh"
  if ! flock --nonblock 9; then
    say "another set-up is at work in this checkout; waiting for it."
    flock 9
  fi
  install_system_packages "$1"
  local started_in=$PWD
  cd -- "$root"
  make_environment "$1"
  cd -- "$started_in"
  exec 9<&-
  trap - INT
}
