/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins plans of two-phase accesses against naive ones, which follow each byte of random views: whether there is one, domains,
 * windows, and what each member has in them; and the requests of ranks that access files alone, with and without sieves
 * (PGASIM_TEST_SEED=n plays one seed).
 */
#include "mpi/file_stage.h"

enum { MEMBERS = 5, ITEMS = 60, SLOTS = 9 };

static uint64_t seed;
static struct base_random random_numbers;

static uint64_t below(uint64_t n)
{
    return base_random_below(&random_numbers, n);
}

/* --- random views --------------------------------------------------------------------------------------------- */

/* Tiles of `slots` etypes of `unit` bytes, of which some are seen; the last one is not, nor are any two neighbours. */
struct view {
    uint64_t displacement, unit, slots, seen, slot[SLOTS];
};

/* Where etype k lies. */
static uint64_t place(const struct view *v, uint64_t k)
{
    return v->displacement + (k / v->seen * v->slots + v->slot[k % v->seen]) * v->unit;
}

static struct view choose_view(MPI_File f)
{
    struct view v = {.displacement = below(300), .unit = 1 + below(4), .slots = 2 + below(SLOTS - 1)};
    int places[SLOTS];
    MPI_Datatype etype, part, tile;
    for (uint64_t k = 0; k + 1 < v.slots; k++)
        if ((!v.seen || v.slot[v.seen - 1] + 1 < k) && (below(2) || k + 2 == v.slots)) {
            places[v.seen] = (int)k;
            v.slot[v.seen++] = k;
        }
    if (!v.seen) /* the last one of two that may be */
        places[0] = 0, v.slot[0] = 0, v.seen = 1;
    MPI_Type_contiguous((int)v.unit, MPI_BYTE, &etype);
    MPI_Type_commit(&etype);
    MPI_Type_create_indexed_block((int)v.seen, 1, places, etype, &part);
    MPI_Type_create_resized(part, 0, (MPI_Aint)(v.slots * v.unit), &tile);
    MPI_Type_commit(&tile);
    files_fails("a view",
                MPI_File_set_view(f, (MPI_Offset)v.displacement, etype, tile, "native", MPI_INFO_NULL),
                MPI_SUCCESS);
    MPI_Type_free(&etype);
    MPI_Type_free(&part);
    MPI_Type_free(&tile);
    return v;
}

/* Offsets of etypes, the etypes before a byte, and the runs of some of them. */
struct runs {
    const struct view *view;
    uint64_t next; /* etype */
    uint64_t most; /* runs that may still come */
};

static bool is_next_run(void *arg, int64_t offset, uint64_t bytes)
{
    struct runs *x = arg;
    if ((uint64_t)offset != place(x->view, x->next) || bytes != x->view->unit)
        fail_msg("seed %lu: etype %lu: a run of %lu at %ld, expected %lu at %lu", seed, x->next, bytes,
                 offset, x->view->unit, place(x->view, x->next));
    x->next++;
    return --x->most > 0;
}

static void look_at_views(struct rank *r)
{
    MPI_File f = files_open(MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR, NULL);
    for (int turn = 0; turn < 100; turn++) {
        struct view v = choose_view(f);
        MPI_Offset at, size = (MPI_Offset)(below(2) ? below(1500) : v.displacement + below(20)), want = 0;
        uint64_t first = below(ITEMS), n = 1 + below(ITEMS), most = 1 + below(n);
        files_fails("a size", MPI_File_set_size(f, size), MPI_SUCCESS);
        while ((MPI_Offset)place(&v, (uint64_t)want) < size)
            want++;
        files_fails("a seek", MPI_File_seek(f, 0, MPI_SEEK_END), MPI_SUCCESS);
        MPI_File_get_position(f, &at);
        if (at != want)
            fail_msg("seed %lu: %lld etypes begin before %lld, expected %lld", seed, (long long)at,
                     (long long)size, (long long)want);
        for (uint64_t k = 0; k < ITEMS; k++) {
            files_fails("an offset", MPI_File_get_byte_offset(f, (MPI_Offset)k, &at), MPI_SUCCESS);
            if ((uint64_t)at != place(&v, k))
                fail_msg("seed %lu: etype %lu is at %lld, expected %lu", seed, k, (long long)at,
                         place(&v, k));
        }
        struct runs x = {&v, first, most};
        mpi_view_each(&files_of(r, f)->view, first * v.unit, n * v.unit, is_next_run, &x);
        assert_int_equal(x.next, first + most);
    }
    MPI_File_close(&f);
}

