#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim run --self-profile`: the parts add up to the whole, each function is attributed to its module, also
# in a stripped installation, and a program's computation is attributed to the program.
. "$(dirname "$0")/lib.sh"
library=$build/lib/libpgasim.so

cat >spin.c <<'END'
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
static volatile long sum;
__attribute__((noinline)) static void spinning(void)
{
    for (long k = 0; k < 150000000; k++)
        sum += k;
}
int main(int argc, char **argv)
{
    static long word;
    shmem_init();
    if (argc > 1 && !strcmp(argv[1], "spin"))
        spinning();
    else if (argc > 1)
        for (int k = 0; k < 20000; k++)
            shmem_long_atomic_fetch_add(&word, 1, (shmem_my_pe() + k) % shmem_n_pes());
    size_t size = argc > 1 && !strcmp(argv[1], "adds") ? 8 : 1 << 20;
    char *mine = malloc(3 * size), *heap = shmem_malloc(5 * size);
    memset(mine, 1, 3 * size);
    memset(heap, 1, 5 * size);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
END
"$bin/wrappers/oshcc" -O1 -g spin.c -o spin || fail "spin.c"

# Each global function of a module's archive lies between the module's marks in libpgasim.
cat >marks.py <<'END'
import re, subprocess, sys
build, modules = sys.argv[1], sys.argv[2:]
mark, place, wrong, checked = {}, {}, 0, 0
library = subprocess.run(["nm", build + "/lib/libpgasim.so"], capture_output=True, text=True, check=True)
for line in library.stdout.splitlines():
    word = line.split()
    if len(word) != 3 or word[1] not in "tT":
        continue
    found = re.match(r"pgasim_mark_(\d+)_(.*)$", word[2])
    if found:
        mark[int(found.group(1)), found.group(2)] = int(word[0], 16)
    else:
        place.setdefault(word[2], []).append(int(word[0], 16))
sections = {s for _, s in mark}
for k, module in enumerate(modules):
    archive = subprocess.run(["nm", "--defined-only", f"{build}/libm_{module}.a"], capture_output=True,
                             text=True, check=True)
    for name in re.findall(r"^[0-9a-f]+ T (\S+)$", archive.stdout, re.M):
        for at in place.get(name, []):
            checked += 1
            if not any(mark[k, s] <= at < mark[k + 1, s] for s in sections):
                print(f"{name} of {module} at {at:#x} is not between its marks")
                wrong += 1
print(f"{checked} functions checked")
sys.exit(wrong > 0 or checked < 500)
END
modules=$(sed -n 's/^set(PGASIM_LAYERS \(.*\))$/\1/p' "$top/CMakeLists.txt")
# shellcheck disable=SC2086 # words
python3 marks.py "$build" $modules >said || fail "$(cat said)"

# holds FILE EXPRESSION: of its self_profile, as p; share(layer) of the CPU time.
holds() {
    python3 - "$1" "$2" <<'END' || fail "$1: not $2"
import json, sys
p = json.load(open(sys.argv[1]))["self_profile"]
layers = {l["layer"]: l for l in p["layers"]}
bytes_of = lambda layer, what: sum(a["blocks_bytes"] + a["pools_bytes"] + a["resident_bytes"]
                                   for a in p["memory"] if a["layer"] == layer and what in a["for"])
share = lambda *names: sum(layers[n]["seconds"] for n in names if n in layers) / p["seconds"]
functions = lambda layer: [f["name"] for f in layers[layer]["functions"]]
ok = eval(sys.argv[2])
if not ok:
    print({n: round(share(n), 3) for n in layers},
          {k: v for k, v in p.items() if k not in ("layers", "memory")})
sys.exit(not ok)
END
}

for way in dlopen swap; do
    expect 0 '^pgasim: self-profile: .* of CPU time' \
        pgasim run -np 3 --compute=off --privatize=$way --self-profile --json $way.json ./spin spin
    grep -qE '^pgasim:   program +[0-9.]+% .* spinning [0-9.]+%' out ||
        fail "$way: spinning is not named: $(cat out)"
    grep -qE '^pgasim:   shmem .* the symmetric heaps' out || fail "$way: no symmetric heaps: $(cat out)"
    holds $way.json 'abs(sum(l["seconds"] for l in p["layers"]) - p["seconds"]) < 1e-4 and p["samples"] > 20'
    holds $way.json 'share("program") > 0.6 and functions("program")[0] == "spinning"'
    holds $way.json 'bytes_of("shmem", "symmetric heaps") >= 15 << 20'
    grep -q __asan_init "$library" || # the sanitizer's malloc tells nothing
        holds $way.json '9 << 20 <= p["program_heap_bytes"] < 12 << 20'
    holds $way.json \
        'p["memory_bytes"] <= p["memory_peak_bytes"] * 1.1 and bytes_of("engine", "stacks") > 4096'
done
expect 0 self-profile pgasim run -np 40 --compute=off --self-profile --json adds.json ./spin adds
holds adds.json 'share("engine", "fabric", "fluid", "rma", "shmem", "fold", "switch") > 0.6'
holds adds.json 'share("rest") < 0.2 and any(n.startswith("rma_") for n in functions("rma"))'

# Without the option, nothing is printed. --quiet does not suppress the tables.
pgasim run -np 2 --json off.json ./spin >out 2>&1 || fail "off: $(cat out)"
grep -q self.profile out off.json && fail "a profile that nobody asked for"
expect 0 'self-profile' pgasim run -q -np 2 --self-profile ./spin

# Records of ranks that are no native programs have no room for what those need: 192 bytes instead of 256.
{
    echo num_ranks 4096
    for ((r = 0; r < 4096; r++)); do printf 'rank %d {\ncalc 1\n}\n' $r; done
} >players.goal
expect 0 self-profile pgasim replay --self-profile --json players.json players.goal
holds players.json '0 < bytes_of("rank", "ranks") < 200 * 4096'
# They have no frames while they compute, or wait in collectives.
for ((r = 0; r < 4096; r++)); do
    printf '%d %s\n' $r init $r "compute $((1000000 + r))" $r barrier $r 'allreduce 100 1e5 0' $r finalize
done >rests.ti
expect 0 self-profile pgasim replay --self-profile --json rests.json rests.ti
holds rests.json 'bytes_of("engine", "frames of ranks") < 64 * 4096'

# After stripping, layers are the same, but functions have no names.
mkdir -p bare/bin bare/lib
cp "$bin/pgasim" bare/bin/
strip -o bare/lib/libpgasim.so "$library" || fail "strip"
expect 0 self-profile bare/bin/pgasim run -np 40 --compute=off --self-profile --json bare.json ./spin adds
holds bare.json 'share("engine", "fabric", "fluid", "rma", "shmem", "fold") > 0.5 and share("switch") < 0.4'
finish
