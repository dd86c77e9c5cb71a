#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# study.sh FOLDER: runs the study of study.yaml in a folder, and makes its page, FOLDER/study.html (docs/replay-study.md).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cp "$here/study.yaml" "$here/alone.json" "$here/busy.json" "$1"
cd "$1"
"$here/trace.py" >solver.ti
pgasim sweep study.yaml
pgasim sweep plot -o study.html study.yaml
