/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate: what the parts of the MPI program share. Every point is measured by all ranks together, so that all
 * agree on what comes next: a part gives a function for one sample, in which some ranks have a role.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

#include "measure.h"

enum { TAG = 17 };

struct bench {
    int rank, size;
    int *node_of; /* of each rank, numbered from 0 in order of ranks */
    int nodes;
    int *socket_of; /* of each rank; -1: not known */
    FILE *out;      /* rank 0's */
    struct measure_limits limits;
    struct measure_random random; /* the same on all ranks */
    size_t largest;               /* message, bytes */
    size_t memory;                /* bytes of an array for the memory's bandwidth */
    int pass;                     /* the whole is measured several times, to see drift */
    char *data;                   /* 2 * largest bytes and room for what is received */
    double begun;
    double clock; /* what MPI_Wtime takes, seconds */
};

/* One point: who, what size. */
struct point {
    const char *kind, *mode;
    int a, b;     /* ranks with a role */
    int width;    /* pairs, senders, messages: what the kind says */
    double wait;  /* of the side that is late, seconds */
    int many;     /* operations of one repetition; 0: one */
    size_t bytes; /* of a message */
    MPI_Win window;
};

/* Does it `times` times. Returns the seconds of one, or 0 on ranks that have nothing to say; the largest value counts. */
typedef double (*sample_fn)(struct bench *b, const struct point *p, int times);
/* Measures a point and writes its line. Returns the median, on all ranks. */
double bench_point(struct bench *b, const struct point *p, sample_fn sample);

/* The first rank on another node than `rank`; -1: none. And another one on the same node. */
int bench_elsewhere(const struct bench *b, int rank);
int bench_beside(const struct bench *b, int rank);
/* The first rank on the same node, and on another socket; -1: none that is known to be. */
int bench_across(const struct bench *b, int rank);
int bench_socket(void); /* this rank's */
/* Sleeps, without asking the MPI for anything. */
void bench_sleep(double seconds);

/* The parts, each with all its points in random order. */
void part_pingpong(struct bench *b);
void part_sharing(struct bench *b);
void part_onesided(struct bench *b);
void part_collectives(struct bench *b);
void part_compute(struct bench *b);
void part_noise(struct bench *b);

#endif
