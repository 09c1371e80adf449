// SPDX-License-Identifier: Apache-2.0
// A disk that flushes more slowly, by LD_PRELOAD: each fsync(2) and fdatasync(2) takes SLOW_FLUSH_MS milliseconds longer.
// Calls of several threads take their time side by side, as the file system's own do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int late(const char *name, int file) {
    int (*call)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *text = getenv("SLOW_FLUSH_MS");
    double milliseconds = text ? atof(text) : 0;
    struct timespec time = {.tv_sec = (time_t)(milliseconds / 1000)};
    time.tv_nsec = (long)((milliseconds - (double)time.tv_sec * 1000) * 1e6);
    nanosleep(&time, NULL);
    return call(file);
}

int fsync(int file) { return late("fsync", file); }

int fdatasync(int file) { return late("fdatasync", file); }
