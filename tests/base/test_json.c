/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins the layout of JSON, and that the output is valid: Python reads random documents back and prints what
 * it found in a simple form, which must be what was written. Prints its seed; PGASIM_TEST_SEED=n runs another
 * one.
 */
#include "base/json.h"
#include "seed.h"

#include <setjmp.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static void test_layout(void **state)
{
    (void)state;
    struct base_json j;
    base_json_init(&j, NULL, &(struct base_json_form){.indent = "  "});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "a", "x\n");
    base_json_open(&j, "none", '[');
    base_json_close(&j);
    base_json_open(&j, "list", '[');
    base_json_count(&j, NULL, UINT64_MAX);
    base_json_flag(&j, NULL, true);
    base_json_close(&j);
    base_json_number(&j, "third", 1.0 / 3);
    base_json_number(&j, "never", INFINITY);
    base_json_text(&j, "nothing", NULL);
    base_json_close(&j);
    char *got = base_text_take(&j.text);
    assert_string_equal(got, "{\n  \"a\": \"x\\n\",\n  \"none\": [\n\n  ],\n  \"list\": [\n    "
                             "18446744073709551615,\n    true\n  ],\n  \"third\": 0.33333333333333331,\n  "
                             "\"never\": null,\n  \"nothing\": null\n}\n");
    free(got);
    base_json_end(&j);
}

static void test_compact(void **state)
{
    (void)state;
    struct base_json j;
    base_json_init(&j, NULL, &(struct base_json_form){.style = BASE_JSON_MARKUP});
    base_json_open(&j, NULL, '[');
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "k", "</script>");
    base_json_digits(&j, "n", 0.123456789, 4);
    base_json_close(&j);
    base_json_open(&j, NULL, '{');
    base_json_close(&j);
    base_text_add(base_json_value(&j, NULL), "1e3");
    base_json_close(&j);
    char *got = base_text_take(&j.text);
    assert_string_equal(got, "[{\"k\":\"\\u003c/script\\u003e\",\"n\":0.1235},{},1e3]");
    free(got);
    base_json_end(&j);
}

/* What is no UTF-8: replaced, or null. */
static void test_invalid(void **state)
{
    (void)state;
    for (int null = 0; null < 2; null++) {
        struct base_json j;
        base_json_init(&j, NULL, &(struct base_json_form){.null_for_invalid = null});
        base_json_open(&j, NULL, '[');
        base_json_text(&j, NULL, "\xc3\xa9");
        base_json_text(&j, NULL, "a\xff");
        base_json_close(&j);
        char *got = base_text_take(&j.text);
        assert_string_equal(got, null ? "[\"\xc3\xa9\",null]" : "[\"\xc3\xa9\",\"a\xef\xbf\xbd\"]");
        free(got);
        base_json_end(&j);
    }
}

/* --- read back ------------------------------------------------------------------------------------------ */

/* Prints one token per line: brackets, keys and texts as
 * hexadecimal UTF-8, counts, numbers as C writes them. */
static const char reader[] =
    "import json, sys\n"
    "def walk(v):\n"
    "    if isinstance(v, dict):\n"
    "        print('{'); [(print('k' + k.encode().hex()), walk(x)) for k, x in v.items()]; print('}')\n"
    "    elif isinstance(v, list):\n"
    "        print('['); [walk(x) for x in v]; print(']')\n"
    "    elif isinstance(v, str): print('s' + v.encode().hex())\n"
    "    elif v is None or v is True or v is False: print(v)\n"
    "    else: print('i' + str(v) if isinstance(v, int) else 'd' + v.hex())\n"
    "walk(json.load(open(sys.argv[1], encoding='utf-8')))\n";

struct document {
    struct base_json j;
    struct base_text wanted;
    struct base_random rng;
    uint32_t keys;
};

static void want_hex(struct base_text *t, char kind, const char *text)
{
    base_text_char(t, kind);
    for (; *text; text++)
        base_text_format(t, "%02x", (unsigned char)*text);
    base_text_char(t, '\n');
}

/* Valid UTF-8 with all that needs care. */
static void make_text(struct base_random *r, char text[64])
{
    static const char *const pieces[] = {"a",
                                         "\"",
                                         "\\",
                                         "/",
                                         "\n",
                                         "\x01",
                                         "\x1f",
                                         "\x7f",
                                         "<",
                                         ">",
                                         "&",
                                         "'",
                                         "\xc2\x80",
                                         "\xe2\x80\xa8",
                                         "\xf0\x9f\x98\x80",
                                         "zz"};
    *text = 0;
    for (uint64_t n = base_random_below(r, 12); n; n--)
        strcat(text, pieces[base_random_below(r, BASE_LENGTH(pieces))]);
}

static double make_number(struct base_random *r)
{
    uint64_t bits = base_random_u64(r);
    double x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0.1;
}

