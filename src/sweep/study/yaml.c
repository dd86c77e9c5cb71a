/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml: loads libyaml, and a document with it. */
#include "sweep/study/yaml.h"

#include <dlfcn.h>
#include <string.h>

/* What is called of the library. */
static struct {
    typeof(yaml_parser_initialize) *initialize;
    typeof(yaml_parser_set_input_string) *set_input;
    typeof(yaml_parser_load) *load;
    typeof(yaml_parser_delete) *delete;
    typeof(yaml_document_delete) *document_delete;
} library;

static int load_library(struct base_status *st)
{
    static const char name[] = "libyaml-0.so.2";
    void *from = library.load ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.load)
        return 0;
    if (!from)
        return base_fail(st, "%s cannot be loaded; it is in Debian's package libyaml-0-2", name);
    *(void **)&library.initialize = dlsym(from, "yaml_parser_initialize");
    *(void **)&library.set_input = dlsym(from, "yaml_parser_set_input_string");
    *(void **)&library.delete = dlsym(from, "yaml_parser_delete");
    *(void **)&library.document_delete = dlsym(from, "yaml_document_delete");
    *(void **)&library.load = dlsym(from, "yaml_parser_load");
    if (!library.initialize || !library.set_input || !library.delete || !library.document_delete ||
        !library.load)
        return base_fail(st, "%s lacks functions of version 0.2", name);
    return 0;
}

int study_yaml_wrong(const struct study_yaml *y, const yaml_node_t *at, struct base_status *st,
                     const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return base_fail(st, "%.100s:%u: %s", y->path, at ? study_yaml_line(at) : 1, text);
}

int study_yaml_load(struct study_yaml *y, const char *text, size_t size, const char *path,
                    struct base_status *st)
{
    yaml_parser_t parser;
    y->path = path;
    if (load_library(st))
        return -1;
    if (!library.initialize(&parser))
        base_fatal(BASE_EXIT_HOST, "out of memory: a YAML parser");
    library.set_input(&parser, (const unsigned char *)text, size);
    int rc = library.load(&parser, &y->document) ? 0 : -1;
    if (rc) {
        size_t line = parser.problem_mark.line > parser.context_mark.line ? parser.problem_mark.line
                                                                          : parser.context_mark.line;
        (void)base_fail(st, "%.100s:%zu: %s%s%s", path, line + 1,
                        parser.problem ? parser.problem : "not YAML", parser.context ? ", " : "",
                        parser.context ? parser.context : "");
    }
    library.delete(&parser);
    return rc;
}

void study_yaml_release(struct study_yaml *y)
{
    library.document_delete(&y->document);
}

yaml_node_t *study_yaml_node(struct study_yaml *y, int index)
{
    yaml_node_t *start = y->document.nodes.start;
    return index > 0 && start && index <= y->document.nodes.top - start ? start + index - 1 : NULL;
}

int study_yaml_check_keys(struct study_yaml *y, const yaml_node_t *map, struct base_status *st)
{
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    size_t n = study_yaml_pairs(map);
    if (n > 4096)
        return study_yaml_wrong(y, map, st, "more than 4096 keys");
    for (size_t k = 0; k < n; k++) {
        const yaml_node_t *key = study_yaml_node(y, pair[k].key);
        if (!key || key->type != YAML_SCALAR_NODE || strlen(study_yaml_text(key)) != key->data.scalar.length)
            return study_yaml_wrong(y, key ? key : map, st, "a key that is no text");
        for (size_t i = 0; i < k; i++)
            if (!strcmp(study_yaml_text(study_yaml_node(y, pair[i].key)), study_yaml_text(key)))
                return study_yaml_wrong(y, key, st, "'%.80s' is there twice", study_yaml_text(key));
    }
    return 0;
}
