/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dram: one channel of banks that keep their rows open. An access reserves its bank and the data bus from
 * the time at which it is asked for; nothing is an event. Accesses asked for with earlier times than others
 * before them wait behind these: the model has no reordering controller. Addresses go through a row, then
 * the banks, then the rows of a bank. Refresh is left out.
 */
#include "node/node.h"

#include <stdlib.h>

struct bank {
    uint64_t row;     /* open row + 1; 0: none */
    double ready;     /* for the next column command */
    double activated; /* when its row was opened */
    double written;   /* its last write's data end: a precharge must wait for `recovery` after that */
};

struct node_dram {
    struct node_dram_config config;
    struct node_dram_counts counts;
    double bus_free;
    struct bank bank[];
};

struct node_dram *node_dram_create(const struct node_dram_config *config)
{
    struct node_dram *d = base_zalloc(sizeof *d + config->banks * sizeof d->bank[0], "DRAM");
    d->config = *config;
    for (uint32_t k = 0; k < config->banks; k++)
        d->bank[k].written = -config->recovery;
    return d;
}

void node_dram_destroy(struct node_dram *d)
{
    free(d);
}

/* Opens the row, from `start` on, if it is not open: when its columns can be asked for. */
static double open_row(struct node_dram *d, struct bank *b, uint64_t row, double start)
{
    const struct node_dram_config *c = &d->config;
    if (b->row == row + 1) {
        d->counts.row_hits++;
        return start;
    }
    if (b->row) {
        d->counts.row_conflicts++;
        if (start < b->activated + c->active)
            start = b->activated + c->active;
        if (start < b->written + c->recovery)
            start = b->written + c->recovery;
        start += c->precharge;
    } else {
        d->counts.row_opened++;
    }
    b->row = row + 1;
    b->activated = start;
    return start + c->activate;
}

/* Lines of one row, asked for at the banks at `at`: when the last byte has crossed the bus. */
static double serve(struct node_dram *d, double at, uint64_t address, uint64_t lines, bool write)
{
    const struct node_dram_config *c = &d->config;
    uint64_t page = address / c->row;
    struct bank *b = &d->bank[page % c->banks];
    double column = open_row(d, b, page / c->banks, at > b->ready ? at : b->ready);
    double data = column + c->cas;
    if (data < d->bus_free)
        data = d->bus_free;
    double end = data + (double)lines * c->burst;
    d->bus_free = end;
    b->ready = end - c->cas;
    if (write)
        b->written = end;
    *(write ? &d->counts.writes : &d->counts.reads) += lines;
    return end;
}

double node_dram_access(struct node_dram *d, double now, uint64_t address, bool write)
{
    return serve(d, now + d->config.front, address, 1, write) + d->config.back;
}

double node_dram_stream(struct node_dram *d, double now, uint64_t address, uint64_t bytes, bool write)
{
    double at = now + d->config.front, end = at;
    uint64_t last = address + bytes;
    while (address < last) {
        uint64_t stop = (address / d->config.row + 1) * d->config.row;
        if (stop > last)
            stop = last;
        uint64_t lines = (stop - 1) / NODE_LINE - address / NODE_LINE + 1;
        end = serve(d, at, address, lines, write);
        address = stop;
    }
    return end + d->config.back;
}

struct node_dram_counts node_dram_counts(const struct node_dram *d)
{
    return d->counts;
}
