#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# host.sh BUILD: what simulated cores have of their host: joules for the time in which they execute, and a clock that is off.
. "$(dirname "$0")/../cli/lib.sh"
export PATH=$bin/wrappers:$PATH
command -v riscv64-linux-gnu-gcc >/dev/null || exit 77 # the clock is Linux's

cat >core.c <<'C'
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
static volatile long sum;
static long nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}
static long ticks(void)
{
    long t;
    __asm__ volatile("rdtime %0" : "=r"(t));
    return t;
}
int main(void)
{
    struct timespec rest = {0, 10000000}, until;
    struct rusage used;
    long begin = nanoseconds(), first = ticks();
    for (long k = 0; k < 1000000; k++)
        sum += k;
    long loop = ticks() - first;
    nanosleep(&rest, NULL);
    long end = nanoseconds(), at = end + 5000000;
    until.tv_sec = at / 1000000000;
    until.tv_nsec = at % 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    getrusage(RUSAGE_SELF, &used);
    printf("%ld %ld %ld %ld %ld\n", begin, loop, end - begin, nanoseconds() - at, used.ru_utime.tv_usec);
    return 0;
}
C
cat >core.xml <<'X'
<?xml version="1.0"?>
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf" core="2">
      <prop id="wattage_per_state" value="10:20:40"/>
      <prop id="clock_offset" value="2.5s"/>
      <prop id="clock_drift" value="0.01"/>
    </host>
  </zone>
</platform>
X
xbgas-cc --linux -O1 -o core core.c >out 2>&1 || fail "core.c: $(cat out)"
pgasim riscv --quiet --json run.json --trace run.pgt -np 1 -platform core.xml core >off || fail "status $?"
pgasim riscv --quiet --json true.json --set energy/account=off -np 1 core >on || fail "status $?"
pgasim profile --json run.pgt >profile.json || fail "profile: status $?"
python3 -c '
import json
run, profile = json.load(open("run.json")), json.load(open("profile.json"))
begin, loop, all, late, used = map(int, open("off").read().split())
true_begin, true_loop, true_all, true_late, true_used = map(int, open("on").read().split())
assert abs(begin - 2500000000 - 1.01 * true_begin) < 10, (begin, true_begin)
assert abs(loop - 1.01 * true_loop) < 10 and true_loop > 1e6, (loop, true_loop)
assert abs(all - 1.01 * true_all) < 100, (all, true_all)
assert 0 <= late < 5000 and 0 <= true_late < 5000, (late, true_late)
assert abs(used - true_used) < 100, (used, true_used) # true time, but for the shorter absolute sleep
took, energy = run["simulated_seconds"], run["energy"]
sleeps = 0.01 + 0.005 / 1.01
want = 10 * took + 20 * (took - sleeps) # one of two cores: 20 + 20 / 2 instead of 10
assert abs(energy["joules"] - want) < 1e-4 * want, (energy["joules"], want, took)
assert abs(energy["joules"] - profile["energy"]["joules"]) < 1e-8, profile["energy"]
assert abs(profile["energy"]["ranks"][0]["core_seconds"] - (took - sleeps)) < 1e-6, profile["energy"]
' || fail 'joules, or clocks'
finish
