// SPDX-License-Identifier: Apache-2.0
// The calls that a program makes. They alone are seen outside of the library (-fvisibility=hidden).
#include "camera.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#pragma GCC visibility push(default)

/* Which node a path means: by its text, or, where real nodes exist, by device number (symlinks). */
static int node_of(int dirfd, const char *path)
{
    struct stat st;
    if (!nnode || !path || !*path)
        return -1;
    for (int i = 0; i < nnode; i++)
        if (!strcmp(path, node[i]))
            return i;
    const char *base = strrchr(path, '/');
    if (path[0] == '/' ? strncmp(path, "/dev/", 5) : strncmp(base ? base + 1 : path, "video", 5))
        return -1;
    if (RAW4(SYS_newfstatat, dirfd, path, &st, 0) || !S_ISCHR(st.st_mode) || major(st.st_rdev) != 81)
        return -1;
    for (int i = 0; i < nnode; i++)
        if ((int)minor(st.st_rdev) == node_minor[i])
            return i;
    return -1;
}

/* v4l2-ctl asks sysfs what kind of device a number is: a file that says so, or -ENOENT */
static long uevent(const char *path)
{
    char name[64];
    for (int i = 0; i < nnode; i++) {
        snprintf(name, sizeof name, "/sys/dev/char/81:%d/uevent", node_minor[i]);
        if (strcmp(path, name))
            continue;
        long fd = RAW3(SYS_memfd_create, "uevent", MFD_CLOEXEC, 0);
        int n = snprintf(name, sizeof name, "MAJOR=81\nMINOR=%d\nDEVNAME=video%d\n", node_minor[i], node_minor[i]);
        RAW4(SYS_pwrite64, fd, name, n, 0);
        return fd;
    }
    return -ENOENT;
}

static int open_any(int dirfd, const char *path, int flags, unsigned mode)
{
    long fd = nnode && path && !strncmp(path, "/sys/dev/char/", 14) ? uevent(path) : -ENOENT;
    int n = flags & O_PATH ? -1 : node_of(dirfd, path);
    if (fd >= 0)
        return (int)fd;
    return (int)ret(n >= 0 ? open_node(n, flags) : RAW4(SYS_openat, dirfd, path, flags, mode));
}

#define MODE(last) ({ unsigned m_ = 0; if (flags & (O_CREAT | __O_TMPFILE)) { va_list v_; \
    va_start(v_, last); m_ = va_arg(v_, unsigned); va_end(v_); } m_; })
int open(const char *path, int flags, ...) { return open_any(AT_FDCWD, path, flags, MODE(flags)); }
int open64(const char *path, int flags, ...) { return open_any(AT_FDCWD, path, flags, MODE(flags)); }
int openat(int dir, const char *path, int flags, ...) { return open_any(dir, path, flags, MODE(flags)); }
int openat64(int dir, const char *path, int flags, ...) { return open_any(dir, path, flags, MODE(flags)); }
int __open_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0); }
int __openat_2(int dir, const char *path, int flags) { return open_any(dir, path, flags, 0); }
int __openat64_2(int dir, const char *path, int flags) { return open_any(dir, path, flags, 0); }

