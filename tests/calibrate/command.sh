#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# command.sh BUILD: pgasim calibrate on small files of every format: a platform that can be used, JSON, a page, messages.
set -eu
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
pgasim=$build/bin/pgasim
fail() {
    echo "FAIL: $*"
    exit 1
}
# refused WORDS COMMAND...: status 2 and a message that holds the words, and no file
refused() {
    local words=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    if [ $status != 2 ] || ! grep -qF -- "$words" err; then
        fail "'$*': status $status: $(cat err); expected 2 and '$words'"
    fi
}

# 20 us and 1 GB/s; up to 4096 bytes, 2 us and 250 MB/s.
awk 'BEGIN { print "# OSU MPI Latency Test v5.9\n# Size          Latency (us)";
    for (n = 1; n <= 4194304; n *= 2) printf "%d %.6f\n", n, n <= 4096 ? 2 + (n + 16) / 250 : 20 + (n + 16) / 1000 }' >osu.txt
awk 'BEGIN { print "# Benchmarking PingPong\n# #processes = 2\n #bytes #repetitions t[usec] Mbytes/sec";
    for (n = 1; n <= 4194304; n *= 2) printf "%d 1000 %.6f 0\n", n, n <= 4096 ? 1 + (n + 16) / 500 : 10 + (n + 16) / 2000 }' >imb.txt
awk 'BEGIN { for (n = 1; n <= 4194304; n *= 2) for (k = 0; k < 5; k++)
    printf "MPI_Isend,%d,%d,%.9f\n", n, k, 1e-6 + n * 1e-11 }' >simgrid.csv
"$pgasim" calibrate osu.txt --within-node imb.txt simgrid.csv -o fit.xml --json=fit.json --report fit.html --speed 2Gf \
    --cores 4 --nodes 3 >text
python3 - <<'END' || fail "the constants: $(cat text)"
import json
fit = json.load(open("fit.json"))
c = {x["name"]: x for x in fit["constants"]}
def near(name, value):
    x = c[name]
    assert abs(x["value"] / value - 1) < 0.01 and x["low"] <= value <= x["high"], (x, value)
near("latency of the network", 2e-6)
near("bandwidth of one message", 1e9)
near("latency factor, above 4096 bytes", 10)
near("bandwidth factor, above 0 bytes", 0.25)
near("latency within a node", 1e-6)
near("bandwidth within a node", 2e9)
near("ois", 1e-6)
why = {m["name"]: m["why"] for m in fit["not_identified"]}
assert "late" in why["threshold of sends that wait"] and "expected two passes" in why["drift"], why
assert all("between jobs" in why[key] for key in ("noise/bandwidth", "noise/speed")), why
END
"$pgasim" platform check fit.xml | grep -q 'OK fit.xml: 3 hosts' || fail "the platform: $("$pgasim" platform check fit.xml)"
grep -q 'bw="1e+09Bps" lat="1e-06s"\|bw="1000000000Bps" lat="1e-06s"' fit.xml || fail "the cluster: $(cat fit.xml)"
for words in '<svg' 'Not identified' 'noise/bandwidth' 'role="img"' '<desc' '</html>'; do
    grep -q "$words" fit.html || fail "the page has no $words"
done
if grep -o 'http[^" ]*' fit.html | grep -v '^http://www.w3.org/'; then
    fail "the page needs something else"
fi

# The same input gives the same bytes.
"$pgasim" calibrate osu.txt --within-node imb.txt simgrid.csv -o again.xml --json=again.json --report again.html --speed 2Gf \
    --cores 4 --nodes 3 --quiet >out
for kind in xml json html; do
    cmp fit.$kind again.$kind || fail "two runs differ"
done
[ ! -s out ] || fail "--quiet: $(cat out)"

# Links of 1.5 us and 2 GB/s on paper: the rest is the hosts', and a factor. Between two nodes nothing changes.
"$pgasim" calibrate osu.txt --within-node imb.txt --nodes 3 -o whole.xml --quiet
"$pgasim" calibrate osu.txt --within-node imb.txt --nodes 3 -o parts.xml --json=parts.json --quiet --route-latency 1500ns \
    --link-bandwidth 2GBps
python3 - <<'END' || fail "links on paper: $(cat parts.xml)"
import json
import re
text = open("parts.xml").read()
def near(key, value, pattern='"([-0-9.e+]+)'):
    got = float(re.search(re.escape(key) + "=" + pattern, text)[1])
    assert abs(got / value - 1) < 0.01, (key, got, value)
near(" lat", 0.75e-6)
near(" bw", 2e9)
near('network/host-latency" value', 0.5e-6)
near('smpi/bw-factor" value', 0.125, '"0:([-0-9.e+]+)')
near('smpi/lat-factor" value', 1, '"0:([-0-9.e+]+)')
c = {x["name"]: x for x in json.load(open("parts.json"))["constants"]}
hosts, link = c["what hosts add to it"], c["what a message has of a link's bandwidth"]
assert hosts["low"] <= 0.5e-6 <= hosts["high"] and link["low"] <= 0.5 <= link["high"], (hosts, link)
END
printf '%s\n' 's send node-0 node-1 100 0' 'l send node-0 node-1 1000000 1' 'h send node-2 node-2 50000 2' >flows.txt
for platform in whole parts; do
    "$pgasim" flows --platform $platform.xml flows.txt >$platform.flows || fail "flows on $platform.xml: $(cat $platform.flows)"
done
paste whole.flows parts.flows | awk '{ d = $2 - $4; if (d < 0) d = -d; if (d > 1e-9 + 1e-6 * $2) bad = 1 }
    END { exit NR < 3 || bad }' || fail "links on paper change times: $(paste whole.flows parts.flows)"
"$pgasim" calibrate osu.txt --route-latency 3us --link-bandwidth 0.5GBps -o whole.xml >text
grep -q 'what hosts add to the latency: --route-latency is 3e-06s, more than' text || fail "a longer route: $(cat text)"
grep -q 'what protocols take of the bandwidth: --link-bandwidth is 500000000 bytes/s' text || fail "a narrower link: $(cat text)"
! grep -q host-latency whole.xml || fail "$(cat whole.xml)"

refused 'a file of measurements is missing' "$pgasim" calibrate
refused 'none.txt: No such file' "$pgasim" calibrate none.txt
refused 'none.txt:' "$pgasim" calibrate osu.txt none.txt
refused '--speed fast: expected a speed' "$pgasim" calibrate --speed fast osu.txt
refused '--route-latency long: expected a time' "$pgasim" calibrate --route-latency long osu.txt
refused '--link-bandwidth wide: expected a bandwidth' "$pgasim" calibrate --link-bandwidth wide osu.txt
refused '--output' "$pgasim" calibrate osu.txt -o osu.txt
echo "hello" >bad.txt
refused 'bad.txt: expected measurements' "$pgasim" calibrate bad.txt
printf '# OSU MPI Latency Test v5.9\n1 x\n' >bad.txt
refused "bad.txt:2: value 'x': expected a number" "$pgasim" calibrate bad.txt
head -4 osu.txt >few.txt
refused 'there is no platform without half round trips' "$pgasim" calibrate few.txt -o few.xml
[ ! -e few.xml ] || fail "a platform without measurements"
"$pgasim" calibrate few.txt >text
grep -q 'latency and bandwidth: expected half round trips of 5 sizes: 2 are there' text || fail "few points: $(cat text)"
echo "pgasim calibrate: all passed"
