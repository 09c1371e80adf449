// SPDX-License-Identifier: Apache-2.0
// The camera's thread: frames into buffers, at their time.
#include "camera.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

/* The number as 32 blocks, most significant first, then the same 32 inverted as a check. */
static void draw(unsigned char *rows, uint32_t code)
{
    unsigned per = width / CELL < 32 ? width / CELL : 32;
    for (unsigned cell = 0; cell < 64; cell++) {
        int bit = (code >> (31 - cell % 32)) & 1, on = cell < 32 ? bit : !bit;
        for (int y = 0; y < CELL; y++) {
            unsigned char *p = rows + ((size_t)(cell / per * CELL + y) * width + cell % per * CELL) * fmt->step;
            for (int x = 0; x < CELL; x++)
                for (int k = 0; k < fmt->step; k++)
                    *p++ = k >= fmt->first && k <= fmt->last ? (on ? 235 : 16) : (unsigned char)fmt->neutral;
        }
    }
}

static void copy_in(int to, off_t at, int from, off_t off, size_t n)
{
    RAW3(SYS_lseek, to, at, SEEK_SET);
    while (n) {
        long r = RAW4(SYS_sendfile, to, from, &off, n);
        if (r <= 0)
            return;
        n -= (size_t)r;
    }
}

static uint32_t fill(struct dev *d, int i, uint32_t seq)
{
    off_t at = (off_t)((size_t)i * d->stride);
    if (!nframes)               /* no frames named: black, with the number where it fits */
        memset(d->head, fmt->neutral < 0 ? 16 : fmt->neutral, head_bytes);
    if (fmt->bits) {
        off_t off = (off_t)(size_image * (nframes ? seq % nframes : 0));
        if (nframes)
            RAW4(SYS_pread64, frames_fd, d->head, head_bytes, off);
        if (head_bytes)
            draw(d->head, seq);
        RAW4(SYS_pwrite64, d->memfd, d->head, head_bytes, at);
        if (nframes)
            copy_in(d->memfd, at + (off_t)head_bytes, frames_fd, off + (off_t)head_bytes, size_image - head_bytes);
        return (uint32_t)size_image;
    }
    struct stat st = { 0 };
    long fd = nframes ? RAW4(SYS_openat, frames_fd, jpeg[seq % nframes], O_RDONLY | O_CLOEXEC, 0) : -1;
    if (fd < 0)
        return 0;
    RAW4(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
    size_t n = (size_t)st.st_size < size_image ? (size_t)st.st_size : size_image;
    copy_in(d->memfd, at, (int)fd, 0, n);
    RAW1(SYS_close, fd);
    return (uint32_t)n;
}

static void *timer_thread(void *arg)
{
    struct dev *d = arg;
    int64_t period = BILLION * fps_den / fps_num;
    int64_t t0 = now_ns(CLOCK_MONOTONIC) + (start_ns < 0 ? period : start_ns);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    pthread_setname_np(pthread_self(), "fakecam");
    struct sched_param rt = { 1 };      /* hardware does not wait for a busy machine; EPERM is no matter */
    if (realtime)
        pthread_setschedparam(pthread_self(), SCHED_RR, &rt);
    for (uint64_t n = 0;; n++) {
        int64_t due = t0 + (int64_t)((unsigned __int128)n * BILLION * fps_den / fps_num);
        struct timespec ts = { due / BILLION, due % BILLION };
        pthread_mutex_lock(&d->mu);
        while (d->streaming == 1 && pthread_cond_timedwait(&d->cv, &d->mu, &ts) != ETIMEDOUT)
            ;
        if (d->streaming != 1) {
            pthread_mutex_unlock(&d->mu);
            return NULL;
        }
        int64_t t = now_ns(CLOCK_MONOTONIC);
        if (t - due >= period)      /* a whole period late: those frames are lost, as on a wire */
            n += (uint64_t)((t - due) / period);
        int i = -1;
        if (d->nq) {
            i = d->q[0];
            memmove(d->q, d->q + 1, sizeof *d->q * (size_t)--d->nq);
            d->b[i].state = ACTIVE;
        }
        pthread_mutex_unlock(&d->mu);
        if (i >= 0) {
            d->b[i].used = fill(d, i, (uint32_t)n);
            d->b[i].seq = (uint32_t)n;
            d->b[i].t = t;
        }
        struct record r = { (uint32_t)d->pid, (uint16_t)d->node, i >= 0 ? 1 : 2, (uint32_t)n,
                            (uint32_t)(fmt->bits || !nframes ? n : n % nframes), t,
                            now_ns(CLOCK_MONOTONIC), now_ns(CLOCK_THREAD_CPUTIME_ID) };
        if (log_fd >= 0)
            RAW3(SYS_write, log_fd, &r, sizeof r);
        if (i < 0)
            continue;
        pthread_mutex_lock(&d->mu);
        d->b[i].state = DONE;
        d->done[d->nd++] = i;
        RAW3(SYS_write, d->wfd, "", 1);
        pthread_mutex_unlock(&d->mu);
    }
}

int stream_on(struct dev *d)
{
    sigset_t all, old;
    if (!d->nbuf)
        return -EINVAL;
    if (d->streaming)
        return d->streaming == 1 ? 0 : -EBUSY;
    d->streaming = 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&d->thread, NULL, timer_thread, d);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (e)
        d->streaming = 0;
    return -e;
}

void stream_off(struct dev *d)       /* called with d->mu held; lets go of it while it waits */
{
    char drain[MAXBUF];
    if (d->streaming == 2)      /* another thread is at it */
        return;
    if (d->streaming) {
        d->streaming = 2;
        pthread_cond_signal(&d->cv);
        pthread_mutex_unlock(&d->mu);
        pthread_join(d->thread, NULL);
        pthread_mutex_lock(&d->mu);
        d->streaming = 0;
    }
    if (d->nd)
        RAW3(SYS_read, d->wait_fd, drain, d->nd);
    d->nq = d->nd = 0;
    for (int i = 0; i < d->nbuf; i++)
        d->b[i].state = IDLE;
}
