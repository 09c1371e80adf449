# SPDX-License-Identifier: Apache-2.0
# Asks a camera after the other for a still, goes away in the ways that are named, and prints each once nobody waits any more.
from prelude import *
for index, way in enumerate(arguments):
    camera = "pattern" if index == 0 else f"pattern-{index + 1}"
    still = f"/v1/cameras/{camera}/still.jpg?deadlineMs=600000"
    if way == "killed":
        child = os.fork()
        if child == 0:
            signal.alarm(900)
            connection = connect()
            ask(connection, still)
            signal.pause()
    else:
        connection = connect()
        if way == "reset":
            ask(connection, "/healthz")
        ask(connection, still)
        if way == "pipelined":
            # At once: the kernel has room for few that are sent one by one.
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
    await_waiting(camera, 1)
    if way == "halfClosed":
        connection.shutdown(socket.SHUT_WR)
        # It still waits for its reply.
        for _ in range(20):
            assert waiting(camera) == 1
    if way == "killed":
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    else:
        connection.close()
    await_waiting(camera, 0)
    print(way)
