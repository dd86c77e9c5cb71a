/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_frames: the frames of this very program, whose sizes are known; damaged indexes of functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fold/elf/elf.h"

enum { LARGE = 777784 };

/* Kept from being called, but not from being compiled. */
static volatile int calls;

__attribute__((noinline, no_sanitize("address", "undefined"))) static void large_frame(int k)
{
    volatile char room[LARGE];
    room[k] = 1;
    calls += room[k];
}

__attribute__((noinline, no_sanitize("address", "undefined"))) static void frame_of_any_size(int k)
{
    volatile char *room = __builtin_alloca((size_t)k);
    room[0] = 1;
    calls += room[0];
}

static void own_frames_are_found(void **state)
{
    struct elf_file f;
    struct elf_frames found;
    struct base_status st;
    (void)state;
    if (calls) {
        large_frame(calls);
        frame_of_any_size(calls);
    }
    if (elf_open(&f, "/proc/self/exe", &st))
        fail_msg("%s", st.text);
    assert_true(elf_frames_read(&f, &found));
    if (found.largest < LARGE - 4096 ||
        found.largest > LARGE + 4096) /* less the red zone, or with registers */
        fail_msg("the largest frame is of %llu bytes, expected %d", (unsigned long long)found.largest, LARGE);
    assert_string_equal(elf_function_at(&f, found.largest_at), "large_frame");
    assert_true(found.variable >= 1);
    elf_close(&f);
}

/* Whatever an index says, only bytes of the file are read. */
static void damaged_indexes_are_harmless(void **state)
{
    struct elf_file f, damaged;
    struct elf_frames found;
    struct base_random rng;
    struct base_status st;
    unsigned read = 0, refused = 0;
    (void)state;
    if (elf_open(&f, "/proc/self/exe", &st))
        fail_msg("%s", st.text);
    size_t at = 0, n = 0;
    for (uint32_t k = 0; k < f.n_segments; k++)
        if (f.segment[k].p_type == PT_GNU_EH_FRAME) {
            at = f.segment[k].p_offset;
            n = f.segment[k].p_filesz;
        }
    assert_true(n > 12);
    unsigned char *bytes = aligned_alloc(64, (f.size + 63) / 64 * 64);
    base_random_seed(&rng, 20, 13);
    for (int round = 0; round < 300; round++) {
        memcpy(bytes, f.bytes, f.size);
        for (int k = 0; k < 8; k++)
            bytes[at + base_random_below(&rng, k < 2 && round % 3 == 0 ? 12 : n)] ^=
                (unsigned char)(1u << base_random_below(&rng, 8));
        assert_int_equal(elf_read(&damaged, bytes, f.size, "damaged", &st), 0);
        if (elf_frames_read(&damaged, &found))
            read++;
        else
            refused++;
    }
    if (!read || !refused)
        fail_msg("%u indexes were read, %u refused", read, refused);
    free(bytes);
    elf_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_frames_are_found),
        cmocka_unit_test(damaged_indexes_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