static void put_value(struct document *d, bool in_object, unsigned depth);

static void put_inside(struct document *d, const char *key, unsigned depth, bool object)
{
    base_json_open(&d->j, key, object ? '{' : '[');
    base_text_add(&d->wanted, object ? "{\n" : "[\n");
    for (uint64_t n = base_random_below(&d->rng, 6); n; n--)
        put_value(d, object, depth + 1);
    base_text_add(&d->wanted, object ? "}\n" : "]\n");
    base_json_close(&d->j);
}

static void put_number(struct document *d, const char *key)
{
    char shown[64];
    double x = make_number(&d->rng);
    base_json_number(&d->j, key, x);
    snprintf(shown, sizeof shown, "%.17g", x);
    if (strpbrk(shown, ".e"))
        base_text_format(&d->wanted, "d=%a\n", x);
    else
        base_text_format(&d->wanted, "i%s\n", shown);
}

static void put_value(struct document *d, bool in_object, unsigned depth)
{
    char key[96], text[64];
    make_text(&d->rng, text);
    snprintf(key, sizeof key, "%u%s", d->keys++, text);
    if (in_object)
        want_hex(&d->wanted, 'k', key);
    const char *k = in_object ? key : NULL;
    uint64_t what = base_random_below(&d->rng, depth < 6 ? 8 : 5), count = base_random_u64(&d->rng);
    switch (what) {
    case 0:
        base_json_flag(&d->j, k, count & 1);
        base_text_add(&d->wanted, count & 1 ? "True\n" : "False\n");
        break;
    case 1:
        base_json_count(&d->j, k, count);
        base_text_format(&d->wanted, "i%llu\n", (unsigned long long)count);
        break;
    case 2:
        put_number(d, k);
        break;
    case 3:
    case 4:
        make_text(&d->rng, text);
        base_json_text(&d->j, k, text);
        want_hex(&d->wanted, 's', text);
        break;
    default:
        put_inside(d, k, depth, what & 1);
    }
}

/* Whether a line of ours and one of Python's are equal; numbers
 * are compared by value, since hexadecimal forms differ. */
static bool same(const char *wanted, const char *got)
{
    if (wanted[0] == 'd' && got[0] == 'd')
        return strtod(wanted + 2, NULL) == strtod(got + 1, NULL);
    return !strcmp(wanted, got);
}

static void compare(char *wanted, FILE *got)
{
    char line[4096];
    for (char *w = strtok(wanted, "\n"); w; w = strtok(NULL, "\n")) {
        if (!fgets(line, sizeof line, got))
            fail_msg("the reader ends before '%s'", w);
        line[strcspn(line, "\n")] = 0;
        if (!same(w, line))
            fail_msg("read '%s', expected '%s'", line, w);
    }
    assert_null(fgets(line, sizeof line, got));
}

static void round_trip(uint64_t seed, const struct base_json_form *form)
{
    char path[] = "/tmp/pgasim-json-XXXXXX", command[sizeof reader + 100];
    FILE *out = fdopen(mkstemp(path), "w");
    struct document d = {.keys = 0};
    base_random_seed(&d.rng, seed, 0);
    base_text_init(&d.wanted, "test text");
    base_json_init(&d.j, out, form);
    put_inside(&d, NULL, 0, true);
    base_json_end(&d.j);
    assert_int_equal(fclose(out), 0);
    snprintf(command, sizeof command, "python3 -c \"$READER\" %s", path);
    setenv("READER", reader, 1);
    FILE *got = popen(command, "r");
    char *wanted = base_text_take(&d.wanted);
    compare(wanted, got);
    assert_int_equal(pclose(got), 0);
    free(wanted);
    unlink(path);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const struct base_json_form forms[] = {
        {.indent = " "}, {.style = BASE_JSON_MARKUP}, {.style = BASE_JSON_CODES, .indent = ""}};
    uint64_t seed = seed_of_test(8);
    for (unsigned k = 0; k < 6; k++)
        round_trip(seed + k, &forms[k % BASE_LENGTH(forms)]);
}

/* More than the buffer holds: it goes to the file piece by piece, complete and in order. */
static void test_streams(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){.indent = NULL});
    base_json_open(&j, NULL, '[');
    for (uint64_t k = 0; k < 100000; k++) {
        base_json_count(&j, NULL, k);
        assert_true(j.text.cap < 1 << 18);
    }
    base_json_close(&j);
    base_json_end(&j);
    rewind(out);
    assert_int_equal(fgetc(out), '[');
    for (unsigned k = 0, n; k < 100000; k++) {
        assert_int_equal(fscanf(out, "%u", &n), 1);
        assert_int_equal(n, k);
        assert_int_equal(fgetc(out), k < 99999 ? ',' : ']');
    }
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),     cmocka_unit_test(test_compact), cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
