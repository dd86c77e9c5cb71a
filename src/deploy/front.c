/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front: which values are the best ones, if less time and less energy are better. With two objectives,
 * sorting by time leaves the comparison of energies alone, so that no value is compared with all others.
 */
#include "deploy/parts.h"

#include <math.h>
#include <stdlib.h>

bool deploy_dominates(struct deploy_value a, struct deploy_value b)
{
    return a.time <= b.time && a.energy <= b.energy && (a.time < b.time || a.energy < b.energy);
}

static int compare(struct deploy_value a, struct deploy_value b)
{
    if (a.time != b.time)
        return a.time < b.time ? -1 : 1;
    return (a.energy > b.energy) - (a.energy < b.energy);
}

static int compare_by_value(const void *pa, const void *pb, void *arg)
{
    const struct deploy_value *v = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int c = compare(v[a], v[b]);
    return c ? c : (a > b) - (a < b);
}

/* The numbers 0 ... n - 1 by time, then energy. */
static uint32_t *sorted(const struct deploy_value *v, uint32_t n)
{
    uint32_t *by = base_alloc((n + 1) * sizeof *by, "values");
    for (uint32_t k = 0; k < n; k++)
        by[k] = k;
    qsort_r(by, n, sizeof *by, compare_by_value, (void *)v);
    return by;
}

/* Each front's last value so far has its least energy, and the first fronts have less than the later ones: a
 * value belongs to the first front whose least energy is not below, or the same as, its own. */
uint32_t deploy_front_ranks(const struct deploy_value *v, uint32_t n, uint32_t *rank)
{
    uint32_t *by = sorted(v, n), fronts = 0;
    double *least = base_alloc((n + 1) * sizeof *least, "fronts");
    for (uint32_t k = 0; k < n; k++) {
        if (k && !compare(v[by[k]], v[by[k - 1]])) {
            rank[by[k]] = rank[by[k - 1]];
            continue;
        }
        uint32_t low = 0, high = fronts;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (least[middle] <= v[by[k]].energy)
                low = middle + 1;
            else
                high = middle;
        }
        fronts += low == fronts;
        least[low] = v[by[k]].energy;
        rank[by[k]] = low;
    }
    free(least);
    free(by);
    return fronts;
}

/* Values of one rank, in the order of time. Of equal values, the first stands for all, and the others, which
 * add nothing, are at no distance. */
static void crowd(const struct deploy_value *v, uint32_t *by, uint32_t n, double *distance)
{
    uint32_t some = 0;
    for (uint32_t k = 0; k < n; k++)
        if (k && !compare(v[by[k]], v[by[k - 1]]))
            distance[by[k]] = 0;
        else
            by[some++] = by[k];
    const struct deploy_value first = v[by[0]], last = v[by[some - 1]];
    double width = last.time - first.time, height = first.energy - last.energy;
    for (uint32_t k = 0; k < some; k++) {
        bool end = k == 0 || k == some - 1;
        double time = end ? 0 : v[by[k + 1]].time - v[by[k - 1]].time;
        double energy = end ? 0 : v[by[k - 1]].energy - v[by[k + 1]].energy;
        distance[by[k]] =
            end ? INFINITY : (width > 0 ? time / width : 0) + (height > 0 ? energy / height : 0);
    }
}

void deploy_front_crowding(const struct deploy_value *v, uint32_t n, const uint32_t *rank, double *distance)
{
    uint32_t *by = sorted(v, n), *one = base_alloc((n + 1) * sizeof *one, "a front"), some = 1;
    for (uint32_t front = 0; some; front++) {
        some = 0;
        for (uint32_t k = 0; k < n; k++)
            if (rank[by[k]] == front)
                one[some++] = by[k];
        if (some && isfinite(v[one[0]].time))
            crowd(v, one, some, distance);
        else
            for (uint32_t k = 0; k < some; k++)
                distance[one[k]] = 0;
    }
    free(one);
    free(by);
}

double deploy_hypervolume(const struct deploy_value *v, uint32_t n, struct deploy_value reference)
{
    uint32_t *by = sorted(v, n);
    double area = 0, energy = reference.energy;
    for (uint32_t k = 0; k < n; k++) {
        struct deploy_value p = v[by[k]];
        if (p.time >= reference.time || p.energy >= energy)
            continue;
        area += (reference.time - p.time) * (energy - p.energy);
        energy = p.energy;
    }
    free(by);
    return area;
}
