# SPDX-License-Identifier: Apache-2.0
# Connects in the moment in which the path is there.
import os, socket, sys
while not os.path.exists(sys.argv[1]): os.sched_yield()
socket.socket(socket.AF_UNIX).connect(sys.argv[1])
print('connected')
