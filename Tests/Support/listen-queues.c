// SPDX-License-Identifier: Apache-2.0
//
// Says on standard error for how many clients a program gives each Unix socket with a path a queue, and each time that it does:
// LD_PRELOAD=listen-queues.so program.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int listen(int descriptor, int backlog) {
    struct sockaddr_un address = {0};
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 && address.sun_family == AF_UNIX &&
        address.sun_path[0] == '/')
        dprintf(STDERR_FILENO, "a queue for %d clients\n", backlog);
    return (int)syscall(SYS_listen, descriptor, backlog);
}
