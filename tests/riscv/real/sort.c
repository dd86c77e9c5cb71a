/* SPDX-License-Identifier: BSD-3-Clause */
/* qsort and bsearch, of words and of records. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

enum { N = 2000 };
struct person {
    char name[12];
    int age;
    double weight;
};
static uint32_t seed = 12345, words[N];
static struct person people[N];

static uint32_t draw(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int by_age(const void *a, const void *b)
{
    const struct person *x = a, *y = b;
    if (x->age != y->age)
        return x->age < y->age ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight ? 1 : strcmp(x->name, y->name);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        words[i] = draw();
        people[i].age = (int)(draw() % 90);
        people[i].weight = draw() % 1000 / 8.0;
        for (int k = 0; k < 11; k++)
            people[i].name[k] = (char)('a' + draw() % 26);
    }
    unsigned long before = count_now();
    qsort(words, N, sizeof *words, by_value);
    qsort(people, N, sizeof *people, by_age);
    count_print(before);
    int wrong = 0, found = 0;
    for (int i = 1; i < N; i++)
        wrong += words[i - 1] > words[i] || by_age(&people[i - 1], &people[i]) > 0;
    for (uint32_t v = 0; v < 1 << 20; v += 97)
        found += bsearch(&v, words, N, sizeof *words, by_value) != NULL;
    printf("%d wrong, %d found, first %u last %u\n", wrong, found, words[0], words[N - 1]);
    printf("%s %d %.3f, %s %d %.3f\n", people[0].name, people[0].age, people[0].weight, people[N - 1].name,
           people[N - 1].age, people[N - 1].weight);
    return wrong;
}
