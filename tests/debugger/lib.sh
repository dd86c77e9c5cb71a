# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# For the scripts beside it: as tests/cli/lib.sh, with the program relay, and gdb, without which they are
# skipped (77).
folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
if ! command -v gdb >/dev/null; then
    echo "skipped: there is no gdb"
    exit 77
fi
if ! gdb -q -batch -nx -ex run -ex 'info proc' /bin/true 2>&1 | grep -q 'exited normally'; then
    echo "skipped: gdb cannot trace a process here"
    exit 77
fi
# shellcheck source=tests/cli/lib.sh
. "$folder/../cli/lib.sh"
pgasim cc -g -O0 -o relay "$folder/relay.c" "$folder/there.c" || fail "relay does not compile"

# The ways of private globals and of stacks, as options of pgasim run.
# shellcheck disable=SC2034 # the scripts use it
ways=('--privatize=dlopen --set fold/stacks=own' '--privatize=swap --set fold/stacks=own'
    '--privatize=dlopen --set fold/stacks=shared' '--privatize=swap --set fold/stacks=shared')

# debug RANKS PROGRAM WAY <COMMANDS: runs pgasim under gdb; what it prints is in the file `out`.
debug() {
    cat >commands
    # shellcheck disable=SC2086 # the way is several words
    timeout 100 gdb -q -nx -batch -iex 'set auto-load safe-path /' -ex 'set pagination off' \
        -ex 'set breakpoint pending on' -x commands \
        --args pgasim run -q -np "$1" --compute off $3 "$2" >out 2>&1 </dev/null
    [ $? -ne 124 ] || fail "gdb hangs: $3"
}

# has PATTERN...: each is in the file `out`, made in this `way`.
way=
has() {
    local pattern
    for pattern in "$@"; do
        grep -qE -e "$pattern" out || fail "$way: '$pattern' is not in: $(cat out)"
    done
}
