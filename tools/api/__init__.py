# SPDX-License-Identifier: BSD-3-Clause
"""The parts of gen_api.py: what the lists of an API say (lists, front), how C is written (text), what is made
of any API (outputs), what OpenSHMEM alone has (shmem, generics), and the words that shells complete
(completion)."""
