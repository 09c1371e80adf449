# SPDX-License-Identifier: Apache-2.0
# Prints the seeds of a proof as the file seeds.py of a folder draws them.
import sys
sys.path.insert(0, sys.argv[1])
from seeds import seeds
print(*seeds(*sys.argv[2:]))
