#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim riscv-cc`: mnemonics of xBGAS and the remote atomics in C and in assembler files, words of both
# maps, languages, messages. Without the cross compilers, only what needs none is tested.
. "$(dirname "$0")/lib.sh"
export PATH=$bin/wrappers:$PATH

expect 0 '^usage: pgasim riscv-cc' xbgas-cc --help
expect 0 '^riscv64-unknown-elf-gcc .*xbgas.s .* -c .a b.c.$' xbgas-cc --showme -c 'a b.c'
expect 0 '^riscv64-linux-gnu-gcc .*a.c -static$' xbgas-cc -show --linux a.c
expect 0 '^mine -O3 --specs' env PGASIM_RISCV_CC='mine -O3' xbgas-cc --showme -c a.c
expect 2 '\-\-ram=5K: expected 64KiB to 1TiB' xbgas-cc --ram=5K a.c
expect 2 "'3x' has the unknown unit" xbgas-cc --stack 3x a.c
expect 2 'expected 2.0.0 or 2020' xbgas-cc --xbgas-map=2021 a.c
expect 2 '\-\-stack: expected less than the RAM' xbgas-cc --ram=64K --stack=64K a.c
expect 127 "cannot find the compiler nosuch: install Debian's packages gcc-riscv64-unknown-elf and picolibc" \
    env PGASIM_RISCV_CC=nosuch xbgas-cc a.c
expect 127 "install Debian's packages gcc-riscv64-linux-gnu and libc6-dev-riscv64-cross" \
    env PGASIM_RISCV_CC=nosuch xbgas-cc --linux a.c
cat >without <<'C'
#!/bin/sh
[ "$1" != -print-file-name=picolibc.specs ] || echo picolibc.specs
C
chmod +x without
expect 127 "without has no picolibc: install Debian's package picolibc-riscv64-unknown-elf" \
    env PGASIM_RISCV_CC=./without xbgas-cc a.c

if ! xbgas-cc -dumpmachine >/dev/null 2>&1; then
    echo "no riscv64-unknown-elf-gcc with picolibc: nothing is compiled"
    finish
fi

# silent STATUS COMMAND...: the command must exit so and say nothing.
silent() {
    local status=$1 got
    shift
    "$@" >out 2>&1 </dev/null
    got=$?
    { [ $got -eq "$status" ] && [ ! -s out ]; } || fail "$*: status $got, expected $status: $(cat out)"
}

# words FILE MAP WORD...: the file's instructions, assembled with the map, are these words.
words() {
    local file=$1 map=$2
    shift 2
    xbgas-cc --xbgas-map "$map" -w -c "$file" -o words.o 2>out || { fail "$file: $(cat out)"; return; }
    riscv64-unknown-elf-objdump -d words.o | awk '/^ .*:\t/ { print $2 }' >got
    printf '%s\n' "$@" >wanted
    diff wanted got >out || fail "$file, map $map: $(cat out)"
}

# The words of the specification, and those that GNU's assemblers made of .insn.
cat >both.s <<'S'
 eld a0, 0(ra)
 esd a5, 8(a4)
 ele e10, 0(sp)
 eaddi a0, e10, 0
 eaddix e11, e10, 0
 erld a0, a1, e12
 eamoadd.d a5, a4, a5
 eamoadd.w a5, a4, a5
 eamocas.d a5, a5, a4
 eamomax.w a5, a4, a5
 eamomax.d a5, a5, a4
 eamomin.d a5, a5, a4
 eamoand.d a5, a5, a4
 eamoxor.d a5, a5, a4
 eamoor.d a5, a5, a4
 eamoadd.d x31, x21, x20
 movebe a5, e10
 moveee e5, e4
S
same="0000b577 00f7347b 00017577 0005657b 00057583 aac5b533 0ef777eb 0ef767eb 0ce7f7eb 0af767eb 0ae7f7eb
08e7f7eb 04e7f7eb 02e7f7eb 06e7f7eb 0f4affeb 000567fb 00027283"
# shellcheck disable=SC2086 # words
for map in 2.0.0 2020; do words both.s $map $same; done
cat >maps.s <<'S'
 eaddie e10, a0, 1
 moveeb e10, a0
 ese e10, 0(sp)
 erle e3, a5, e10
 ersd a0, a1, e12
 erse e10, a5, e11
