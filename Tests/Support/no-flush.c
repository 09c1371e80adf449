// SPDX-License-Identifier: Apache-2.0
// no-flush: preloaded into the processes of tests, it makes fsync(2), fdatasync(2) and syncfs(2) return at once.
//
// How long a disk takes for a flush depends on what else the machine writes, and says nothing about the code under test. What
// survives a power cut is tested in the virtual machine, where this is not preloaded.
int fsync(int descriptor) { return (void)descriptor, 0; }
int fdatasync(int descriptor) { return (void)descriptor, 0; }
int syncfs(int descriptor) { return (void)descriptor, 0; }
