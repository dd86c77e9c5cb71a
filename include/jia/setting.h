/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h: JIAJIA's programs may include it for jiapid and jiahosts. Compile them with -I .../include/jia. */
#include "../jia.h"
