/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that computes for long while the others are ready, and have not run since, is warned of. */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $OSHCC -g "$DIR/stall.c" -o $EXE
// run: -np 2 --set fold/stall-after=0.2s -- first
// stdout: done
// stderr-match: warning: rank 0 \(host \S+\) at .* has computed for 0\.\d s without a call, in spinning, stall\.c:\d+,
// times: 1
// privatize: dlopen
// run: -np 3 --set fold/stall-after=0.2s -- first
// stdout: done
// stderr-match: warning: rank 0 \(host \S+\) at .* has computed for 0\.\d s without a call, in spinning, stall\.c:\d+,
// times: 1
// run: -np 64 --set fold/stall-after=0.2s -- first
// stdout: done
// stderr-match: warning: rank 0 \(host \S+\) at .* has computed for 0\.\d s without a call, in spinning, stall\.c:\d+,
// times: 1
// privatize: swap
