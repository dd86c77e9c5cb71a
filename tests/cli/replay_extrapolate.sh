#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay --extrapolate`: traces of grids, made for few ranks and for many: the few, extrapolated, take the time of
# the many, to the last bit; and traces that are not regular are refused with a reason.
. "$(dirname "$0")/lib.sh"

pgasim platform generate torus --hosts 64 --cores 1 >torus.xml || fail "platform generate"

# Writes the trace of a grid: KIND SIZES FACES FLOPS: what is sent through a face in each dimension.
cat >make.py <<'PY'
import itertools
import sys

kind, sizes, faces, flops = sys.argv[1], *[[int(n) for n in w.split("x")] for w in sys.argv[2:4]], int(sys.argv[4])
ranks = list(itertools.product(*[range(n) for n in reversed(sizes)]))
ranks = [tuple(reversed(r)) for r in ranks]
number = {r: k for k, r in enumerate(ranks)}


def neighbor(r, d, step):
    there = r[d] + step
    if kind == "ring":
        there %= sizes[d]
    return number.get(r[:d] + (there,) + r[d + 1:])


for me, r in enumerate(ranks):
    print(me, "init")
    near = [(d, step, neighbor(r, d, step)) for d in range(len(sizes)) for step in (-1, 1)]
    near = [(d, step, n) for d, step, n in near if n is not None]
    for _ in range(3):
        if kind == "sweep":  # from the first corner to the last one
            for d, step, n in near:
                if step < 0:
                    print(me, "recv", n, d, faces[d], 0)
            print(me, "compute", flops)
            for d, step, n in near:
                if step > 0:
                    print(me, "send", n, d, faces[d], 0)
        else:  # all neighbours at once
            for d, step, n in near:
                print(me, "irecv", n, 10 * d + (step < 0), faces[d], 0)
            for d, step, n in near:
                print(me, "isend", n, 10 * d + (step > 0), faces[d], 0)
            print(me, "compute", flops)
            for d, step, n in near:
                print(me, "wait", n, me, 10 * d + (step < 0))
            print(me, "waitall")
        print(me, "allreduce 5 100 0")
    print(me, "bcast 100", 0, 0)
    print(me, "gather 10 10", len(ranks) - 1, 0, 0)
    print(me, "finalize")
PY

seconds() {
    pgasim replay --quiet --platform torus.xml --json run.json "$@" >out 2>&1 || fail "$*: status $?: $(cat out)"
    python3 -c 'import json; print(repr(json.load(open("run.json"))["simulated_seconds"]))'
}

# same KIND FEW MANY TO: FEW and MANY: what make.py takes besides the kind; with strong scaling they differ
same() {
    local kind=$1 few=$2 many=$3 wanted got
    shift 3
    # shellcheck disable=SC2086 # several words
    python3 make.py "$kind" $few >small.ti
    # shellcheck disable=SC2086
    python3 make.py "$kind" $many >large.ti
    wanted=$(seconds large.ti)
    got=$(seconds "$@" small.ti)
    [ "$got" = "$wanted" ] || fail "$kind $few as $many, $*: $got, expected $wanted"
}
for kind in sweep stencil ring; do
    same $kind "4x4 1000x2000 100000" "8x8 1000x2000 100000" --extrapolate 64
    same $kind "3x4 1000x2000 100000" "3x12 1000x2000 100000" --extrapolate 3x12
    same $kind "4 1000 100000" "32 1000 100000" --extrapolate 32
    same $kind "3x3x3 700x800x900 50000" "3x3x6 700x800x900 50000" --extrapolate 54
    same $kind "3x3x3 700x800x900 50000" "5x4x3 700x800x900 50000" --extrapolate 5x4x3
done
same sweep "4x4 1000x2000 100000" "4x8 1000x2000 100000" --extrapolate 32
same stencil "4x4 1000x2000 100000" "4x4 1000x2000 100000" --extrapolate 16

# calls: as their actions, on MPI_COMM_WORLD or a Cartesian grid of all ranks
cat >calls.py <<'PY'
import sys

nx, ny = [int(n) for n in sys.argv[1].split("x")]
print("# pgasim trace of calls 1, ranks:", nx * ny)
for me in range(nx * ny):
    x, y = me % nx, me // nx
    comm = "MPI_COMM_WORLD"
    print(me, "MPI_Init")
    if sys.argv[2] == "grid":
        print(me, "MPI_Cart_create MPI_COMM_WORLD 2 [%d,%d] [0,0] 0 c0" % (ny, nx))
        comm = "c0"
    print(me, "MPI_Type_vector 100 2 5 MPI_DOUBLE t0")
    print(me, "MPI_Type_commit t0")
    near = [(0, x > 0, me - 1, 1), (0, x < nx - 1, me + 1, 2), (1, y > 0, me - nx, 3), (1, y < ny - 1, me + nx, 4)]
    near = [(d, n, tag) for d, there, n, tag in near if there]
    for _ in range(3):
        for k, (d, n, tag) in enumerate(near):
            print(me, "MPI_Irecv - 1 t0 %d %d %s r%d" % (n, [2, 1, 4, 3][tag - 1], comm, k))
        for k, (d, n, tag) in enumerate(near):
            print(me, "MPI_Isend - 200 MPI_DOUBLE %d %d %s r%d" % (n, tag, comm, k + len(near)))
        print(me, "compute 1e6")
        print(me, "MPI_Waitall %d [%s]" % (2 * len(near), ",".join("r%d" % k for k in range(2 * len(near)))))
        print(me, "MPI_Allreduce - - 5000 MPI_DOUBLE MPI_SUM", comm)
    print(me, "MPI_Bcast - 5000 MPI_INT 0", comm)
    if sys.argv[2] == "split":
        print(me, "MPI_Comm_split MPI_COMM_WORLD 0 0 c1")
    print(me, "MPI_Finalize")
