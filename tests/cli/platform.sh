#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim platform check`, `show` and `draw`, and platforms that are built by C code.
. "$(dirname "$0")/lib.sh"
examples=$top/examples/platform-api

file() { # NAME ZONES...: a platform file
    printf '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n' >"$1"
    printf '<platform version="4.1">\n%s\n</platform>\n' "${*:2}" >>"$1"
}
cluster() { # NAME HOSTS MORE
    file "$1.xml" "<cluster id=\"c\" prefix=\"n-\" suffix=\"\" radical=\"0-$(($2 - 1))\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" $3/>"
}

same() { # A B WHAT: two files, equal and not empty
    if [ ! -s "$1" ] || ! cmp -s "$1" "$2"; then
        fail "$3: $(diff "$1" "$2" | head)"
    fi
}

# --- check
cluster flat16 16 'bb_bw="2GBps" bb_lat="3us"'
expect 0 '^OK flat16.xml: 16 hosts, 33 links, 1 router, 1 zone$' pgasim platform check flat16.xml
[ "$(wc -l <out)" -eq 1 ] || fail "check of a good file says more: $(cat out)"
file torn.xml '<zone id="z" routing="Full"><host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>
<link id="ab" bandwidth="1Bps"/><link id="idle" bandwidth="1Bps"/>
<route src="a" dst="b"><link_ctn id="ab"/></route></zone>'
expect 0 "torn.xml: 4 of 6 pairs of hosts have no route, the first of them 'a' to 'c'" pgasim platform check torn.xml
grep -q "torn.xml: no route uses link 'idle'$" out || fail "no word of the idle link: $(cat out)"
file wrong.xml '<zone id="z" routing="Full"><host id="a" speed="fast"/></zone>'
expect 2 'wrong.xml:4: <host speed="fast">' pgasim platform check flat16.xml wrong.xml
grep -q '^OK flat16.xml' out || fail "the good file of two is not OK: $(cat out)"
file prop.xml '<zone id="z" routing="Full"><host id="a" speed="1f"><prop id="smpi/os" value="x"/></host></zone>'
expect 2 "prop.xml:4: smpi/os 'x': expected size:startup:per-byte" pgasim platform check prop.xml
expect 2 'expected default, check FILE' pgasim platform check
expect 2 'none.xml: cannot open' pgasim platform check none.xml

# --- show
expect 0 '^  c     Cluster +16 +1 +0$' pgasim platform show flat16.xml
grep -q 'and 8 more hosts (--all shows them)' out || fail "no word of hosts left out: $(cat out)"
expect 0 '^  n-15 +1.000 G +1  c$' pgasim platform show --all flat16.xml
expect 0 'route n-3 -> n-9: 3 links, latency 5.000 us, bottleneck 1.000 GB/s \(c_link_3_UP\)$' \
    pgasim platform show flat16.xml n-3 n-9
[ "$(awk '/^  c_/ { printf "%s ", $1 }' out)" = 'c_link_3_UP c_backbone c_link_9_DOWN ' ] || fail "links: $(cat out)"
expect 2 "unknown host 'n-16'" pgasim platform show flat16.xml n-3 n-16
expect 2 "torn.xml.*no route|no route.*'a'" pgasim platform show torn.xml a c
expect 0 . pgasim platform show --json flat16.xml n-3 n-9
python3 - <<'E' || fail "the route as JSON: $(cat out)"
import json
r = json.load(open("out"))
assert (r["from"], r["to"], r["bottleneck"], r["bandwidth"]) == ("n-3", "n-9", "c_link_3_UP", 1e9), r
assert abs(r["latency"] - 5e-6) < 1e-18, r
assert [link["name"] for link in r["links"]] == ["c_link_3_UP", "c_backbone", "c_link_9_DOWN"], r
E
expect 0 . pgasim platform show --json flat16.xml
python3 -c 'import json; p = json.load(open("out")); assert len(p["hosts"]) == 16 and len(p["links"]) == 33, p' ||
    fail "the platform as JSON"

