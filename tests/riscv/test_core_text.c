/* SPDX-License-Identifier: BSD-3-Clause */
/* The disassembler prints what GNU objdump 2.40 prints, and, for xBGAS and the remote atomics, what the
 * published listings have. No two instructions of a map share a word. */
#include "core_machine.h"

#include "riscv/core/table.h"

static const struct {
    uint32_t word;
    const char *text;
} rows[] = {
    {0x00000013, "nop"},
    {0x00a00513, "li\ta0,10"},
    {0x00058513, "mv\ta0,a1"},
    {0x00158513, "add\ta0,a1,1"},
    {0x00b50533, "add\ta0,a0,a1"},
    {0x00008067, "ret"},
    {0x0040006f, "j\t0x1004"},
    {0x00050463, "beqz\ta0,0x1008"},
    {0xfeb54ee3, "blt\ta0,a1,0xffc"},
    {0x0000b537, "lui\ta0,0xb"},
    {0x00853503, "ld\ta0,8(a0)"},
    {0xfea53c23, "sd\ta0,-8(a0)"},
    {0x01051513, "sll\ta0,a0,0x10"},
    {0xc0202573, "rdinstret\ta0"},
    {0x30529073, "csrw\tmtvec,t0"},
    {0x0ff0000f, "fence"},
    {0x0310000f, "fence\trw,w"},
    {0x00c5b52f, "amoadd.d\ta0,a2,(a1)"},
    {0x06c5b52f, "amoadd.d.aqrl\ta0,a2,(a1)"},
    {0x1005a52f, "lr.w\ta0,(a1)"},
    {0x02b57553, "fadd.d\tfa0,fa0,fa1"},
    {0x02b51553, "fadd.d\tfa0,fa0,fa1,rtz"},
    {0xc2051553, "fcvt.w.d\ta0,fa0,rtz"},
    {0xd2050553, "fcvt.d.w\tfa0,a0"},
    {0x22a50553, "fmv.d\tfa0,fa0"},
    {0x00100073, "ebreak"},
    {0x852a, "mv\ta0,a0"},
    {0x8082, "ret"},
    {0x1141, "add\tsp,sp,-16"},
    {0x0000, "unimp"},
    {0x9c61, ".2byte\t0x9c61"},
    {0x0000007f, ".4byte\t0x7f"},
    {0x0000b577, "eld\ta0,0(ra)"},
    {0x00f7347b, "esd\ta5,8(a4)"},
    {0x0015557b, "eaddie\te10,a0,1"},
    {0x0005657b, "eaddi\ta0,e10,0"},
    {0x00057583, "eaddix\te11,e10,0"},
    {0xaac5b533, "erld\ta0,a1,e12"},
    {0x0ef777eb, "eamoadd.d\ta5,a4,a5"},
    {0x0ce7f7eb, "eamocas.d\ta5,a5,a4"},
    {0x0af767eb, "eamomax.w\ta5,a4,a5"},
    {0x0f4affeb, "eamoadd.d\tt6,s5,s4"},
};

static void words(void **state)
{
    (void)state;
    const struct riscv_options o = {0};
    char text[80];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned bytes = riscv_disassemble(rows[i].word, 0x1000, &o, text, sizeof text);
        if (strcmp(text, rows[i].text) || bytes != ((rows[i].word & 3) == 3 ? 4 : 2))
            fail_msg("%#x: \"%s\", %u bytes, expected \"%s\"", rows[i].word, text, bytes, rows[i].text);
    }
    const struct riscv_options old = {.xbgas_2020 = true};
    riscv_disassemble(0x0015557b, 0, &old, text, sizeof text);
    assert_string_equal(text, "ese\te1,10(a0)");
}

static void cut_text(void **state)
{
    (void)state;
    const struct riscv_options o = {0};
    char text[8];
    memset(text, 'x', sizeof text);
    riscv_disassemble(0x00b50533, 0, &o, text, 5);
    assert_string_equal(text, "add\t");
    assert_int_equal(text[5], 'x');
}

static void no_word_twice(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RISCV_INSTRUCTIONS; i++)
        for (unsigned k = i + 1; k < RISCV_INSTRUCTIONS; k++) {
            const struct riscv_instruction *a = &riscv_instructions[i], *b = &riscv_instructions[k];
            bool apart = a->set != b->set && a->set >= RISCV_SET_XBGAS_2 && b->set >= RISCV_SET_XBGAS_2 &&
                         a->set <= RISCV_SET_XBGAS_2020 && b->set <= RISCV_SET_XBGAS_2020;
            if (!apart && ((a->match ^ b->match) & a->mask & b->mask) == 0)
                fail_msg("%s and %s share words", a->name, b->name);
        }
}

/* The search finds what the list has, for words of every line and for any words. */
static void found_as_listed(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned k = 0; k < 20000; k++) {
        const struct riscv_instruction *t = &riscv_instructions[k % RISCV_INSTRUCTIONS];
        const struct riscv_options o = {.xbgas_2020 = machine_random(&seed) & 1};
        uint8_t other = o.xbgas_2020 ? RISCV_SET_XBGAS_2 : RISCV_SET_XBGAS_2020;
        uint32_t word = (uint32_t)machine_random(&seed);
        if (k % 4)
            word = (word & ~t->mask) | t->match;
        unsigned wanted = 0;
        while (wanted < RISCV_INSTRUCTIONS &&
               ((word & riscv_instructions[wanted].mask) != riscv_instructions[wanted].match ||
                riscv_instructions[wanted].set == other))
            wanted++;
        if (riscv_find(word, &o) != wanted)
            fail_msg("%08x: number %u of the list, expected %u", word, riscv_find(word, &o), wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(cut_text),
        cmocka_unit_test(no_word_twice),
        cmocka_unit_test(found_as_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
