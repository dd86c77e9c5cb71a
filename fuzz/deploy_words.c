/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes read as the words of a space, one per line: servers, roles, hosts, serve, protocols, and a
 * configuration of that space. A report, or a space of which a few configurations are drawn; and a
 * configuration that is the same when it is written and read again.
 */
#include "deploy/deploy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char platform[] =
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
    "<cluster id=\"c\" prefix=\"a\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>"
    "<cluster id=\"d\" prefix=\"b\" suffix=\"\" radical=\"0-1\" speed=\"2Gf\" core=\"2\" bw=\"1GBps\" "
    "lat=\"1us\"/>"
    "</zone></platform>";

static void check_same(const struct deploy_space *s, const struct deploy_config *c)
{
    struct deploy_config *again = NULL;
    struct base_status st;
    char *text = deploy_config_text(s, c);
    BASE_ASSERT("it is read again",
                deploy_config_read(s, text, &again, &st) == DEPLOY_READ && deploy_config_equal(c, again));
    free(text);
    free(again);
}

static void check_space(const struct deploy_space *s, const char *text)
{
    struct base_random r;
    struct deploy_config *c;
    struct base_status st = {""};
    uint32_t processes = 0;
    for (uint16_t k = 0; k < s->kinds; k++)
        processes += s->kind[k].most;
    base_random_seed(&r, 1, 1);
    for (int k = 0; k < 3 && processes < 64; k++)
        if ((c = deploy_random(s, &r))) {
            check_same(s, c);
            free(c);
        }
    enum deploy_read got = deploy_config_read(s, text, &c, &st);
    BASE_ASSERT("a reason", got != DEPLOY_DAMAGED || st.text[0]);
    if (got == DEPLOY_READ) {
        check_same(s, c);
        free(c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct platform *p;
    struct deploy_hosts h;
    struct deploy_space s;
    struct base_status st = {""};
    char *copy = base_strfmt("%.*s", (int)size, (const char *)data), *line[6], *rest = copy;
    for (int k = 0; k < 6; k++)
        line[k] = rest ? strsep(&rest, "\n") : NULL;
    const char *protocols[] = {line[4]};
    const struct deploy_words w = {line[0], line[1], line[2], line[3], protocols, line[4] && *line[4], false};
    BASE_ASSERT("a platform", !platform_load_text(&p, platform, sizeof platform - 1, "platform", NULL, &st));
    BASE_ASSERT("hosts", !deploy_hosts_read(&h, p, 3, &st));
    st.text[0] = 0;
    if (deploy_space_read(&s, &h, &w, &st)) {
        BASE_ASSERT("a reason", st.text[0]);
    } else {
        check_space(&s, line[5] ? line[5] : "");
        deploy_space_release(&s);
    }
    deploy_hosts_release(&h);
    platform_destroy(p);
    free(copy);
    return 0;
}
