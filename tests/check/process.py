# SPDX-License-Identifier: BSD-3-Clause
"""Commands that may not end."""
import os
import signal
import subprocess


def finish(command, folder, env, seconds):
    """Runs a command to its end, or for so many seconds: (status, output); status None: it did not end."""
    with subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as child:
        try:
            out, _ = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, f"no end after {seconds} s"
        return child.returncode, out.decode(errors="replace")
