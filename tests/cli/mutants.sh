#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/mutants: the same seed chooses the same mutants, which stand in the sources; mutants of a list come to the verdicts
# that there are, in a copy whose unchanged code passes.
. "$(dirname "$0")/lib.sh"

mutants() { python3 "$top/tools/mutants" --copy "$work/copy" --jobs 2 "$@"; }

expect 0 '^3 mutants of 3 files' mutants --pick --count 3 --seed 5 --list "$work/first"
expect 0 '^3 mutants of 3 files' mutants --pick --count 3 --seed 5 --list "$work/again"
cmp -s first again || fail "the same seed chose others: $(cat first again)"
[ "$(grep -c '^src/' first)" -eq 3 ] || fail "not three: $(cat first)"
while IFS= read -r line; do
    grep -qrFx -e "$line" "$top/src" || fail "no such line: $line"
done < <(sed -n 's/^-//p' first)

# One that a test notices, one that changes nothing, one likewise with the reason, one of a line that was never there.
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
expect 1 '^1 killed, 1 survived: 50.0% killed$' mutants --run --stages 1 --list "$work/list"
grep -qE '^1 gone, 1 that no test can notice$' out || fail "not told what does not count: $(cat out)"
grep -qE '^killed .* << 11.*\[unit\.base\.random\]' out || fail "not killed by the test of random numbers: $(cat out)"
grep -qE '^SURVIVED .*- \(by\)\);' out || fail "no survivor: $(cat out)"
grep -qE '^gone .*no_such_line' out || fail "not gone: $(cat out)"
[ "$(cksum <"$top/src/base/random.c")" = "$sum" ] || fail "the project's own file was changed"
finish
