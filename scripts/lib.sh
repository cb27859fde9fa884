# Shared by the scripts in this folder: sourced, never run. Needs bash and Debian's base packages.
# shellcheck shell=bash disable=SC2034

# The project's folder, wherever it was called from.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build_root=${SINEW_BUILD_ROOT:-$root/build}

say() { printf '%s\n' "$@"; }
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# Seconds as 7 s, 3 min 05 s.
duration() {
  if (($1 < 60)); then
    printf '%d s' "$1"
  else
    printf '%d min %02d s' $(($1 / 60)) $(($1 % 60))
  fi
}

# Number of parallel compilers: one per core, with at least 1.5 GB of memory each. SINEW_JOBS overrides.
jobs_at_once() {
  local cores memory_kb
  if [[ ${SINEW_JOBS:-} =~ ^[1-9][0-9]*$ ]]; then
    printf '%s' "$SINEW_JOBS"
    return
  fi
  cores=$(nproc 2>/dev/null || echo 1)
  memory_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null)
  if [[ $memory_kb =~ ^[0-9]+$ ]] && ((memory_kb / 1500000 < cores)); then
    cores=$((memory_kb / 1500000))
  fi
  printf '%d' $((cores > 0 ? cores : 1))
}

# The newest progress line of a log, abridged.
progress_of() {
  tail -c 20000 "$1" 2>/dev/null | tr '\r' '\n' | awk '
    /^\[[0-9]+\/[0-9]+\]/ { line = $0 }                              # ninja
    /^\[ *[0-9]+%\]/ { line = $0 }                                   # make
    /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { line = $1 " " $4 }         # ctest
    /^(Get:[0-9]+|Unpacking|Setting up) / {                          # apt
      count[$1 ~ /^Get/ ? "Get" : $1]++
      line = ($1 ~ /^Get/ ? "fetching " $5 : tolower($0))
    }
    /^-- (Performing|Looking|Found|Detecting)/ { line = substr($0, 4) }  # cmake
    END { sub(/ Building CXX object /, " ", line); sub(/CMakeFiles\/[^\/]*\.dir\//, "", line); print substr(line, 1, 68) }'
}

# run_step LABEL LOG COMMAND...: run with all output in LOG, reporting progress now and then. Returns its status.
run_step() {
  local label=$1 log=$2 started=$SECONDS status=0 watcher
  shift 2
  mkdir -p "$(dirname "$log")"
  {
    printf '\n### %s\n###' "$label"
    printf ' %q' "$@"
    printf '\n'
  } >>"$log"
  (
    # A terminal is updated every second; a log file gets a line every 15 s, and only on progress.
    trap 'exit 0' TERM
    pause=15 last=
    [[ -t 1 ]] && pause=1
    while true; do
      sleep "$pause" &
      wait $!
      now=$(progress_of "$log")
      if [[ -t 1 ]]; then
        printf '\r\033[K  %s, %s  %s' "$label" "$(duration $((SECONDS - started)))" "${now:0:$((${COLUMNS:-100} - 40))}"
      elif [[ $now != "$last" ]]; then
        printf '  %s, %s  %s\n' "$label" "$(duration $((SECONDS - started)))" "$now"
        last=$now
      fi
    done
  ) &
  watcher=$!
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
  [[ -t 1 ]] && printf '\r\033[K'
  if ((status == 0)); then
    printf '  %s: %s\n' "$label" "$(duration $((SECONDS - started)))"
  else
    printf '  %s: FAILED after %s\n' "$label" "$(duration $((SECONDS - started)))"
  fi
  return "$status"
}

# show_failure LOG ADVICE...: the end of the log, where the rest is, and what to do.
show_failure() {
  local log=$1
  shift
  {
    say "" "The last lines of $log:"
    tail -n 40 "$log" | tr '\r' '\n' | sed 's/^/  | /'
    say ""
    printf '%s\n' "$@"
  } >&2
}

# The generator for a new build: Ninja if installed; make may not be.
generator() {
  if command -v ninja >/dev/null; then echo Ninja; else echo "Unix Makefiles"; fi
}

# kept FOLDER OPTION FIRST: -DOPTION=..., as the build folder has it; FIRST for a new one.
kept() {
  local value
  value=$(sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null)
  printf -- '-D%s=%s' "$2" "${value:-$3}"
}

# configure FOLDER PRESET [OPTION...]: configure a build folder; one that belongs to another copy of the project or was
# cut off halfway is created anew.
configure() {
  local folder=$1 preset=$2 home
  shift 2
  if [[ -f $folder/CMakeCache.txt ]]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
    if [[ $home != "$root" ]] || [[ ! -f $folder/build.ninja && ! -f $folder/Makefile ]]; then
      rm -rf "$folder"
    fi
  fi
  [[ -f $folder/CMakeCache.txt ]] || local -x CMAKE_GENERATOR=${CMAKE_GENERATOR:-$(generator)}
  (cd "$root" && cmake --preset "$preset" -B "$folder" "$@")
}