# --- draw: well-formed, equal bytes, and everything is in it
cat >look.py <<'E'
import sys, xml.etree.ElementTree as tree
root = tree.parse("first.svg").getroot()
width, height = float(root.get("width")), float(root.get("height"))
boxes = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("class") == "host"]
drawn = [e for e in boxes if len(e)]  # with a title: the legend's has none
assert len(drawn) == int(sys.argv[1]), (len(drawn), sys.argv[1])
places = {(e.get("x"), e.get("y")) for e in drawn}
assert len(places) == len(drawn), "hosts lie on each other"
for e in drawn:
    assert 0 <= float(e.get("x")) <= width and 0 <= float(e.get("y")) <= height, e.attrib
E
cluster flat1000 1000 ''
cluster torus1000 1000 'topology="TORUS" topo_parameters="10,10,10"'
cluster torus5 96 'topology="TORUS" topo_parameters="3,2,4,2,2"'
cluster tree1024 1024 'topology="FAT_TREE" topo_parameters="3;16,8,8;1,8,4;1,1,1"'
cluster fly1008 1008 'topology="DRAGONFLY" topo_parameters="7,4;4,2;9,1;4"'
for f in flat16 flat1000 torus1000 torus5 tree1024 fly1008 torn "$top"/tests/platform/data/nested; do
    expect 0 . pgasim platform draw "$f.xml"
    mv out first.svg
    pgasim platform draw -o second.svg "$f.xml" || fail "$f: no picture in a file"
    cmp -s first.svg second.svg || fail "$f: two pictures differ"
    hosts=$(pgasim platform check "$f.xml" 2>/dev/null | sed 's/.*: \([0-9]*\) hosts.*/\1/')
    python3 look.py "$hosts" || fail "$f: the picture"
done
pgasim platform draw "$examples/site.xml" >site.svg
same site.svg "$top/docs/images/site.svg" 'the picture in docs/images'
cluster many 65536 ''
expect 0 '65536 hosts, not drawn one by one' pgasim platform draw many.xml
expect 4 'nowhere/x.svg: No such file' pgasim platform draw -o nowhere/x.svg flat16.xml
# routes over a cluster's own links, whose names are made only when they are asked for: each as a line, and shared
printf '#include <shmem.h>\nint main(void) { shmem_init(); shmem_barrier_all(); shmem_finalize(); }\n' >few.c
pgasim cc -O1 -o few few.c || fail "few.c cannot be built"
own_links() { # FILE: the names of its links
    pgasim platform show --json "$1" | python3 -c 'import json, sys
for link in json.load(sys.stdin)["links"]: print(link["name"])'
}
for shape in "TORUS 2,2,2 7" "TORUS 4 3" "FAT_TREE 2;2,2;1,2;1,2 3" "DRAGONFLY 2,1;2,1;2,1;2 15" "FLAT - 3"; do
    read -r topology parameters last <<<"$shape"
    for policy in SHARED SPLITDUPLEX; do
        c="<cluster id=\"t\" prefix=\"n-\" suffix=\"\" radical=\"0-$last\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"$topology\"
            topo_parameters=\"$parameters\" sharing_policy=\"$policy\" loopback_bw=\"2GBps\" loopback_lat=\"0\" limiter_link=\"3GBps\"/>"
        file alone.xml "$c"
        own_links alone.xml >names || fail "no links of $shape $policy"
        [ -s names ] || fail "no links of $shape $policy: $(pgasim platform show --json alone.xml 2>&1 | head -n 3)"
        for name in $(sed -n '1p;2p;3p;$p' names) $(sed -n '5~7p' names); do
            for other in "$name" "$(tail -n 1 names)"; do
                [ "$name" = __loopback__ ] && continue
                [ "$other" = __loopback__ ] && continue
                file over.xml "<zone id=\"top\" routing=\"Full\">$c<cluster id=\"u\" prefix=\"u-\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\"
                    bw=\"1GBps\" lat=\"1us\" topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,2;1,2\"/>
                    <zone id=\"v\" routing=\"Full\"><host id=\"h\" speed=\"1Gf\"/></zone>
                    <zoneRoute src=\"t\" dst=\"u\" gw_src=\"n-0\" gw_dst=\"u-0\"><link_ctn id=\"$name\"/></zoneRoute>
                    <zoneRoute src=\"t\" dst=\"v\" gw_src=\"n-0\" gw_dst=\"h\"><link_ctn id=\"$other\"/></zoneRoute></zone>"
                expect 0 '</svg>' pgasim platform draw over.xml
            done
        done
        expect 0 'trace: over.pgt' pgasim run -np 2 --compute=off --platform over.xml --trace over.pgt ./few
    done
