#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# UndefinedBehaviorSanitizer, alone and with AddressSanitizer: the rank is named at each report; the program
# goes on, or ends, as it was built.
. "$(dirname "$0")/lib.sh"
needs -fsanitize=undefined
for kind in undefined address,undefined; do
    pgasim cc -g -O1 -fsanitize=$kind -o plain "$folder/plain.c" || fail "plain.c does not compile"
    pgasim cc -g -O1 -fsanitize=$kind -fno-sanitize-recover=undefined -o strict "$folder/plain.c" ||
        fail "plain.c does not compile"
    at=$(line plain.c overflow)
    for way in "${ways[@]}"; do
        ASAN_OPTIONS=detect_leaks=0 wrong 0 4 "$way" plain overflow 2 'ring of 4' "plain.c:$at:.*runtime error" \
            "^pgasim: error: rank 2 \(host node-0\) at .*overflow: .*plain.c:$at"
        ASAN_OPTIONS=detect_leaks=0 wrong 5 4 "$way" strict overflow 2 "plain.c:$at:.*runtime error" \
            "^pgasim: error: rank 2 \(host node-0\) at .*overflow: .*plain.c:$at"
        right 5 "$way" plain 'ring of 5'
    done
done
finish
