/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nic: when a host's network card gets to a message or an atomic. It has no queue: later arrivals are simply
 * given a later time, as in a first-come-first-served server.
 */
#include "fabric/parts.h"

/* Accounts for one more message and returns when it leaves.
 * The next one leaves at least `gap` seconds later. */
double fabric_nic_send(struct fabric_nic *nic, double now, double gap)
{
    double start = nic->free > now ? nic->free : now;
    nic->free = start + gap;
    return start;
}

/* An atomic has arrived; returns when it is done. Words are told apart by a remainder only, as on real cards,
 * so two words with the same remainder wait for each other. */
double fabric_nic_atomic(struct fabric_nic *nic, uint32_t word, double now, double gap, double service)
{
    if (BASE_UNLIKELY(!nic->word_free))
        nic->word_free = base_zalloc(FABRIC_WORDS * sizeof(double), "an atomic unit");
    double *busy = &nic->word_free[word % FABRIC_WORDS];
    double start = nic->unit_free > now ? nic->unit_free : now;
    nic->unit_free = start + gap; /* the unit goes on while this one waits for its word */
    if (*busy > start)
        start = *busy;
    return *busy = start + service;
}
