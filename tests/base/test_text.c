/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what is UTF-8 and what is not (all sequences of two bytes, all characters, overlong forms, surrogates,
 * truncated sequences), and the result of each escape on foreign text: always valid UTF-8, and the same text
 * again when it is read.
 */
#include "base/text.h"

#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

/* --- UTF-8 ---------------------------------------------------------------------------------------------- */

/* The definition: encodes a character (0: not a character). */
static unsigned encode(char *out, uint32_t c)
{
    unsigned char *b = (unsigned char *)out;
    if (c < 0x80)
        return b[0] = (unsigned char)c, 1;
    if (c < 0x800)
        return b[0] = (unsigned char)(0xc0 | c >> 6), b[1] = (unsigned char)(0x80 | (c & 63)), 2;
    unsigned n = c < 0x10000 ? 3 : 4;
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    b[0] = (unsigned char)(n == 3 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
    for (unsigned k = 1; k < n; k++)
        b[k] = (unsigned char)(0x80 | (c >> 6 * (n - 1 - k) & 63));
    return n;
}

static void test_all_characters(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x10ffff; c++) {
        char text[8] = "";
        unsigned n = encode(text, c);
        if (!n)
            continue;
        if (base_utf8(text) != n || !base_utf8_is_valid(text))
            fail_msg("U+%04X is not taken for %u bytes", c, n);
        text[n - 1] = 0; /* breaks off */
        if (n > 1 && (base_utf8(text) || base_utf8_is_valid(text)))
            fail_msg("U+%04X without its last byte is taken for a character", c);
    }
}

/* Two bytes are valid if they are two ASCII characters, or one character of two bytes by the definition. */
static void test_pairs(void **state)
{
    static bool valid[256][256];
    (void)state;
    for (uint32_t c = 0x80; c < 0x800; c++) {
        char text[8];
        encode(text, c);
        valid[(unsigned char)text[0]][(unsigned char)text[1]] = true;
    }
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 1; b < 256; b++) {
            char text[] = {(char)a, (char)b, 0};
            if (base_utf8_is_valid(text) != (valid[a][b] || (a < 0x80 && b < 0x80)))
                fail_msg("%02x %02x is wrongly taken for%s UTF-8", a, b, valid[a][b] ? " no" : "");
        }
}

/* All sequences of three bytes that begin high, and the edges of four. */
static void test_longer(void **state)
{
    (void)state;
    for (uint32_t c = 0xe00000; c <= 0xefffff; c++) {
        char text[] = {(char)(c >> 16), (char)(c >> 8), (char)c, 0}, same[8];
        uint32_t value = (c >> 16 & 15) << 12 | (c >> 8 & 63) << 6 | (c & 63);
        bool valid = value >= 0x800 && encode(same, value) == 3 && !memcmp(same, text, 3);
        if ((base_utf8(text) == 3) != valid)
            fail_msg("%06x is wrongly judged", c);
    }
    static const char *const wrong[] = {
        "\xc0\x80",         "\xc1\xbf",     "\xe0\x80\x80", "\xe0\x9f\xbf",     "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80", "\xff",         "\x80",         "\xf0\x9f\x98",     "\xf0\x9f\x98z"};
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++)
        assert_int_equal(base_utf8(wrong[k]), 0);
}

/* --- escapes -------------------------------------------------------------------------------------------- */

typedef void (*escape_fn)(struct base_text *t, const char *text);
static void json_plain(struct base_text *t, const char *text)
{
    base_text_json(t, BASE_JSON_PLAIN, text);
}
static void json_markup(struct base_text *t, const char *text)
{
    base_text_json(t, BASE_JSON_MARKUP, text);
}
static void json_codes(struct base_text *t, const char *text)
{
    base_text_json(t, BASE_JSON_CODES, text);
}

