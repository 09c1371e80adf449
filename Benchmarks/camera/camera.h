// SPDX-License-Identifier: Apache-2.0
// A V4L2 capture camera by LD_PRELOAD, for measuring at native speed without a camera or a kernel module; README.md has
// its variables and its limits. x86-64 and glibc only.
//
// The descriptor that a program gets is the read end of a pipe with one byte for each filled buffer, so poll, select and
// epoll work in the kernel. Buffers are ranges of one memfd; the camera's thread writes frames into it with sendfile, so
// neither the frames nor a second mapping of the buffers count as memory of the program.
#ifndef CAMERA_H
#define CAMERA_H
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifndef __x86_64__
#error "the camera's system calls are those of x86-64"
#endif

#define MAXFD 4096
#define MAXBUF VIDEO_MAX_FRAME
#define MAXNODE 64
#define MAXJPEG 4096
#define CELL 16                 /* side of one black or white block, in pixels */
#define BILLION 1000000000LL

/* System calls that do not go through the functions of calls.c. */
static inline long raw6(long n, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9) : "rcx", "r11", "memory");
    return r;
}
#define RAW(n, a, b, c, d, e, f) \
    raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define RAW1(n, a) RAW(n, a, 0, 0, 0, 0, 0)
#define RAW3(n, a, b, c) RAW(n, a, b, c, 0, 0, 0)
#define RAW4(n, a, b, c, d) RAW(n, a, b, c, d, 0, 0)

static inline long ret(long r)         /* the C library's convention from the kernel's */
{
    if (r < 0 && r > -4096) {
        errno = (int)-r;
        return -1;
    }
    return r;
}

static inline int64_t now_ns(clockid_t c)
{
    struct timespec t;
    clock_gettime(c, &t);
    return t.tv_sec * BILLION + t.tv_nsec;
}

struct format {                 /* plane 0: bytes a pixel, and which of them carry luma */
    const char *name, *text;
    uint32_t fourcc;
    int bits, step, first, last, neutral;
};

/* What the environment asks for (settings.c). */
extern const struct format *fmt;
extern char *node[MAXNODE], *jpeg[MAXJPEG];
extern int nnode, node_minor[MAXNODE];
extern unsigned width, height, fps_num, fps_den, nframes;
extern int64_t start_ns;        /* STREAMON to first frame; one period unless told */
extern int realtime;
extern size_t size_image, head_bytes;
extern const char *card;
extern int frames_fd, log_fd;

enum { IDLE, QUEUED, ACTIVE, DONE };
struct buffer {
    int state;
    uint32_t seq, used;
    int64_t t;
};
struct dev {
    int refs, fds;              /* under table_mu: descriptors plus calls under way; descriptors */
    pid_t pid;
    int node, wfd, memfd, wait_fd;
    ino_t ino;
    pthread_mutex_t mu;         /* everything below */
    pthread_cond_t cv;
    pthread_t thread;
    int streaming, nbuf, nq, nd, q[MAXBUF], done[MAXBUF], values[4];
    size_t stride;
    struct buffer b[MAXBUF];
    unsigned char *head;
};
struct record {                 /* one per frame in FAKECAM_LOG; streams.py and stills.py read it */
    uint32_t pid;
    uint16_t node, flags;       /* flags: 1 delivered, 2 dropped for want of a buffer */
    uint32_t seq, code;
    int64_t captured, ready, cpu;   /* CLOCK_MONOTONIC; the timer thread's own CPU time so far */
};

int open_sources(void);

int stream_on(struct dev *d);
void stream_off(struct dev *d);
int do_ioctl(struct dev *d, int fd, unsigned req, void *arg);

struct dev *get(int fd);
void put(struct dev *d, int fd_gone);
void enter(int fd, struct dev *d);
long open_node(int n, int flags);
#endif
