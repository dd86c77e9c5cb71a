#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim validate` with Debian's Open MPI on this machine: the programs of examples/validate with 2 ranks are built and run
# on both sides. Whether predictions are good is not looked at.
. "$(dirname "$0")/lib.sh"
for k in mpicc.openmpi mpirun.openmpi; do
    command -v $k >/dev/null || { echo "there is no $k: skipped"; exit 77; }
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
printf '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n' >try.c
if ! { mpicc.openmpi -o try try.c && timeout 60 mpirun.openmpi -np 2 ./try; } >try.out 2>&1; then
    echo "Open MPI does not run here: $(head -3 try.out)"
    exit 77
fi
from=$top/examples/validate
cp "$from"/*.c "$from"/timing.h "$top/runtime/calibrate/wait.h" .
cat >one.xml <<'XML'
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/></platform>
XML
printf 'stencil-32 0.0005\ntranspose-16 0.0005\n' >lengths.txt
cat >real.yaml <<'YAML'
title: Two ranks on this machine
repetitions: {least: 2, most: 2}
real-cc: mpicc.openmpi
flags: -O1 -std=c11 -Wall -Wextra -Werror -D_GNU_SOURCE
environment: {WAIT_LENGTHS: lengths.txt}
timeout: 2m
seconds: {output: "seconds ([0-9.]+)"}
platforms:
  here: {file: one.xml, run: "mpirun.openmpi -np ${ranks} ${program}"}
programs:
  messages: {source: messages.c, parameters: {bytes: [8, 4096]}, ranks: 2, arguments: "${bytes} 10"}
  collectives:
    source: collectives.c
    parameters: {what: [allreduce, broadcast, alltoall, allgather]}
    ranks: 2
    arguments: ${what} 64 10
  stencil: {source: stencil.c, ranks: 2, arguments: 32 5}
  transpose: {source: transpose.c, ranks: 2, arguments: 32 5}
YAML
expect 0 '^all +8 ' pgasim validate real.yaml --json real.json
python3 - <<'PY' || fail "what is read back"
import json, sqlite3
r = json.load(open("real.json"))
assert len(r["cases"]) == 8 and all(c["measured"]["runs"] == 2 and c["predicted"]["runs"] == 1 for c in r["cases"]), r["cases"]
# Each step waits for 0.5 ms, really and simulated; a transpose for two blocks.
for c in r["cases"]:
    least = {"stencil": 5e-4, "transpose": 1e-3}.get(c["program"], 0)
    assert c["measured"]["median"] > least * 0.99 and c["predicted"]["median"] > least * 0.99, c
mpi = sqlite3.connect("real.db").execute("SELECT DISTINCT mpi FROM points WHERE side = 'real'").fetchall()
assert len(mpi) == 1 and mpi[0][0].startswith("Open MPI "), mpi
PY
expect 0 '^all +8 ' pgasim validate real.yaml --simulate-only --against real.db
finish
