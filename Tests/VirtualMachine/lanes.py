# SPDX-License-Identifier: Apache-2.0
"""Checks that run beside others in a guest: one after the other in a process of their own, while the guest waits for each.

Under emulation a program of Python takes seconds to start, so each check is a fork of one that runs already.
"""
import os
import re
import subprocess
import sys
import time
import traceback


# Milliseconds that a program takes to start where limits were made (guests/checks.sh), and by how much the lanes slow one
# another down at least: their processors are two.
USUAL_START, BESIDE_OTHERS = 100, 2


def measure_pace():
    """As guests/checks.sh does before each of its checks."""
    began = time.monotonic()
    subprocess.run("/bin/true")
    subprocess.run("/bin/true")
    took = (time.monotonic() - began) * 1000 / 2
    os.environ["PACE"] = str(max(BESIDE_OTHERS, round(took / USUAL_START)))


def run_lane(checks, folder):
    """Runs each of the (name, sentence, function) that ONLY (guests/checks.sh) lets through. What it prints is in
    FOLDER/NAME.log, and once it has ended its exit status in FOLDER/NAME.status."""
    for name, sentence, function in checks:
        if not re.search(os.environ.get("ONLY") or ".", sentence):
            continue
        measure_pace()
        child = os.fork()
        if child == 0:
            os._exit(run_check(function, os.path.join(folder, f"{name}.log")))
        _, status = os.waitpid(child, 0)
        path = os.path.join(folder, f"{name}.status")
        with open(f"{path}.new", "w") as file:
            file.write(f"{os.waitstatus_to_exitcode(status) & 0xFF}\n")
        os.rename(f"{path}.new", path)


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
        print(f"{time.monotonic() - began:.0f} s at pace {os.environ['PACE']}")
    return status
