# SPDX-License-Identifier: Apache-2.0
# Asks so many cameras, one after the other, for what is named, and goes away; ends once nobody waits any more.
from prelude import *
wish, tries = arguments[0], int(arguments[1])
bodies = {
    "stills": {"deadlineMs": 600000},
    "burst": {"count": 1000, "deadlineMs": 600000, "durability": "none"},
    "later": {"fromMs": 3590000, "toMs": 3600000},
    "pausing": {"count": 2, "everyMs": 3600000, "durability": "none"},
}
queries = {"kept": "keep=true&deadlineMs=600000", "average": "average=64&settle=never&deadlineMs=600000"}

def counters(camera):
    return get(f"/v1/cameras/{camera}")["counters"]

def await_counter(camera, name, count):
    while counters(camera)[name] < count:
        time.sleep(0.001)

for index in range(tries):
    camera = "pattern" if index == 0 else f"pattern-{index + 1}"
    connection = connect()
    if wish in bodies:
        post(connection, f"/v1/cameras/{camera}/stills", json.dumps(bodies[wish]))
    else:
        ask(connection, f"/v1/cameras/{camera}/still.jpg?{queries[wish]}")
    if wish == "average":
        # It has begun.
        await_counter(camera, "captured", 3)
    if wish in ("burst", "pausing"):
        await_counter(camera, "stills", 1)
    if wish == "pausing":
        # It is stored by now.
        await_counter(camera, "captured", counters(camera)["captured"] + 10)
    await_waiting(camera, 1)
    connection.close()
    await_waiting(camera, 0)
