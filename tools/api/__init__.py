# SPDX-License-Identifier: BSD-3-Clause
"""The parts of gen_api.py: reading the lists of an API (lists, front), writing C (text), the files generated
for any API (outputs), the parts specific to OpenSHMEM (shmem, generics), and the words that shells complete
(completion)."""
