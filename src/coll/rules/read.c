/* SPDX-License-Identifier: BSD-3-Clause */
/* read: a file of rules in any form: ours, or a library's. What a library's file leaves open, its fixed rules
 * decide. */
#include "base/output.h"
#include "base/text.h"
#include "base/json_tree.h"
#include "coll/rules/mpich.h"
#include "coll/rules/ompi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };

/* The first character that is no space and in no comment. */
static char first_of(const char *text, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) {
        if (text[k] == '#')
            while (k < bytes && text[k] != '\n')
                k++;
        else if (!strchr(" \t\r\n", text[k]) && text[k])
            return text[k];
    }
    return '\0';
}

static int read_json(struct coll_rules *s, const char *text, size_t bytes, const char *name,
                     struct base_status *st)
{
    struct base_json_tree j;
    if (base_json_tree_read(&j, text, bytes, name, st))
        return -1;
    const struct base_json_node *root = base_json_at(&j, 0);
    bool ompi = base_json_member(&j, root, "collectives") || base_json_member(&j, root, "module") ||
                base_json_member(&j, root, "rule_file_version");
    int rc = ompi ? coll_ompi_parse_json(s, &j, name, st) : coll_mpich_parse(s, &j, name, st);
    s->base = coll_rules_keep(s, ompi ? "ompi-5.0" : "mpich", ompi ? 8 : 5);
    base_json_tree_release(&j);
    return rc;
}

int coll_rules_read_text(struct coll_rules **out, const char *text, size_t bytes, const char *name,
                         struct base_status *st)
{
    char first = first_of(text, bytes);
    bool json = first == '{', numbers = first >= '0' && first <= '9';
    numbers = numbers || (bytes > 18 && !memcmp(text, "rule-file-version-", 18));
    if (!json && !numbers)
        return coll_rules_parse(out, text, bytes, name, st);
    struct coll_rules *s = coll_rules_create(name);
    s->base = coll_rules_keep(s, "ompi-4.1", 8);
    int rc = json ? read_json(s, text, bytes, name, st) : coll_ompi_parse(s, text, bytes, name, st);
    if (rc)
        coll_rules_destroy(s);
    else
        *out = s;
    return rc;
}

static int read_all(int fd, struct base_text *text)
{
    enum { PIECE = 1 << 16 };
    ssize_t n;
    do {
        n = read(fd, base_text_room(text, PIECE), PIECE);
        text->n += n > 0 ? (size_t)n : 0;
    } while ((n > 0 && text->n <= MOST_BYTES) || (n < 0 && errno == EINTR));
    return n < 0 ? -1 : 0;
}

int coll_rules_read(struct coll_rules **out, const char *path, struct base_status *st)
{
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0)
        return base_fail(st,
                         "%.200s: %s: expected a file of rules, or a selector that pgasim has "
                         "(pgasim info selectors)",
                         path, strerror(errno));
    struct base_text text;
    base_text_init(&text, "selectors");
    int rc = read_all(fd, &text);
    if (rc)
        base_fail(st, "%.200s: cannot be read: %s", path, strerror(errno));
    else if (text.n > MOST_BYTES)
        rc = base_fail(st, "%.200s: too long: expected a file of rules of at most 64 MiB", path);
    else
        rc = coll_rules_read_text(out, text.at ? text.at : "", text.n, path, st);
    base_text_release(&text);
    close(fd);
    return rc;
}
