/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim.h: what a program can tell the simulator. Every call does nothing, at no simulated cost, when the
 * program was not started by `pgasim run`.
 */
#ifndef PGASIM_H
#define PGASIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* The calling rank computes for as long as its simulated host takes for `flops` floating-point operations.
 * Nothing happens for values that are not positive. */
void pgasim_compute_flops(double flops);

/* The calling rank computes for `seconds` of simulated time on a core of its own; longer where ranks share cores. */
void pgasim_compute_seconds(double seconds);

/* Simulated seconds since the program's start; 0 outside of a simulation. */
double pgasim_time(void);

/* 1 in a simulated rank, else 0. */
int pgasim_simulated(void);

#ifdef __cplusplus
}
#endif

#endif