static void views(void **state)
{
    (void)state;
    seed = seed_of_test(1);
    base_random_seed(&random_numbers, seed, 0);
    files_begin(1, "");
    files_play(look_at_views);
}

/* --- plans ------------------------------------------------------------------------------------------------------ */

struct member {
    MPI_File file;
    struct view view;
    uint64_t first, items; /* etypes that it accesses */
    struct mpi_io io;
};

struct scene {
    struct mpi_opened opened;
    uint32_t leaders[MEMBERS];
    struct member member[MEMBERS];
    struct mpi_turn *turn;
    uint64_t low, high; /* of all bytes */
};

static void choose_access(struct scene *s, uint32_t k, struct rank *r)
{
    struct member *m = &s->member[k];
    struct mpi_file *f = files_of(r, m->file);
    m->view = choose_view(m->file);
    m->first = below(ITEMS);
    m->items = below(4) ? below(ITEMS) : 0;
    m->io = (struct mpi_io){.file = files_of(r, s->member[0].file),
                            .access.write = below(2),
                            .view = f->view,
                            .position = m->first * m->view.unit,
                            .bytes = m->items * m->view.unit};
    if (m->items) {
        m->io.low = (int64_t)place(&m->view, m->first);
        m->io.high = (int64_t)(place(&m->view, m->first + m->items - 1) + m->view.unit);
    }
    s->turn->seat[k] = (struct mpi_seat_of_file){.io = &m->io, .low = m->io.low, .high = m->io.high};
}

static void choose_scene(struct scene *s, struct rank *r)
{
    struct mpi_file *f = files_of(r, s->member[0].file);
    s->opened = (struct mpi_opened){.n = 1 + (uint32_t)below(MEMBERS), .leaders = s->leaders};
    for (uint32_t k = 0; k < s->opened.n; k++)
        if (k == 0 || below(2))
            s->leaders[s->opened.hosts++] = k;
    for (uint32_t k = 0; k < s->opened.n; k++)
        choose_access(s, k, r);
    f->hints.aggregators = 1 + (uint32_t)below(s->opened.hosts);
    f->hints.buffer = 1 + below(400);
    f->hints.collective[0] = (enum mpi_choice)below(2);
    f->hints.collective[1] = (enum mpi_choice)below(2);
    storage_file_stripe(f->store, (struct storage_stripes){1 + below(200), 1 + (uint32_t)below(2)});
}

/* Whether bytes of a member lie between those of an earlier one's, or before them. */
static bool is_wanted(struct scene *s, const struct mpi_file *f)
{
    bool any = false, mixed = f->hints.collective[s->member[0].io.access.write] == MPI_CHOICE_ENABLE;
    s->low = UINT64_MAX;
    s->high = 0;
    for (uint32_t k = 0; k < s->opened.n; k++) {
        const struct mpi_io *io = &s->member[k].io;
        if (!io->bytes)
            continue;
        any = true;
        s->low = (uint64_t)io->low < s->low ? (uint64_t)io->low : s->low;
        s->high = (uint64_t)io->high > s->high ? (uint64_t)io->high : s->high;
        for (uint32_t j = 0; j < k; j++)
            mixed |= s->member[j].io.bytes && io->low < s->member[j].io.high;
    }
    return any && mixed;
}

