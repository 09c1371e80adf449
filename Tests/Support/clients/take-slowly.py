# SPDX-License-Identifier: Apache-2.0
# Takes stills beside clients that take nothing, or byte by byte. Prints the bytes of one still, and the resident memory of the
# daemon, whose process is the argument: before, with the slow clients, and once they have asked on.
from prelude import *
pid = int(arguments[0])
still = "/v1/cameras/pattern/still.jpg?fresh=latest"

def memory():
    return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def take(connection):
    ask(connection, still)
    status, body = reply(connection)
    assert status == 200, body
    return len(body)

def takes(connection):
    return [take(connection) for _ in range(40)]

fast = connect()
takes(fast)
alone = takes(fast)
before = memory()
slow = []
for index in range(60):
    connection = connect()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    # Many requests at once: none but the first few may be answered.
    for _ in range(30):
        ask(connection, still)
    slow.append(connection)
peak = 0
for _ in range(200):
    for connection in slow[:30]:
        connection.recv(1)
    take(fast)
    peak = max(peak, memory())
for connection in slow:
    connection.setblocking(False)
    for _ in range(100):
        try:
            ask(connection, still)
        except BlockingIOError:
            break
    connection.setblocking(True)
takes(fast)
memory_after = memory()
for connection in slow:
    connection.close()
takes(fast)
print(alone[0], before, peak, memory_after)
