# SPDX-License-Identifier: Apache-2.0
"""Checks that run beside others in a guest: one after the other in a process of their own, while the guest waits for each.

Under emulation a program of Python takes seconds to start, so each check is a fork of one that runs already.
"""
import os
import re
import sys
import time
import traceback

from cameras import is_alive, write


def run_lane(checks, folder):
    """Runs each of the (name, sentence, function) that ONLY (guests/checks.sh) lets through. What it prints is in
    FOLDER/NAME.log, and once it has ended its exit status in FOLDER/NAME.status."""
    for name, sentence, function in checks:
        if not re.search(os.environ.get("ONLY") or ".", sentence):
            continue
        child = os.fork()
        if child == 0:
            os._exit(run_check(function, os.path.join(folder, f"{name}.log")))
        _, status = os.waitpid(child, 0)
        path = os.path.join(folder, f"{name}.status")
        write(f"{path}.new", f"{os.waitstatus_to_exitcode(status) & 0xFF}\n")
        os.rename(f"{path}.new", path)
        is_alive()


def run_check(function, path):
    """The exit status of a check; what it prints goes into a file."""
    began = time.monotonic()
    with open(path, "w", buffering=1) as log:
        sys.stdout = sys.stderr = log
        try:
            function()
            status = 0
        except SystemExit as end:
            print(end.code)
            status = 1
        except BaseException:  # Whatever it is, it is this check's failure, and no other's.
            traceback.print_exc(limit=-3)
            status = 1
        print(f"{time.monotonic() - began:.0f} s")
    return status
