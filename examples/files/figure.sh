#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# figure.sh [FOLDER]: compiles the program, runs it on both file systems, independently and collectively, and draws
# files.svg in FOLDER, or here. pgasim and its wrappers are on the path (pgasim env).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here}
mkdir -p "$folder"
cd "$folder"
mpicc -O2 "$here/files.c" -o files
for system in server parallel; do
    for way in independent collective; do
        pgasim run --quiet --compute=off -np 64 -platform "$here/$system.xml" --json "$system-$way.json" \
            ./files "$way" | tee "$system-$way.txt"
    done
done
python3 "$here/figure.py" . >files.svg