static void expect(escape_fn escape, const char *text, const char *wanted)
{
    struct base_text t;
    base_text_init(&t, "test text");
    escape(&t, text);
    char *got = base_text_take(&t);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_escapes(void **state)
{
    (void)state;
    static const char odd[] = "a\"\\/\b\t\n\x1f\x7f<>&'\xc3\xa9\xff\xe2\x82z";
    expect(json_plain, "", "");
    expect(base_text_utf8, odd, "a\"\\/\b\t\n\x1f\x7f<>&'\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
    expect(json_plain, odd,
           "a\\\"\\\\/\\b\\t\\n\\u001f\x7f<>&'\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
    expect(json_markup, odd,
           "a\\\"\\\\/"
           "\\u0008\\u0009\\u000a\\u001f\\u007f\\u003c\\u003e\\u0026\\u0027\xc3\xa9\\ufffd\\ufffd\\ufffdz");
    expect(json_codes, odd,
           "a\\u0022\\u005c/\\u0008\\u0009\\u000a\\u001f\\u007f\\u003c>&'\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd"
           "\xef\xbf\xbdz");
    expect(
        base_text_xml, odd,
        "a&quot;\\/"
        "\xef\xbf\xbd&#9;&#10;\xef\xbf\xbd\x7f&lt;&gt;&amp;'\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
    expect(base_text_quoted, odd, "\"a'\\/     <>&'\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"");
    expect(base_text_shell, "-Wl,-rpath=/usr/lib", "-Wl,-rpath=/usr/lib");
    expect(base_text_shell, "", "''");
    expect(base_text_shell, "it's $HOME", "'it'\\''s $HOME'");
}

/* Whatever bytes go in, UTF-8 comes out, without the characters that the form forbids. */
static void test_random_bytes(void **state)
{
    static const struct {
        escape_fn escape;
        const char *never;
    } forms[] = {
        {json_plain, "\""}, {json_markup, "\"<>&'\x7f"}, {json_codes, "\"<\x7f"}, {base_text_xml, "<>\""}};
    struct base_random r;
    (void)state;
    base_random_seed(&r, 8, 0);
    for (int round = 0; round < 20000; round++) {
        char text[24];
        size_t n = base_random_below(&r, sizeof text);
        for (size_t k = 0; k < n; k++)
            text[k] = (char)(1 + base_random_below(&r, 255));
        text[n] = 0;
        for (size_t f = 0; f < BASE_LENGTH(forms); f++) {
            struct base_text t;
            base_text_init(&t, "test text");
            forms[f].escape(&t, text);
            char *got = base_text_take(&t);
            assert_true(base_utf8_is_valid(got));
            for (const char *c = got; *c; c++)
                if ((unsigned char)*c < 0x20 || (strchr(forms[f].never, *c) && (c == got || c[-1] != '\\')))
                    fail_msg("form %zu lets byte %02x through in '%s'", f, (unsigned char)*c, got);
            free(got);
        }
    }
}

static void test_show(void **state)
{
    (void)state;
    char buf[16];
    assert_string_equal(base_text_show(buf, sizeof buf, ""), "");
    assert_string_equal(base_text_show(buf, sizeof buf, "a\x1b[31m\nb\x7f"), "a?[31m?b?");
    assert_string_equal(base_text_show(buf, sizeof buf, "\xc2\x9b\xc2\xa0\xff"), "?"
                                                                                 "?\xc2\xa0?");
    assert_string_equal(base_text_show(buf, sizeof buf, "fifteen letters"), "fifteen letters");
    assert_string_equal(base_text_show(buf, sizeof buf, "sixteen letters!"), "sixteen lett...");
    assert_string_equal(base_text_show(buf, sizeof buf, "eleven byte\xc3\xa9\xc3\xa9\xc3\xa9"),
                        "eleven byte...");
    assert_string_equal(base_text_show(buf, 4, "long"), "...");
}

/* --- the buffer ------------------------------------------------------------------------------------------
 * */

static void test_pieces(void **state)
{
    (void)state;
    struct base_text t;
    base_text_init(&t, "test text");
    base_text_add(&t, "x");
    base_text_count(&t, 0);
    base_text_count(&t, UINT64_MAX);
    base_text_char(&t, ' ');
    base_text_decimal(&t, 1500000, 6);
    base_text_char(&t, ' ');
    base_text_decimal(&t, 20, 6);
    base_text_char(&t, ' ');
    base_text_decimal(&t, 3000000, 6);
    base_text_char(&t, ' ');
    base_text_decimal(&t, 0, 6);
    base_text_char(&t, ' ');
    base_text_decimal(&t, UINT64_MAX, 6);
    base_text_format(&t, " %s=%d", "a text of some length, which has to make room", 42);
    char *got = base_text_take(&t);
    assert_string_equal(got, "x018446744073709551615 1.5 0.00002 3 0 18446744073709.551615"
                             " a text of some length, which has to make room=42");
    free(got);
    base_text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_characters), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_longer),         cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_random_bytes),   cmocka_unit_test(test_show),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
