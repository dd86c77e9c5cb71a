#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every number that a user can give, at both ends of its range and beyond, in whole runs: a run ends with its
# own status, or with 2 and a message that has the value; never with a signal or a broken invariant.
. "$(dirname "$0")/lib.sh"
cat >p.c <<'C'
#include <shmem.h>
int main(void)
{
    static long x[3000], y[3000], all[3000], sync[SHMEM_REDUCE_SYNC_SIZE];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    for (int k = 0; k < SHMEM_REDUCE_SYNC_SIZE; k++)
        sync[k] = SHMEM_SYNC_VALUE;
    shmem_long_put(x, y, 3000, next);
    shmem_long_get(y, x, 10, next);
    shmem_long_p(&x[1], 1, next);
    shmem_long_atomic_inc(&x[2], next);
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, x, 10);
    shmem_finalize();
    return 0;
}
C
pgasim cc -O1 -o p p.c || fail "cannot be built"
cat >two.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/></platform>
X
printf 'a send n0 n1 1000 0\nb exec n0 1e6 0\nc send n0 n0 1000 1\n' >list

# ends STATUSES TEXT COMMAND...: one of these, and TEXT in the message if it is 2.
ends() {
    local statuses=$1 text=$2 got
    shift 2
    in_share || return 0
    timeout 60 "$@" >out 2>&1 </dev/null
    got=$?
    [[ " $statuses " == *" $got "* ]] || fail "$*: status $got, expected one of $statuses: $(head -c 600 out)"
    [ $got -ne 2 ] || grep -qF -e "$text" out || fail "$*: '$text' is not in: $(head -c 600 out)"
    if [ $got -eq 2 ] && [ "$(wc -l <out)" -ne 1 ]; then
        fail "$*: more than one line: $(cat out)"
    fi
}

# --- settings: two ranks on one host and on two; transfers
while read -r key range; do
    range=${range#library, or } # a word instead of the number
    range=${range#none, or }
    low=${range% to *} high=${range#* to }
    for value in ${low#0 or } "$high"; do
        ends "0 4" "$value" pgasim run -q -np 2 --compute=off --set "$key=$value" ./p
        ends "0 4" "$value" pgasim run -q -np 3 --map-by host --platform two.xml --compute=off --set "$key=$value" ./p
        ends "0 4" "$value" pgasim flows --platform two.xml --cfg "$key:$value" list
    done
    for value in -1 0 1e308 1e-300 9223372036854775807 18446744073709551615; do
        ends "0 2 4" "$value" pgasim run -q -np 2 --compute=off --set "$key=$value" ./p
    done
done < <(pgasim info settings | sed -n 's/^  \([^ ]*\) = .*/\1/p; s/^      range: \(.* to .*\)/\t\1/p' |
    awk '/^\t/ { if ($0 !~ /;|model|numbers/) print key, substr($0, 2) } !/^\t/ { key = $0 }')
for key in network/latency-factor network/bandwidth-factor network/weight-S network/TCP-gamma smpi/lat-factor smpi/bw-factor; do
    for value in -1 0 1e308 1e-300 0:1e308 1e308:1 1e9 0:1e9 0:1e-9; do
        for model in LV08 SMPI IB Constant raw; do
            ends "0 1 2" "$key" pgasim flows --model $model --platform two.xml --cfg "$key=$value" list
        done
    done
done
for value in 0:1e308:0 0:0:1e308 18446744073709551616:0:0 0:1e12:1e12; do
    for key in smpi/os smpi/ois smpi/or; do
        ends "0 2" "$key" pgasim run -q -np 2 --compute=off --set "$key=$value" ./p
    done
done
for value in "1;1;1e308" "1e-300;1;1" "0;1;1" "1e9;1e9;1e9" "1e-9;1e-9;1e-9"; do
    ends "0 1 2" smpi/IB-penalty-factors pgasim flows --model IB --platform two.xml --cfg "smpi/IB-penalty-factors=$value" list
done

# --- options
for value in 1e308 1e-300 0 -1 nan inf 1e9 1e-9; do
    ends "0 2" "$value" pgasim run -q -np 2 --compute=measured:$value ./p
done
ends 2 9223372036854775807 pgasim run -q -np 2 --set thread/most=9223372036854775807 ./p
ends 2 2s pgasim run -q -np 2 --trace t.pgt --trace-from 2s --trace-to 1s ./p

# --- platforms
platform() { # TEXT...: of one zone
    printf '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n' >x.xml
    printf '<platform version="4.1"><zone id="z" routing="Full">%s</zone></platform>\n' "$1" >>x.xml
}
for speed in 1e-305 1e-3 1e30 1e308 0; do
    for bandwidth in 1e-300 1e-3 1e21 1e308 0; do
        for latency in 1e308 1e12 0; do
            platform "<host id='n0' speed='$speed'/><host id='n1' speed='$speed'/><link id='l' bandwidth='$bandwidth'
                latency='$latency'/><route src='n0' dst='n1'><link_ctn id='l'/></route>"
            ends "0 2" "expected" pgasim run -q -np 2 --map-by host --compute=off --platform x.xml ./p
            ends "0 1 2" "expected" pgasim flows --platform x.xml list
            ends "0 2" "expected" pgasim platform draw -o x.svg x.xml
        done
    done
done
for start in 1e308 1e12 1e13; do
    echo "x send n0 n1 1000 $start" >late
    ends "0 2" "start: '$start' is out of range" pgasim flows --platform two.xml late
done
finish
