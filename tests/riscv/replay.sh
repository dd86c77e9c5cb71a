#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs on cores are recorded and played (pgasim riscv --record-ti, pgasim replay): the run, the recorded run and the
# replay end at the same simulated time, to the last bit; on other platforms replays end near the program's own run there.
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
# shellcheck source=../cli/lib.sh
. "$top/tests/cli/lib.sh"

command -v riscv64-unknown-elf-gcc >/dev/null || exit 77
build() {
    pgasim riscv-cc -O2 "$@" || fail "riscv-cc $*"
}
build "$here/run/remote.c" -o remote
build "$here/programs/random_atomics.c" -lxbgas -o random
build "$here/programs/runtime.c" -lxbgas -o runtime
build "$here/programs/flags.c" -lxbgas -o flags
build "$top/examples/riscv/hello.c" -lxbgas -o hello
build "$top/examples/riscv/histogram.c" -lxbgas -o histogram
build "$top/examples/rae/scatter.c" -o scatter
build "$top/examples/rae/graphs.c" "$top/examples/rae/graph.c" -o graphs

seconds() {
    sed -n 's/^ *"simulated_seconds": \(.*\),$/\1/p' "$1"
}
riscv() {
    pgasim riscv -q -np 6 "$@" >output 2>&1 || fail "pgasim riscv $*: status $?: $(cat output)"
}
replay() {
    pgasim replay -q "$@" >output 2>&1 || fail "pgasim replay $*: status $?: $(cat output)"
}

# 1. The same ends: programs, each on its own platform with its own settings, and all on one.
mesh='--platform rae-mesh:4x4 --map-by host'
table1='--platform rae-table1 --map-by host'
while IFS='|' read -r settings program; do
    in_share || continue
    read -ra s <<<"$settings"
    read -ra p <<<"$program"
    riscv --json run.json "${s[@]}" "${p[@]}"
    riscv --json recorded.json --record-ti calls.zst "${s[@]}" "${p[@]}"
    replay --json played.json "${s[@]}" calls.zst
    run=$(seconds run.json)
    [ -n "$run" ] || fail "$settings $program: no end of the run"
    [ "$run" = "$(seconds recorded.json)" ] || fail "$settings $program: $run s, recorded $(seconds recorded.json)"
    [ "$run" = "$(seconds played.json)" ] || fail "$settings $program: $run s, replayed $(seconds played.json)"
done <<END
|hello
|remote
|histogram
|random 3 20 7
|graphs BFS
|flags
--set riscv/quantum=7|remote
--set riscv/quantum=100000|flags
--set riscv/frequency=1.3e9|flags 5 1000
--set riscv/cache=on|histogram
$table1|remote
$table1|runtime
$table1|scatter
$table1|flags 10 3000
$table1 --set software/library=oshmem --set rdma/profile=software|histogram
$table1 --set software/library=oshmem --set rdma/profile=software|flags
$mesh --set card/policy=retain|random 5 20 7
$mesh --set card/policy=retain|graphs SSSP
END

# 2. A trace of events that contains the recording.
read -ra on <<<"$table1"
riscv --json run.json "${on[@]}" --trace t.pgt --trace-kinds default,replay histogram
replay --json played.json "${on[@]}" t.pgt
[ "$(seconds run.json)" = "$(seconds played.json)" ] || fail "t.pgt: $(seconds run.json), $(seconds played.json)"

# 3. Cycles of a long computation are one line: here 840 million instructions, which are 840 000 quanta.
riscv --record-ti long.ti "${on[@]}" flags 2 20000000
[ "$(wc -l <long.ti)" -lt 1000 ] || fail "$(wc -l <long.ti) lines of a long computation"

# 4. A schedule has the accesses as messages. What such a trace cannot be used for is said.
riscv --json run.json --record-ti calls.zst "${on[@]}" remote
pgasim convert --speed 2e9 calls.zst out.goal >output 2>&1 || fail "convert: $(cat output)"
[ "$(grep -c '^l.*: send' out.goal)" -gt 500 ] || fail "accesses are no messages: $(grep -c send out.goal)"
replay --json played.json "${on[@]}" out.goal
expect 2 'what RISC-V cores did cannot be extrapolated' pgasim replay --extrapolate 12 "${on[@]}" calls.zst
for line in 'riscv_cycles []' 'riscv_cycles [-1]' 'riscv_add 0 8 2' 'riscv_load 0 8 3' 'riscv_seen [1]' 'riscv_wait -1 []' \
    'riscv_load 9 8 8' 'riscv_jump'; do
    printf '0 %s\n' "$line" >wrong.ti
    expect 2 "${line%% *}.*(expected|no action of a RISC-V core)" pgasim replay "${on[@]}" wrong.ti
done
# 5. A list of jobs: cores whose numbers are not those of the run's ranks, by themselves, beside a job on other hosts, and one after
# the other, in turns with another trace.
for program in 'random 3 20 7' flags; do
    read -ra p <<<"$program"
    riscv --record-ti calls.zst --platform rae-mesh:4x4 --map-by host "${p[@]}"
    echo '0 sleep 0' >idle
    cat >list.json <<'JSON'
[{"name": "idle", "trace": "idle", "placement": "round-robin"},
 {"name": "cores", "trace": "calls.zst", "placement": "round-robin"}]
JSON
    replay --json played.json --platform rae-mesh:4x4 --alone --jobs list.json
    python3 -c '
import json
cores = json.load(open("played.json"))["jobs"][1]
assert cores["slowdown"] == 1 and cores["alone_seconds"] > 0, cores' || fail "$program in a list"
done
echo '[{"trace": "calls.zst", "placement": "round-robin"}]' >list.json
replay --json alone.json --platform rae-mesh:4x4 --map-by host calls.zst
replay --json played.json --platform rae-mesh:4x4 --jobs list.json
[ "$(seconds alone.json)" = "$(seconds played.json)" ] || fail "alone in a list: $(seconds played.json), not $(seconds alone.json)"
for k in 1 2 3; do echo "$k 0 -1 1 6 -1 -1 6 -1 -1 1 1 1 1 1 -1 -1 -1"; done >turns.swf
replay --json played.json --platform rae-mesh:4x4 --jobs turns.swf --job-trace 1=calls.zst
python3 -c '
import json
jobs = json.load(open("played.json"))["jobs"]
assert all(j["duration_seconds"] > 0 for j in jobs), jobs' || fail "cores in turn"
finish
