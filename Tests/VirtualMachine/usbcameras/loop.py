# SPDX-License-Identifier: Apache-2.0
"""One thread with descriptors and timers."""
import heapq
import itertools
import selectors
import time


class Loop:
    def __init__(self):
        self.selector, self.timers, self.order, self.running = selectors.DefaultSelector(), [], itertools.count(), True
        self.calls = {}

    def at(self, when, call):
        """Calls once at a moment of CLOCK_MONOTONIC, unless what this returns is cancelled."""
        timer = [when, next(self.order), call]
        heapq.heappush(self.timers, timer)
        return timer

    @staticmethod
    def cancel(timer):
        timer[2] = None

    def after(self, seconds, call):
        return self.at(time.monotonic() + seconds, call)

    def watch(self, sock, call):
        self.selector.register(sock, selectors.EVENT_READ)
        self.calls[sock] = call

    def change(self, sock, events):
        self.selector.modify(sock, events)

    def forget(self, sock):
        if self.calls.pop(sock, None):
            self.selector.unregister(sock)

    def end(self):
        self.running = False

    def run(self):
        while self.running:
            wait = self.run_timer()
            for key, events in self.selector.select(wait):
                # What came before in this round may have closed it.
                call = self.calls.get(key.fileobj)
                if call:
                    call(events)

    def run_timer(self):
        """Runs the first timer if it is due; returns how long to wait for the next."""
        while self.timers:
            when, _, call = self.timers[0]
            wait = when - time.monotonic()
            if call is not None and wait > 0:
                return wait
            heapq.heappop(self.timers)
            if call is not None:
                call()
                return 0
        return None
