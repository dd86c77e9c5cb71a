/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end, versions, memory, error classes and handlers, info objects, sessions, conversions of handles. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 3 -- one two
// stdout: right
// stderr-not: warning
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong, me;
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            wrong++;                                                                                         \
            printf("%d: line %d: %s\n", me, __LINE__, #condition);                                           \
        }                                                                                                    \
    } while (0)

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

/* --- facts ------------------------------------------------------------------------------------------ */

static void before(void)
{
    int flag = 7, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version == MPI_VERSION);
    CHECK(MPI_Get_library_version(text, &length) == MPI_SUCCESS && (int)strlen(text) == length);
    CHECK(MPI_Abi_get_version(&version, &subversion) == MPI_SUCCESS && version == MPI_ABI_VERSION);
}

static void facts(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int flag, length, level;
    CHECK(MPI_Get_processor_name(name, &length) == MPI_SUCCESS && !strcmp(name, "node-0") && length == 6);
    CHECK(MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_SERIALIZED);
    CHECK(MPI_Is_thread_main(&flag) == MPI_SUCCESS && flag);
    double since = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Wtime() > since && MPI_Wtick() > 0 && MPI_Wtick() < 1e-6);
    CHECK(MPI_Pcontrol(1) == MPI_SUCCESS);
}

static void memory(void)
{
    MPI_Info info;
    char *a = NULL, *b = NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096");
    CHECK(MPI_Alloc_mem(1000, info, &a) == MPI_SUCCESS && a && (uintptr_t)a % 4096 == 0);
    CHECK(MPI_Alloc_mem(0, MPI_INFO_NULL, &b) == MPI_SUCCESS && b);
    memset(a, 1, 1000);
    CHECK(class_of(MPI_Free_mem(a + 64)) == MPI_ERR_BASE);
    CHECK(MPI_Free_mem(a) == MPI_SUCCESS && class_of(MPI_Free_mem(a)) == MPI_ERR_BASE);
    CHECK(MPI_Free_mem(b) == MPI_SUCCESS);
    CHECK(class_of(MPI_Alloc_mem(-1, MPI_INFO_NULL, &b)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Alloc_mem(PTRDIFF_MAX / 2, MPI_INFO_NULL, &b)) == MPI_ERR_NO_MEM);
    MPI_Info_free(&info);
}

/* --- errors ----------------------------------------------------------------------------------------- */

static void classes(void)
{
    int class, code, other, length, *last, flag;
    char text[MPI_MAX_ERROR_STRING];
    CHECK(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length) == MPI_SUCCESS && length > 0);
    CHECK(MPI_Add_error_class(&class) == MPI_SUCCESS && class > MPI_ERR_LASTCODE);
    CHECK(MPI_Add_error_code(class, &code) == MPI_SUCCESS && class_of(code) == class && code != class);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    CHECK(flag && *last >= code);
    CHECK(MPI_Add_error_string(code, "too hot") == MPI_SUCCESS);
    CHECK(MPI_Error_string(code, text, &length) == MPI_SUCCESS && !strcmp(text, "too hot") && length == 7);
    CHECK(MPI_Error_string(class, text, &length) == MPI_SUCCESS && length == 0);
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS); /* it has a code */
    CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS && MPI_Remove_error_code(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
    CHECK(MPI_Error_class(code, &other) != MPI_SUCCESS);
    CHECK(MPI_Add_error_string(MPI_ERR_COMM, "mine") != MPI_SUCCESS);
    CHECK(MPI_Add_error_code(MPI_ERR_COMM, &code) == MPI_SUCCESS && class_of(code) == MPI_ERR_COMM);
}

static int seen_code, seen;
static MPI_Comm seen_comm;
static MPI_Session seen_session;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    seen++;
    seen_comm = *comm;
    seen_code = *code;
}

static void on_session(MPI_Session *session, int *code, ...)
{
    seen++;
    seen_session = *session;
    seen_code = *code;
}

static void handlers(void)
{
    seen = 0;
    MPI_Errhandler h, is;
    MPI_Comm copy;
    MPI_Comm_create_errhandler(on_comm, &h);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    CHECK(MPI_Comm_set_errhandler(copy, h) == MPI_SUCCESS);
    CHECK(MPI_Comm_get_errhandler(copy, &is) == MPI_SUCCESS && is == h);
    MPI_Errhandler_free(&is);
    MPI_Errhandler_free(&h);
    CHECK(h == MPI_ERRHANDLER_NULL);
    int code = MPI_Send(NULL, 0, MPI_INT, 99, 0, copy);
    CHECK(seen == 1 && seen_comm == copy && seen_code == code && class_of(code) == MPI_ERR_RANK);
    CHECK(MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER) == MPI_SUCCESS && seen == 2 &&
          seen_code == MPI_ERR_OTHER);
    MPI_Comm grandchild;
    MPI_Comm_dup(copy, &grandchild); /* inherits */
    MPI_Send(NULL, -1, MPI_INT, 0, 0, grandchild);
    CHECK(seen == 3 && seen_comm == grandchild && class_of(seen_code) == MPI_ERR_COUNT);
    MPI_Comm_free(&grandchild);
    MPI_Comm_free(&copy);
    CHECK(class_of(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRHANDLER_NULL)) == MPI_ERR_ARG);
}

/* --- info ------------------------------------------------------------------------------------------- */

