# SPDX-License-Identifier: Apache-2.0
# Moves so many files into a camera's folder, and prints how many are there.
import os, sys
spool, count = sys.argv[1], int(sys.argv[2])
folder = spool + '/pattern/2026/11/21'
os.makedirs(folder)
for number in range(count):
    os.close(os.open(spool + '/.incoming/x', os.O_CREAT | os.O_WRONLY, 0o644))
    os.rename(spool + '/.incoming/x', '%s/%06d.jpg' % (folder, number))
print(len(os.listdir(folder)))
