# What `.ci/run` and `.ci/deep` share: running steps by name, and installing what they need. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly linux=x86_64-unknown-linux-gnu
readonly debug=target/debug/bounty_hunter
readonly release=target/release/bounty_hunter

if [[ -n ${CI:-} ]]; then
    # A checkout that is built once gains nothing from gigabytes of incremental state.
    export CARGO_INCREMENTAL=0
fi

# --- installing ---

# Installs the Debian packages that are missing; fails where that is not possible.
install_on_debian() {
    local missing=() package
    if ! command -v dpkg >/dev/null; then
        echo "this is not Debian: make sure that these or their equivalents are installed: $*"
        return
    fi
    for package in "$@"; do
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    echo "installing ${missing[*]}"
    local as_root=()
    [[ $(id --user) == 0 ]] || as_root=(sudo)
    "${as_root[@]}" apt-get update --quiet=2
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" >/dev/null
}

# Installs components of the toolchain that `cargo` uses: need_component [+TOOLCHAIN] COMPONENT...
need_component() {
    local toolchain=()
    if [[ $1 == +* ]]; then toolchain=(--toolchain "${1#+}"); shift; fi
    local component
    for component in "$@"; do
        if command -v rustup >/dev/null; then
            rustup component list "${toolchain[@]}" --installed | grep -q "^$component" || rustup component add "${toolchain[@]}" "$component"
        elif ! cargo "${component/rustfmt/fmt}" --version &>/dev/null; then
            echo "cargo ${component/rustfmt/fmt} is missing and there is no rustup to install it: install $component"
            return 1
        fi
    done
}

need_nightly() {
    rustc +nightly --version 2>/dev/null && return
    command -v rustup >/dev/null || { echo "this step needs a nightly toolchain, and there is no rustup to install one"; return 1; }
    rustup toolchain install nightly --profile minimal
}

# Installs a subcommand of Cargo's, such as `cargo-fuzz`: need_program NAME
need_program() {
    cargo "${1#cargo-}" --version &>/dev/null || cargo install "$1" --locked
}

need_window_packages() {
    install_on_debian xvfb xauth xdotool imagemagick libx11-6 libxi6 libxkbcommon0 libgl1
}

# --- running steps ---

current=
begun=$SECONDS
summary=()

# Prints what was done however the script ends.
finish() {
    local code=$?
    echo
    ((${#summary[@]} == 0)) || printf '%s\n' "${summary[@]}"
    if ((code == 0)); then
        echo "all ${#summary[@]} steps passed in $((SECONDS - begun)) s"
    else
        echo "FAILED: ${current//_/ } (see above)"
    fi
}
trap finish EXIT

# Runs a step, which is a function; the first that fails ends the script. No step is skipped: one that lacks something fails.
step() {
    current=$1
    local step_begun=$SECONDS
    printf '\n=== %s\n' "${current//_/ }"
    "$current"
    summary+=("$(printf '%5d s  %s' $((SECONDS - step_begun)) "${current//_/ }")")
}
