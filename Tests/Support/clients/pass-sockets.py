# SPDX-License-Identifier: Apache-2.0
# Listens on a Unix socket and on a port, which it prints, has a client ask for a picture, and becomes the daemon with both
# sockets passed, or with something else.
import fcntl, http.client, os, socket, sys
path, early, kind, program = sys.argv[1:5]
local = socket.socket(socket.AF_UNIX)
local.bind(path)
local.listen(64)
network = socket.create_server(("127.0.0.1", 0))
print(network.getsockname()[1], flush=True)
null = os.open("/dev/null", os.O_RDONLY)
kept = [fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (local.fileno() if kind == "good" else null, network.fileno())]
if kind == "good":
    # The request waits in the queue of the socket.
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    target = "/v1/cameras/pattern/still.jpg?deadlineMs=600000"
    client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    if os.fork() == 0:
        # The sockets that listen are the daemon's alone: its end is the end of the reply, too.
        for one in (local, network): one.close()
        for one in kept: os.close(one)
        reply = http.client.HTTPResponse(client)
        reply.begin()
        with open(f"{early}.part", "wb") as file: file.write(reply.read())
        # The answer has its name once it is whole.
        os.rename(f"{early}.part", early)
        os._exit(0)
for number, one in enumerate(kept): os.dup2(one, 3 + number)
names = "tintyped.socket:tintyped-tcp.socket"
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2", LISTEN_FDNAMES=names)
os.execv(program, sys.argv[4:])
