# SPDX-License-Identifier: Apache-2.0
"""A matrix of faults: how each is provoked on the daemon in a folder, judged, and written down as a row of docs/reference/faults.md.

PROGRAM list [LANE...]       name and sentence of each fault of all lanes or these, a tab between them
PROGRAM lane LANE FOLDER     provokes one after the other, as lanes.py says: judges what came of it, adds a row to FOLDER/rows
PROGRAM table FOLDER         the document that the rows make
PROGRAM compare FOLDER FILE  whether FILE has that document

While a fault lasts one client asks for one still of that camera after the other, and another client does so with another
camera of the same daemon. Judged is what the first is told, what the log says of it and how often, that a good still comes
after the fault's end, and that the second gets good stills all along. How long each took is printed.
"""
import difflib
import json
import os
import re
import sys
import time

from cameras import LONGEST, Asking, Daemon, wait_until
from lanes import run_lane

PICTURE = "a picture"
# Milliseconds that a client allows where the answer comes at the end of them.
DEADLINE = 30_000


class Stage:
    """The daemon under test. `client` asks for stills of the camera that suffers."""

    def __init__(self, folder):
        self.folder = folder
        self.daemon = Daemon(f"{folder}/tintyped.sock")
        self.client = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, answers):
        """What is wrong with all that came of any fault, as a sentence; None for nothing."""
        return None

    def log_since(self, offset, camera):
        """The lines of the log from `offset` on that are about `camera`, as (level, text, whole line)."""
        lines = []
        with open(self.path("tintyped.log"), errors="replace") as file:
            file.seek(offset)
            for line in file:
                match = re.match(r"\S+ (notice|warning|error) (.*?)(?= [a-z-]+=)", line)
                if match and re.search(rf" camera={camera}(\s|$)", line):
                    lines.append((match[1], match[2], line.rstrip()))
        return lines


class Fault:
    """One row of the matrix.

    camera, other   the camera that suffers, and one that must not notice
    begin, end      what provokes the fault and what ends it; without `end` it is over as soon as it has begun
    lasts           seconds from the one to the other, at least
    sees            what the client is told while it lasts: codes, or PICTURE; exactly these, but for `may`
    says            what the log has to say of it, once; None for nothing at all, but for what it may_say
    at_deadline     whether the answer comes at the client's deadline only
    until           what has to have come of it before it is ended, by all answers since it began; looked at again and again
    after           what puts things back once all is judged
    check           looks at all that came of it; returns a sentence if something is wrong
    """

    def __init__(self, name, title, camera, begin, sees, says=None, end=None, lasts=0.0, may=(), at_deadline=False,
                 other="other", check=None, after=None, may_say=None, until=None):
        self.__dict__.update(locals())

    @property
    def sentence(self):
        told = " or ".join(self.sees)
        return f"{self.title}: the client gets {told}, the log says it once, nobody else notices, and it ends with the fault"


def counted(camera, counter):
    def look(stage, answers):
        return None if stage.daemon.status(camera)["counters"][counter] else f"{counter} of {camera} is 0"
    return look


def is_steady(stage, fault):
    """A still is good and, if the outage has to be in the log, the camera is not degraded: while a stream breaks off again and
    again the log has the rate, not each outage. A camera that is closed keeps that in mind."""
    if not stage.daemon.still(fault.camera).is_good:
        return False
    is_degraded = fault.says and stage.daemon.status(fault.camera)["state"]["name"] == "degraded"
    if is_degraded:
        time.sleep(2)
    return not is_degraded


