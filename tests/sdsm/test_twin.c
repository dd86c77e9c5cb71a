/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what becomes of stores where there should be none (twin.c): the hash tells copies apart that differ in
 * a bit or in their order; a twin is kept where the protocol needs one; stores of a reading scope are dropped,
 * or undone; those outside of scopes are undone with --sat-check.
 */
#include "sdsm/alone.h"

/* --- stand-ins ------------------------------------------------------------------------------------ */

static int warnings;
static bool is_mapped;
bool sat_stats_on;

void sat_warn(const char *place, const char *format, ...)
{
    (void)place;
    (void)format;
    warnings++;
}

bool sat_entry_is_mapped(const struct sat_entry *e)
{
    (void)e;
    return is_mapped;
}

static long long told[6];

void sat_stats_write(enum sat_event event, const long long *values)
{
    assert_int_equal(event, SAT_EV_RELEASE);
    memcpy(told, values, sizeof told);
}

/* --- the hash ------------------------------------------------------------------------------------- */

enum { LARGEST = 300 };

static void differs(uint64_t a, uint64_t b, const char *what, size_t size, size_t at)
{
    if (a == b)
        fail_msg("%s: %zu bytes, at %zu", what, size, at);
}

static void hash_sees_each_bit(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    char data[LARGEST] = {0};
    for (size_t size = 0; size <= LARGEST; size += 1 + size / 40) {
        for (size_t k = 0; k < size; k++)
            data[k] = (char)draw(&seed, 256);
        uint64_t hash = sat_hash(data, size);
        for (size_t k = 0; k < size; k++)
            for (int bit = 0; bit < 8; bit++) {
                data[k] ^= (char)(1 << bit);
                differs(sat_hash(data, size), hash, "a bit", size, k);
                data[k] ^= (char)(1 << bit);
            }
        assert_true(sat_hash(data, size) == hash);
    }
}

static void swap(char *a, char *b, size_t n)
{
    char other[64];
    memcpy(other, a, n);
    memcpy(a, b, n);
    memcpy(b, other, n);
}

/* Whole blocks and words that change places, sums that stay the same. */
static void hash_sees_order(void **state)
{
    (void)state;
    char data[256];
    for (int k = 0; k < 256; k++)
        data[k] = (char)(k / 8 + 1);
    uint64_t hash = sat_hash(data, 256);
    for (size_t a = 0; a < 256; a += 8)
        for (size_t b = a + 8; b < 256; b += 8) {
            swap(data + a, data + b, 8);
            differs(sat_hash(data, 256), hash, "words", a, b);
            swap(data + a, data + b, 8);
        }
    for (int k = 0; k < 256; k++) /* words that differ in their upper half only */
        data[k] = (char)(k % 8 == 5 ? k / 8 + 1 : 0);
    hash = sat_hash(data, 256);
    for (size_t a = 0; a < 256; a += 8)
        for (size_t b = a + 8; b < 256; b += 8) {
            swap(data + a, data + b, 8);
            differs(sat_hash(data, 256), hash, "upper halves of words", a, b);
            swap(data + a, data + b, 8);
        }
    for (size_t b = 64; b < 256; b += 64) {
        swap(data, data + b, 64);
        differs(sat_hash(data, 256), hash, "blocks", 0, b);
        swap(data, data + b, 64);
    }
    data[0]++, data[64]--; /* of one lane */
    differs(sat_hash(data, 256), hash, "a sum", 0, 64);
}

static void hash_is_of_the_bytes(void **state)
{
    (void)state;
    static char room[LARGEST + 16];
    char data[LARGEST], zeros[LARGEST] = {0};
    for (size_t k = 0; k < LARGEST; k++)
        data[k] = (char)(k * 37);
    for (size_t at = 0; at < 16; at++) {
        memcpy(room + at, data, LARGEST);
        assert_true(sat_hash(room + at, LARGEST) == sat_hash(data, LARGEST));
    }
    for (size_t size = 0; size < LARGEST; size++)
        differs(sat_hash(zeros, size), sat_hash(zeros, size + 1), "a length", size, 0);
}

