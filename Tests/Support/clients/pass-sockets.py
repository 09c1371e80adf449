# SPDX-License-Identifier: Apache-2.0
# Listens on a Unix socket and on a port, which it prints, has a client ask for a picture, and becomes the daemon with both
# sockets passed, or with something else.
import fcntl, os, socket, sys
path, early, kind, program = sys.argv[1:5]
local = socket.socket(socket.AF_UNIX)
local.bind(path)
local.listen(64)
network = socket.create_server(("127.0.0.1", 0))
print(network.getsockname()[1], flush=True)
null = os.open("/dev/null", os.O_RDONLY)
kept = [fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (local.fileno() if kind == "good" else null, network.fileno())]
if kind == "good":
    url = "http://localhost/v1/cameras/pattern/still.jpg?deadlineMs=600000"
    # The answer has its name once it is whole.
    os.system(f"(curl -s -o '{early}.part' --unix-socket '{path}' '{url}'; mv '{early}.part' '{early}') &")
for number, one in enumerate(kept): os.dup2(one, 3 + number)
names = "tintyped.socket:tintyped-tcp.socket"
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2", LISTEN_FDNAMES=names)
os.execv(program, sys.argv[4:])
