#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Rules that test the class of the network, on platforms of each class: what a run reports as the algorithm and
# as its reason. Argument: the build folder.
set -euo pipefail
build=$1
pgasim=$build/bin/pgasim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >program.c <<'END'
#include <shmem.h>
int main(void)
{
    static long from[8], to[8];
    shmem_init();
    shmem_broadcastmem(SHMEM_TEAM_WORLD, to, from, sizeof to, 0);
    shmem_finalize();
    return 0;
}
END
"$build"/bin/wrappers/oshcc -o program program.c

cat >rules <<'END'
selector by-class
on bcast {
  topology=star -> coll:linear
  topology=fat-tree -> coll:binomial
  topology=torus -> coll:chain
  topology=dragonfly -> coll:k-ary
  topology=hierarchy -> coll:scatter-ring
  -> coll:scatter-doubling
}
END

cat >zones.xml <<'END'
<?xml version="1.0"?>
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="a" prefix="a-" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" router_id="ra"/>
    <cluster id="b" prefix="b-" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" router_id="rb"/>
    <link id="between" bandwidth="1GBps" latency="5us"/>
    <zoneRoute src="a" dst="b" gw_src="ra" gw_dst="rb"><link_ctn id="between"/></zoneRoute>
  </zone>
</platform>
END
for kind in cluster fat-tree torus dragonfly; do
    "$pgasim" platform generate "$kind" --hosts 64 --cores 1 >"$kind.xml"
done

# platform, ranks, algorithm, test
expect() {
    "$pgasim" run --quiet -np "$2" -ppn 1 --platform "$1.xml" --set coll/selector=rules --trace run.pgt ./program
    "$pgasim" profile --json run.pgt >profile.json
    if ! grep -q "topology=$4 -> coll:$3" profile.json; then
        echo "$1, $2 ranks: expected topology=$4 -> coll:$3 in the profile:"
        grep -i bcast profile.json || cat profile.json
        exit 1
    fi
}
expect cluster 8 linear star
expect fat-tree 8 binomial fat-tree
expect torus 8 chain torus
expect dragonfly 8 k-ary dragonfly
expect zones 8 scatter-ring hierarchy
expect zones 4 linear star
echo "as expected"
