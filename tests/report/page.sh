#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# page.sh BUILD NODE: `pgasim report`: its options and statuses, and what it makes, in a browser (page.mjs):
# of a run whose program, arguments, hosts, links and marks have hostile names, and of samples.
. "$(dirname "$0")/../cli/lib.sh"
node=$2

cat >hostile.c <<'C'
#include <pgasim.h>
#include <shmem.h>
static long mine[4096], there[4096], count;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int k = 0; k < 40; k++) {
        pgasim_compute_flops(1e4 * (me + 1));
        pgasim_mark("</script><script>window.broken=11</script>");
        pgasim_mark_begin("<img src=x onerror=window.broken=17>");
        shmem_long_put(there, mine, 64 << (k % 7), (me + 1) % n);
        shmem_long_get(mine, there, 16, (me + 3) % n);
        shmem_long_atomic_add(&count, 1, 0);
        shmem_barrier_all();
        pgasim_mark_end();
    }
    shmem_finalize();
    return 0;
}
C
program='<img src=x onerror=window.broken=12>'
pgasim cc -O1 -o "$program" hostile.c || fail 'the program does not compile'

# Two hosts on a link, whose names are markup and code.
cat >hostile.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="&lt;/script&gt;&lt;script&gt;window.broken=13&lt;/script&gt;" speed="1Gf" core="4"/>
    <host id="${window.broken=14}" speed="1Gf" core="4"/>
    <link id="&quot;&gt;&lt;img src=x onerror='window.broken=15'&gt;" bandwidth="1GBps" latency="1us"/>
    <route src="&lt;/script&gt;&lt;script&gt;window.broken=13&lt;/script&gt;" dst="${window.broken=14}">
      <link_ctn id="&quot;&gt;&lt;img src=x onerror='window.broken=15'&gt;"/>
    </route>
  </zone>
</platform>
X
trace() { # file ranks
    pgasim run --quiet --compute=off -np "$2" -platform hostile.xml --trace "$1" "./$program" \
        '</script><script>window.broken=16</script>' || fail "$1: status $?"
}
trace run.pgt 8
trace single.pgt 1

# --- the command
expect 0 'run.html: [0-9.]+ [KM]iB' pgasim report run.pgt
[ -s run.html ] || fail 'no run.html'
expect 0 '<!doctype html>' pgasim report run.pgt -o -
expect 0 'of one.html|one.html: ' pgasim report -o one.html --focus 10us:20us run.pgt
cmp -s run.html one.html && fail '--focus changes nothing'
expect 0 'again.html: ' pgasim report run.pgt -o again.html
cmp -s run.html again.html || fail 'two pages of one trace differ'
expect 2 'no trace was named' pgasim report
expect 2 'one trace was expected' pgasim report run.pgt run.pgt
expect 2 'nowhere.pgt: No such file' pgasim report nowhere.pgt
expect 2 'run.html' pgasim report run.html
expect 2 'expected FROM:TO' pgasim report --focus 10us run.pgt
expect 2 'FROM before TO' pgasim report --focus 20us:10us run.pgt
expect 4 'nowhere/x.html: No such file' pgasim report -o nowhere/x.html run.pgt
expect 4 '/dev/full' pgasim report -o /dev/full run.pgt
head -c $(($(stat -c %s run.pgt) * 2 / 3)) run.pgt >cut.pgt
expect 0 'cut.pgt: .*the page covers only what comes before' pgasim report cut.pgt -o cut.html
grep -q '"damage":"' cut.html || fail 'the page of a damaged trace does not say so'
expect 0 'single.html: ' pgasim report single.pgt

