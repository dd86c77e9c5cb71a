/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the picture has: a point for each configuration, in its frame, with its title; the numbers of the front; no
 * number that is none, for values that are equal, zero, or far apart. Random values; prints its seed.
 */
#include "random_space.h"

#include <expat.h>
#include <math.h>

enum { MOST = 60, ROUNDS = 300 };

struct seen {
    int circles, front, titles;
    bool outside;
};

static void XMLCALL begin(void *arg, const XML_Char *tag, const XML_Char **at)
{
    struct seen *s = arg;
    double x = -1, y = -1;
    s->titles += !strcmp(tag, "title");
    if (strcmp(tag, "circle") != 0)
        return;
    for (int k = 0; at[k]; k += 2) {
        x = strcmp(at[k], "cx") ? x : atof(at[k + 1]);
        y = strcmp(at[k], "cy") ? y : atof(at[k + 1]);
        s->front += !strcmp(at[k], "class") && !strcmp(at[k + 1], "f");
    }
    s->circles++;
    s->outside |= !(x >= 92 && x <= 796 && y >= 40 && y <= 458);
}

static char *draw(const struct deploy_point *p, uint32_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    deploy_draw(p, n, "<a> & \"b\"", out);
    fclose(out);
    return text;
}

/* The legend has a point of each kind as well. */
static void check(const struct deploy_point *p, uint32_t n, uint32_t front, const char *about)
{
    struct seen s = {0};
    char *text = draw(p, n);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &s);
    XML_SetStartElementHandler(parser, begin);
    if (XML_Parse(parser, text, (int)strlen(text), 1) != XML_STATUS_OK)
        fail_msg("%s: no XML: %s", about, text);
    XML_ParserFree(parser);
    int legend = n > front ? 2 : 1;
    if (s.circles != (int)n + legend || s.front != (int)front + 1 || s.titles != (int)n || s.outside)
        fail_msg("%s: %d points, %d of the front, %d titles%s; wanted %u and %u, in\n%s", about,
                 s.circles - legend, s.front - 1, s.titles, s.outside ? ", some outside" : "", n, front,
                 text);
    if (strstr(text, "nan") || strstr(text, "inf"))
        fail_msg("%s: not a number in\n%s", about, text);
    free(text);
}

static void pictures_of_random_values(void **state)
{
    uint64_t seed = test_seed();
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct base_random r;
        struct deploy_point p[MOST];
        char about[64];
        uint32_t front = 0;
        base_random_seed(&r, seed, round);
        uint32_t n = test_below(&r, MOST + 1), kinds = 1 + test_below(&r, 10), wide = test_below(&r, 12);
        for (uint32_t k = 0; k < n; k++) {
            double scale = pow(10, -(double)test_below(&r, wide + 1));
            p[k] = (struct deploy_point){{scale * test_below(&r, kinds), scale * test_below(&r, kinds)},
                                         test_below(&r, 3) == 0,
                                         "0@<a> 1/0@&b \x01"};
            front += p[k].front;
        }
        snprintf(about, sizeof about, "seed %llu, round %llu", (unsigned long long)seed,
                 (unsigned long long)round);
        check(p, n, front, about);
    }
}

static void a_picture_by_hand(void **state)
{
    const struct deploy_point p[] = {{{0.2, 1}, true, "a"}, {{0.1, 2}, true, "b"}, {{0.3, 3}, false, "c"}};
    char *text = draw(p, 3);
    (void)state;
    static const char *const parts[] = {">time (ms)<",
                                        ">energy (J)<",
                                        "&lt;a&gt; &amp; &quot;b&quot;",
                                        "<title>100.0 ms, 2 J: b</title>",
                                        ">the front: 2<",
                                        ">others: 1<",
                                        ">200</text>",
                                        ">1</text>",
                                        ">2</text>"};
    for (size_t k = 0; k < BASE_LENGTH(parts); k++)
        if (!strstr(text, parts[k]))
            fail_msg("'%s' is not in\n%s", parts[k], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_random_values),
        cmocka_unit_test(a_picture_by_hand),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
