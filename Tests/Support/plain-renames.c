// SPDX-License-Identifier: Apache-2.0
//
// Lets every file system be one that knows no flags of renameat2(2), as NFS and 9P: LD_PRELOAD=plain-renames.so program;
// with TINTYPE_NO_LINKS in the environment also one that knows no links of files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int folder, const char *path, int other_folder, const char *other, unsigned int flags) {
    if (flags == 0)
        return renameat(folder, path, other_folder, other);
    errno = EINVAL;
    return -1;
}

int linkat(int folder, const char *path, int other_folder, const char *other, int flags) {
    struct stat status;
    if (getenv("TINTYPE_NO_LINKS") == NULL)
        return (int)syscall(SYS_linkat, folder, path, other_folder, other, flags);
    // The kernel looks at the name before it asks the file system.
    errno = fstatat(other_folder, other, &status, AT_SYMLINK_NOFOLLOW) == 0 ? EEXIST : EPERM;
    return -1;
}
