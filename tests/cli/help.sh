#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command has help and a manual page, and they name the same options.
. "$(dirname "$0")/lib.sh"

expect 0 '^usage: pgasim COMMAND' pgasim --help
expect 0 '^usage: pgasim COMMAND' pgasim help
expect 2 '^usage: pgasim COMMAND' pgasim
expect 0 '^pgasim [0-9]+\.[0-9]+' pgasim --version
expect 2 "unknown command 'rnu'; the nearest known one is run" pgasim rnu
expect 2 "unknown command 'nothing'" pgasim help nothing

commands=$(pgasim help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }')
for c in $commands; do
    case $c in help | version) continue ;; esac
    expect 0 "^usage: pgasim $c" pgasim "$c" --help
    expect 0 "pgasim $c" pgasim help "$c"
    page=$top/docs/man/pgasim-${c/c++/cc}.1
    [ -f "$page" ] || { fail "no manual page for pgasim $c"; continue; }
    # Each option of the help is in the page: "--stack-size" as "Fl -stack-size".
    pgasim help "$c" | grep -oE '^  -[^ ].*' | grep -oE -e '(^| )--?[a-z:-]+' | sed 's/^ *-//' | while read -r option; do
        grep -qE -e "^\.It .*Fl ${option}( |$)|^\.It .*, ${option}( |$)" "$page" ||
            echo "$c: option -$option"
    done >missing
    [ -s missing ] && fail "not in $page: $(cat missing)"
done

for w in oshcc oshc++ oshcxx oshCC; do
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
