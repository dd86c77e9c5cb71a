/* SPDX-License-Identifier: BSD-3-Clause */
/* log: the debug stream (--sat-debug): a line per event on stdout, in the form of the paper's Figures 13
 * and 14. */
#include "sdsm/internal.h"

void sat_log_print(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    printf("%d %s\n", sdsm->id, line);
    fflush(stdout);
}

const char *sat_type_name(int type)
{
    static const char *const names[] = {
        [SAT_HELLO] = "hello",
        [SAT_REQUEST_TOPOLOGY] = "request_topology",
        [SAT_REPLY_TOPOLOGY] = "reply_topology",
        [SAT_DATA_CTRL] = "data_ctrl",
        [SAT_CONSISTENCY] = "consistency",
        [SAT_SYNCHRONIZATION] = "synchronization",
        [SAT_PUBLISH] = "publish_subscribe",
        [SAT_TERMINATION] = "termination",
        [SAT_JIA] = "jia",
    };
    return type >= 0 && type < SAT_TYPES ? names[type] : "unknown";
}

const char *sat_request_name(int request)
{
    static const char *const names[] = {
        [SAT_CLIENT_REQ_WRITE] = "client_req_write",
        [SAT_SERVER_REQ_WRITE] = "server_req_write",
        [SAT_REP_WRITE] = "server_rep_write",
        [SAT_CLIENT_REQ_RELEASE] = "client_req_release",
        [SAT_SERVER_REQ_RELEASE] = "server_req_release",
        [SAT_REP_RELEASE] = "server_rep_release",
        [SAT_CLIENT_REQ_READ] = "client_req_read",
        [SAT_SERVER_REQ_READ] = "server_req_read",
        [SAT_REP_READ] = "server_rep_read",
        [SAT_REQ_FETCH] = "server_req_fetch",
        [SAT_REP_FETCH] = "server_rep_fetch",
        [SAT_REQ_INVALIDATE] = "req_invalidate",
        [SAT_REP_INVALIDATE] = "rep_invalidate",
        [SAT_CLIENT_UPLOAD] = "client_upload",
        [SAT_UPDATE] = "server_update",
        [SAT_REQ_SIZE] = "req_size",
        [SAT_REP_SIZE] = "rep_size",
        [SAT_LEAVE] = "client_leave",
        [SAT_REQ_OBSERVE] = "req_observe",
        [SAT_REP_OBSERVE] = "rep_observe",
        [SAT_RENDEZVOUS] = "rendezvous",
        [SAT_WAKEUP] = "wakeup",
        [SAT_BARRIER] = "barrier",
        [SAT_LOCK] = "lock",
        [SAT_UNLOCK] = "unlock",
        [SAT_GO] = "go",
        [SAT_SUBSCRIBE] = "subscribe",
        [SAT_UNSUBSCRIBE] = "unsubscribe",
        [SAT_SUBSCRIBED] = "subscribed",
        [SAT_SIGNALLED] = "signal",
        [SAT_NOTIFY] = "notify",
        [SAT_CLIENT_DONE] = "client_done",
        [SAT_SERVER_DONE] = "server_done",
        [SAT_SHUT_DOWN] = "shut_down",
        [SAT_ASK_TOPOLOGY] = "ask_topology",
        [SAT_TELL_TOPOLOGY] = "tell_topology",
        [SAT_EXPLAIN] = "explain",
        [SAT_JIA_PAGE] = "jia_page",
        [SAT_JIA_PAGE_IS] = "jia_page_is",
        [SAT_JIA_DIFF] = "jia_diff",
        [SAT_JIA_FLUSH] = "jia_flush",
        [SAT_JIA_FLUSHED] = "jia_flushed",
        [SAT_JIA_LOCK] = "jia_lock",
        [SAT_JIA_UNLOCK] = "jia_unlock",
        [SAT_JIA_BARRIER] = "jia_barrier",
        [SAT_JIA_WAIT] = "jia_wait",
        [SAT_JIA_SET] = "jia_setcv",
        [SAT_JIA_RESET] = "jia_resetcv",
        [SAT_JIA_AWAIT] = "jia_waitcv",
        [SAT_JIA_SEND] = "jia_send",
        [SAT_JIA_RECEIVE] = "jia_recv",
        [SAT_JIA_GO] = "jia_go",
    };
    return request >= 0 && request < SAT_REQUESTS && names[request] ? names[request] : "unknown";
}

const char *sat_state_name(int state)
{
    static const char *const names[] = {"modified", "exclusive", "shared", "invalid"};
    return names[state & 3];
}

/* --sat-debug=messages: the records of a message, and the first bytes of their data. */
void sat_log_record(const char *what, int peer, const struct sat_record *r, const char *data)
{
    char bytes[3 * 16 + 1] = "";
    for (uint64_t k = 0; data && k < r->bytes && k < 16; k++)
        snprintf(bytes + 3 * k, 4, " %02x", (unsigned char)data[k]);
    sat_log_print(
        "%s %d: %s id %llu version %llu size %llu client %d server %d home %d flags %u bytes %llu%s%s", what,
        peer, sat_request_name(r->request), (unsigned long long)r->chunk, (unsigned long long)r->version,
        (unsigned long long)r->size, r->client, r->server, r->home, r->flags, (unsigned long long)r->bytes,
        *bytes ? ":" : "", bytes);
}
