/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source: a nonblocking put's source belongs to the operation until it is complete (OpenSHMEM 1.6, sections
 * 9.6.2 and 9.8). A program that changes it earlier sends the old bytes here, but either the old or the new
 * ones on a real machine. So the source is checked again when the put is delivered. Only some lines of a
 * long source are checked, enough to detect a refilled buffer.
 */
#include "rma/internal.h"

#include <inttypes.h>
#include <string.h>

enum { WHOLE = 1024, LINES = 16, LINE = 64 }; /* bytes; lines looked at of more; bytes */

struct piece {
    size_t at, bytes;
};

static size_t pieces_of(size_t bytes)
{
    return bytes <= WHOLE ? 1 : LINES;
}

/* The first line, the last one, and others at equal distances. */
static struct piece piece_of(size_t bytes, size_t k)
{
    if (bytes <= WHOLE)
        return (struct piece){0, bytes};
    return (struct piece){
        (bytes - LINE) / (LINES - 1) * k + (k == LINES - 1 ? (bytes - LINE) % (LINES - 1) : 0), LINE};
}

/* The bytes of a piece now: where they lie, or a copy of them in buf. */
static const unsigned char *look(struct rank *r, uintptr_t source, struct piece p, unsigned char *buf)
{
    const void *direct = rank_direct(r, source + p.at, p.bytes);
    if (BASE_LIKELY(direct))
        return direct;
    rank_read(r, source + p.at, buf, p.bytes);
    return buf;
}

uint64_t rma_source_sum(struct rank *r, uintptr_t source, size_t bytes)
{
    unsigned char buf[WHOLE];
    uint64_t sum = bytes;
    for (size_t k = 0; k < pieces_of(bytes); k++) {
        struct piece p = piece_of(bytes, k);
        const unsigned char *now = look(r, source, p, buf);
        for (size_t i = 0; i + 8 <= p.bytes; i += 8) {
            uint64_t word;
            memcpy(&word, now + i, sizeof word);
            sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
            sum ^= sum >> 29;
        }
    }
    return sum;
}

static bool differs(const struct rma_op *op)
{
    unsigned char buf[WHOLE];
    size_t bytes = op->fabric.bytes;
    for (size_t k = 0; k < pieces_of(bytes); k++) {
        struct piece p = piece_of(bytes, k);
        if (memcmp(look(op->ctx->rank, op->local, p, buf), (const unsigned char *)rma_op_data(op) + p.at,
                   p.bytes) != 0)
            return true;
    }
    return false;
}

enum { DESCRIPTION = 1200, NAME = 400 };

/* "... shmem_put_nbi of 8 bytes to ...: its source (...) was changed before shmem_quiet completed it" */
static void describe(const struct rma_op *op, const char *what, char *buf, size_t size)
{
    const struct rma_names *names = op->ctx->names;
    struct rank *r = op->ctx->rank;
    uint64_t bytes = op->fabric.bytes;
    char source[NAME], place[NAME];
    names->target(rma_op_target(op), op->remote, bytes, place, sizeof place);
    names->local(r, op->local, bytes, source, sizeof source);
    snprintf(buf, size,
             "rank %" PRIu32 ": %s of %" PRIu64 " bytes to %s of rank %" PRIu32
             ": its source (%s) %s before %s completed it",
             r->id, rma_op_call(op), bytes, place, op->to, source, what, names->completion);
}

/* The source being checked: reading one that is gone ends the process, whose report then names it. */
static const struct rma_op *volatile looking_at;

static bool is_local(const struct rma_op *op, uintptr_t address)
{
    return !rma_op_class(op)->along_items && !rma_op_class(op)->keeps &&
           address - op->local < op->fabric.bytes;
}

/* "rank 2 (host b) at 12.5 us: shmem_getmem of 16 bytes, with rank 1: its local buffer cannot be written at
 * address 0x18" */
static void describe_fault(const struct rma_op *op, const struct rank_fault *f, char *buf, size_t size)
{
    char where[RANK_WHERE_SIZE];
    snprintf(buf, size,
             "%s: %s of %" PRIu64 " bytes, with rank %" PRIu32 ": %s cannot be %s at address 0x%" PRIxPTR,
             rank_where(where, op->ctx->rank), rma_op_call(op), op->fabric.bytes, op->to,
             is_local(op, f->address) ? "its local buffer" : "its memory", f->access, f->address);
}

static bool explain(struct rank_fault *fault, char *buf, size_t size)
{
    const struct rma_op *op = looking_at ? looking_at : rma_acting;
    if (!op)
        return false;
    fault->rank = op->ctx->rank;
    fault->caller = rank_code_of_low(op->ctx->rank, op->caller);
    fault->explained = looking_at != NULL;
    if (looking_at)
        describe(op, "was freed", buf, size);
    else
        describe_fault(op, fault, buf, size);
    return true;
}

void rma_source_begin(void)
{
    rank_on_crash(explain);
}

static const char key[] = "misuse/source-changed";

bool rma_source_is_free(const struct rma_op *op)
{
    const struct rma_lane *l = rma_op_lane(op);
    return op->number < op->ctx->sources_free || (l && op->number < l->sources_free) ||
           (op->fabric.owner_flags & RMA_NOTICED && op->notice->local && rma_op_is_local(op));
}

static void warn(const struct rma_op *op)
{
    char text[DESCRIPTION];
    if (rma_source_is_free(op) || base_warn_again(key))
        return;
    describe(op, "was changed", text, sizeof text);
    base_warn(key, "%s", text);
}

/* Most puts are of one word. */
static inline bool same_word(const struct rma_op *op)
{
    uint64_t now, then;
    const void *direct =
        op->fabric.bytes == sizeof now ? rank_direct(op->ctx->rank, op->local, sizeof now) : NULL;
    if (!direct)
        return false;
    memcpy(&now, direct, sizeof now);
    memcpy(&then, rma_op_data(op), sizeof then);
    return now == then;
}

/* Called when the put is delivered, before its bytes are. */
void rma_source_check(const struct rma_op *op, const void *room)
{
    uint64_t sum;
    looking_at = op;
    if (rma_op_data(op) && BASE_LIKELY(same_word(op))) {
        looking_at = NULL;
        return;
    }
    if (rma_op_data(op)) {
        if (BASE_UNLIKELY(differs(op)))
            warn(op);
    } else {
        memcpy(&sum, room, sizeof sum);
        if (BASE_UNLIKELY(rma_source_sum(op->ctx->rank, op->local, op->fabric.bytes) != sum))
            warn(op);
    }
    looking_at = NULL;
}
