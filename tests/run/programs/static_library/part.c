/* SPDX-License-Identifier: BSD-3-Clause */
long part_data = 77;

long *part_hidden(void)
{
    static long hidden;
    return &hidden;
}
