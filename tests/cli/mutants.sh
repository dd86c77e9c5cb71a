#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/mutants: the same seed chooses the same mutants, whose lines exist in the sources; a list of mutants
# gives every kind of verdict, in a copy whose unchanged code passes.
. "$(dirname "$0")/lib.sh"

mutants() { python3 "$top/tools/mutants" --copy "$work/copy" --jobs 2 "$@"; }

expect 0 '^0 named mutants, 3 chosen of 3 files' mutants --pick --count 3 --seed 5 --list "$work/first"
expect 0 '^0 named mutants, 3 chosen of 3 files' mutants --pick --count 3 --seed 5 --list "$work/again"
cmp -s first again || fail "the same seed chose others: $(cat first again)"
[ "$(grep -c '^src/' first)" -eq 3 ] || fail "not three: $(cat first)"
while IFS= read -r line; do
    grep -qrFx -e "$line" "$top/src" || fail "no such line: $line"
done < <(sed -n 's/^-//p' first)

# One that a test notices, one that changes nothing, one that changes nothing and says why, one of a line that
# does not exist.
cat >list <<'LIST'
src/base/random.c 0
-    return (double)(base_random_u64(r) >> 11) * 0x1p-53;
+    return (double)(base_random_u64(r) << 11) * 0x1p-53;

src/base/random.c 0
-    return x << by | x >> (64 - by);
+    return x << by | x >> (64 - (by));

src/base/random.c 0
-    return x << by | x >> (64 - by);
+    return (x << by) | (x >> (64 - by));
? it is the same code

src/base/random.c 0
-    return no_such_line;
+    return 0;
LIST
sum=$(cksum <"$top/src/base/random.c")
expect 1 '^1 killed, 2 survived \(1 without a reason\), 1 gone: 33.3% killed$' mutants --run --stages 1 \
    --list "$work/list"
grep -qE '^killed .* << 11.*\[unit\.base\.random\]' out ||
    fail "not killed by the test of random numbers: $(cat out)"
grep -qE '^SURVIVED .*- \(by\)\);  \[no reason is given\]$' out || fail "no survivor: $(cat out)"
grep -qE '^SURVIVED .*\(64 - by\)\);  \[it is the same code\]$' out ||
    fail "the reason is not told: $(cat out)"
grep -qE '^gone .*no_such_line' out || fail "not gone: $(cat out)"
grep -q 'to choose anew: tools/mutants --pick$' out ||
    fail "a quarter is gone, and nobody says so: $(cat out)"

# A list whose mutants are all killed passes, and the output says if one of them has a reason.
head -n 4 list | sed '4s/^$/? nobody will see/' >doubted
expect 0 '^killed, though .*that no test can notice it: .* << 11\).*\[nobody will see\]$' \
    mutants --run --stages 1 --list "$work/doubted"

# A new choice keeps the reasons of mutants that are chosen again.
sed '0,/^+/s/^\(+.*\)$/\1\n? for some reason/' first >kept
expect 0 '^0 named mutants, 3 chosen of 3 files' mutants --pick --count 3 --seed 5 --list "$work/kept"
grep -qx '? for some reason' kept || fail "the reason is lost: $(cat kept)"
[ "$(cksum <"$top/src/base/random.c")" = "$sum" ] || fail "the project's own file was changed"
finish
