#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpiexec and mpirun: parts of a command line with programs, arguments, environments, folders and hosts of
# their own; options of Open MPI's and MPICH's launchers; files of hosts and ranks.
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH
ulimit -c 0
cat >tell.c <<'C'
#include <mpi.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef NAME
#define NAME "a"
#endif
static int mine = 7;
extern char *program_invocation_short_name;
int main(int argc, char **argv)
{
    int me, n, sum = 0, got;
    char folder[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    mine += me;
    if (me)
        MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int k = 1; me == 0 && k < n; k++) {
        MPI_Recv(&got, 1, MPI_INT, k, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
    }
    const char *role = getenv("ROLE"), *slash = strrchr(getcwd(folder, sizeof folder), '/');
    printf("%s:%s rank %d of %d: %s, role %s, folder %s, %d, sum %d\n", NAME, program_invocation_short_name, me,
           n, argc > 1 ? argv[1] : "nothing", role ? role : "none", slash + 1, mine - me, sum);
    if (argc > 2)
        setenv("ROLE", "changed", 1);
    MPI_Finalize();
    return argc > 2 && getenv("ROLE")[0] != 'c';
}
C
mkdir there
mpicc tell.c -o first && mpicc -DNAME='"b"' tell.c -o there/second || fail "mpicc"
here=$(basename "$PWD")

# Without a launcher, or without a number, a program is one rank.
expect 0 "^a:first rank 0 of 1: x, role none, folder $here, 7, sum 0$" ./first x
expect 0 '^a:first rank 0 of 1: x' mpiexec -q ./first x
expect 2 'the number of ranks is missing' pgasim run ./first
for way in dlopen swap; do
    expect 0 "^a:first rank 0 of 7: one, role none, folder $here, 7, sum 21$" \
        mpirun -q --privatize=$way -n 2 ./first one : -np 3 -x ROLE=middle -wdir there ./second two three : \
        -n 2 -env ROLE last ./first
    for line in "^a:first rank 1 of 7: one, role none, folder $here, 7, sum 0$" \
        '^b:second rank 2 of 7: two, role middle, folder there, 7, sum 0$' \
        '^b:second rank 4 of 7: two, role middle, folder there, 7, sum 0$' \
        "^a:first rank 5 of 7: nothing, role last, folder $here, 7, sum 0$"; do
        grep -qE "$line" out || fail "parts by $way: no '$line' in $(cat out)"
    done
done
expect 0 '^\[3\] b:second rank 3 of 4: x y' mpirun -l -q -genv ROLE all -n 3 first : -path there second 'x y'
[ "$(grep -c 'role all' out)" -eq 4 ] || fail "-genv: $(cat out)"
expect 0 '^a:first rank 1 of 2: .* role a=b' mpiexec -q -n 1 first : -env ROLE=a=b first
expect 2 'part 2 of the command line names no program' mpirun -n 1 ./first : -n 2
expect 2 'program none: No such file' mpirun -n 1 ./first : -n 2 none
expect 2 '--wdir /none: No such' mpirun -n 1 ./first : -wdir /none -n 2 ./first
expect 0 'role none' ./first : : # its own arguments

# Each part's ranks fail and end as themselves.
expect 0 '--jobs has no effect.*different programs' mpirun -j 2 -n 1 ./first : -n 1 there/second
printf '#include <mpi.h>\nint main(void) { MPI_Init(0, 0); *(volatile int *)8 = 1; }\n' >crash.c
mpicc -g crash.c -o crash || fail "crash"
expect 139 'crash.c:2' mpirun -q -n 1 ./first : ./crash

# Programs that share a library and have thread-local data, exceptions and constructors of their own.
cat >count.c <<'C'
static int calls;
static __thread int mine = 3;
int count(void);
int count(void) { return ++calls * 10 + mine++; }
C
cat >uses.cpp <<'C'
#include <cstdio>
#include <mpi.h>
#include <stdexcept>
#include <string>
extern "C" int count(void);
static std::string name = NAME;
struct last { ~last() { std::printf("%s ends %d\n", name.c_str(), count()); } };
static last ends;
int main(int argc, char **argv)
{
    int me, got = -1, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    try {
        count();
        PMPI_Send(&me, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        throw std::runtime_error(name);
    } catch (const std::exception &e) {
        std::printf("%s caught %s %d %d\n", name.c_str(), e.what(), got, count());
    }
    MPI_Finalize();
}
C
mpicc -shared -fPIC count.c -o libcount.so && mpicxx -DNAME='"x"' uses.cpp -L. -lcount -Wl,-rpath,"$PWD" -o x &&
    mpicxx -DNAME='"y"' uses.cpp -L. -lcount -Wl,-rpath,"$PWD" -o y || fail "x, y"
for way in dlopen swap; do
    mpirun -q --privatize=$way -n 3 ./x : -n 2 ./y : ./x >got 2>&1 || fail "x, y by $way: $(cat got)"
    sort got >sorted
    diff sorted - <<'C' || fail "x, y by $way"
x caught x 0 24
x caught x 1 24
x caught x 4 24
x caught x 5 24
x ends 35
x ends 35
x ends 35
x ends 35
y caught y 2 24
y caught y 3 24
y ends 35
y ends 35
C
done
cat >shares.c <<'C'
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
long fixed[NUMBER];
int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *heap = shmem_malloc(sizeof *heap);
    shmem_long_p(argc > 1 ? fixed : heap, me + 1, (me + 1) % n);
    shmem_barrier_all();
    printf("PE %d of part %s: %ld\n", me, argv[0], *heap);
    shmem_finalize();
}
C
oshcc -g -DNUMBER=1 shares.c -o s1 && oshcc -g -DNUMBER=5000 shares.c -o s2 || fail "s1, s2"
for way in dlopen swap; do
    expect 0 '^PE 2 of part ./s2: 2$' oshrun -q --privatize=$way -n 2 ./s1 : ./s2
    expect 5 'is not (a )?symmetric|not symmetric' oshrun -q --privatize=$way -n 2 ./s1 : ./s2 fixed
    expect 0 '^PE 2 of part ./s1: ' oshrun -q --privatize=$way -n 2 ./s1 fixed : ./s1 fixed
done
expect 0 '"command": \[' mpirun -q --json - -n 1 ./first x : ./first
tr -d ' \n' <out | grep -q '"command":\["./first","x",":","./first"\]' || fail "command: $(cat out)"

# Files of parts.
printf -- '# parts\n-n 1 ./first "q  w"\n\n-n 2 -wdir there ./second\n' >parts
for option in --app -configfile; do
    expect 0 '^a:first rank 0 of 3: q  w' mpirun -q $option parts
    grep -q '^b:second rank 2 of 3: nothing' out || fail "$option: $(cat out)"
done
expect 2 'none: cannot read it' mpirun --app none

# Hosts. The ranks of one host are told apart by the summary alone.
cat >hosts.xml <<'C'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf" core="4"/> <host id="b" speed="1Gf" core="4"/> <host id="c" speed="1Gf" core="4"/>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route> <route src="a" dst="c"><link_ctn id="l"/></route>
    <route src="b" dst="c"><link_ctn id="l"/></route>
  </zone>
</platform>
C
hosts() { # EXPECTED OPTION...: how many hosts a run of 4 ranks uses
    local expected=$1
    shift
    expect 0 "4 ranks on $expected host" mpirun -platform hosts.xml -n 4 "$@" ./first
}
hosts 1
hosts 1 -host b
hosts 2 -H a:2,c:2
hosts 3 --map-by node
hosts 3 -bynode
hosts 2 -ppn 2
hosts 2 -N 2 -hosts c,b
hosts 2 --map-by ppr:2:node
hosts 1 --map-by slot:OVERSUBSCRIBE
hosts 2 --map-by socket -perhost 3
printf 'a slots=1 max_slots=4\nb:2 ifhn=b-ib # x\nc\n' >hostfile
hosts 3 -hostfile hostfile
hosts 3 -machinefile hostfile
hosts 3 -f hostfile
printf 'rank 0=a slot=0\nrank 3=+n2 slot=1:0\n# x\nrank 1=b slots=0\n' >ranks
hosts 3 -rankfile ranks
printf 'rank 9=a\n' >bad
expect 2 "bad:1: rank '9'; expected a number below 4" mpirun -platform hosts.xml -n 4 -rf bad ./first
expect 2 "unknown host 'x'" mpirun -platform hosts.xml -n 4 -host x ./first
expect 0 '2 ranks on 2 hosts' mpirun -platform hosts.xml -n 1 -host a ./first : -n 1 -host b ./first

# Options without meaning are named once; others are silent.
expect 0 'without meaning on a simulated platform: --bind-to, -mca, --report-bindings$' \
    mpirun --bind-to core -mca btl tcp,self -mca a b --report-bindings --oversubscribe --allow-run-as-root \
    -n 2 ./first
[ "$(grep -c 'without meaning' out)" -eq 1 ] || fail "notices: $(cat out)"
expect 0 '^a:first rank 1' mpiexec -q -genvall -envall -iface eth0 -launcher ssh -stdin 0 -n 2 ./first
grep -q 'meaning' out && fail "--quiet: $(cat out)"
expect 2 'unknown option -frobnicate' mpiexec -frobnicate -n 2 ./first
expect 0 '^pgasim [0-9]' mpirun --version
expect 0 '^pgasim [0-9]' mpiexec -V
expect 0 '^usage: pgasim run' mpirun --help
printf '#include <mpi.h>\nint main(void) { MPI_Init(0, 0); for (;;) MPI_Wtime(); }\n' >endless.c
mpicc endless.c -o endless && expect 143 'ended by SIGTERM' mpirun -timeout 1 -n 2 ./endless
finish
