# SPDX-License-Identifier: Apache-2.0
# Connects in the moment in which the path is there.
import os, socket, sys, time
end = time.monotonic() + 30
while not os.path.exists(sys.argv[1]) and time.monotonic() < end: pass
socket.socket(socket.AF_UNIX).connect(sys.argv[1])
print('connected')