static void info(void)
{
    MPI_Info a, b;
    char value[20], key[MPI_MAX_INFO_KEY], longest[MPI_MAX_INFO_KEY + 10];
    int n, flag, length;
    MPI_Info_create(&a);
    MPI_Info_set(a, "first", "1");
    MPI_Info_set(a, "second", "twenty-two");
    MPI_Info_set(a, "first", "one");
    CHECK(MPI_Info_get_nkeys(a, &n) == MPI_SUCCESS && n == 2);
    CHECK(MPI_Info_get_nthkey(a, 1, key) == MPI_SUCCESS && !strcmp(key, "second"));
    CHECK(class_of(MPI_Info_get_nthkey(a, 2, key)) == MPI_ERR_ARG);
    length = 5;
    CHECK(MPI_Info_get_string(a, "second", &length, value, &flag) == MPI_SUCCESS && flag);
    CHECK(length == 11 && !strcmp(value, "twen"));
    CHECK(MPI_Info_get(a, "first", 10, value, &flag) == MPI_SUCCESS && flag && !strcmp(value, "one"));
    CHECK(MPI_Info_get_valuelen(a, "third", &length, &flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Info_dup(a, &b) == MPI_SUCCESS && MPI_Info_delete(a, "first") == MPI_SUCCESS);
    CHECK(class_of(MPI_Info_delete(a, "first")) == MPI_ERR_INFO_NOKEY);
    CHECK(MPI_Info_get_nkeys(b, &n) == MPI_SUCCESS && n == 2);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    CHECK(class_of(MPI_Info_set(a, longest, "1")) == MPI_ERR_INFO_KEY);
    CHECK(class_of(MPI_Info_set(MPI_INFO_NULL, "k", "1")) == MPI_ERR_INFO);
    MPI_Info_free(&a);
    MPI_Info_free(&b);
    CHECK(a == MPI_INFO_NULL && class_of(MPI_Info_free(&b)) == MPI_ERR_INFO);
    CHECK(MPI_Info_get(MPI_INFO_ENV, "maxprocs", 10, value, &flag) == MPI_SUCCESS && flag &&
          !strcmp(value, "3"));
    CHECK(MPI_Info_get(MPI_INFO_ENV, "argv", 10, value, &flag) == MPI_SUCCESS && flag &&
          !strcmp(value, "one two"));
    CHECK(MPI_Info_get(MPI_INFO_ENV, "host", 10, value, &flag) == MPI_SUCCESS && flag &&
          !strcmp(value, "node-0"));
    CHECK(class_of(MPI_Info_set(MPI_INFO_ENV, "host", "x")) == MPI_ERR_INFO);
}

/* --- sessions --------------------------------------------------------------------------------------- */

static void sessions(int alone)
{
    MPI_Session s, t;
    MPI_Errhandler h;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info of;
    char name[MPI_MAX_PSET_NAME_LEN], size[10];
    int n, length = sizeof name, flag, sum, one = 1;
    MPI_Session_create_errhandler(on_session, &h);
    CHECK(MPI_Session_init(MPI_INFO_NULL, h, &s) == MPI_SUCCESS);
    CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &t) == MPI_SUCCESS && s != t);
    CHECK(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n) == MPI_SUCCESS && n >= 2);
    CHECK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &length, name) == MPI_SUCCESS &&
          !strcmp(name, "mpi://WORLD"));
    CHECK(MPI_Session_get_pset_info(s, "mpi://SELF", &of) == MPI_SUCCESS);
    CHECK(MPI_Info_get(of, "mpi_size", 9, size, &flag) == MPI_SUCCESS && flag && !strcmp(size, "1"));
    MPI_Info_free(&of);
    int before = seen;
    MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 99, &length, name);
    CHECK(seen == before + 1 && seen_session == s && class_of(seen_code) == MPI_ERR_ARG);
    CHECK(MPI_Group_from_session_pset(s, "mpi://WORLD", &group) == MPI_SUCCESS);
    CHECK(MPI_Comm_create_from_group(group, "tests", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) == MPI_SUCCESS);
    MPI_Group_free(&group);
    CHECK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == 3);
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&h);
    CHECK(MPI_Session_finalize(&t) == MPI_SUCCESS && t == MPI_SESSION_NULL);
    CHECK(MPI_Session_finalize(&s) == MPI_SUCCESS);
    if (alone) {
        MPI_Initialized(&flag);
        CHECK(!flag); /* the world's */
    }
}

/* --- conversions ------------------------------------------------------------------------------------ */

static void conversions(void)
{
    MPI_Status a = {0}, b;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    a.MPI_SOURCE = 2;
    a.MPI_TAG = 77;
    MPI_Status_set_elements(&a, MPI_INT, 5);
    int n;
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_SELF)) == MPI_COMM_SELF);
    CHECK(MPI_Status_c2f(&a, f) == MPI_SUCCESS && MPI_Status_f2c(f, &b) == MPI_SUCCESS);
    CHECK(b.MPI_SOURCE == 2 && b.MPI_TAG == 77 && MPI_Get_count(&b, MPI_INT, &n) == MPI_SUCCESS && n == 5);
}

int main(int argc, char **argv)
{
    int provided, flag, sum;
    before();
    sessions(1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    CHECK(provided == MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Init(NULL, NULL)) == MPI_ERR_OTHER);
    facts();
    memory();
    classes();
    handlers();
    info();
    sessions(0);
    conversions();
    MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0 && !sum)
        printf("right\n");
    MPI_Finalize();
    MPI_Finalized(&flag);
    return !flag;
}