done

expect 4 '/dev/full: No space' pgasim platform draw -o /dev/full flat16.xml
[ -c /dev/full ] || fail "a device was removed"
expect 0 'hosts' pgasim platform draw -np 200

# --- platforms built by C code: the example is the XML file beside it
compile() { cc -Wall -Wextra -Werror -shared -fPIC -I "$top/include" -o "$1.so" "$2" || fail "$2 does not compile"; }
compile site "$examples/site.c"
expect 0 '^OK site.so: 23 hosts, 82 links, 2 routers, 4 zones$' pgasim platform check site.so
pgasim platform show --json site.so >built.json
pgasim platform show --json "$examples/site.xml" >read.json
same built.json read.json 'the example and its XML'
for pair in 't3 archive' 'archive t3' 'old-9 t5' 'files archive' 'old-1 old-4' 't0 files'; do
    # shellcheck disable=SC2086
    pgasim platform show --json site.so $pair >built.json &&
        pgasim platform show --json "$examples/site.xml" $pair >read.json
    same built.json read.json "the route $pair"
done
"$bin/wrappers/oshcc" -O1 -o hello "$top/examples/hello/hello.c" || fail "hello does not compile"
for p in "$work/site.so" site.so "$examples/site.xml"; do
    pgasim run -np 150 --compute off -q --json run.json -platform "$p" ./hello >>hello.out || fail "run on $p"
    grep simulated_seconds run.json >>simulated
done
[ "$(sort -u simulated | wc -l)" -eq 1 ] || fail "simulated times differ: $(cat simulated)"
printf 'one send t3 archive 1e6 0\ntwo send old-9 t5 1e6 0.001\n' >list
pgasim flows --platform site.so list >built.out && pgasim flows --platform "$examples/site.xml" list >read.out
same built.out read.out 'flows on the example'

