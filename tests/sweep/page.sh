#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# page.sh BUILD NODE SAMPLE PART: the pages of studies in a browser (study.mjs): of each kind of chart (all), or of 10 000
# points (speed).
# Exits with 77 and the reason where there is no browser.
. "$(dirname "$0")/../cli/lib.sh"
node=$2 sample=$3 part=$4
browser=
for name in chromium chromium-browser google-chrome; do
    browser=${browser:-$(command -v $name)}
done
if [ -z "$browser" ]; then
    echo 'SKIPPED: there is no chromium'
    exit 77
fi
case $part in
all) pages=('every 240' 'cloud 2') ;;
speed) pages=('cloud 10001' 'line 10001' 'map 10001') ;;
esac
for page in "${pages[@]}"; do
    # shellcheck disable=SC2086 # a shape and a number
    "$sample" $page >"${page/ /-}.html" || fail "$page: no page"
done
"$node" "$build/report-test/study.mjs" "$browser" "$work" "$part" || fail 'the pages in a browser'
finish