PY
for kind in plain grid split; do python3 calls.py 4x4 $kind >$kind.calls; done
python3 calls.py 8x8 plain >large.calls
wanted=$(seconds large.calls)
for kind in plain grid; do
    got=$(seconds --extrapolate 64 $kind.calls)
    [ "$got" = "$wanted" ] || fail "calls, $kind: $got, expected $wanted"
done
pgasim replay --extrapolate 64 grid.calls >out 2>&1
grep -q '^pgasim: MPI_Cart_create (16 times) is left out' out || fail "$(cat out)"
expect 2 '^pgasim: error: split.calls: MPI_Comm_split .16 times. cannot be extrapolated: expected messages' \
    pgasim replay --extrapolate 64 split.calls

# seconds of the recorded machine, and what they move
for k in 0 1; do printf '%s\n' "$k seconds 0.25 1000" "$k moves 1000 100" "$k compute 1e6" "$k barrier"; done >two
for k in 0 1 2 3; do printf '%s\n' "$k seconds 0.25 1000" "$k moves 1000 100" "$k compute 1e6" "$k barrier"; done >four
wanted=$(seconds four)
got=$(seconds --extrapolate 4 two)
[ "$got" = "$wanted" ] || fail "seconds: $got, expected $wanted"

# strong scaling: faces of a rank's part; gathers shrink, but for what is left over they are the same
sed -i '/gather/d' make.py
same sweep "4x4 1000x2000 100000" "8x8 500x1000 25000" --extrapolate 64 --extrapolate-scaling strong
same ring "4x4 1000x2000 100000" "4x8 500x2000 50000" --extrapolate 4x8 --extrapolate-scaling strong

# without messages between two ranks
printf '%s\n' "0 compute 1e6" "0 alltoall 100 100" "1 compute 1e6" "1 alltoall 100 100" >two
for k in 0 1 2 3; do printf '%s\n' "$k compute 1e6" "$k alltoall 100 100"; done >four
wanted=$(seconds four)
got=$(seconds --extrapolate 4 two)
[ "$got" = "$wanted" ] || fail "alltoall: $got, expected $wanted"

# --- what is assumed is printed
python3 make.py ring 4x4 1000x2000 1000 >few
pgasim replay --extrapolate 64 few >out 2>&1 || fail "status $?"
for line in '16 ranks, a grid of 4 x 4, are played as 64, a grid of 8 x 8' 'dimension 2 is a ring' 'weak scaling: '; do
    grep -q "^pgasim: $line" out || fail "no '$line' in: $(cat out)"
done

# --- refused
refused() {
    local wanted=$1
    shift
    expect 2 "^pgasim: error: $wanted" pgasim replay "$@"
}
refused 'few: --extrapolate 24: expected a multiple of 16' --extrapolate 24 few
refused 'few: the ranks form a grid of 4 x 4: expected as many sizes, and none smaller' --extrapolate 2x32 few
refused '8y8: expected a number of ranks, or up to three sizes of a grid' --extrapolate 8y8 few
refused '--extrapolate-scaling medium: expected weak or strong' --extrapolate-scaling medium few
refused '--extrapolate-scaling: expected --extrapolate N, too' --extrapolate-scaling strong few
for k in 0 1 2 3 4 5 6 7 8 9; do
    [ $k = 0 ] || printf '%s\n' "$k send 0 1 10" "0 recv $k 1 10"
done >star
refused 'star: not regular: there is no grid in which all messages and operations are between neighbours, such as .* ranks 0 and' \
    --extrapolate 20 star
python3 make.py sweep 2x4 1000x2000 1000 >small
refused 'small: the ranks form a grid of 2 x 4: expected 3 at least' --extrapolate 4x4 small
python3 make.py sweep 4x4 1000x2000 1000 | sed 's/^6 finalize/6 sleep 1/' >odd
refused 'odd: not regular: ranks 5 and 6 are at the same boundaries of a grid of 4 x 4, and do not do the same: line' \
    --extrapolate 64 odd
for k in 0 1 2; do printf '%s\n' "$k bcast 10 1 0"; done >root
refused 'root: line 1: the root is rank 1: expected the first or the last one' --extrapolate 6 root
finish
