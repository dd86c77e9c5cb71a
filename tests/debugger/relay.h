/* SPDX-License-Identifier: BSD-3-Clause */
/* relay: what its two files share. */
extern int relay_here, relay_elsewhere;
int relay_there(int me);
