# SPDX-License-Identifier: BSD-3-Clause
"""What debuggers know of pgasim's jobs: memory.py and job.py read them, in_gdb.py shows them."""
