/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of string.h and ctype.h at all alignments, beside loops by hand. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

static char from[256], to[256], other[256];

static int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}

static int compare(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    return 0;
}

static unsigned moves(size_t a, size_t b, size_t n)
{
    unsigned wrong = 0;
    memset(to, '.', sizeof to);
    memcpy(to + b, from + a, n);
    wrong += compare(to + b, from + a, n) != 0 || to[b + n] != '.' || (b && to[b - 1] != '.');
    memcpy(other, from, sizeof other);
    memmove(other + b, other + a, n);
    wrong += compare(other + b, from + a, n) != 0;
    other[b + n / 2] ^= 1;
    wrong += sign(memcmp(other + b, from + a, n)) != compare(other + b, from + a, n);
    to[b + n] = 0;
    wrong += strlen(to + b) != n || (n && memchr(to + b, from[a], n) != to + b);
    return wrong;
}

int main(void)
{
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (char)(1 + i * 7 % 255);
    unsigned wrong = 0;
    unsigned long before = count_now();
    for (size_t a = 0; a < 9; a++)
        for (size_t b = 0; b < 9; b++)
            for (size_t n = 0; n < 70; n += 1 + n / 9)
                wrong += moves(a, b, n);
    count_print(before);
    char text[] = "one, two;three  four", *rest = NULL;
    for (char *word = strtok_r(text, ",; ", &rest); word; word = strtok_r(NULL, ",; ", &rest))
        printf("<%s>", word);
    int letters = 0, digits = 0, spaces = 0;
    for (int c = 0; c < 128; c++)
        letters += isalpha(c) != 0, digits += isxdigit(c) != 0, spaces += isspace(c) != 0;
    printf("\n%u wrong; %d %d %d; %s %s %zu %ld\n", wrong, letters, digits, spaces, strstr("haystack", "st"),
           strrchr("a/b/c", '/'), strcspn("hello world", " "), strtol("-0x1F", NULL, 0));
    return wrong != 0;
}
