# SPDX-License-Identifier: Apache-2.0
"""With which seeds the proofs of the spool draw."""
import os
import time

KEPT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "seeds.txt")


def seeds(proof, given=None):
    """The seed that was given, alone; without one, those that seeds.txt keeps for this proof, and then a new one."""
    if given:
        return [given]
    with open(KEPT, encoding="utf-8") as file:
        rows = [line.split(None, 2) for line in file if line.strip() and not line.startswith("#")]
    return [seed for name, seed, _ in rows if name == proof] + [str(time.time_ns())]


def advice(proof, seed):
    """Says how to keep a seed that failed."""
    return f"To have this seed run first from now on, add to Tests/Spool/seeds.txt: {proof} {seed} WHAT-IT-FOUND"