/* --- twins ---------------------------------------------------------------------------------------- */

enum { SIZE = 16 };

/* A chunk with one instance. */
struct fixture {
    Sdsm_t process;
    struct sat_protocol protocol;
    struct sat_chain chain;
    Chunk_t instance;
    struct sat_entry entry;
    char memory[SIZE];
};

static struct sat_entry *entry_new(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    sdsm = &f->process;
    warnings = 0;
    is_mapped = sat_stats_on = false;
    f->instance.sat_memory = memset(f->memory, 'a', SIZE);
    f->instance.sat_chain = &f->chain;
    f->entry = (struct sat_entry){.id = 7,
                                  .size = SIZE,
                                  .protocol = &f->protocol,
                                  .instances = &f->instance,
                                  .asker = &f->instance,
                                  .has_data = true,
                                  .mode = SAT_READ};
    return &f->entry;
}

static void end(struct fixture *f)
{
    free(f->entry.twin);
    sdsm = NULL;
}

/* Who needs a twin: {restores, twins, check, stats}, mode. */
static bool has_twin(bool restores, bool twins, bool check, bool stats, int mode)
{
    struct fixture f;
    struct sat_entry *e = entry_new(&f);
    f.protocol.restores = restores;
    f.protocol.twins = twins;
    f.process.options.check = check;
    sat_stats_on = stats;
    e->mode = (uint8_t)mode;
    sat_twin_keep(e);
    bool kept = e->twin && !memcmp(e->twin, f.memory, SIZE);
    assert_true(kept == (e->twin != NULL));
    end(&f);
    return kept;
}

static void twins_are_kept_where_needed(void **state)
{
    (void)state;
    assert_false(has_twin(false, false, false, false, SAT_READ));
    assert_false(has_twin(false, false, false, false, SAT_WRITE));
    assert_true(has_twin(true, false, false, false, SAT_READ));
    assert_false(has_twin(true, false, false, false, SAT_WRITE));
    assert_false(has_twin(false, true, false, false, SAT_READ));
    assert_true(has_twin(false, true, false, false, SAT_READWRITE));
    assert_true(has_twin(false, false, true, false, SAT_READ));
    assert_true(has_twin(false, false, true, false, SAT_WRITE));
    assert_false(has_twin(false, false, false, true, SAT_READ));
    assert_true(has_twin(false, false, false, true, SAT_WRITE));
}

/* The next scope's twin is what is there now; beside mapped memory, it is what was published. */
static void twins_are_renewed(void **state)
{
    (void)state;
    struct fixture f;
    struct sat_entry *e = entry_new(&f);
    f.protocol.restores = true;
    sat_twin_keep(e);
    f.memory[3] = 'b';
    sat_twin_keep(e);
    assert_int_equal(e->twin[3], 'b');
    is_mapped = true;
    f.memory[3] = 'c';
    sat_twin_keep(e);
    assert_int_equal(e->twin[3], 'b');
    end(&f);
    e = entry_new(&f);
    f.protocol.restores = is_mapped = true;
    e->mode = SAT_WRITE;
    sat_twin_keep(e);
    assert_non_null(e->twin);
    sat_twin_from_home(e, "0123456789abcdef");
    assert_memory_equal(e->twin, "0123456789abcdef", SIZE);
    sat_twin_from_home(e, NULL);
    assert_int_equal(e->twin[0] | e->twin[SIZE - 1], 0);
    end(&f);
}

/* --- stores in reading scopes --------------------------------------------------------------------- */

static struct sat_entry *read_and_store(struct fixture *f, bool restores, bool check, uint64_t version)
{
    struct sat_entry *e = entry_new(f);
    f->protocol.restores = restores;
    f->process.options.check = check;
    e->version = version;
    e->seen = sat_hash(f->memory, SIZE);
    e->hashed = true;
    sat_twin_keep(e);
    f->memory[5] = 'x';
    sat_twin_compare(e);
    return e;
}