/* What a member has in [from, to) of the file, and between which bytes all of it lies. */
static uint64_t has_there(const struct member *m, uint64_t from, uint64_t to, uint64_t *low, uint64_t *high)
{
    uint64_t bytes = 0;
    for (uint64_t k = m->first; k < m->first + m->items; k++)
        for (uint64_t b = place(&m->view, k); b < place(&m->view, k) + m->view.unit; b++) {
            if (b < from || b >= to)
                continue;
            bytes++;
            *low = b < *low ? b : *low;
            *high = b + 1 > *high ? b + 1 : *high;
        }
    return bytes;
}

static void check_cell(const struct scene *s, const struct mpi_plan *p, uint32_t aggregator, uint32_t round)
{
    const struct mpi_cell *c = &p->cell[aggregator * p->rounds + round];
    uint64_t begin = (uint64_t)p->low + aggregator * p->domain, from = begin + round * p->window,
             to = from + p->window < begin + p->domain ? from + p->window : begin + p->domain, bytes = 0,
             low = UINT64_MAX, high = 0;
    for (uint32_t k = 0; k < s->opened.n; k++) {
        uint64_t has = has_there(&s->member[k], from, to, &low, &high);
        bytes += has;
        if (mpi_plan_bytes(c, k) != has)
            fail_msg("seed %lu: aggregator %u, round %u: member %u has %lu bytes, expected %lu", seed,
                     aggregator, round, k, mpi_plan_bytes(c, k), has);
    }
    if (c->bytes != bytes || (bytes && ((uint64_t)c->low != low || (uint64_t)c->high != high)))
        fail_msg("seed %lu: aggregator %u, round %u: %lu bytes in [%ld, %ld), expected %lu in [%lu, %lu)",
                 seed, aggregator, round, c->bytes, c->low, c->high, bytes, low, high);
    assert_int_equal(mpi_plan_bytes(c, MEMBERS), 0);
}

static void check_plan(struct scene *s, const struct mpi_file *f)
{
    struct mpi_plan *p = mpi_plan_make(&s->opened, s->turn);
    bool wanted = is_wanted(s, f);
    if ((p != NULL) != wanted)
        fail_msg("seed %lu: %s plan", seed, p ? "a" : "no");
    if (!p)
        return;
    struct storage_stripes stripes = storage_file_stripes(f->store);
    uint64_t stripe = stripes.count > 1 ? stripes.size : 1, low = s->low / stripe * stripe,
             domain = (s->high - low + f->hints.aggregators - 1) / f->hints.aggregators;
    domain = (domain + stripe - 1) / stripe * stripe;
    assert_int_equal(p->low, low);
    assert_int_equal(p->domain, domain);
    assert_int_equal(p->window, f->hints.buffer < domain ? f->hints.buffer : domain);
    assert_int_equal(p->rounds, (domain + p->window - 1) / p->window);
    assert_ptr_equal(p->member, s->leaders);
    assert_int_equal(p->aggregators, f->hints.aggregators);
    for (uint32_t a = 0; a < p->aggregators; a++)
        for (uint32_t round = 0; round < p->rounds; round++)
            check_cell(s, p, a, round);
    mpi_plan_release(p);
}

static void make_plans(struct rank *r)
{
    struct scene *s = base_zalloc(sizeof *s, "test");
    s->turn = base_zalloc(sizeof *s->turn + MEMBERS * sizeof *s->turn->seat, "test");
    for (int k = 0; k < MEMBERS; k++)
        s->member[k].file = files_open(MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR, NULL);
    uint64_t first = seed_of_test(1), seeds = seed_is_given() ? 1 : seed_share(400);
    for (seed = first; seed < first + seeds; seed++) {
        base_random_seed(&random_numbers, seed, 0);
        choose_scene(s, r);
        check_plan(s, files_of(r, s->member[0].file));
    }
    for (int k = 0; k < MEMBERS; k++)
        MPI_File_close(&s->member[k].file);
    free(s->turn);
    free(s);
}

static void plans(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(make_plans);
}

