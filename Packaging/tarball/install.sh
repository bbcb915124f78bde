#!/bin/sh
# Installs quakes from the unpacked archive, for one user or for all; needs neither root nor a compiler.
#
#   ./install.sh                       install into ~/.local; as root, into /usr/local
#   PREFIX=/opt/quakes ./install.sh    install into another folder
#   ./install.sh --check               list what is missing; install nothing
#   ./install.sh --remove              remove what was installed; caches stay
#
# Exits with status 1 if something is missing or damaged, and 64 if the arguments are wrong.
set -eu
umask 022
unset CDPATH

here=$(cd -- "$(dirname -- "$0")" && pwd)
if [ "$(id -u)" -eq 0 ]; then usual=/usr/local; else usual=${HOME:?PREFIX or HOME must be set}/.local; fi
prefix=${PREFIX:-$usual}
# An absolute path, so that no command takes it for an option.
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
needed_machine=@MACHINE@
needed_glibc=@GLIBC@
missing=0

say() { printf '%s\n' "$1" >&2; }
lacks() { missing=1; say "missing: $1"; }

# The files to install, relative to the prefix: those with a checksum.
files() { sed -n 's,^[0-9a-f]* [ *],,; \,^\(bin\|libexec\|share\)/,p' "$here/SHA256SUMS"; }

is_older() {
    # Whether version $1 is older than $2; each is MAJOR.MINOR.
    [ "${1%%.*}" -lt "${2%%.*}" ] || { [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${1#*.}" -lt "${2#*.}" ]; }
}

check() {
    [ "$(uname -s)" = Linux ] || { say "These programs are for Linux, not $(uname -s)."; exit 1; }
    [ "$(uname -m)" = "$needed_machine" ] ||
        { say "These programs are for $needed_machine, but this machine is $(uname -m)."; exit 1; }
    # "glibc 2.36", or nothing with another C library, such as musl.
    glibc=$(getconf GNU_LIBC_VERSION 2> /dev/null) || glibc=
    glibc=$(printf '%s' "${glibc#glibc }" | cut -d . -f 1,2)
    case $glibc in
        [0-9]*.[0-9]*) ;;
        *) say "These programs need the GNU C library $needed_glibc or newer, but this system has another one."; exit 1 ;;
    esac
    if is_older "$glibc" "$needed_glibc"; then
        say "These programs need the GNU C library $needed_glibc or newer, but this system has $glibc. Build from source."
        exit 1
    fi
    # Verify the checksums before running anything.
    if command -v sha256sum > /dev/null; then
        (cd "$here" && sha256sum --check --quiet SHA256SUMS) > "$list" 2>&1 ||
            { say "damaged: $(head -n 1 "$list"). Unpack the archive again."; exit 1; }
    fi
    # The loader says which libraries it cannot find, without running anything.
    for program in bin/quakes libexec/quakes/quakes-fetch; do
        LD_TRACE_LOADED_OBJECTS=1 "$here/$program" || true
    done > "$list" 2>&1
    for library in $(sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' "$list" | sort -u); do
        case $library in
            libsqlite3.so.*) lacks "$library, SQLite (Debian, Ubuntu: libsqlite3-0; Fedora: sqlite-libs; Arch: sqlite)" ;;
            libcurl.so.*) lacks "$library, libcurl (Debian, Ubuntu: libcurl4 or libcurl4t64; Fedora: libcurl; Arch: curl)" ;;
            *) lacks "$library" ;;
        esac
    done
    if [ "$missing" -eq 0 ] && ! "$here/bin/quakes" --version > "$list" 2>&1; then
        lacks "something quakes needs to start: $(head -n 1 "$list")"
    fi
    [ "$missing" -eq 0 ] || { say "Nothing was installed. Install what is missing, then run install.sh again."; exit 1; }
}

# Whether to install the systemd units: only where systemd looks for them.
units() {
    case $prefix in /usr | /usr/local) [ "$(id -u)" -eq 0 ] ;; *) false ;; esac
}

place() {
    files > "$list"
    while read -r file; do
        mkdir -p "$prefix/$(dirname "$file")"
        # Copy it beside the target, then rename it: a running program is replaced, not overwritten, and a link is
        # replaced, not followed.
        rm -f "$prefix/$file.new"
        cp "$here/$file" "$prefix/$file.new"
        mv -fT "$prefix/$file.new" "$prefix/$file"
    done < "$list"
    if units; then
        mkdir -p "$prefix/lib/systemd/system" "$prefix/lib/sysusers.d" "$prefix/lib/systemd/system-preset"
        for unit in refresh watch; do
            sed "s|@PREFIX@|$prefix|" "$here/systemd/quakes-$unit.service" > "$prefix/lib/systemd/system/quakes-$unit.service"
        done
        cp "$here/systemd/quakes-refresh.timer" "$prefix/lib/systemd/system/"
        cp "$here/systemd/quakes.sysusers" "$prefix/lib/sysusers.d/quakes.conf"
        cp "$here/systemd/quakes.preset" "$prefix/lib/systemd/system-preset/50-quakes.preset"
        say "For one cache shared by all users, run: systemd-sysusers && systemctl daemon-reload && systemctl enable --now quakes-refresh.timer"
    fi
    version=$("$prefix/bin/quakes" --version) || { say "$prefix/bin/quakes does not start."; exit 1; }
    say "installed $(printf '%s' "$version" | head -n 1) in $prefix"
    case :$PATH: in
        *:"$prefix/bin":*) ;;
        *) say "$prefix/bin is not in your PATH. Add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
}

remove() {
    files > "$list"
    while read -r file; do rm -f "$prefix/$file"; done < "$list"
    find "$prefix/libexec/quakes" "$prefix/share/doc/quakes" -depth -type d -exec rmdir {} \; 2> /dev/null || true
    if units; then
        rm -f "$prefix"/lib/systemd/system/quakes-refresh.* "$prefix/lib/systemd/system/quakes-watch.service" "$prefix/lib/sysusers.d/quakes.conf" \
            "$prefix/lib/systemd/system-preset/50-quakes.preset"
    fi
    say "removed quakes from $prefix; caches stay"
}

action=${1:-install}
[ $# -le 1 ] || action=unknown
list=$(mktemp)
trap 'rm -f "$list"' EXIT
case $action in
    install) check; place ;;
    --check) check; say "Nothing is missing." ;;
    --remove) remove ;;
    *) say "usage: [PREFIX=FOLDER] ./install.sh [--check | --remove]"; exit 64 ;;
esac