# --- all calls, compared with equivalent XML
cat >all.c <<'E'
#include "pgasim.h"
#include <stddef.h>
int pgasim_platform(struct pgasim_platform *p)
{
    static const double speeds[] = {1e9, 2.5e8};
    static const struct pgasim_property props[] = {{"a&b", "<\"x\">"}, {NULL, NULL}};
    static const struct pgasim_change slower[] = {{0, 1e9}, {1, 5e8}};
    pgasim_config_set(p, "network/crosstraffic", "yes");
    struct pgasim_zone *top = pgasim_zone_add(p, NULL, "top", PGASIM_FULL);
    struct pgasim_zone *star = pgasim_zone_add(p, top, "star", PGASIM_STAR);
    pgasim_host_add(star, &(struct pgasim_host){.name = "s0", .pstates = speeds, .n_pstates = 2, .pstate = 1});
    pgasim_host_add(star, &(struct pgasim_host){.name = "s1", .speed = 1e9, .cores = 3, .properties = props});
    pgasim_link_add(star, &(struct pgasim_link){.name = "l0", .bandwidth = 1e9, .sharing = PGASIM_SPLITDUPLEX});
    pgasim_link_add(star, &(struct pgasim_link){.name = "l1", .bandwidth = 1e9, .latency = 1e-6, .properties = props});
    pgasim_host_link_add(star, "s0", "l0_UP", "l0_DOWN");
    pgasim_host_link_add(star, "s1", "l1", "l1");
    pgasim_backbone_add(star, "bb", 5e8, 1e-4);
    pgasim_router_add(star, "gate", NULL);
    pgasim_profile_add(star, PGASIM_BANDWIDTH, "l1", slower, 2, 2);
    struct pgasim_zone *peers = pgasim_zone_add(p, top, "peers", PGASIM_VIVALDI);
    pgasim_peer_add(peers, &(struct pgasim_peer){"p0", "1 2 3", 1e9, 1e7, 2e7, NULL, NULL});
    pgasim_peer_add(peers, &(struct pgasim_peer){"p1", "4 6 3", 1e9, 1e7, 2e7, NULL, NULL});
    struct pgasim_zone *graph = pgasim_zone_add(p, top, "graph", PGASIM_DIJKSTRA_CACHE);
    struct pgasim_hop hop = {"cable", PGASIM_WHOLE};
    pgasim_host_add(graph, &(struct pgasim_host){.name = "g0", .speed = 1e9});
    pgasim_host_add(graph, &(struct pgasim_host){.name = "g1", .speed = 1e9});
    pgasim_link_add(graph, &(struct pgasim_link){.name = "cable", .bandwidth = 1e8, .sharing = PGASIM_FATPIPE});
    pgasim_route_add(graph, &(struct pgasim_route){.from = "g0", .to = "g1", .hops = &hop, .n_hops = 1, .one_way = 1});
    pgasim_route_add(graph, &(struct pgasim_route){.from = "g1", .to = "g0", .hops = &hop, .n_hops = 1, .one_way = 1});
    pgasim_cluster_add(p, top,
                       &(struct pgasim_cluster){.name = "m", .prefix = "m", .suffix = "", .radical = "0-5",
                                                .speed = 1e9, .bandwidth = 1e9, .latency = 1e-6,
                                                .topology = PGASIM_MESH, .parameters = "3,2"});
    pgasim_link_add(top, &(struct pgasim_link){.name = "x", .bandwidth = 3e8, .latency = 2e-3});
    pgasim_link_add(top, &(struct pgasim_link){.name = "short", .bandwidth = 4e8, .latency = 1e-3});
    hop.link = "x";
    pgasim_zone_route_add(top, &(struct pgasim_route){"star", "graph", "gate", "g0", &hop, 1, 0});
    hop.link = "short"; /* links of any zone may be named */
    pgasim_bypass_route_add(graph, &(struct pgasim_route){.from = "g1", .to = "g0", .hops = &hop, .n_hops = 1});
    pgasim_bypass_zone_route_add(top, &(struct pgasim_route){"star", "graph", "gate", "g1", &hop, 1, 0});
    return 0;
}
E
compile all all.c
file all.xml '<config><prop id="network/crosstraffic" value="yes"/></config>
<zone id="top" routing="Full">
<link id="x" bandwidth="3e8Bps" latency="2ms"/><link id="short" bandwidth="4e8Bps" latency="1ms"/>
<zone id="star" routing="Cluster">
<link id="l0" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/>
<link id="l1" bandwidth="1GBps" latency="1us"><prop id="a&amp;b" value="&lt;&quot;x&quot;>"/></link>
<host id="s0" speed="1Gf,0.25Gf" pstate="1"/>
<host id="s1" speed="1Gf" core="3"><prop id="a&amp;b" value="&lt;&quot;x&quot;>"/></host>
<host_link id="s0" up="l0_UP" down="l0_DOWN"/><host_link id="s1" up="l1" down="l1"/>
<backbone id="bb" bandwidth="500MBps" latency="1e-4"/><router id="gate"/>
<trace id="t" periodicity="2">0 1e9
1 5e8</trace><trace_connect kind="BANDWIDTH" trace="t" element="l1"/></zone>
<zone id="peers" routing="Vivaldi">
<peer id="p0" coordinates="1 2 3" speed="1Gf" bw_in="10MBps" bw_out="20MBps"/>
<peer id="p1" coordinates="4 6 3" speed="1Gf" bw_in="10MBps" bw_out="20MBps"/></zone>
<zone id="graph" routing="DijkstraCache"><link id="cable" bandwidth="100MBps" sharing_policy="FATPIPE"/>
<host id="g0" speed="1Gf"/><host id="g1" speed="1Gf"/>
<route src="g0" dst="g1" symmetrical="NO"><link_ctn id="cable"/></route>
<route src="g1" dst="g0" symmetrical="NO"><link_ctn id="cable"/></route>
<bypassRoute src="g1" dst="g0"><link_ctn id="short"/></bypassRoute></zone>
<cluster id="m" prefix="m" suffix="" radical="0-5" speed="1Gf" bw="1GBps" lat="1us" topology="MESH" topo_parameters="3,2"/>
<zoneRoute src="star" dst="graph" gw_src="gate" gw_dst="g0"><link_ctn id="x"/></zoneRoute>
<bypassZoneRoute src="star" dst="graph" gw_src="gate" gw_dst="g1"><link_ctn id="short"/></bypassZoneRoute></zone>'
printf 'a send s1 g1 1e9 0\nb send s0 g1 1e6 0\nc send p0 p1 1e6 0\nd exec s0 1e9 0\ne send s0 s1 3e9 0\nf send g1 g0 1e6 0\ng send m0 m5 1e6 0\n' >list
for f in so xml; do
    pgasim platform show --json all.$f >$f.json || fail "all.$f"
    pgasim flows --platform all.$f list >$f.out || fail "flows on all.$f"
