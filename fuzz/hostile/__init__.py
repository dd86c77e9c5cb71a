# SPDX-License-Identifier: BSD-3-Clause
"""What fuzz/campaign consists of, by kind of input; each file says what it makes."""