def run(fault, stage):
    wait_until(lambda: is_steady(stage, fault), f"a good still of {fault.camera}, and no break for a minute")
    offset = os.path.getsize(stage.path("tintyped.log"))
    # Not more often than is needed: emulation makes each still cost a tenth of a second, and other lanes ask, too.
    client = stage.client = Asking(stage.daemon, fault.camera, 1.0, DEADLINE if fault.at_deadline else LONGEST)
    other = Asking(stage.daemon, fault.other, pause=2.0)
    wrong, is_over = [], False
    try:
        wait_until(lambda: other.answers and client.answers, "first answers")
        unbroken = stage.daemon.status(fault.other)["counters"]["interrupted"]
        began = time.monotonic()
        fault.begin(stage)
        # Whether the log says it once shows with the second answer only.
        least = 2 if fault.says and fault.end and not fault.at_deadline else 1

        def is_met():
            # What was asked before the fault may still be on its way.
            told = [a.code or PICTURE for a in client.since(began) if a.asked >= began]
            return set(fault.sees) <= set(told) and sum(what in fault.sees for what in told) >= least
        wait_until(is_met, f"{fault.sees} among", lambda: client.since(began)[-6:])
        if fault.until:
            wait_until(lambda: fault.until(stage, client.since(began)), "what the fault is for, with",
                       lambda: client.since(began)[-6:])
        time.sleep(max(0, began + fault.lasts - time.monotonic()))
        healing = time.monotonic()
        if fault.end:
            fault.end(stage)
        is_over = True
        healed = time.monotonic() if fault.end else began
        good = wait_until(lambda: [a for a in client.since(healed) if a.is_good and (fault.end or a.asked >= began)],
                          "a good still after the fault, with", lambda: client.since(healed)[-6:])
        print(f"back after {good[0].answered - healed:.1f} s")
        if fault.says:
            wait_until(lambda: any(line[0] == "notice" for line in stage.log_since(offset, fault.camera)),
                       "the line of the log that says that it is over")
        wait_until(lambda: [a for a in other.since(began) if a.asked >= began], f"an answer of {fault.other}")
    finally:
        client.end()
        other.end()
        if fault.end and not is_over:
            fault.end(stage)
        if fault.after:
            fault.after(stage)

    answers = client.since(began)
    # What clients were told while it lasted: whoever asked before its end.
    told = [answer for answer in answers if answer.asked <= healing]
    seen = sorted({answer.code or PICTURE for answer in told})
    print(f"answers: {[repr(answer) for answer in answers][:12]}")
    missing, extra = set(fault.sees) - set(seen), set(seen) - set(fault.sees) - set(fault.may)
    if missing or extra:
        wrong.append(f"the client was told {', '.join(seen)}, and should be told {', '.join(fault.sees)}")
    slowest = max((answer.answered - answer.asked for answer in told), default=0)
    print(f"slowest answer: {slowest:.1f} s")
    if not fault.at_deadline and slowest >= LONGEST / 1000:
        wrong.append("an answer came at the client's deadline only")

    lines = stage.log_since(offset, fault.camera)
    print(f"log: {[line[2] for line in lines][:8]}")
    warnings = [line for line in lines if line[0] in ("warning", "error")]
    # vivid numbers its frames by its clock, and gives two of them one number where the machine was late.
    allowed = [words for words in (fault.may_say, "has the number of the one before it") if words]
    surprises = [line for line in warnings if not fault.says and not any(words in line[1] for words in allowed)]
    if surprises:
        wrong.append(f"the log complains: {surprises[0][2]}")
    if fault.says and not any(fault.says.lower() in line[1].lower() for line in warnings):
        wrong.append(f"the log does not say “{fault.says}”")
    wrong += [f"the log does not name the bus: {line[2]}" for line in warnings if not re.search(r" bus=(?!unknown)\S", line[2])]
    texts = []
    for level, text, _ in lines:
        texts = [] if level == "notice" else texts + [text]
        if len(texts) != len(set(texts)):
            wrong.append(f"the log says it twice in one outage: {text}")
            break

    during = other.since(began)
    bad = [answer for answer in during if not answer.is_good]
    longest = max((answer.answered - answer.asked for answer in during), default=0)
    print(f"{fault.other}: {len(during)} answers, the slowest took {longest:.1f} s")
    if bad or not during:
        wrong.append(f"{fault.other} suffered: {bad[:2] or 'no answer'}")
    if stage.daemon.status(fault.other)["counters"]["interrupted"] != unbroken:
        wrong.append(f"the stream of {fault.other} was interrupted")
    wrong += filter(None, (fault.check and fault.check(stage, answers), stage.check(answers)))

    row = {"name": fault.name, "sees": [what for what in fault.sees if what in seen] or seen}
    with open(stage.path("rows"), "a") as file:
        file.write(json.dumps(row) + "\n")
    if wrong:
        sys.exit(f"{fault.name}: " + "\n  ".join(wrong))


def rows_of(folder):
    with open(os.path.join(folder, "rows")) as file:
        return {row["name"]: row for row in map(json.loads, file)}


def line_of(fault, row):
    told = " or ".join(f"`{what}`" if what != PICTURE else PICTURE for what in row["sees"]) if row else "not run"
    said = f"`{fault.says}`" if fault.says else f"nothing, or `{fault.may_say}`" if fault.may_say else "nothing"
    when = ", at its deadline" if fault.at_deadline else ""
    return f"| {fault.title} | {told}{when} | {said} |\n"


def table(header, faults, folder):
    rows = rows_of(folder)
    return header + "".join(line_of(fault, rows.get(fault.name)) for fault in faults)


def compare(header, faults, folder, path):
    """The document is whole and in one piece in the file at `path`, which may have others."""
    with open(path) as file:
        committed = file.read().splitlines(True)
    rows = rows_of(folder)
    seen = table(header, faults, folder).splitlines(True)
    first = committed.index(seen[0]) if seen[0] in committed else 0
    committed = committed[first:first + len(seen)]
    if not rows or committed != seen:
        sys.stdout.writelines(difflib.unified_diff(committed, seen, path, "this run"))
        sys.exit("The table is not what this run saw; “table” writes it.")


def main(header, lanes, make_stage):
    """`lanes` are lists of faults, which do not disturb each other; the document has them in that order."""
    verb, *arguments = sys.argv[1:] or [None]
    faults = sum(lanes, [])
    if verb == "list":
        for fault in sum((lanes[int(lane)] for lane in arguments), []) or faults:
            print(f"{fault.name}\t{fault.sentence}")
    elif verb == "lane" and len(arguments) == 2:
        lane, folder = arguments
        run_lane([(fault.name, fault.sentence, lambda fault=fault: run(fault, make_stage(folder))) for fault in lanes[int(lane)]],
                 folder)
    elif verb == "table" and len(arguments) == 1:
        print(table(header, faults, *arguments), end="")
    elif verb == "compare" and len(arguments) == 2:
        compare(header, faults, *arguments)
    else:
        sys.exit(__doc__)
