# SPDX-License-Identifier: Apache-2.0
# Starts and stops a camera of a daemon whose log lines nothing reads, until far more were written than a pipe and the daemon
# keep; then reads and prints them.
from prelude import *
import fcntl
kind, command = arguments[0], arguments[1:]
manager, environment = manage_services()
if kind == "pipe":
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
else:
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    ends[1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    reader, writer = ends[0].detach(), ends[1].detach()
    status = os.fstat(writer)
    environment["JOURNAL_STREAM"] = f"{status.st_dev}:{status.st_ino}"
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=writer, env=environment)
os.close(writer)
try:
    while "READY=1" not in manager.recv(4096).decode().split("\n"):
        pass
    # Nothing reads there any more: the daemon waits for no receiver that is full.
    manager.close()
    connection = connect()
    connection.settimeout(10)
    for _ in range(900):
        for verb in ["start", "stop"]:
            post(connection, f"/v1/cameras/pattern/{verb}")
            status, body = reply(connection)
            assert status == 200, body
    log = bytearray()
    said = threading.Event()

    def read():
        while chunk := os.read(reader, 65536):
            log.extend(chunk)
            if b"were lost" in log:
                said.set()

    thread = threading.Thread(target=read)
    thread.start()
    said.wait(30)
    child.send_signal(signal.SIGTERM)
    assert child.wait(30) == 0
    thread.join(30)
    sys.stdout.write(log.decode())
finally:
    child.kill()
