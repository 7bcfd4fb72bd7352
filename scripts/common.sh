# Shared by ./demo, ./test and the checks: installs what is missing, configures, builds.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Clones in other folders find what one of them has compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

# Each entry is a Debian package, or program:package where the program may come from elsewhere.
# shellcheck disable=SC2034  # used by those who source this
{
    demo_packages=(g++:g++ cmake:cmake ninja:ninja-build ccache:ccache libfmt-dev libcli11-dev zlib1g-dev
        nlohmann-json3-dev libegl-dev libgl-dev libpng-dev libegl1 libegl-mesa0 libgl1-mesa-dri ffmpeg:ffmpeg)
    test_packages=(git:git python3:python3 clang-format:clang-format doctest-dev libbullet-dev libcgal-dev libnanoflann-dev
        python3-meshio python3-jsonschema rsvg-convert:librsvg2-bin)
    web_packages=(em++:emscripten node:nodejs npm:npm libstb-dev doctest-dev)
    all_packages=(chromium:chromium clang++:clang libclang-rt-dev nm:binutils em++:emscripten libstb-dev node:nodejs npm:npm tetgen:tetgen)
}

is_installed() {
    if [[ $1 == *:* ]]; then
        command -v "${1%%:*}" >/dev/null
    else
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
    fi
}

require_packages() {
    local entry missing=() sudo=()
    for entry in "$@"; do
        is_installed "$entry" || missing+=("${entry#*:}")
    done
    ((${#missing[@]} == 0)) && return

    ((EUID == 0)) || sudo=(sudo)
    if ! command -v apt-get >/dev/null || { ((EUID != 0)) && ! command -v sudo >/dev/null; }; then
        echo "Missing: ${missing[*]} (names of Debian packages). Please install them, then run this again." >&2
        exit 1
    fi
    echo "Installing ${missing[*]}" >&2
    local log
    log=$(mktemp)
    if ! { "${sudo[@]}" apt-get update -q &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        echo "Could not install ${missing[*]}." >&2
        exit 1
    fi
    rm -f "$log"
}

# configure_and_build preset [target...]
configure_and_build() {
    local preset=$1
    shift
    cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "$(nproc)" --target "${@:-all}"
}

# quietly log command...: output goes to the log and is shown only when the command fails.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 && return
    tail -n 100 "$log" >&2
    return 1
}
