/* SPDX-License-Identifier: BSD-3-Clause */
/* Needed by plugins alone. */
int part_count;