# --- the S-DSM: of a trace, and of files of a real run
grep -q '"sdsm":null' run.html || fail 'a page without the S-DSM has something of it'
pgasim cc -O1 -o sdsm "$top/tests/report/sdsm.c" || fail 'the program does not compile'
pgasim run --quiet --compute=off -np 5 --trace sdsm.pgt ./sdsm 200 || fail "sdsm: status $?"
expect 0 'sdsm.html: ' pgasim report sdsm.pgt
pgasim report --sdsm tables sdsm.pgt || fail "--sdsm: status $?"
expect 0 '^ *9 .*volume' wc -l tables/volume.csv
expect 0 '^ *6 .*time' wc -l tables/time.csv
expect 0 '^ *801 .*accesses' wc -l tables/accesses.csv
expect 0 '^ *801 .*allocation' wc -l tables/allocation.csv
expect 0 '^10 pictures$' python3 -c 'import glob, xml.dom.minidom as x; print(len([x.parse(f) for f in glob.glob("tables/*.svg")]), "pictures")'
expect 2 'run.pgt has no events of the S-DSM' pgasim report --sdsm tables run.pgt
expect 4 'nowhere/tables: No such file' pgasim report --sdsm nowhere/tables sdsm.pgt
expect 0 '^  chunk 7 of 4.000 KiB: ' pgasim profile sdsm.pgt
expect 0 '^    process 1: within bytes 64 to 127, ' pgasim profile sdsm.pgt
expect 0 '"false_sharing": true' pgasim profile --json sdsm.pgt
mkdir stats
for k in 0 1 2; do
    printf '# sat-stats 1 rank %s of 3\n0 sat.process %s %s\n' $k $((k > 0)) $((k > 0 ? 0 : -1))
    [ $k = 0 ] || printf '0.001 sat.acquire 18446744073709551615 0 0\n0.00%s sat.granted 18446744073709551615 0 0 64\n0.1 sat.sent 0 4 5 640\n' $((k + 1))
    printf '0.1 sat.time 50000000 20000000 10000000 20000000\n'
done | awk '/^#/ { file = "stats/" $5 ".txt" } { print > file }'
expect 0 'stats.html: ' pgasim report stats/
expect 0 'statistics of 3 processes on a real MPI' pgasim profile stats
expect 0 '18446744073709551615 +3.000 ms.* 2.000 ms  process 2 at 1.000 ms' pgasim profile stats
rm stats/1.txt
expect 2 'files of only 2 of 3 processes' pgasim profile stats
rm stats/*.txt
expect 2 'no file in this folder begins with' pgasim report stats

# --- joules, of hosts, links and marks with hostile names
grep -q '"energy":null' run.html || fail 'a page without joules has something of them'
pgasim run --quiet --compute=off -np 8 -platform hostile.xml --set energy/host=95:120:200 --set energy/link=10:30 \
    --trace energy.pgt "./$program" || fail "energy: status $?"
expect 0 'energy.html: ' pgasim report energy.pgt

# --- files, on two disks of hosts with hostile names, one with a hostile name; ranks that were started later
sed -e 's|core="4"/>|core="4"><disk id="ssd" read_bw="2GBps" write_bw="1GBps"><prop id="latency" value="10us"/></disk></host>|' \
    hostile.xml >disks.xml
grep -q '"files":null' run.html || fail 'a page without files has something of them'
pgasim cc -O1 -o started "$top/tests/report/files.c" || fail 'the program does not compile'
pgasim run --quiet --compute=off -np 6 --map-by host -platform disks.xml --trace files.pgt ./started '<b onclick=window.broken=18>' ||
    fail "files: status $?"
expect 0 'files.html: ' pgasim report files.pgt
expect 0 'small requests with gaps between them: write collectively' pgasim profile files.pgt
expect 0 '^ *1: 2 ranks from rank 6 on' pgasim profile files.pgt
expect 2 '^  world 0: 6 ranks from rank 0 on, at 0 s$' pgasim trace-info files.pgt
expect 2 '^  world 1: 2 ranks from rank 6 on, at .*s$' pgasim trace-info files.pgt
pgasim trace-info --json files.pgt 2>why | python3 -c '
import json, sys
worlds = [(w["first_rank"], w["ranks"]) for w in json.load(sys.stdin)["worlds"]]
assert worlds == [(0, 6), (6, 2)], worlds' || fail 'worlds as JSON'
expect 0 "without the run's calls" cat why
pgasim trace-info run.pgt 2>/dev/null | grep -q world && fail 'a run that started no ranks has worlds'

# --- in a browser
mv run.html 'real run.html'
"$node" "$build/report-test/page.mjs" "$build/report-page/page.html" "$work" "$work/real run.html" "$work/sdsm.html" "$work/stats.html" "$work/energy.html" \
    "$work/files.html" ||
    fail 'the page in a browser'
finish