static void reading_scopes_store_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct sat_entry *e = read_and_store(&f, false, false, 3);
    assert_true(!e->has_data && !e->hashed && !warnings); /* dropped: they are fetched again */
    end(&f);
    e = read_and_store(&f, false, false, 0);
    assert_true(e->has_data && !e->hashed && !warnings); /* nobody has written yet: zeros */
    assert_int_equal(f.memory[5] | f.memory[0], 0);
    end(&f);
    e = read_and_store(&f, true, false, 3);
    assert_true(e->has_data && e->hashed && !warnings); /* the only data are here: undone */
    assert_int_equal(f.memory[5], 'a');
    end(&f);
    e = read_and_store(&f, false, true, 3);
    assert_true(e->has_data && e->hashed && warnings == 1);
    assert_int_equal(f.memory[5], 'a');
    end(&f);
    e = entry_new(&f); /* who has not stored loses nothing */
    e->seen = sat_hash(f.memory, SIZE);
    e->hashed = true;
    e->version = 3;
    sat_twin_compare(e);
    assert_true(e->has_data && e->hashed);
    e->hashed = false; /* nor does one whose data have changed otherwise */
    f.memory[1] = 'y';
    sat_twin_compare(e);
    assert_true(e->has_data);
    end(&f);
}

static int stores_found(bool has_data, bool mapped, bool stored, char *now)
{
    struct fixture f;
    struct sat_entry *e = entry_new(&f);
    f.process.options.check = true;
    sat_twin_keep(e);
    e->has_data = has_data;
    f.chain.mapped = mapped;
    if (stored)
        f.memory[9] = 'z';
    sat_twin_check(e, "here");
    *now = f.memory[9];
    end(&f);
    return warnings;
}

static void stores_outside_are_found(void **state)
{
    (void)state;
    char now;
    assert_int_equal(stores_found(true, false, true, &now), 1);
    assert_int_equal(now, 'a');
    assert_int_equal(stores_found(true, false, false, &now), 0);
    assert_int_equal(stores_found(false, false, true, &now), 0);
    assert_int_equal(now, 'z');
    assert_int_equal(stores_found(true, true, true, &now), 0); /* mapped memory is the program's */
    assert_int_equal(now, 'z');
    struct fixture f;
    sat_twin_check(entry_new(&f), "here"); /* no twin yet */
    assert_int_equal(warnings, 0);
    end(&f);
}

/* The event of a scope's end: chunk, mode, first and end of what was changed, how many bytes, size. */
static void tells(int mode, bool has_twin, const long long *expected)
{
    struct fixture f;
    struct sat_entry *e = entry_new(&f);
    sat_stats_on = true;
    if (has_twin)
        e->twin = memcpy(sat_alloc(SIZE), f.memory, SIZE);
    f.memory[3] = f.memory[9] = 'n';
    e->ended = (uint8_t)mode;
    sat_twin_tell(e);
    assert_memory_equal(told, expected, sizeof told);
    end(&f);
}

static void changes_are_told(void **state)
{
    (void)state;
    tells(SAT_WRITE, true, (const long long[]){7, SAT_WRITE - 1, 3, 10, 2, SIZE});
    tells(SAT_READWRITE, true, (const long long[]){7, SAT_READWRITE - 1, 3, 10, 2, SIZE});
    tells(SAT_READ, true, (const long long[]){7, SAT_READ - 1, 0, 0, 0, SIZE});
    tells(SAT_WRITE, false, (const long long[]){7, SAT_WRITE - 1, 0, 0, 0, SIZE});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_sees_each_bit),       cmocka_unit_test(hash_sees_order),
        cmocka_unit_test(hash_is_of_the_bytes),     cmocka_unit_test(twins_are_kept_where_needed),
        cmocka_unit_test(twins_are_renewed),        cmocka_unit_test(reading_scopes_store_nothing),
        cmocka_unit_test(stores_outside_are_found), cmocka_unit_test(changes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