static FILE *fopen_any(const char *path, const char *mode)
{
    long fd = nnode && !strncmp(path, "/sys/dev/char/", 14) ? uevent(path) : -ENOENT;
    FILE *(*next)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen64");
    return fd >= 0 ? fdopen((int)fd, mode) : next(path, mode);
}
FILE *fopen(const char *path, const char *mode) { return fopen_any(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return fopen_any(path, mode); }

int ioctl(int fd, unsigned long req, ...)
{
    va_list v;
    va_start(v, req);
    void *arg = va_arg(v, void *);
    va_end(v);
    struct dev *d = get(fd);
    /* FIONBIO and the like mean the same on the pipe */
    if (!d || _IOC_TYPE((unsigned)req) == 'T') {
        if (d)
            put(d, 0);
        return (int)ret(RAW3(SYS_ioctl, fd, req, arg));
    }
    pthread_mutex_lock(&d->mu);
    int r = do_ioctl(d, fd, (unsigned)req, arg);
    pthread_mutex_unlock(&d->mu);
    put(d, 0);
    return (int)ret(r);
}

static void *map_any(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
    struct dev *d = flags & MAP_ANONYMOUS ? NULL : get(fd);
    long r = -EINVAL;
    if (!d)
        return (void *)ret(RAW(SYS_mmap, addr, len, prot, flags, fd, off));
    pthread_mutex_lock(&d->mu);
    if (d->nbuf && (flags & MAP_SHARED) && off >= 0 && off % (off_t)d->stride == 0 &&
        off / (off_t)d->stride < d->nbuf && len <= d->stride)
        r = RAW(SYS_mmap, addr, len, prot, flags | MAP_POPULATE, d->memfd, off);
    pthread_mutex_unlock(&d->mu);
    put(d, 0);
    return (void *)ret(r);
}
void *mmap(void *a, size_t n, int prot, int flags, int fd, off_t off) { return map_any(a, n, prot, flags, fd, off); }
void *mmap64(void *a, size_t n, int prot, int flags, int fd, off64_t off) { return map_any(a, n, prot, flags, fd, off); }

int close(int fd)
{
    enter(fd, NULL);
    return (int)ret(RAW1(SYS_close, fd));
}

static int dup_done(int from, long to)      /* after a successful dup: the copy names what `from` names */
{
    if (to >= 0 && to != from) {
        struct dev *d = get(from);
        enter((int)to, d);
        if (d)
            put(d, 0);
    }
    return (int)ret(to);
}
int dup(int fd) { return dup_done(fd, RAW1(SYS_dup, fd)); }
int dup2(int fd, int to) { return dup_done(fd, RAW3(SYS_dup2, fd, to, 0)); }
int dup3(int fd, int to, int flags) { return dup_done(fd, RAW3(SYS_dup3, fd, to, flags)); }
static int fcntl_any(int fd, int cmd, long arg)
{
    long r = RAW3(SYS_fcntl, fd, cmd, arg);
    return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? dup_done(fd, r) : (int)ret(r);
}
#define ARG(last) ({ va_list v_; va_start(v_, last); long a_ = va_arg(v_, long); va_end(v_); a_; })
int fcntl(int fd, int cmd, ...) { return fcntl_any(fd, cmd, ARG(cmd)); }
int fcntl64(int fd, int cmd, ...) { return fcntl_any(fd, cmd, ARG(cmd)); }

static int access_any(int dir, const char *path, int mode, int flags)
{
    long r = RAW4(439 /* faccessat2 */, dir, path, mode, flags);
    if (r == -ENOENT && node_of(dir, path) >= 0)
        r = mode & X_OK ? -EACCES : 0;
    return (int)ret(r);
}
int access(const char *path, int mode) { return access_any(AT_FDCWD, path, mode, 0); }
int eaccess(const char *path, int mode) { return access_any(AT_FDCWD, path, mode, AT_EACCESS); }
int euidaccess(const char *path, int mode) { return access_any(AT_FDCWD, path, mode, AT_EACCESS); }
int faccessat(int dir, const char *path, int mode, int flags) { return access_any(dir, path, mode, flags); }

static int stat_node(int dir, const char *path, int r)      /* node that (dir, path) means, if it has to be made up */
{
    struct dev *d;
    int n = -1;
    if (path && *path)
        return r == -ENOENT ? node_of(dir, path) : -1;
    if (nnode && (d = get(dir))) {
        n = d->node;
        put(d, 0);
    }
    return n;
}
static int stat_any(int dir, const char *path, void *to, int flags)
{
    struct stat *st = to;
    int r = (int)RAW4(SYS_newfstatat, dir, path, st, flags), n = stat_node(dir, path, r);
    if (n >= 0) {
        memset(st, 0, sizeof *st);
        st->st_mode = S_IFCHR | 0660;
        st->st_gid = 44;
        st->st_nlink = 1;
        st->st_dev = 5;
        st->st_ino = 900 + (ino_t)n;
        st->st_blksize = 4096;
        st->st_rdev = makedev(81, node_minor[n]);
        r = 0;
    }
    return (int)ret(r);
}
int stat(const char *p, struct stat *s) { return stat_any(AT_FDCWD, p, s, 0); }
int lstat(const char *p, struct stat *s) { return stat_any(AT_FDCWD, p, s, AT_SYMLINK_NOFOLLOW); }
int fstat(int fd, struct stat *s) { return stat_any(fd, "", s, AT_EMPTY_PATH); }
int fstatat(int d, const char *p, struct stat *s, int f) { return stat_any(d, p, s, f); }
int stat64(const char *p, struct stat64 *s) { return stat_any(AT_FDCWD, p, s, 0); }
int lstat64(const char *p, struct stat64 *s) { return stat_any(AT_FDCWD, p, s, AT_SYMLINK_NOFOLLOW); }
int fstat64(int fd, struct stat64 *s) { return stat_any(fd, "", s, AT_EMPTY_PATH); }
int fstatat64(int d, const char *p, struct stat64 *s, int f) { return stat_any(d, p, s, f); }
int __xstat(int v, const char *p, struct stat *s) { (void)v; return stat_any(AT_FDCWD, p, s, 0); }
int __xstat64(int v, const char *p, struct stat64 *s) { (void)v; return stat_any(AT_FDCWD, p, s, 0); }
int __lxstat(int v, const char *p, struct stat *s) { (void)v; return stat_any(AT_FDCWD, p, s, AT_SYMLINK_NOFOLLOW); }
int __lxstat64(int v, const char *p, struct stat64 *s) { (void)v; return stat_any(AT_FDCWD, p, s, AT_SYMLINK_NOFOLLOW); }
int __fxstat(int v, int fd, struct stat *s) { (void)v; return stat_any(fd, "", s, AT_EMPTY_PATH); }
int __fxstat64(int v, int fd, struct stat64 *s) { (void)v; return stat_any(fd, "", s, AT_EMPTY_PATH); }
int statx(int dir, const char *path, int flags, unsigned mask, struct statx *s)
{
    int r = (int)RAW(SYS_statx, dir, path, flags, mask, s, 0), n = stat_node(dir, path, r);
    if (n >= 0) {
        memset(s, 0, sizeof *s);
        s->stx_mask = STATX_BASIC_STATS;
        s->stx_mode = S_IFCHR | 0660;
        s->stx_gid = 44;
        s->stx_nlink = 1;
        s->stx_ino = 900 + (unsigned)n;
        s->stx_rdev_major = 81;
        s->stx_rdev_minor = (unsigned)node_minor[n];
        r = 0;
    }
    return (int)ret(r);
}

long syscall(long n, ...)       /* libv4l2 makes its calls this way */
{
    va_list v;
    va_start(v, n);
    long a = va_arg(v, long), b = va_arg(v, long), c = va_arg(v, long);
    long d = va_arg(v, long), e = va_arg(v, long), f = va_arg(v, long);
    va_end(v);
    switch (n) {
    case SYS_open: return open_any(AT_FDCWD, (char *)a, (int)b, (unsigned)c);
    case SYS_openat: return open_any((int)a, (char *)b, (int)c, (unsigned)d);
    case SYS_close: return close((int)a);
    case SYS_ioctl: return ioctl((int)a, (unsigned long)b, (void *)c);
    case SYS_mmap: return (long)map_any((void *)a, (size_t)b, (int)c, (int)d, (int)e, f);
    case SYS_dup: return dup((int)a);
    case SYS_dup2: return dup2((int)a, (int)b);
    case SYS_dup3: return dup3((int)a, (int)b, (int)c);
    case SYS_fcntl: return fcntl_any((int)a, (int)b, c);
    case SYS_stat: return stat_any(AT_FDCWD, (char *)a, (void *)b, 0);
    case SYS_fstat: return stat_any((int)a, "", (void *)b, AT_EMPTY_PATH);
    case SYS_newfstatat: return stat_any((int)a, (char *)b, (void *)c, (int)d);
    case SYS_access: return access_any(AT_FDCWD, (char *)a, (int)b, 0);
    case SYS_faccessat: return access_any((int)a, (char *)b, (int)c, 0);
    }
    return ret(raw6(n, a, b, c, d, e, f));
}

