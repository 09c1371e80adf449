# SPDX-License-Identifier: Apache-2.0
"""One server with one camera at a time: idle, stills, many clients at once, streams, memory."""

import statistics
import time

from .place import FORMS, CameraLog, Failure, Tintyped

AT_ONCE = 32
VIEWERS = [1, 8]


def latency_ms(rounds):
    """From the first request to the last byte of the slowest, median of the rounds."""
    return statistics.median(max(r.last for r in replies) - min(r.sent for r in replies) for replies in rounds) / 1e6


class Session:
    """Everything that is measured of a server while it runs once."""

    def __init__(self, place, report, server, form, effort):
        self.place, self.report, self.server, self.form, self.effort = place, report, server, form, effort
        self.is_ours = isinstance(server, Tintyped)
        self.viewed = []

    def note(self, what, unit, value):
        self.report.note(f"{self.form}: {what}", unit, self.server.name, value)

    def ask(self, fresh, rounds, **options):
        return self.place.stills(self.server, self.server.still(fresh), max(4, round(rounds * self.effort)), **options)

    def run(self):
        self.server.start(self.form)
        try:
            self.ask("next", 4)
            if self.form == "YUYV":
                # The newest frame is not held for clients any more.
                time.sleep(1.1)
                self.idle()
            # A server without a choice of freshness is asked once.
            asked = {fresh: self.ask(fresh, 36) for fresh in (["request", "next", "latest"] if self.is_ours else ["next"])}
            at_once = {
                fresh: self.ask(fresh, 20, connections=AT_ONCE, seconds=3)
                for fresh in (["next", "latest"] if self.is_ours else ["next"])
            }
            again = self.ask("latest", 36, again=True) if self.is_ours else None
            for viewers in VIEWERS:
                self.watch(viewers)
            memory = self.server.memory_mb()
        finally:
            self.server.stop()
        self.stills(CameraLog(self.server.log), asked, at_once, again)
        self.note("memory without camera buffers, after all of it", "MB", memory)

    def idle(self):
        seconds = 3 * self.effort
        before, began = self.server.processor_ms(), time.monotonic()
        time.sleep(seconds)
        used = self.server.processor_ms() - before
        self.note("hot camera, nobody asks: processor time a frame", "ms", used / (time.monotonic() - began) / 30)

    def watch(self, viewers):
        used, took, pictures, counts = self.place.watch(self.server, self.server.stream, viewers, 3 * self.effort)
        self.note(f"stream, {viewers} viewer{'s' * (viewers > 1)}: processor time a frame", "ms", used / (took * 30))
        self.viewed += pictures if viewers == 1 else []
        if min(counts) < 0.9 * took * 30:
            self.report.leave_out(
                f"{self.form}, viewers of {self.server.name} ({viewers}): one had only {min(counts)} pictures in {took:.1f} s"
            )

    def stills(self, log, asked, at_once, again):
        """With what only the camera's log and the numbers in the pictures tell."""
        for fresh, rounds in asked.items():
            replies = [replies[0] for replies in rounds]
            known = [(reply, frame) for reply in replies if (frame := log.frame(reply.number, reply.last))]
            if len(known) < len(replies):
                raise Failure(f"{fresh}: {len(replies) - len(known)} of {len(replies)} numbers could not be read")
            if fresh == "request" and any(frame[1] < reply.sent for reply, frame in known):
                raise Failure("request: a picture was exposed before its request")
            lines = [fresh]
            if not self.is_ours:
                # What it gives stands beside what is called that here.
                is_old = sum(frame[1] < reply.sent for reply, frame in known) > len(known) / 2
                lines = ["latest", "latest, asked for before"] if is_old else ["request", "next"]
                at_once = {"latest" if is_old else "next": at_once["next"]}
                if is_old:
                    self.report.leave_out(f"{self.form}: stills of {self.server.name} beside `request` and `next`: it gives "
                                          "pictures that were exposed before the request")
            for line in lines:
                self.note(f"still, {line}: request to last byte", "ms", latency_ms(rounds))
            if fresh == "next":
                age = statistics.median((reply.last - frame[1]) / 1e6 for reply, frame in known)
                self.note("still, next: age of the picture at its last byte", "ms", age)
            if self.is_ours and fresh != "latest":
                # How long after the first frame that would do had been handed out the last byte came.
                at = 1 if fresh == "request" else 2
                ready = [(reply, next((f[2] for f in log.frames if f[at] >= reply.sent), None)) for reply in replies]
                waits = [(reply.last - moment) / 1e6 for reply, moment in ready if moment]
                self.note(f"still, {fresh}: beyond the wait for its frame", "ms", statistics.median(waits))
        if again:
            self.note("still, latest, asked for before: request to last byte", "ms", latency_ms(again))
        for fresh, rounds in at_once.items():
            what = f"{AT_ONCE} clients at once, {fresh}: first request to last byte of the slowest"
            self.note(what, "ms", latency_ms(rounds))
        ages = [(moment - frame[1]) / 1e6 for moment, number in self.viewed if (frame := log.frame(number, moment))]
        if ages:
            self.note("stream, 1 viewer: age of a picture at its last byte", "ms", statistics.median(ages))


def run(place, report, servers, effort, repeat):
    """All servers in turn, beginning with another in each repeat."""
    turned = servers[repeat % len(servers):] + servers[:repeat % len(servers)]
    for form in FORMS:
        for server in turned:
            try:
                Session(place, report, server, form, effort).run()
            except Failure as failure:
                if isinstance(server, Tintyped):
                    raise Failure(f"{form}, {server.name}: {failure}") from failure
                report.leave_out(f"{form}, {server.name}: {failure}")
