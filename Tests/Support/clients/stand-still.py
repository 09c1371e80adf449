# SPDX-License-Identifier: Apache-2.0
# Is the service manager of a daemon, stops the threads of one part after the other by ptrace(2), and prints each part as it has
# seen the daemon fall silent and speak again.
from prelude import *
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
SEIZE, INTERRUPT, DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000
manager, environment = manage_services()
log = open("log", "w+")
daemon = subprocess.Popen(arguments, stderr=log, stdin=subprocess.DEVNULL, env={**environment, "WATCHDOG_USEC": "2000000"})

def heard(word, seconds):
    "Whether a message with that word comes within so many seconds."
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        manager.settimeout(left)
        try:
            if word in manager.recv(4096).decode().split("\n"):
                return True
        except TimeoutError:
            return False
    return False

def logged(words):
    return words in open("log").read()[begin:]

def until_logged(words):
    end = time.monotonic() + 60
    while not logged(words):
        assert time.monotonic() < end, f"not in the log: {words}"
        time.sleep(0.01)

def until_answered(camera, *words):
    "Until what the daemon says of a camera has one of these words."
    end = time.monotonic() + 60
    while not any(word in (said := json.dumps(get(f"/v1/cameras/{camera}"))) for word in words):
        assert time.monotonic() < end, said
        time.sleep(0.05)

def drain():
    manager.setblocking(False)
    try:
        while True: manager.recv(4096)
    except BlockingIOError:
        pass

def threads(name):
    "Those whose name begins so; where it is empty, all that the watchdog and the log can do without."
    found = []
    for task in map(int, os.listdir(f"/proc/{daemon.pid}/task")):
        try:
            own = open(f"/proc/{daemon.pid}/task/{task}/comm").read()
        except OSError:
            continue  # it has ended
        if own.startswith(name) if name else own not in ["tt-watchdog\n", "tt-log\n"]:
            found.append(task)
    return found

def stop(name, until):
    "Stops all threads of that name, those that are begun meanwhile too, until the log has these words."
    stopped, end = [], time.monotonic() + 60
    while not logged(until):
        assert time.monotonic() < end, f"not in the log: {until}; stopped: {stopped}"
        for task in threads(name):
            # One that has ended meanwhile cannot be stopped.
            if task not in stopped and libc.ptrace(SEIZE, task, None, None) == 0:
                if libc.ptrace(INTERRUPT, task, None, None) == 0:
                    os.waitpid(task, WALL)
                stopped.append(task)
        time.sleep(0.005)
    assert stopped, f"no thread is called {name}"
    return stopped

try:
    assert heard("READY=1", 60) and heard("WATCHDOG=1", 60)
    # The thread of a camera begins with its first opening. It is stopped while no driver call excuses it.
    client = connect()
    post(client, "/v1/cameras/pattern/start")
    until_answered("pattern", '"running"', '"settling"')
    post(client, "/v1/cameras/pattern/stop")
    until_answered("pattern", '"off"')
    for part, name in [
        ("the thread of the camera pattern", "tt-pattern\n"), ("the storage thread of the spool default", "tt-storage"),
        ("the writing threads of the spool default", "tt-write"), ("the encoding threads", "tt-encode"),
        ("an event loop of the control socket", "NIO-SGLTN-"), ("the alarm clock", "tt-alarms"),
        # Its threads have the names of those that began them.
        ("the cooperative pool", ""),
    ]:
        begin = len(open("log").read())
        stopped = stop(name, until=f'does not answer part="{part}"')
        drain()
        assert not heard("WATCHDOG=1", 1.6), f"systemd is told that all moves without {part}"
        for task in stopped:
            libc.ptrace(DETACH, task, None, None)
        until_logged(f'answers again part="{part}"')
        assert heard("WATCHDOG=1", 60)
        print(part)
    begin = len(open("log").read())
    client = connect()
    for camera in ["pattern-2", "pattern-3"]:
        post(client, f"/v1/cameras/{camera}/start")
    until_answered("pattern-2", '"driver-stuck"')
    until_answered("pattern-3", '"running"', '"settling"')
    drain()
    assert all(heard("WATCHDOG=1", 60) for look in range(4)), "a driver that hangs, or a long exposure, starves the watchdog"
    silent = 'error a part of the daemon does not answer part="the thread of the camera pattern-'
    assert not logged(silent), "it is taken for a part that stands still"
    print("a driver that hangs, and an exposure of a minute")
finally:
    daemon.kill()
    sys.stderr.write(open("log").read())