done
same so.json xml.json 'all calls and their XML'
same so.out xml.out 'flows on all calls'

# --- meshes: by name, generated, and Table I's file take the same times, with contention, too
cat >busy.c <<'E'
#include <shmem.h>
static long word[8];
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int k = 1; k < 40; k++) {
        shmem_long_atomic_add(&word[k % 8], k, (me * k + 1) % n);
        shmem_long_put_nbi(&word[4], &word[me], 1, (me + k) % n);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
E
pgasim cc -o busy busy.c || fail 'busy.c'
pgasim platform generate rae-mesh --dimensions 3,2 >mesh.xml || fail 'generate rae-mesh'
expect 0 . pgasim platform check mesh.xml
for p in rae-table1 rae-mesh:3x2 mesh.xml; do
    expect 0 'links: 14 of 14 used, [0-9.]+ % of the time; .*link.* [0-9.]+ %, with [0-9.]+ ' \
        pgasim run -np 6 --map-by host --compute=off --platform $p ./busy
    expect 0 'to and from them: [0-9.]* [kM]? ?messages, .* flits, over [12][.][0-9]* links on average' \
        pgasim run -np 6 --map-by host --compute=off --platform $p --json "time-$p" ./busy
    python3 - "time-$p" >"told-$p" <<'E' || fail "--json on $p"
import json, sys
told = json.load(open(sys.argv[1]))
card = told["card"]
assert card["hops"] > card["messages"] > 400 and card["flits"] > 3 * card["messages"], card
links = told["links"]
assert links["all"] == links["used"] == 14 and len(links["busiest"]) == 8, links
busy = [link["busy_seconds"] for link in links["busiest"]]
assert busy == sorted(busy, reverse=True) and busy[0] < told["simulated_seconds"] / 2, links
assert 8 * busy[7] < links["busy_seconds"] < 14 * busy[0], links
print(told["simulated_seconds"], card, links["busy_seconds"], busy)
E
    same told-rae-table1 "told-$p" "times on $p"
done
expect 0 'mesh_link_from_0_to_1_UP' pgasim platform show rae-mesh:4x4 node-0 node-5
expect 0 'rae-mesh:32x32: 1024 hosts, 3968 links' pgasim platform check rae-mesh:32x32
expect 2 'rae-mesh:8x: expected rae-mesh:XxY with sizes from 1 and .*, such as rae-mesh:8x8' \
    pgasim run -np 1 --platform rae-mesh:8x ./hello
expect 2 'rae-table: no such file, and no platform of this name; expected a file, rae-table1, or' pgasim run -np 1 --platform rae-table ./hello
expect 0 'Mesh, 12 hosts' pgasim platform draw rae-mesh:4x3
[ "$(grep -c 'class="link"' out)" -eq 18 ] || fail "17 cables and the legend's line: $(grep -c 'class="link"' out)"
! grep -q 'class="wrap"' out || fail 'a cable of a mesh closes a ring'

# --- mistakes are reported with the source line and the call
says() { # PATTERN CODE: pgasim_platform of this body
    printf '#include "pgasim.h"\n#include <stddef.h>\nint pgasim_platform(struct pgasim_platform *p)\n{\n' >bad.c
    printf 'struct pgasim_zone *z = pgasim_zone_add(p, NULL, "z", PGASIM_FULL);\n%s\n' "$2" >>bad.c
    printf 'return 0 * (z == NULL);\n}\n' >>bad.c
    compile bad bad.c
    expect 2 "$1" pgasim platform check bad.so
}
host='pgasim_host_add(z, &(struct pgasim_host){.name = "a", .speed = 1e9});'
says "bad.c:7: pgasim_host_add: .*the name 'a' is already that of the host declared at line 6" "$host
$host"
says 'bad.c:6: pgasim_host_add: speed is -1; expected a finite number of flop/s, at least 0' \
    'pgasim_host_add(z, &(struct pgasim_host){.name = "a", .speed = -1});'
says 'bad.c:6: pgasim_host_add: id is NULL; expected a text' 'pgasim_host_add(z, &(struct pgasim_host){.speed = 1});'
says 'bad.c:6: pgasim_host_add: <host speed="0f">: .0f. is out of range; expected 1e-3f to 1e30f' \
    'pgasim_host_add(z, &(struct pgasim_host){.name = "a"});'
says 'bad.c:6: pgasim_zone_add: routing is 99; expected 0 to 6' 'pgasim_zone_add(p, z, "y", 99);'
says "bad.c:7: pgasim_route_add: .*'b'|bad.c:7: pgasim_route_add: .*\"b\"" "$host
pgasim_route_add(z, &(struct pgasim_route){.from = \"a\", .to = \"b\"});"
says 'pgasim_host_add: the zone is NULL' 'pgasim_host_add(NULL, &(struct pgasim_host){.name = "a"});'
says "bad.c:6: pgasim_config_set: .*unknown setting 'network/modle'" 'pgasim_config_set(p, "network/modle", "x");'
says 'bad.c:6: pgasim_route_add: gateways are given; expected them only for routes between zones' \
    'pgasim_route_add(z, &(struct pgasim_route){.from = "a", .to = "a", .gateway_to = "a"});'
says 'bad.so: pgasim_platform returned 3; expected 0' 'return 3;'
says 'the platform has no host' ''
echo 'int nothing;' >bad.c
compile bad bad.c
expect 2 'bad.so: has no function pgasim_platform; expected int pgasim_platform' pgasim platform check bad.so
for end in 'SIGSEGV:*(volatile int *)8 = 1;' 'SIGABRT:abort();' 'SIGFPE:volatile int none = 0; return 7 / none;'; do
    printf '#include "pgasim.h"\n#include <stdlib.h>\nint pgasim_platform(struct pgasim_platform *p)\n{\n(void)p;\n%s\nreturn 0;\n}\n' \
        "${end#*:}" >bad.c
    compile bad bad.c
    expect 2 'bad.so: signal [0-9]+ \(.*\) while pgasim_platform built the platform' pgasim platform check bad.so
    expect 2 'bad.so: signal [0-9]+ \(.*\) while pgasim_platform built the platform' pgasim run -np 1 -platform bad.so ./hello
done
printf '#include "pgasim.h"\n#include <stdlib.h>\nint pgasim_platform(struct pgasim_platform *p)\n{\n(void)p;\nexit(0);\n}\n' >bad.c
compile bad bad.c
expect 2 'bad.so: its code ended the process while pgasim_platform built the platform' pgasim platform check bad.so
printf '#include <stdlib.h>\n__attribute__((constructor)) static void early(void)\n{\nabort();\n}\nint none;\n' >bad.c
compile bad bad.c
expect 2 'bad.so: signal 6 .* while loading it' pgasim platform check bad.so
printf 'int absent(void);\nint pgasim_platform(void *p)\n{\nreturn !p + absent();\n}\n' >bad.c
cc -shared -fPIC -Wl,-z,lazy -o bad.so bad.c
expect 2 'bad.so: cannot be loaded: .*absent' pgasim platform check bad.so
echo garbage >bad.so
expect 2 'bad.so: cannot be loaded' pgasim run -np 1 -platform bad.so ./hello
finish
