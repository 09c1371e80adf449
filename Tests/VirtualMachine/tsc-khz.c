// SPDX-License-Identifier: Apache-2.0
// Prints the frequency of this machine's time stamp counter in kHz, measured over half a second.
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

struct reading {
    int64_t ns;
    uint64_t ticks;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Both clocks at one moment: of many tries that in which the thread was kept from running for the shortest time.
static struct reading read_both(void) {
    struct reading best = {0, 0};
    int64_t least = INT64_MAX;
    for (int count = 0; count < 1000; count++) {
        int64_t before = now();
        uint64_t ticks = __rdtsc();
        int64_t gap = now() - before;
        if (gap >= least) continue;
        least = gap;
        best = (struct reading){before + gap / 2, ticks};
    }
    return best;
}

int main(void) {
    struct reading first = read_both();
    usleep(500000);
    struct reading last = read_both();
    printf("%.0f\n", (double)(last.ticks - first.ticks) * 1e6 / (double)(last.ns - first.ns));
    return 0;
}
