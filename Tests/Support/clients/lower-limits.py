# SPDX-License-Identifier: Apache-2.0
# Lowers limits of a running daemon, whose process is the argument, step by step, and asks for everything at each; where the
# limit leaves no connection or thread for the reply, it gives up. Prints the limits, once all works again without them.
from prelude import *
import resource
pid = int(arguments[0])

def count(kind):
    return len(os.listdir(f"/proc/{pid}/{kind}"))

requests = [(ask, target) for target in [
    "/v1/cameras", "/v1/cameras/pattern/formats", "/v1/cameras/pattern/still.jpg?deadlineMs=100",
    "/v1/cameras/pattern-2/still.jpg?deadlineMs=100", "/v1/frames", "/v1/spool", "/v1/events", "/metrics", "/healthz",
    "/openapi.json",
]] + [(post, target) for target in [
    "/v1/cameras/pattern/stills", "/v1/cameras/pattern/examine", "/v1/cameras/pattern-2/start",
    "/v1/cameras/pattern-2/stop", "/v1/spool/verify", "/v1/spool/retention", "/v1/reload",
]]

def request_all():
    for send, target in requests:
        try:
            connection = connect()
            connection.settimeout(0.2)
            send(connection, target)
            reply(connection)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        assert os.path.exists(f"/proc/{pid}/exe"), f"the daemon has ended at {target}"

def lower(name, number, kind):
    limits = resource.prlimit(pid, number)
    for spare in [16, 8, 4, 2, 1, 0]:
        resource.prlimit(pid, number, (count(kind) + spare, limits[1]))
        request_all()
    resource.prlimit(pid, number, limits)
    print(name)

lower("open files", resource.RLIMIT_NOFILE, "fd")
# For root, there is no such limit.
if os.stat(f"/proc/{pid}").st_uid != 0:
    lower("threads", resource.RLIMIT_NPROC, "task")
connection = connect()
for camera in ["pattern", "pattern-2"]:
    ask(connection, f"/v1/cameras/{camera}/still.jpg?deadlineMs=600000")
    status, body = reply(connection)
    assert status == 200, body
for target in ["/v1/spool/verify", "/v1/reload"]:
    post(connection, target)
    status, body = reply(connection)
    assert status == 200, body
