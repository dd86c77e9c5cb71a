#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# gdb with the extension that it loads by itself: globals of other files, $rank() and $now(), the list of
# ranks, a rank that does not run (with its frames on its stack or kept aside, its globals live or saved), all
# stacks as a tree at 4, 64 and 4 096 ranks, operations under way.
# shellcheck disable=SC2016 # values of gdb
. "$(dirname "$0")/lib.sh"
line=$(grep -n 'return local + next' "$folder/relay.c" | cut -d: -f1)
put=$(grep -n 'relay_elsewhere += ' "$folder/relay.c" | cut -d: -f1)
for way in "${ways[@]}"; do
    debug 4 ./relay "$way" <<G
break relay.c:$line if \$rank() == 2
break relay.c:$put if \$rank() == 2 && \$now() > 1e-8
run
next
print relay_here
print relay_elsewhere
pgasim ranks
pgasim rank 0
pgasim rank 1 print relay_here
pgasim rank 1 print relay_elsewhere
pgasim rank 1 print here_static + here_thread
pgasim rank 1 info locals
pgasim rank 3 print here_static
pgasim rank 1 up
print relay_here + me
pgasim messages
pgasim bt
pgasim rank 4
G
    has 'relay_work \(me=2' '^\$1 = 2$' '^\$2 = 1008$' '^4 ranks, at 442\.6[0-9]* ns of simulated time$' \
        '^  ranks 0, 3: waits: shmem_barrier_all$' \
        '^    on node-0, at 442.*, since 221.*, in main, relay\.c:' \
        '^  rank 2: runs$' '^  rank 1: waits: time to pass$' \
        '^rank 0 \(host node-0\) at .*, waits: shmem_barrier_all$' \
        'shmem_barrier_all \(\) at ' '^\$3 = 1$' '^\$4 = 1004$' '^\$5 = 5$' '^letter = 101$' '^\$6 = 0$' \
        '^\$7 = 4$' \
        '^  shmem_long_put of 8 bytes, rank 1 -> rank 2: on its way, at inbox$' \
        '^main, relay\.c:[0-9]*: ranks 0, 3$' \
        '^  shmem_barrier_all: ranks 0, 3$' '^      shmem_barrier_all: rank 1$' \
        '^  relay_work, relay\.c:[0-9]*: ranks 1-2$' \
        'there is no rank 4: the job has 4'
done

# tree RANKS WAY: every rank is in the tree once.
tree() {
    way=$2
    debug "$1" ./relay "$2" <<G
break relay_there
run
pgasim bt
pgasim ranks
pgasim rank $(($1 / 2)) info locals
continue
G
    has '^  relay_there, there\.c:[0-9]*: rank 0$' 'exited normally' \
        "^letter = $((100 + $1 / 2))\$|^result = "
    python3 - "$1" <<'P' || fail "$way: tree of $1 ranks: $(cat out)"
import re, sys
ranks = int(sys.argv[1])
def numbers(text):
    found = []
    for piece in text.split(","):
        low, _, high = piece.strip().partition("-")
        found += range(int(low), int(high or low) + 1)
    return found
text = open("out").read()
assert ", and " not in re.sub(r"and \d+ more, at", "", text), "ranges are cut"
roots = [numbers(m) for m in re.findall(r"^main, relay\.c:\d+: ranks? (.*)$", text, re.M)]
assert sorted(sum(roots, [])) == list(range(ranks)), roots
listed = [numbers(m) for m in re.findall(r"^  ranks? ([-0-9, ]*): (?:waits|runs|is ready)", text, re.M)]
assert sorted(sum(listed, [])) == list(range(ranks)), listed
P
}
tree 64 --privatize=dlopen
tree 64 '--privatize=swap --set fold/stacks=shared'
tree 4096 --privatize=auto
finish
