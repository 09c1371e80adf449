// SPDX-License-Identifier: Apache-2.0
//
// Linux calls and constants that Swift cannot import: ioctl(2) and mremap(2) are variadic; the request numbers and the
// colorimetry defaults are function-like macros; eventfd, timerfd, statfs and adjtimex are in no Glibc module;
// pthread_setname_np, renameat2, sem_clockwait and sync_file_range need _GNU_SOURCE. No logic here: one call per
// function, errno untouched.
#ifndef CV4L2_H
#define CV4L2_H

#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <linux/netlink.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// ioctl(2) with a pointer argument.
int cv4l2_ioctl(int descriptor, unsigned long request, void *argument);

// open(2) without O_CREAT.
int cv4l2_open(const char *path, int flags);

// open(2) with O_PATH and O_CLOEXEC: the descriptor refers to the file without opening the driver.
int cv4l2_open_name(const char *path);

// mremap(2) with MREMAP_MAYMOVE and MREMAP_FIXED: moves a whole mapping to `place`, replacing the mapping there.
void *cv4l2_move_mapping(void *mapping, size_t length, void *place);

// pthread_setname_np(3) for the calling thread: at most 15 bytes.
int cv4l2_set_thread_name(const char *name);

// sem_clockwait(3) with CLOCK_MONOTONIC.
int cv4l2_wait_for_semaphore(sem_t *semaphore, const struct timespec *end);

// renameat2(2) with RENAME_NOREPLACE.
int cv4l2_rename_without_replacing(int folder, const char *path, int other_folder, const char *other);

// sync_file_range(2) with SYNC_FILE_RANGE_WRITE on a whole file: starts writeback without waiting for it.
int cv4l2_begin_flush(int descriptor);

// statfs(2): f_type, or -1.
long cv4l2_file_system_type(const char *path);

// adjtimex(2) with modes 0, read-only: state of the clock, or -1.
int cv4l2_clock_state(void);
extern const int CV4L2_CLOCK_UNSYNCHRONIZED;

// ioctl(2) request numbers (macros with casts).
extern const unsigned long CV4L2_QUERYCAP;
extern const unsigned long CV4L2_ENUM_FMT;
extern const unsigned long CV4L2_ENUM_FRAMESIZES;
extern const unsigned long CV4L2_ENUM_FRAMEINTERVALS;
extern const unsigned long CV4L2_G_FMT;
extern const unsigned long CV4L2_S_FMT;
extern const unsigned long CV4L2_G_PARM;
extern const unsigned long CV4L2_S_PARM;
extern const unsigned long CV4L2_ENUMINPUT;
extern const unsigned long CV4L2_G_INPUT;
extern const unsigned long CV4L2_S_INPUT;
extern const unsigned long CV4L2_ENUMSTD;
extern const unsigned long CV4L2_G_STD;
extern const unsigned long CV4L2_S_STD;
extern const unsigned long CV4L2_QUERYSTD;
extern const unsigned long CV4L2_QUERY_DV_TIMINGS;
extern const unsigned long CV4L2_S_DV_TIMINGS;
extern const unsigned long CV4L2_G_SELECTION;
extern const unsigned long CV4L2_S_SELECTION;
extern const unsigned long CV4L2_QUERY_EXT_CTRL;
extern const unsigned long CV4L2_QUERYCTRL;
extern const unsigned long CV4L2_QUERYMENU;
extern const unsigned long CV4L2_G_EXT_CTRLS;
extern const unsigned long CV4L2_S_EXT_CTRLS;
extern const unsigned long CV4L2_DQEVENT;
extern const unsigned long CV4L2_SUBSCRIBE_EVENT;
extern const unsigned long CV4L2_REQBUFS;
extern const unsigned long CV4L2_QUERYBUF;
extern const unsigned long CV4L2_QBUF;
extern const unsigned long CV4L2_DQBUF;
extern const unsigned long CV4L2_STREAMON;
extern const unsigned long CV4L2_STREAMOFF;

// Defaults of linux/videodev2.h for colorimetry left at DEFAULT by the driver: V4L2_MAP_YCBCR_ENC_DEFAULT,
// V4L2_MAP_XFER_FUNC_DEFAULT and V4L2_MAP_QUANTIZATION_DEFAULT.
unsigned int cv4l2_default_ycbcr_enc(unsigned int colorspace);
unsigned int cv4l2_default_xfer_func(unsigned int colorspace);
unsigned int cv4l2_default_quantization(int is_rgb, unsigned int colorspace, unsigned int ycbcr_enc);

#endif
