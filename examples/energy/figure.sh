#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# figure.sh [FOLDER]: compiles the solver, runs the study, and makes its page and figure (energy.svg) in FOLDER, or here.
# pgasim and its wrappers are on the path (pgasim env).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here}
mkdir -p "$folder"
cd "$folder"
for file in solver.c study.yaml fat-tree.xml torus.xml; do
    [ "$PWD" = "$here" ] || cp "$here/$file" .
done
mpicc -O2 solver.c -o solver
pgasim sweep study.yaml
pgasim sweep plot -o study.html study.yaml
awk '/<svg / { inside = 1 } inside { print } /<\/svg>/ { exit }' study.html >energy.svg