/* Aggregators have at most 65 536 windows together, and one each: beyond that they are larger than the hint says. */
static void make_large_plans(struct rank *r)
{
    static const struct {
        uint32_t aggregators, rounds;
        uint64_t bytes, window;
    } row[] = {{1, 65536, 65536, 1},
               {1, 32769, 65537, 2},
               {1, 64936, 5000000, 77},
               {3, 21845, 65535, 1},
               {3, 10923, 65538, 2}};
    uint32_t leaders[] = {0, 1, 2};
    MPI_File file = files_open(MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR, NULL);
    struct mpi_file *f = files_of(r, file);
    struct mpi_opened o = {.n = 1, .leaders = leaders, .hosts = 3};
    struct mpi_turn *t = base_zalloc(sizeof *t + sizeof *t->seat, "test");
    storage_file_stripe(f->store, (struct storage_stripes){1000, 1});
    f->hints.buffer = 1;
    f->hints.collective[1] = MPI_CHOICE_ENABLE;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct mpi_io io = {.file = f, .access.write = true, .view = f->view, .bytes = row[k].bytes};
        t->seat[0] = (struct mpi_seat_of_file){.io = &io, .high = (int64_t)io.bytes};
        f->hints.aggregators = row[k].aggregators;
        struct mpi_plan *p = mpi_plan_make(&o, t);
        if (p->window != row[k].window || p->rounds != row[k].rounds)
            fail_msg("%lu bytes: %u windows of %lu, expected %u of %lu", io.bytes, p->rounds, p->window,
                     row[k].rounds, row[k].window);
        mpi_plan_release(p);
    }
    mpi_plan_release(NULL);
    free(t);
    MPI_File_close(&file);
}

static void large_plans(void **state)
{
    (void)state;
    files_begin(1, "");
    files_play(make_large_plans);
}

/* --- requests of one rank ----------------------------------------------------------------------------------------- */

struct pieces {
    struct files_request at[FILES_REQUESTS];
    size_t n;
};

static void add_piece(struct pieces *p, bool write, uint64_t at, uint64_t bytes)
{
    struct files_request *last = p->n ? &p->at[p->n - 1] : NULL;
    if (last && last->write == write && last->at + last->bytes == at)
        last->bytes += bytes;
    else
        p->at[p->n++] = (struct files_request){at, bytes, 0, write};
}

/* One piece for each etype; or for all etypes that begin within `sieve` bytes, which is read before it is written if there
 * are gaps. */
static void expect_pieces(struct pieces *p, const struct view *v, uint64_t first, uint64_t items, bool write,
                          uint64_t sieve)
{
    p->n = 0;
    for (uint64_t k = first, next; k < first + items; k = next) {
        for (next = k + 1; next < first + items && place(v, next) < place(v, k) + sieve;)
            next++;
        uint64_t low = place(v, k), span = place(v, next - 1) + v->unit - low;
        if (write && span > (next - k) * v->unit)
            add_piece(p, false, low, span);
        add_piece(p, write, low, span);
    }
}

