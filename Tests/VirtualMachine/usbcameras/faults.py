# SPDX-License-Identifier: Apache-2.0
"""What a camera can do wrong, when told to."""
import time

FAULTS = {
    # name: (what it does, its own parameters with their defaults, whether it stays until it is cleared)
    "err": ("sets the error bit in the payload headers of a frame", {}, False),
    "drop": ("packets in the middle of a frame are lost silently: the picture has a hole", {}, False),
    "noeof": ("no end-of-frame bit; the frame ID toggles", {}, False),
    "glue": ("no end-of-frame bit, and the next frame keeps the frame ID", {}, False),
    "nofid": ("the frame ID does not toggle; the end-of-frame bit is set", {}, False),
    "freeze": ("no more packets", {}, True),
    "wake": ("GET_STATUS, the first request after a resume, is answered late", {"seconds": 3.0}, True),
    "stall": ("a request is refused. target: probe, commit, a control's name, alt, status, any; request: SET_CUR, GET_CUR, "
              "set, get, any", {"target": "any", "request": ""}, False),
    "hang": ("a request is never answered; target and request as for stall", {"target": "any", "request": ""}, False),
    "slow": ("a request is answered late; target and request as for stall",
             {"target": "any", "request": "", "seconds": 2.0}, False),
}
# count: so often (0: until it is cleared); every: each Nth; for: seconds.
SCOPE = {"count": 1, "every": 0, "for": 0.0}


class Fault:
    def __init__(self, name, words, targets):
        if name not in FAULTS:
            raise ValueError(f"no fault is called {name}; there are: {' '.join(FAULTS)}")
        _, own, stays = FAULTS[name]
        self.name, self.values, self.seen = name, {**own, **SCOPE}, 0
        given = set()
        for word in words:
            key, equals, text = word.partition("=")
            if not equals or key not in self.values:
                raise ValueError(f"fault {name} takes {' '.join(key + '=' for key in self.values)}")
            self.values[key] = type(self.values[key])(text)
            given.add(key)
        if self.values.get("target", "any") not in ("any", *targets):
            raise ValueError(f"no target is called {self.values['target']}")
        # Once; for ever where that is the nature of it, or where another scope was given.
        self.left = self.values["count"]
        if "count" not in given and (stays or given & {"every", "for"}):
            self.left = 0
        self.ends = time.monotonic() + self.values["for"] if self.values["for"] else None

    def __getitem__(self, key):
        return self.values[key]


class Faults:
    """The faults of one camera. `hits` counts how often each has struck."""

    def __init__(self, targets):
        self.targets, self.present, self.hits = targets, {}, {}

    def add(self, words):
        fault = Fault(words[0], words[1:], self.targets)
        target = fault.values.get("target")
        self.present[(fault.name, target) if target else fault.name] = fault
        self.hits.setdefault(fault.name, 0)

    def clear(self):
        self.present = {}

    def hit(self, key):
        """The fault if it strikes now; else None."""
        fault = self.present.get(key)
        if fault is None:
            return None
        if fault.ends and time.monotonic() >= fault.ends:
            del self.present[key]
            return None
        fault.seen += 1
        if fault["every"] and fault.seen % fault["every"]:
            return None
        if fault.left:
            fault.left -= 1
            if fault.left == 0:
                del self.present[key]
        self.hits[fault.name] += 1
        return fault

    def hit_request(self, name, target, request, is_standard):
        """The fault of this name that strikes this control request. “any” strikes requests of the class only."""
        for key in ((name, target),) if is_standard else ((name, target), (name, "any")):
            fault = self.present.get(key)
            if fault:
                wanted = (fault["request"] or ("any" if is_standard else "set")).upper()
                if wanted in ("ANY", request) or request.startswith(wanted + "_"):
                    return self.hit(key)
        return None
