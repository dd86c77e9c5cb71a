/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target without a fuzzer, so that targets build and pass with every compiler:
 *   replay ROUNDS FILE...
 * gives each file as it is, then ROUNDS damaged copies of each, the same ones in every run.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    uint8_t *at;
    size_t size;
};

static struct input input_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        base_fatal(BASE_EXIT_INPUT, "%s: cannot open", path);
    struct input in = {.at = base_alloc(1 << 20, "an input")};
    in.size = fread(in.at, 1, 1 << 20, f);
    fclose(f);
    return in;
}

/* Changes, removes or repeats a few bytes of `in` into `out`, which has room for twice as many. */
static size_t damage(struct base_random *random, struct input in, uint8_t *out)
{
    size_t size = in.size;
    memcpy(out, in.at, size);
    for (uint64_t k = 1 + base_random_below(random, 4); k > 0 && size > 0; k--) {
        size_t at = base_random_below(random, size), n = 1 + base_random_below(random, size - at);
        n = n > 16 ? 1 + n % 16 : n;
        switch (base_random_below(random, 4)) {
        case 0:
            out[at] = (uint8_t)base_random_u64(random);
            break;
        case 1:
            memmove(out + at, out + at + n, size - at - n);
            size -= n;
            break;
        case 2:
            if (size + n > 2 * in.size)
                break;
            memmove(out + at + n, out + at, size - at);
            size += n;
            break;
        default:
            out[at] = in.at[base_random_below(random, in.size)];
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, runs = 0;
    for (int k = 2; k < argc; k++) {
        struct base_random random;
        struct input in = input_read(argv[k]);
        uint8_t *copy = base_alloc(2 * in.size + 1, "an input");
        base_random_seed(&random, 1, (uint64_t)k);
        LLVMFuzzerTestOneInput(in.at, in.size);
        for (uint64_t round = 0; round < rounds; round++, runs++)
            LLVMFuzzerTestOneInput(copy, damage(&random, in, copy));
        free(copy);
        free(in.at);
    }
    printf("%d inputs, %llu damaged copies\n", argc - 2, (unsigned long long)runs);
    return argc < 3;
}