static void access_alone(struct rank *r, int amode, enum mpi_choice choice)
{
    static const char *const words[] = {"automatic", "enable", "disable"};
    static char data[ITEMS * 4];
    static struct pieces want;
    char size[2][20];
    uint64_t sieve[2] = {1 + below(200), 1 + below(200)};
    bool write = amode == MPI_MODE_WRONLY || (amode == MPI_MODE_RDWR && below(2));
    snprintf(size[0], sizeof size[0], "%lu", sieve[0]);
    snprintf(size[1], sizeof size[1], "%lu", sieve[1]);
    const char *const hints[] = {
        "romio_ds_read", words[choice],        "romio_ds_write", words[choice], "ind_rd_buffer_size",
        size[0],         "ind_wr_buffer_size", size[1],          NULL};
    MPI_File f = files_open(MPI_COMM_SELF, amode | (amode == MPI_MODE_RDONLY ? 0 : MPI_MODE_CREATE), hints);
    struct view v = choose_view(f);
    uint64_t first = below(ITEMS), items = 1 + below(ITEMS);
    uint64_t span = place(&v, first + items - 1) + v.unit - place(&v, first);
    bool on = choice == MPI_CHOICE_ENABLE || (choice == MPI_CHOICE_AUTOMATIC && span / 2 <= items * v.unit);
    on = on && !(write && amode == MPI_MODE_WRONLY);
    files_requests = 0;
    if (write)
        MPI_File_write_at(f, (MPI_Offset)first, data, (int)(items * v.unit), MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_read_at(f, (MPI_Offset)first, data, (int)(items * v.unit), MPI_BYTE, MPI_STATUS_IGNORE);
    expect_pieces(&want, &v, first, items, write, on ? sieve[write] : 0);
    for (size_t k = 0; k < want.n && k < files_requests; k++)
        if (files_request[k].at != want.at[k].at || files_request[k].bytes != want.at[k].bytes ||
            files_request[k].write != want.at[k].write || files_request[k].rank != r->id)
            fail_msg("seed %lu, request %zu: %s of %lu bytes at %lu, expected %s of %lu at %lu", seed, k,
                     files_request[k].write ? "write" : "read", files_request[k].bytes, files_request[k].at,
                     want.at[k].write ? "write" : "read", want.at[k].bytes, want.at[k].at);
    if (files_requests != want.n)
        fail_msg("seed %lu: %zu requests, expected %zu", seed, files_requests, want.n);
    MPI_File_close(&f);
}

static void access_files(struct rank *r)
{
    static const int modes[] = {MPI_MODE_RDWR, MPI_MODE_WRONLY, MPI_MODE_RDONLY};
    uint64_t first = seed_of_test(1), seeds = seed_is_given() ? 1 : seed_share(300);
    for (seed = first; seed < first + seeds; seed++) {
        base_random_seed(&random_numbers, seed, 0);
        access_alone(r, modes[seed == first ? 0 : below(3)], (enum mpi_choice)below(3));
    }
}

static void alone(void **state)
{
    (void)state;
    files_begin(1, "");
    files_note_requests();
    files_play(access_files);
}

/* --- requests of aggregators ----------------------------------------------------------------------------------------- */

/* Two members have blocks of 10 bytes of each 30, on two hosts; each aggregator has a domain of 3000 bytes. */
static void access_together(struct rank *r)
{
    static char data[2000];
    static const char *const hints[] = {"romio_cb_write", "enable", "cb_buffer_size", "2000", NULL};
    int amode = stage.bytes == 1 ? MPI_MODE_WRONLY : MPI_MODE_RDWR;
    MPI_File f = files_open(MPI_COMM_WORLD, amode | MPI_MODE_CREATE, hints);
    MPI_Datatype blocks;
    MPI_Type_vector(200, 10, 30, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, 10 * r->id, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Type_free(&blocks);
    MPI_File_write_all(f, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

/* The last block ends at 5990. Gaps are read first, if they can be. */
static void expect_requests(bool reads)
{
    static const uint64_t low[] = {0, 2000, 3000, 5000}, high[] = {2000, 3000, 5000, 5990};
    uint64_t bytes[2] = {0};
    for (size_t k = 0; k < files_requests; k++) {
        const struct files_request *q = &files_request[k];
        uint64_t from = low[2 * q->rank], to = high[2 * q->rank + 1];
        bytes[q->write] += q->bytes;
        if (q->at < from || q->at + q->bytes > to || (k > 1 && files_request[k - 1].at > q->at + 3000))
            fail_msg("request %zu, of rank %u: %lu bytes at %lu", k, q->rank, q->bytes, q->at);
    }
    if (files_requests != (reads ? 8 : 4) || bytes[0] != (reads ? bytes[1] : 0) || bytes[1] < 5900 ||
        bytes[1] > 5990)
        fail_msg("%zu requests: %lu bytes are read, %lu written", files_requests, bytes[0], bytes[1]);
}

static void together(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        files_begin(2, "");
        stage.bytes = k ? 1 : 64;
        files_note_requests();
        files_play(access_together);
        expect_requests(k == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views), cmocka_unit_test(plans),    cmocka_unit_test(large_plans),
        cmocka_unit_test(alone), cmocka_unit_test(together),
    };
    return files_main(tests, BASE_LENGTH(tests));
}
