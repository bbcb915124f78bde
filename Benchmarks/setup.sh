#!/bin/sh
# Installs the programs that `quakes` is compared with: from Debian, from PyPI and from peers/fetch.swift into .peers.
# What cannot be installed is reported as missing and left out of the comparison; that is not an error.
# With --catalog what catalog.py compares with: libcomcat, from PyPI into .peers-comcat.
cd "$(dirname "$0")" || exit 1

debian_packages='sqlite3 gdal-bin jq curl python3-venv valgrind'
debian_commands='sqlite3 ogr2ogr jq curl valgrind'
pypi_packages='sqlite-utils==4.2.1 geojson-to-sqlite==1.1.1'
pypi_commands='sqlite-utils geojson-to-sqlite'
swift_commands='fetch empty'

# The package itself and two small ones of its own without what they ask for: maps and rasters, which need a compiler.
comcat_packages='usgs-libcomcat==2.1.12 esi-utils-time==1.0.4 esi-utils-geo==0.9.11'
comcat_needs='requests==2.34.2 pandas==3.1.1 scipy==1.17.1 obspy==1.5.1 python-dateutil==2.9.0.post0
fiona==1.10.1 openpyxl==3.1.5 pyproj==3.7.2 shapely==2.2.0'

has_all() {
    for command in "$@"; do
        command -v "$command" >/dev/null 2>&1 || return 1
    done
}

install_from_debian() {
    # shellcheck disable=SC2086
    if has_all $debian_commands && python3 -c 'import ensurepip' 2>/dev/null; then
        return
    elif ! has_all apt-get; then
        echo "apt-get is not here; install by hand what is missing of: $debian_packages" >&2
    elif [ "$(id -u)" -ne 0 ]; then
        echo "to install the peers, run: sudo apt-get update && sudo apt-get install --yes $debian_packages" >&2
    else
        { apt-get update && apt-get install --yes --no-install-recommends $debian_packages; } >/dev/null ||
            echo "apt-get could not install all of: $debian_packages" >&2
    fi
}

install_from_pypi() {
    [ "$(cat .peers/installed 2>/dev/null)" = "$pypi_packages" ] && return
    # shellcheck disable=SC2086
    if python3 -m venv --clear .peers && .peers/bin/pip install --quiet --disable-pip-version-check $pypi_packages; then
        echo "$pypi_packages" >.peers/installed
    else
        echo "pip could not install: $pypi_packages" >&2
    fi
}

# A program that only fetches, and one that does nothing, linked as the Makefile links quakes.
build_swift() {
    [ -x .peers/bin/fetch ] && [ .peers/bin/fetch -nt peers/fetch.swift ] && return
    : >.peers/empty.swift
    for source in peers/fetch.swift .peers/empty.swift; do
        "${SWIFTC:-swiftc}" -O -wmo -static-stdlib -use-ld=lld -Xlinker -s -Xlinker --gc-sections \
            -Xlinker --no-export-dynamic -Xlinker -z -Xlinker now -L../.build/archives -Xclang-linker -static-libgcc \
            "$source" -o ".peers/bin/$(basename "$source" .swift)" || echo "swiftc could not build $source" >&2
    done
}

install_comcat() {
    [ "$(cat .peers-comcat/installed 2>/dev/null)" = "$comcat_packages $comcat_needs" ] && return
    pip='.peers-comcat/bin/pip --quiet --disable-pip-version-check install'
    # shellcheck disable=SC2086
    if python3 -m venv --clear .peers-comcat && $pip $comcat_needs && $pip --no-deps $comcat_packages; then
        echo "$comcat_packages $comcat_needs" >.peers-comcat/installed
    else
        echo "pip could not install: $comcat_packages" >&2
    fi
}

report() {
    for command in $debian_commands; do
        command -v "$command" >/dev/null 2>&1 || echo "missing: $command" >&2
    done
    for command in $pypi_commands $swift_commands; do
        [ -x ".peers/bin/$command" ] || echo "missing: $command" >&2
    done
}

install_from_debian
if [ "$1" = --catalog ]; then
    install_comcat
else
    install_from_pypi
    build_swift
    report
fi
exit 0
