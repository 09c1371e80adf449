# SPDX-License-Identifier: Apache-2.0
# Listens as systemd does, starts the daemon for each client that finds none, and is that client, mostly about when the daemon
# ends; every reply must be whole, and the daemon must have ended several times.
from prelude import *
import select
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(100)
starts, done = 0, threading.Event()

def run():
    global starts
    while not done.is_set():
        if not select.select([listener], [], [], 0.05)[0]:
            continue
        starts += 1
        process = os.fork()
        if process == 0:
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.execve(arguments[0], arguments, {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            if done.is_set():
                os.kill(process, 15)
                os.waitpid(process, 0)
                return
            time.sleep(0.01)

manager = threading.Thread(target=run)
manager.start()
try:
    random.seed(17)
    for turn in range(16):
        client = connect()
        client.settimeout(60)
        ask(client, "/v1/cameras/pattern", "Connection: close\r\n")
        answer = b""
        while chunk := client.recv(65536):
            answer += chunk
        assert answer.startswith(b"HTTP/1.1 200"), f"turn {turn}: {answer[:500]}"
        client.close()
        time.sleep(random.uniform(0.98, 1.2))
    assert starts > 1, f"it was started {starts} times"
finally:
    done.set()
    manager.join()
