// SPDX-License-Identifier: Apache-2.0
// Which descriptors are cameras.
#include "camera.h"

static pthread_mutex_t table_mu = PTHREAD_MUTEX_INITIALIZER;
static struct dev *table[MAXFD];

static void init_locks(struct dev *d)
{
    pthread_condattr_t ca;
    pthread_condattr_init(&ca);
    pthread_condattr_setclock(&ca, CLOCK_MONOTONIC);
    pthread_mutex_init(&d->mu, NULL);
    pthread_cond_init(&d->cv, &ca);
}

void put(struct dev *d, int fd_gone)
{
    pthread_mutex_lock(&table_mu);
    d->fds -= fd_gone;
    int left = --d->refs;
    pthread_mutex_unlock(&table_mu);
    if (left)
        return;
    pthread_mutex_lock(&d->mu);
    stream_off(d);
    pthread_mutex_unlock(&d->mu);
    if (d->memfd >= 0)
        RAW1(SYS_close, d->memfd);
    RAW1(SYS_close, d->wfd);
    RAW1(SYS_close, d->wait_fd);
    free(d->head);
    free(d);
}

/* The device behind fd, held, or NULL. A number reused behind our back is told by its inode. */
struct dev *get(int fd)
{
    struct stat st;
    if (fd < 0 || fd >= MAXFD || !__atomic_load_n(&table[fd], __ATOMIC_ACQUIRE))
        return NULL;
    pthread_mutex_lock(&table_mu);
    struct dev *d = table[fd];
    if (d && (RAW4(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH) || st.st_ino != d->ino || !S_ISFIFO(st.st_mode)))
        d = NULL;
    if (d)
        d->refs++;
    pthread_mutex_unlock(&table_mu);
    return d;
}

void enter(int fd, struct dev *d)    /* d may be NULL: fd no longer names a camera */
{
    if (fd < 0 || fd >= MAXFD || (!d && !table[fd]))
        return;
    pthread_mutex_lock(&table_mu);
    struct dev *old = table[fd];
    if (old && old->pid != (pid_t)RAW1(SYS_getpid, 0)) {    /* a vfork child shares this table */
        pthread_mutex_unlock(&table_mu);
        return;
    }
    table[fd] = d;
    if (d)
        d->refs++, d->fds++;
    pthread_mutex_unlock(&table_mu);
    if (old)
        put(old, 1);
}

long open_node(int n, int flags)
{
    int p[2];
    struct stat st;
    long r = RAW4(439 /* faccessat2 */, AT_FDCWD, node[n], R_OK | W_OK, AT_EACCESS);
    if (r == -EACCES)
        return r;
    pthread_mutex_lock(&table_mu);
    r = open_sources();
    pthread_mutex_unlock(&table_mu);
    if (r)
        return r;
    struct dev *d = calloc(1, sizeof *d);
    if (!d || !(d->head = malloc(head_bytes + 1)) || (r = RAW3(SYS_pipe2, p, flags & (O_CLOEXEC | O_NONBLOCK), 0))) {
        if (d)
            free(d->head);
        free(d);
        return r ? r : -ENOMEM;
    }
    RAW4(SYS_newfstatat, p[0], "", &st, AT_EMPTY_PATH);
    d->ino = st.st_ino;
    d->node = n;
    d->pid = (pid_t)RAW1(SYS_getpid, 0);
    d->wfd = (int)RAW3(SYS_fcntl, p[1], F_DUPFD_CLOEXEC, 64);    /* ours out of the program's way */
    d->wait_fd = (int)RAW3(SYS_fcntl, p[0], F_DUPFD_CLOEXEC, 64);
    RAW1(SYS_close, p[1]);
    d->memfd = -1;
    for (int i = 0; i < 4; i++)
        d->values[i] = 128;
    init_locks(d);
    enter(p[0], d);
    return p[0];
}

static void fork_prepare(void) { pthread_mutex_lock(&table_mu); }
static void fork_parent(void) { pthread_mutex_unlock(&table_mu); }
static void fork_child(void)    /* the thread stayed in the parent: the child's device stands still */
{
    for (int i = 0; i < MAXFD; i++)
        if (table[i] && table[i]->pid != getpid()) {
            table[i]->pid = getpid();
            table[i]->streaming = 0;
            table[i]->refs = table[i]->fds;
            init_locks(table[i]);
        }
    pthread_mutex_unlock(&table_mu);
}
__attribute__((constructor)) static void setup_fork(void)
{
    pthread_atfork(fork_prepare, fork_parent, fork_child);
}
