# SPDX-License-Identifier: Apache-2.0
# Prints what the service manager hears of a service that runs this command to its end, or "nothing".
from prelude import *
manager, environment = manage_services()
subprocess.run(arguments, check=True, env=environment)
manager.setblocking(False)
try:
    print(manager.recv(4096))
except BlockingIOError:
    print("nothing")
