# SPDX-License-Identifier: Apache-2.0
# Prints what a service manager hears of a daemon, until it is ready and has shown that its camera is absent.
from prelude import *
manager, environment = manage_services()
daemon = subprocess.Popen(arguments, env=environment)
try:
    heard = []
    # The cameras are shown from time to time, before READY or after it, and as they were when that was begun.
    while "READY=1" not in heard or "door: absent" not in heard[-1]:
        heard += manager.recv(4096).decode().split("\n")
    print("\n".join(heard))
finally:
    daemon.kill()
