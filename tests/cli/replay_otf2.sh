#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pgasim's own OTF2 archives, replayed: what is read is what OTF2's own tool prints, and it plays.
. "$(dirname "$0")/lib.sh"

cat >program.c <<'E'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, ranks;
    static double sent[1000], received[1000];
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < 3; step++) {
        MPI_Irecv(received, 1000, MPI_DOUBLE, (rank + 1) % ranks, step, MPI_COMM_WORLD, &q[0]);
        MPI_Isend(sent, 1000, MPI_DOUBLE, (rank + ranks - 1) % ranks, step, MPI_COMM_WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(sent, 5, MPI_INT, (rank + 1) % ranks, 7, received, 5, MPI_INT, (rank + ranks - 1) % ranks, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(sent, received, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
E
pgasim cc -o program program.c || fail "cc: status $?"
pgasim run -np 5 --compute=off --quiet --trace p.otf2 ./program >out 2>&1
if grep -q 'built without OTF2\|OTF2 library cannot be loaded' out; then
    echo "no OTF2: not tested"
    finish
fi
pgasim trace-info --json p.otf2 >info.json || fail "trace-info: status $?"
if command -v otf2-print >/dev/null; then
    otf2-print p.otf2 >printed || fail "otf2-print: status $?"
    python3 - <<'PY' || fail "what is read differs from what is printed"
import json
import re
info = json.load(open("info.json"))
calls = {c["name"]: c for c in info["calls"]}
lines = open("printed").read().splitlines()
def messages(kind):
    """Bytes of those that are the program's: others have a tag that is none of MPI's."""
    found = (re.match(kind + r" .* Tag: (\d+), Length: (\d+)", line) for line in lines)
    return [int(m[2]) for m in found if m and int(m[1]) < 2**31]
sent, received = messages("MPI_SEND"), messages("MPI_RECV")
assert info["ranks"] == 5 and len(sent) == 30, (info, len(sent))
kinds = [calls.get(k, {"count": 0, "bytes": 0}) for k in ("MPI_Send", "MPI_Isend")]
assert sum(k["count"] for k in kinds) == len(sent), (kinds, len(sent))
assert sum(k["bytes"] for k in kinds) == sum(sent), (kinds, sum(sent))
assert calls["MPI_Recv"]["count"] == len(received), calls
reductions = sum("Operation: ALLREDUCE" in line for line in lines)
assert calls["MPI_Allreduce"]["count"] == reductions == 15, (calls, reductions)
assert calls["MPI_Barrier"]["count"] == sum("Operation: BARRIER" in line for line in lines), calls
assert info["unmatched"] == 0, info
PY
fi
pgasim replay --quiet --json run.json p.otf2 >out 2>&1 || fail "replay: status $?: $(cat out)"
python3 -c 'import json; assert json.load(open("run.json"))["replay"]["messages"] == 30' || fail "$(cat run.json)"
pgasim convert p.otf2 p.calls >out 2>&1 || fail "convert: status $?: $(cat out)"
pgasim replay --quiet --json again.json p.calls >out 2>&1 || fail "replay: status $?: $(cat out)"
python3 - <<'PY' || fail "the converted trace ends at another time"
import json
a, b = (json.load(open(f))["simulated_seconds"] for f in ("run.json", "again.json"))
assert a == b, (a, b)
PY
head -c 60 p.otf2 >cut.otf2
expect 2 '^pgasim: error: cut.otf2: ' pgasim trace-info cut.otf2
printf '\003BOTF2 is what it begins with' >wrong.otf2
expect 2 '^pgasim: error: wrong.otf2: ' pgasim replay wrong.otf2
finish
