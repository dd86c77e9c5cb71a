/* SPDX-License-Identifier: BSD-3-Clause */
/* effects: what a call did to objects: which are there now, which are gone, which requests are complete. */
#include "replay/dumpi/reader.h"

static const struct replay_dumpi_value *field(const struct replay_dumpi_rank *x, const char *name)
{
    return replay_dumpi_value(&x->record, name);
}

static int64_t number_of(const struct replay_dumpi_rank *x, const char *name)
{
    const struct replay_dumpi_value *v = field(x, name);
    return v ? v->number : 0;
}

static int64_t element(const struct replay_dumpi_rank *x, const struct replay_dumpi_value *v, size_t k)
{
    return x->record.numbers.at[v->first + k];
}

static uint32_t function_of(const struct replay_dumpi_rank *x)
{
    return x->record.layout->function;
}

static int64_t request_at(const struct replay_dumpi_rank *x, int64_t place)
{
    const struct replay_dumpi_value *all = field(x, "array_of_requests");
    return place >= 0 && place < (int64_t)all->n ? element(x, all, (size_t)place) : 0;
}

static void complete_several(struct replay_dumpi_rank *x)
{
    const struct replay_dumpi_value *all = field(x, "array_of_requests"), *flag = field(x, "flag"),
                                    *index = field(x, "indx"), *indices = field(x, "array_of_indices");
    if (flag && !flag->number)
        return;
    if (index)
        replay_dumpi_completed(x, request_at(x, index->number));
    for (size_t k = 0; indices && k < indices->n; k++)
        replay_dumpi_completed(x, request_at(x, element(x, indices, k)));
    for (size_t k = 0; !index && !indices && k < all->n; k++)
        replay_dumpi_completed(x, element(x, all, k));
}

static void complete(struct replay_dumpi_rank *x)
{
    uint32_t f = function_of(x);
    if (f == RECORD_MPI_WAIT || (f == RECORD_MPI_TEST && number_of(x, "flag")))
        replay_dumpi_completed(x, number_of(x, "request"));
    else if (field(x, "array_of_requests") && f != RECORD_MPI_STARTALL)
        complete_several(x);
}

/* What is known of a communicator that was made of another. */
static void describe_comm(struct replay_dumpi_rank *x, struct replay_dumpi_object *made,
                          const struct replay_dumpi_object *from)
{
    const struct replay_dumpi_value *dims = field(x, "dims"), *remain = field(x, "remain_dims");
    made->inter = (from && from->inter) || function_of(x) == RECORD_MPI_INTERCOMM_CREATE;
    if (function_of(x) == RECORD_MPI_INTERCOMM_MERGE)
        made->inter = false;
    if (function_of(x) == RECORD_MPI_COMM_DUP && from) {
        made->members = from->members;
        made->dims = from->dims;
    }
    made->dims = dims ? (int64_t)dims->n : made->dims;
    for (size_t k = 0; remain && k < remain->n; k++)
        made->dims += element(x, remain, k) != 0;
}

static bool makes_persistent(uint32_t f)
{
    return f == RECORD_MPI_SEND_INIT || f == RECORD_MPI_BSEND_INIT || f == RECORD_MPI_SSEND_INIT ||
           f == RECORD_MPI_RSEND_INIT || f == RECORD_MPI_RECV_INIT;
}

void replay_dumpi_note(struct replay_dumpi_rank *x, int64_t comm)
{
    const struct replay_dumpi_layout *l = x->record.layout;
    const struct record_function *f = &record_mpi[l->function];
    const struct replay_dumpi_object *from = replay_dumpi_object(x, RECORD_COMM, comm);
    for (uint32_t k = 0; k < f->n; k++) {
        const struct record_param *p = &f->param[k];
        enum record_object o = (enum record_object)p->object;
        if (p->kind != RECORD_HANDLE || p->way == RECORD_IN || l->of[k] < 0)
            continue;
        int64_t number = x->record.value[l->of[k]].number;
        struct replay_dumpi_object *object = replay_dumpi_object(x, o, number);
        if (p->way == RECORD_OUT && object && o == RECORD_COMM)
            describe_comm(x, object, from);
        if (p->way == RECORD_OUT && object && o == RECORD_REQUEST)
            object->persistent = makes_persistent(function_of(x));
        if (p->way == RECORD_CHANGED && (o != RECORD_REQUEST || function_of(x) == RECORD_MPI_REQUEST_FREE))
            replay_dumpi_freed(x, o, number);
    }
    complete(x);
}
