/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins SimGrid's configuration keys: which take effect, which
 * are accepted without effect, which are refused and how. */
#include "platform/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const struct base_setting table[] = {
    {"network/model", BASE_TEXT, "default", "", "", ""},
    {"network/weight-S", BASE_DOUBLE, "0", "0 to 1", "", ""},
};

struct row {
    const char *key, *value, *text; /* text: of the refusal; NULL: accepted */
};

static void check(struct base_settings *s, const struct row *row, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct base_status st = {""};
        int rc = platform_configure(s, row[k].key, row[k].value, BASE_FROM_COMMAND, &st);
        if (rc != (row[k].text ? -1 : 0) || (row[k].text && strcmp(st.text, row[k].text) != 0))
            fail_msg("%s=%s: %d '%s', expected '%s'", row[k].key, row[k].value, rc, st.text,
                     row[k].text ? row[k].text : "no error");
    }
}

static void keys_act_or_are_accepted_or_refused(void **state)
{
    static const struct row row[] = {
        {"network/model", "SMPI", NULL},
        {"network/weight-S", "many", "setting network/weight-S: 'many' is not a number"},
        {"network/optim", "Full", NULL},
        {"cpu/optim", "TI", NULL},
        {"surf/precision", "1e-12", NULL},
        {"precision/timing", "1e-9", NULL},
        {"maxmin/precision", "1e-9", NULL},
        {"contexts/stack-size", "16", NULL},
        {"tracing", "yes", NULL},
        {"tracing/filename", "a.trace", NULL},
        {"smpi/privatization", "dlopen", NULL},
        {"cpu/model", "cas01", NULL},
        {"host/model", "compound", NULL},
        {"network/solver", "maxmin", NULL},
        {"maxmin/concurrency-limit", "-1", NULL},
        {"plugin", "", NULL},
        {"host/model", "ptask_L07", "host/model 'ptask_L07' is not modelled; expected default or compound"},
        {"network/solver", "bmf", "network/solver 'bmf' is not modelled; expected maxmin"},
        {"plugin", "host_energy", "plugin 'host_energy' is not modelled; expected nothing"},
        {"maxmin/concurrency-limit", "10", "maxmin/concurrency-limit '10' is not modelled; expected -1"},
        {"smpi/coll-selector", "mpich", NULL},
        {"smpi/coll-selector", "mpi",
         "smpi/coll-selector 'mpi': expected default, ompi, mpich, mvapich2, impi or automatic"},
        {"smpi/coll-selector", "automatic", NULL},
        {"ns3/TcpModel", "NewReno", "SimGrid's key ns3/TcpModel is not modelled"},
        {"network/modle", "LV08", "unknown setting 'network/modle'; the nearest known one is network/model"},
        {"tracingfile", "a", "unknown setting 'tracingfile'; pgasim info settings lists the known ones"},
    };
    struct base_settings *s = base_settings_create();
    (void)state;
    base_settings_declare(s, table, BASE_LENGTH(table));
    check(s, row, BASE_LENGTH(row));
    assert_string_equal(base_settings_text(s, "network/model"), "SMPI");
    base_settings_destroy(s);
}

static void without_settings_only_keys_without_effect_are_known(void **state)
{
    static const struct row row[] = {
        {"network/optim", "Full", NULL},
        {"network/model", "LV08", "no settings are known here"},
    };
    (void)state;
    check(NULL, row, BASE_LENGTH(row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_act_or_are_accepted_or_refused),
        cmocka_unit_test(without_settings_only_keys_without_effect_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
