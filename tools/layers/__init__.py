# SPDX-License-Identifier: BSD-3-Clause
"""The parts of check_layers.py: the table of modules, what files include, what objects use, sizes."""
