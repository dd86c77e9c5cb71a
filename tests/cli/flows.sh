#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim flows`: its output for lists whose ends can be computed by hand, and its messages about wrong input.
. "$(dirname "$0")/lib.sh"

cat >two.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="2Gf" core="2"><disk id="d" read_bw="2MBps" write_bw="1MBps"/></host>
<link id="l" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/>
<link id="shared" bandwidth="1MBps" latency="0"/>
<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>
<route src="b" dst="a" symmetrical="NO"><link_ctn id="shared"/></route>
</zone>
</platform>
XML
flows() { pgasim flows --platform two.xml --model CM02 --cfg=network/crosstraffic:no "$@"; }

# plays LIST WANTED: the output is exactly WANTED.
plays() {
    printf '%s\n' "$1" >list
    flows list >out 2>&1 || fail "$1: status $?: $(cat out)"
    [ "$(cat out)" = "$2" ] || fail "$1: expected '$2', got: $(cat out)"
}
plays 'one send a b 1000000 0' 'one 1.001'
plays 'one send b a 1MB 500ms' 'one 1.5'
plays $'later send b a 500000 1  # after\n\n# nothing\nsooner send b a 500000 0' $'later 1.5\nsooner 0.5'
plays $'x send b a 500000 0\ny send b a 500000 0' $'x 1\ny 1'
plays $'p exec b 2Gf 0\nq exec b 2e9 0\nr exec a 2Gf 0.5' $'p 1\nq 1\nr 2.5'
plays $'p exec a 1e9 0\nq exec a 1e9 0' $'p 2\nq 2'
plays $'third send b a 1 0.1\r' 'third 0.100001'
plays $'w write b d 1000000 0\nr read b d 1000000 0' $'w 1\nr 1'
plays '# none' ''

# refuses LIST PATTERN
refuses() {
    # shellcheck disable=SC2059 # the texts are written as formats, for what cannot stand in a word
    printf "$1" >list
    flows list >out 2>err </dev/null
    local status=$?
    [ $status -eq 2 ] || fail "$1: status $status"
    grep -qE -e "$2" err || fail "$1: '$2' is not in: $(cat err)"
    [ -s out ] && fail "$1: printed $(cat out)"
}
refuses 'x send a b 1 0\ny send a c 1 0\n' "^pgasim: error: list:2: unknown host 'c'; expected a host"
refuses 'x send a b much 0\n' "list:1: bytes: 'much' is not a number"
refuses 'x send a b -1 0\n' "list:1: bytes: '-1' is negative"
refuses 'x send a b 1 -0.5\n' "list:1: start: '-0.5' is negative"
refuses 'x send a b 1 1e308\n' "list:1: start: '1e308' is out of range; expected 0 to 1e12s"
refuses 'x exec a 1e308 0\n' "list:1: flops: '1e308' is out of range; expected 0 or 1e-9f to 1e30f"
refuses 'x exec a 1 1e13\n' "list:1: start: '1e13' is out of range"
refuses 'x exec a 1 nan\n' "list:1: start: 'nan' is not a number"
refuses 'x exec a 1e999 0\n' 'list:1: flops: '
refuses '\n\nx send a b 1 0\nx exec a 1 0\n' "list:4: the ID 'x' is already used in line 3"
refuses 'x send a b 1 0\nx send a b 1 0\ny recv\n' "list:2: the ID 'x' is already used in line 1"
refuses 'x send a b 1 0\ny recv\nx send a b 1 0\n' "list:2: unknown activity 'recv'"
refuses 'x send a b 1\n' 'list:1: too few words; expected ID send SRC DST BYTES AT'
refuses 'x exec a 1 0 0\n' 'list:1: too many words; expected ID exec HOST FLOPS AT'
refuses 'x\n' 'list:1: too few words'
refuses 'x recv a b 1 0\n' "list:1: unknown activity 'recv'; expected send, exec, read or write"
refuses 'x read a d 1 0\n' "list:1: host 'a' has no disk 'd'; expected one of its disks"
refuses 'x write b d 1\n' 'list:1: too few words; expected ID write HOST DISK BYTES AT'
refuses 'x write b d much 0\n' "list:1: bytes: 'much' is not a number"
refuses 'x send a\000 b 1 0\n' 'list:1: a zero byte'
refuses "%05000d\n" 'list:1: a line of more than 4096 bytes'

flows - <<<'one send a b 1000000 0' >out || fail "from the standard input: $?"
grep -qx 'one 1.001' out || fail "from the standard input: $(cat out)"
flows - <<<'one send a' >out 2>&1 && fail "wrong standard input was taken"
grep -q 'standard input:1: too few' out || fail "wrong standard input: $(cat out)"
expect 2 'the platform is missing' pgasim flows list
expect 2 'no list was named' pgasim flows --platform two.xml
expect 2 'one list was expected' pgasim flows --platform two.xml list list
expect 2 'nowhere: No such file' pgasim flows --platform two.xml nowhere
expect 2 'unknown setting' pgasim flows --platform two.xml --cfg=no/such:1 list
expect 2 'expected KEY:VALUE' pgasim flows --platform two.xml --cfg=network list
echo 'one send a b 1000000 0' >list
expect 2 'network/model' pgasim flows --platform two.xml --model CM99 list

# The default model is LV08, and the environment and the platform's <config> choose others.
echo 'one send a b 1000000 0' >list
pgasim flows --platform two.xml list >plain
pgasim flows --platform two.xml --model LV08 list >named
diff plain named >/dev/null || fail "the default is not LV08: $(cat plain named)"
PGASIM_NETWORK_MODEL=CM02 pgasim flows --platform two.xml --cfg=network/crosstraffic:no list >out
grep -qx 'one 1.001' out || fail "model of the environment: $(cat out)"
model='<prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>'
sed "s|<zone id|<config>$model</config><zone id|" two.xml >set.xml
pgasim flows --platform set.xml list >out
grep -qx 'one 1.001' out || fail "model of the platform: $(cat out)"

# Many lines, some with the same time.
awk 'BEGIN { for (k = 0; k < 100000; k++) printf "id%d exec %s 1000 %d\n", k, k % 2 ? "a" : "b", k % 1000 }' \
    >many
flows many >out || fail "many lines: status $?"
[ "$(wc -l <out)" -eq 100000 ] || fail "many lines: $(wc -l <out)"
head -n 1 out | grep -q '^id0 ' || fail "order: $(head -n 1 out)"
# Lines that cross blocks of the file, out of order, and a last one without a newline.
tac many | head -c -1 >backwards
flows backwards >out2 || fail "backwards: status $?"
[ "$(tac out2 | md5sum)" = "$(md5sum <out)" ] || fail "backwards: other ends"
{ cat many; echo "id4711 exec a 1 0"; } >twice
flows twice >out 2>err && fail "an ID was taken twice"
grep -q "twice:100001: the ID 'id4711' is already used in line 4712" err || fail "twice: $(cat err)"
finish
