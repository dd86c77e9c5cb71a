/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a setting storage/mounts, an empty line, and lines KEY=VALUE that become properties of a platform and
 * of a disk: a report, or storage whose volumes have disks, and every path a volume or none. */
#include "storage/internal.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The lines as <prop>s, each key once. A disk's have no '/': such ones are the fabric's, which ends the process. */
static char *properties(char *lines, const char *before)
{
    struct base_text t;
    struct base_table keys;
    char *line;
    base_text_init(&t, "fuzz");
    base_table_init(&keys, BASE_BYTES, sizeof(int), "fuzz");
    while ((line = strsep(&lines, "\n")) != NULL) {
        char *value = strchr(line, '=');
        bool fresh;
        if (!value || (!*before && memchr(line, '/', (size_t)(value - line))))
            continue;
        *value++ = 0;
        base_table_add_bytes(&keys, line, strlen(line), &fresh);
        if (!fresh)
            continue;
        base_text_format(&t, "<prop id=\"%s", before);
        base_text_xml(&t, line);
        base_text_add(&t, "\" value=\"");
        base_text_xml(&t, value);
        base_text_add(&t, "\"/>");
    }
    base_table_release(&keys);
    return base_text_take(&t);
}

static void check(const struct storage *s)
{
    static const char *const path[] = {"/", "/a", "/a/b/c", "/tmp/x"};
    for (size_t k = 0; k < s->volumes.n; k++) {
        const struct storage_volume *v = s->volumes.at[k];
        BASE_ASSERT("targets",
                    v->targets.n > 0 && v->stripes > 0 && v->stripes <= v->targets.n && v->stripe > 0);
        for (size_t t = 0; t < v->targets.n; t++)
            BASE_ASSERT("disks", v->targets.at[t] < s->disks.n);
    }
    for (size_t k = 0; k < BASE_LENGTH(path); k++)
        for (uint32_t host = 0; host < 2; host++) {
            const struct storage_volume *v = storage_volume_of(s, host, path[k]);
            BASE_ASSERT("reach", !v || v->host == STORAGE_NONE || v->host == host);
        }
}

static void make(struct platform *p, const char *mounts)
{
    struct engine *e =
        engine_create(&(struct engine_config){.max_actors = 1, .stack_size = base_page_size()});
    struct fluid *fl = fluid_create(e);
    struct base_settings *settings = base_settings_create();
    struct base_status st = {""};
    struct storage *s = NULL;
    base_settings_declare(settings, fabric_settings, fabric_settings_count);
    base_settings_declare(settings, storage_settings, storage_settings_count);
    struct fabric *f = fabric_create(e, fl, p, settings);
    if (base_settings_set(settings, "storage/mounts", mounts, BASE_FROM_COMMAND, &st) ||
        storage_create(&s, f, settings, &st))
        BASE_ASSERT("a reason", *st.text);
    else if (s)
        check(s);
    storage_destroy(s);
    fabric_destroy(f);
    fluid_destroy(fl);
    engine_destroy(e);
    base_settings_destroy(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = base_alloc(size + 1, "fuzz");
    struct platform *p;
    struct base_status st;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    char *rest = text, *mounts = strsep(&rest, "\n");
    char *copy = base_strdup(rest ? rest : "");
    char *zone = properties(copy, "storage/f/");
    free(copy);
    copy = base_strdup(rest ? rest : "");
    char *disk = properties(copy, "");
    free(copy);
    char *xml =
        base_strfmt("<?xml version='1.0'?><platform version='4.1'><zone id='z' routing='Full'>%s"
                    "<host id='a' speed='1f'><disk id='d' read_bw='1MBps' write_bw='2MBps'>%s</disk></host>"
                    "<host id='b' speed='1f'/></zone></platform>",
                    zone, disk);
    if (platform_load_text(&p, xml, strlen(xml), "p.xml", NULL, &st) == 0) {
        make(p, mounts);
        platform_destroy(p);
    }
    free(xml);
    free(zone);
    free(disk);
    free(text);
    return 0;
}
