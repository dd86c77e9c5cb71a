#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command has help and a manual page, and they name the same options.
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH

expect 0 '^usage: pgasim COMMAND' pgasim --help
expect 0 '^usage: pgasim COMMAND' pgasim help
expect 2 '^usage: pgasim COMMAND' pgasim
expect 0 '^pgasim [0-9]+\.[0-9]+' pgasim --version
expect 2 "unknown command 'rnu'; the nearest known one is run" pgasim rnu
expect 2 "unknown command 'nothing' \(see pgasim --help\)$" pgasim help nothing
expect 2 "unknown command 'xyzzy' \(see pgasim --help\)$" pgasim xyzzy
expect 2 "unknown command '--verison'; the nearest known one is version" pgasim --verison

# Long options take one dash or two, everywhere.
expect 0 '^usage: pgasim COMMAND' pgasim -help
expect 0 '^pgasim [0-9]' pgasim -version
for c in run check record replay trace-info convert explore tune cc riscv-cc c++ fc env info platform report profile diff flows sweep "platform generate"; do
    # shellcheck disable=SC2086 # words
    expect 0 '^usage: pgasim' pgasim $c -help
done
for dash in - --; do
    expect 0 '<platform' pgasim platform default ${dash}np 4
    expect 0 'AS|zone' pgasim platform show ${dash}all ${dash}np 4
    expect 0 TORUS pgasim platform generate torus ${dash}hosts 8
    expect 0 '^-I' oshcc ${dash}showme:compile
    expect 0 '^gcc' oshcc ${dash}show -c x.c
    expect 0 '^PATH=' pgasim env ${dash}print
    expect 2 'no trace was named' pgasim report ${dash}output x
    expect 2 'one trace|TRACE|trace' pgasim profile ${dash}top 3
done

# The nearest known word is named only if it is near.
expect 2 "unknown setting 'rdma/put-overhed'; the nearest known one is rdma/put-overhead$" \
    pgasim run -np 1 --set rdma/put-overhed=1 "$bin/pgasim"
expect 2 "unknown setting 'put-overhead'; the nearest known one is rdma/put-overhead$" \
    pgasim run -np 1 --cfg put-overhead:1 "$bin/pgasim"
for option in --set=tracingfile=x --cfg=tracingfile:x; do
    expect 2 "unknown setting 'tracingfile'; pgasim info settings lists the known ones$" \
        pgasim run -np 1 $option "$bin/pgasim"
done
expect 2 'unknown environment variable PGASIM_HOME; pgasim info settings' \
    env PGASIM_HOME=/x pgasim info settings
expect 2 'unknown option --frobnicate \(see pgasim run --help\)$' pgasim run --frobnicate

commands=$(pgasim help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }')
for c in $commands; do
    case $c in help | version) continue ;; esac
    expect 0 "^(usage:|      ) pgasim $c" pgasim "$c" --help
    expect 0 "pgasim $c" pgasim help "$c"
    page=$top/docs/man/pgasim-${c/c++/cc}.1
    [ "$c" = fc ] && page=$top/docs/man/pgasim-cc.1
    [ -f "$page" ] || { fail "no manual page for pgasim $c"; continue; }
    # Each option of the help is in the page: "--stack-size" as "Fl -stack-size".
    pgasim help "$c" | grep -oE '^  -[^ ].*' | grep -oE -e '(^| )--?[a-z:_-]+' | sed 's/^ *-//' |
        while read -r option; do
        grep -qE -e "^\.It .*Fl ${option}( |$)|^\.It .*, ${option}( |$)" "$page" ||
            echo "$c: option -$option"
    done >missing
    [ -s missing ] && fail "not in $page: $(cat missing)"
done

# No macro's name, and no quote within quotes, is left in what a reader sees.
if command -v mandoc >/dev/null; then
    for page in "$top"/docs/man/*.1; do
        mandoc -T ascii -O width=200 "$page" | sed 's/.\x08//g' |
            grep -E '(^| )(Ns|Ar|Fl|Cm|Ev|Li|Xr|Sq|Dq|Pq|Oo|Oc|Po|Pc) |""' >left && fail "$page: $(cat left)"
    done
else
    echo "no mandoc: what manual pages look like is not tested"
fi

for w in oshcc oshc++ oshcxx oshCC oshfort; do
    expect 0 '^usage: pgasim cc' "$bin/wrappers/$w" --help
    expect 0 'showme' "$bin/wrappers/$w" --help
done
expect 0 '^usage: pgasim run' "$bin/wrappers/oshrun" --help
expect 2 'unknown option --hlep; the nearest known one is --help' pgasim env --hlep
expect 2 'expected one of settings' pgasim info nothing
expect 2 'expected default, check FILE, show, draw or generate' pgasim platform
expect 0 '<platform version="4.1">' pgasim platform default -np 100
expect 0 '^usage: pgasim platform generate' pgasim platform generate --help
expect 0 'topology="FAT_TREE" topo_parameters="2;32,4;1,8;1,1"' \
    pgasim platform generate two-level --hosts 128 --leaf 32 --oversubscription 4
expect 2 'expected one of cluster, torus, fat-tree, dragonfly, two-level' pgasim platform generate
expect 2 '\-\-leaf does not apply to a torus' pgasim platform generate torus --leaf 4
expect 0 'rdma/' pgasim info settings
expect 2 'PGASIM_NOTHING' env PGASIM_NOTHING=1 pgasim info settings
expect 127 'no-such-command-here: No such file' pgasim env no-such-command-here
expect 0 "^$bin/wrappers/oshcc$" pgasim env which oshcc

# The built-in cluster's XML is a platform file.
pgasim platform default -np 100 >cluster.xml
expect 0 . pgasim platform show cluster.xml
cp out shown
expect 0 . pgasim platform show -np 100
diff <(tail -n +2 shown) <(tail -n +2 out) >/dev/null || fail "show differs: $(diff shown out)"

pgasim info >/dev/full 2>err
status=$?
[ $status -eq 4 ] || fail "info to a full device: status $status: $(cat err)"
finish
