# How the checks get their tools. Sourced by the scripts of this folder, with the root of the repository as working folder.
#
# In CI, missing tools are installed, or the check fails. On a developer's machine, nothing is installed system-wide: a check whose tool is
# missing is skipped with a message.

readonly TOOLS=target/ci

# Ends the script because a tool is missing: skipped on a developer's machine, an error in CI.
without() {
  if [[ ${CI:-} == true ]]; then
    echo "$1, and in CI nothing is skipped" >&2
    exit 1
  fi
  echo "skipped: $1"
  exit 0
}

# Requires a command; in CI, installs the given Debian packages if it is missing.
need() {
  local command=$1 as_root=()
  ((EUID == 0)) || as_root=(sudo)
  if ! command -v "$command" >/dev/null && [[ ${CI:-} == true ]]; then
    "${as_root[@]}" apt-get -q update >/dev/null
    "${as_root[@]}" apt-get -qy install --no-install-recommends "${@:2}" >/dev/null
  fi
  command -v "$command" >/dev/null || without "there is no $command here"
}

# Installs the packages of python.txt into $TOOLS/python, again only when that file changes, and puts their commands on the path.
python_tools() {
  local list=.ci/python.txt place=$PWD/$TOOLS/python
  need python3 python3 python3-venv
  PATH=$place/bin:$PATH
  cmp -s "$list" "$place/made-from.txt" && return
  rm -rf "$place"
  python3 -m venv "$place"
  pip install --quiet --disable-pip-version-check --no-deps --requirement "$list" || without "the packages of $list cannot be had"
  cp "$list" "$place/made-from.txt"
}

# The same for the packages of node/package-lock.json, in $TOOLS/node.
node_tools() {
  local place=$PWD/$TOOLS/node
  need node nodejs
  need npm npm
  PATH=$place/node_modules/.bin:$PATH
  cmp -s .ci/node/package-lock.json "$place/made-from.json" && return
  mkdir -p "$place"
  cp .ci/node/package.json .ci/node/package-lock.json "$place/"
  npm --prefix "$place" ci --ignore-scripts --no-audit --no-fund --loglevel=error || without "the packages of .ci/node cannot be had"
  cp .ci/node/package-lock.json "$place/made-from.json"
}

# Starts a service with this command and these settings, and sets `url`. The service ends with the script.
start_service() {
  local log=$TOOLS/service.log
  mkdir -p "$TOOLS"
  # The log must exist when it is first read, perhaps before the service has started.
  : >"$log"
  "$@" --listen 127.0.0.1:0 --drain-seconds 0 2>"$log" &
  service=$!
  trap 'kill "$service" 2>/dev/null || true' EXIT
  # An emulator is slow.
  for _ in {1..600}; do
    url=$(sed -n 's#.*listening on \(http://[^,]*\),.*#\1#p' "$log")
    [[ -n $url ]] && return
    kill -0 "$service" 2>/dev/null || break
    sleep 0.1
  done
  cat "$log" >&2
  exit 1
}

# Ends that service, which must end well.
stop_service() {
  kill -TERM "$service"
  wait "$service"
}

# Prints the output of kustomize for a folder: there is no package of the program. Needs `python_tools`.
kustomize_build() {
  local library=$TOOLS/pykustomize-0.1.4
  if [[ ! -d $library ]]; then
    pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.14 --dest "$TOOLS/wheels" \
      pykustomize==0.1.4 || without "there is no kustomize here"
    python3 -m zipfile -e "$TOOLS"/wheels/pykustomize-0.1.4-*.whl "$library"
  fi
  python3 .ci/kustomize.py "$library" "$1"
}
