# SPDX-License-Identifier: Apache-2.0
# Prints what a service manager hears of a daemon, until it is ready and has shown its cameras.
import os, socket, subprocess, sys
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("notify")
manager.settimeout(30)
daemon = subprocess.Popen(sys.argv[1:], env={**os.environ, "NOTIFY_SOCKET": os.path.abspath("notify")})
try:
    heard = []
    # The cameras are shown from time to time, before READY or after it.
    while "READY=1" not in heard or "door: " not in heard[-1]:
        heard += manager.recv(4096).decode().split("\n")
    print("\n".join(heard))
finally:
    daemon.kill()
