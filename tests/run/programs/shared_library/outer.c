/* SPDX-License-Identifier: BSD-3-Clause */
int outer_data = 5;
extern int inner_public[4];
int *outer_pointer = &inner_public[2]; /* relocated against another library */

int outer_next(void)
{
    return *outer_pointer == 3 ? ++outer_data : -1;
}
