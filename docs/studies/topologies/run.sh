#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh FOLDER [OPTION...]: runs the study in a folder with pgasim's options for `sweep`, and makes its page,
# FOLDER/study.html, and the pictures of README.md. The same command goes on where it was ended.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cp "$here/study.yaml" "$here"/*.[ch] "$1"
cd "$1"
shift
for program in stencil solver transpose; do
    pgasim env mpicc -O2 -o $program $program.c -lm
done
pgasim sweep "$@" study.yaml
pgasim sweep plot -o study.html study.yaml
k=0
for picture in stencil solver transpose stencil-shuffled solver-shuffled transpose-shuffled bandwidth; do
    k=$((k + 1))
    pgasim sweep plot --picture $k -o $picture.svg study.yaml
done