S
words maps.s 2.0.0 0015557b 0005557b 00a1707b aaa7f1b3 44b53633 44f575b3
words maps.s 2020 0015757b 0005757b 00a1507b 42a7c1b3 44c5b533 46b7b533

# Inline in C, whatever the names of the program's variables.
cat >inline.c <<'C'
#include <xbgas.h>
#include <stdio.h>
int64_t e10 = 40;
int main(void)
{
    int64_t old;
    __asm__ volatile("eaddie e31, zero, 0\n\teamoadd.d %0, %1, %2"
                     : "=r"(old) : "r"(&e10), "r"(2L) : "memory");
    printf("%d %d\n", (int)old, (int)(xbgas_amocas_d(0, &e10, 42, 1) + xbgas_load_bu(0, &e10)));
    return 0;
}
C
for option in -O0 -O2 '-O2 -flto' '-g -std=c11 -Wpedantic -Wextra -Werror' --linux '--xbgas-map 2020'; do
    case $option in --linux) command -v riscv64-linux-gnu-gcc >/dev/null || continue ;; esac
    # shellcheck disable=SC2086 # words
    silent 0 xbgas-cc $option inline.c -o inline
done
xbgas-cc -O2 -S inline.c && xbgas-cc -c inline.s && xbgas-cc inline.o -o steps
xbgas-cc -O2 inline.c -o inline
for f in steps inline; do
    riscv64-unknown-elf-objcopy -O binary "$f" "$f.bin"
done
cmp steps.bin inline.bin || fail 'compiled in steps, the program is another one'

printf '#include <xbgas.h>\n eaddie e10, a0, 1\n' >header.S
words header.S 2.0.0 0015557b
words header.S 2020 0015757b
riscv64-unknown-elf-gcc -I"$top/include" -c header.S -o header.o || fail 'xbgas.h without the wrapper'

printf ' eaddi a5, x10, 0\n' >wrong.s
expect 1 'eaddi: expected an extended register, e0 to e31, not x10' xbgas-cc -c wrong.s
printf '#include <xbgas.h>\n' >host.c
expect 1 'xbgas.h is for RISC-V' pgasim cc -c host.c

# The runtime, with whatever the program is compiled; the examples.
for option in -O0 '-O2 -Wall -Wextra -Wshadow -Werror' '-std=c99 -pedantic-errors -Wall -Werror' --linux; do
    case $option in --linux) command -v riscv64-linux-gnu-gcc >/dev/null || continue ;; esac
    for f in "$top"/examples/riscv/*.c "$top"/tests/riscv/programs/*.c; do
        # shellcheck disable=SC2086 # words
        silent 0 xbgas-cc $option "$f" -o linked -lxbgas
    done
done
printf '#include <xbgas_rt.h>\nint main() { return xbgas_my_pe(); }\n' >runtime.cpp
silent 0 xbgas-cc -Wall -Wextra -Werror runtime.cpp -lxbgas -o linked

cat >plain.cpp <<'C'
#include <xbgas.h>
struct base { virtual int f() = 0; virtual ~base() {} };
struct made : base { int f() override { return 3; } };
int main()
{
    base *b = new made;
    int x = b->f();
    delete b;
    return x;
}
C
for option in -O0 -O2 '-std=c++17 -Wall -Wextra -Werror'; do
    # shellcheck disable=SC2086 # words
    silent 0 xbgas-cc $option plain.cpp -o plain
done
silent 0 xbgas-cc -c plain.cpp
silent 0 xbgas-cc plain.o -lstdc++ -o plain
if command -v qemu-system-riscv64 >/dev/null; then
    silent 3 qemu-system-riscv64 -M virt -bios none -nographic -semihosting -kernel plain
fi
printf '#include <vector>\nint main() { std::vector<int> v{1, 2}; return v.size() != 2; }\n' >vector.cpp
if command -v riscv64-linux-gnu-g++ >/dev/null; then
    silent 0 xbgas-cc --linux vector.cpp -o vector
fi
finish
