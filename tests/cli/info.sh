#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `pgasim info PROGRAM` says about programs built for pgasim, about others, and about other files.
. "$(dirname "$0")/lib.sh"
oshcc=$bin/wrappers/oshcc
cc=${CC:-cc}

# says STATUS FILE PATTERN...: `pgasim info FILE` ends so, and each pattern is in what it prints.
says() {
    local want=$1 file=$2 pattern
    shift 2
    for pattern in "$@"; do
        expect "$want" "$pattern" pgasim info "$file"
    done
}
# silent FILE PATTERN: the pattern is not in what it prints.
silent() {
    pgasim info "$1" 2>&1 | grep -qE -e "$2" && fail "$1: has '$2'"
}

cat >plain.c <<'END'
#include <shmem.h>
#include <stdlib.h>
#include <sys/types.h>
pid_t fork(void);
static int g[1000] = {1};
static _Thread_local int t[3] = {2};
/* The program's own: not looked up. */
int lockf(int fd, int command, off_t n) { return fd + command + (int)n; }
int main(void)
{
    shmem_init();
    if (shmem_my_pe() > 5)
        fork();
    shmem_int_put(g, t, 3, rand() + lockf(1, 2, 3));
    shmem_finalize();
    return 0;
}
END
"$oshcc" -D_GNU_SOURCE plain.c -o plain || fail "plain.c"
says 0 plain '^plain: will run' 'own +.*/plain: .* of globals, 12 B thread-local' 'libraries +libc\.so' \
    'API +4 functions, all' 'per rank .*\brand\b' '^  fork +copies the whole simulation'
silent plain 'lockf|static storage|threads|MPI'

# The program's own libraries are part of it; if one calls what pgasim does not have, the program will not run,
# wherever the library is.
mkdir lib
cat >lib/own.c <<'END'
int MPI_Nothing(int *, char ***), shmem_no_such_function(void), shmem_init_(void);
__thread int fixed __attribute__((tls_model("initial-exec")));
int own(void) { return MPI_Nothing(0, 0) + shmem_no_such_function() + shmem_init_() + fixed; }
END
"$cc" -shared -fPIC lib/own.c -o lib/libown.so || fail "own.c"
echo 'int own(void); int main(void) { return own(); }' >user.c
"$oshcc" user.c -o user -Llib -lown -Wl,-rpath,"$PWD/lib" || fail "user.c"
says 5 user '^user: will not run' '/libown\.so: .* 4 B thread-local in static storage' \
    'API .* 3 that it does not have' \
    '^  MPI_Nothing +not a function of MPI-5.0 \(in libown\.so\)' \
    '^  shmem_no_such_function +not a function of OpenSHMEM' \
    '^  shmem_init_ +pgasim has no Fortran interface'
mv lib/libown.so lib/elsewhere.so
says 5 user 'the dynamic linker does not find libown\.so, which .*/user needs'

says 5 lib/elsewhere.so 'a shared library or a static program'

# Built for something else: what to do.
echo 'int main(void) { return 0; }' >native.c
"$cc" native.c -o native || fail "native.c"
says 5 native '^native: will not run' 'not built for pgasim: build it with .pgasim cc.'
"$cc" -shared -fPIC -Wl,-soname,libsma.so.1 -x c - -o lib/libsma.so.1 \
    <<<'int start_pes_here; int fork(void);' ||
    fail "libsma"
"$cc" -Wl,--no-as-needed native.c lib/libsma.so.1 -o other || fail "other"
says 5 other 'built for another library \(libsma\.so\.1\): rebuild it'
if "$cc" -no-pie native.c -o fixed 2>/dev/null; then
    says 5 fixed 'not built for pgasim'
fi

# Files that are not programs.
"$cc" -c native.c -o native.o || fail "native.o"
head -c 3000 plain >torn
printf '#!/bin/sh\n' >script
says 2 native.o 'native\.o: not a program or shared library'
says 2 torn 'torn: damaged ELF file'
says 2 script 'script: a script, not a program .*\.libs'
says 2 native.c 'native\.c: not an ELF program'
says 2 /dev/null 'not a program file'
says 0 algorithms '^ +also .*smpi:NTSL ' '^ +needs a power of two of members' '^ +from Thakur 2005'
says 2 no-such 'expected one of settings, collectives, algorithms, selectors, places'
expect 2 'json needs one program' pgasim info --json
expect 2 'expected one of' pgasim info --json settings

pgasim info --json plain >plain.json || fail "--json: status $?"
python3 - plain.json <<'END' || fail "--json"
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    s = json.load(file)
names = lambda key: [item["name"] for item in s[key]]
assert s["runs"] is True and s["built_for_pgasim"] is True and s["obstacles"] == [], s
assert sorted(names("supported")) == ["shmem_finalize", "shmem_init", "shmem_int_put", "shmem_my_pe"], s
assert "rand" in names("per_rank") and names("differs") == ["fork"] and names("missing") == [], s
assert s["objects"][0]["thread_local_bytes"] == 12 and s["objects"][0]["globals_bytes"] >= 4000, s
END
finish
