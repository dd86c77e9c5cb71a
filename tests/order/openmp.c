/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenMP orders, and what it does not. Tasks that sleep let others be done by other threads. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdlib.h>

#define CELLS                                                                                                \
    CELL(forked, 0)                                                                                          \
    CELL(joined, 0)                                                                                          \
    CELL(unordered, 1)                                                                                       \
    CELL(barrier, 0)                                                                                         \
    CELL(behind, 0)                                                                                          \
    CELL(critical, 0)                                                                                        \
    CELL(named, 0)                                                                                           \
    CELL(two_names, 1) CELL(lock, 0) CELL(nest, 0) CELL(ordered, 0) CELL(copied, 0) CELL(single, 0)          \
        CELL(single_nowait, 1) CELL(sections, 0) CELL(two_sections, 1) CELL(loop, 0) CELL(nowait, 1)         \
            CELL(task_made, 0) CELL(task_waited, 0) CELL(task_not_waited, 1) CELL(two_tasks, 1)              \
                CELL(grandchild, 1) CELL(group, 0) CELL(out_in, 0) CELL(in_out, 0) CELL(two_in, 1)           \
                    CELL(taskloop, 0) CELL(at_barrier, 0) CELL(at_end, 0) CELL(nested, 0) CELL(dynamic, 0)   \
                        CELL(freed, 0) CELL(second, 0)
#include "cells.h"

static int me(void)
{
    return omp_get_thread_num();
}

static void regions(void)
{
    W(forked);
#pragma omp parallel num_threads(4)
    {
        R(forked);
        if (me() == 2)
            W(joined);
        if (me() < 2)
            W(unordered);
        if (me() == 1)
            W(barrier);
        R(behind);
#pragma omp barrier
        R(barrier);
        if (me() == 3)
            W(behind);
    }
    W(joined);
#pragma omp parallel num_threads(4)
    if (me() == 1)
        W(second);
#pragma omp parallel num_threads(4)
    if (me() == 2)
        W(second);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        if (me() == 1 && omp_get_ancestor_thread_num(1) == 1)
            W(nested);
#pragma omp barrier
        R(nested);
    }
}

static void exclusive(void)
{
    omp_lock_t l;
    omp_nest_lock_t n;
    omp_init_lock(&l);
    omp_init_nest_lock(&n);
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        {
            W(critical);
            usleep(3);
        }
#pragma omp critical(one_name)
        W(named);
        if (me() & 1) {
#pragma omp critical(third_name)
            W(two_names);
        } else {
#pragma omp critical(other_name)
            W(two_names);
        }
        omp_set_lock(&l);
        W(lock);
        usleep(2);
        omp_unset_lock(&l);
        while (!omp_test_nest_lock(&n))
            usleep(2);
        omp_set_nest_lock(&n);
        W(nest);
        omp_unset_nest_lock(&n);
        omp_unset_nest_lock(&n);
#pragma omp for ordered schedule(static, 1)
        for (int k = 0; k < 8; k++) {
#pragma omp ordered
            W(ordered);
        }
    }
    omp_destroy_lock(&l);
    omp_destroy_nest_lock(&n);
}

static void shared_work(void)
{
    int value;
#pragma omp parallel num_threads(4) private(value)
    {
#pragma omp single copyprivate(value)
        {
            W(copied);
            value = 3;
        }
        R(copied);
        if (value != 3)
            abort();
#pragma omp single
        W(single);
        R(single);
#pragma omp single nowait
        {
            usleep(20);
            W(single_nowait);
        }
        R(single_nowait);
#pragma omp sections
        {
#pragma omp section
            {
                W(sections);
                usleep(30);
                W(two_sections);
            }
#pragma omp section
            {
                usleep(60);
                W(two_sections);
            }
        }
        R(sections);
#pragma omp for schedule(static, 1)
        for (int k = 0; k < 4; k++)
            if (k == 2)
                W(loop);
        R(loop);
#pragma omp for schedule(dynamic, 1) nowait
        for (int k = 0; k < 4; k++)
            if (k == 1) {
                usleep(10);
                W(nowait);
            }
        R(nowait);
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(4)
    for (int k = 0; k < 8; k++) {
        usleep(5);
        if (k == 3)
            W(dynamic);
    }
    W(dynamic);
}

static void tasks(void)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        {
            int local = 5;
            W(task_made);
#pragma omp task firstprivate(local)
            {
                R(task_made);
                W(task_waited);
                if (local != 5)
                    abort();
#pragma omp task
                {
                    usleep(50);
                    W(grandchild);
                }
            }
            usleep(10);
#pragma omp taskwait
            R(task_waited);
            usleep(100);
            R(grandchild);
#pragma omp task
            W(task_not_waited);
            usleep(10);
            R(task_not_waited);
            for (int k = 0; k < 2; k++) {
#pragma omp task
                {
                    usleep(10);
                    W(two_tasks);
                    usleep(10);
                }
            }
            usleep(100);
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp task
                    {
                        usleep(10);
                        W(group);
                    }
                }
                usleep(10);
            }
            R(group);
#pragma omp task
            W(at_barrier);
            usleep(10);
        }
        R(at_barrier);
#pragma omp single nowait
        {
#pragma omp task
            {
                usleep(10);
                W(at_end);
            }
        }
    }
    R(at_end);
}

static void dependences(void)
{
    char x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            usleep(10);
            W(out_in);
        }
        for (int k = 0; k < 2; k++) {
#pragma omp task depend(in : x) depend(out : y)
            {
                R(out_in);
                R(in_out);
                usleep(10);
            }
        }
        for (int k = 0; k < 2; k++) {
#pragma omp task depend(in : x)
            {
                usleep(10);
                W(two_in);
                usleep(10);
            }
        }
        usleep(100);
#pragma omp task depend(inout : x)
        W(in_out);
        usleep(10);
#pragma omp taskloop grainsize(1)
        for (int k = 0; k < 8; k++) {
            usleep(10);
            if (k == 5)
                W(taskloop);
        }
        R(taskloop);
    }
}

int main(void)
{
    cells_begin();
    regions();
    exclusive();
    shared_work();
    tasks();
    dependences();
    cells_end();
    return 0;
}
