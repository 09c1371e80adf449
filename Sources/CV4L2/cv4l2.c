// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CV4L2.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <sys/vfs.h>

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) { return ioctl(descriptor, request, argument); }
int cv4l2_open(const char *path, int flags) { return open(path, flags); }
int cv4l2_open_name(const char *path) { return open(path, O_PATH | O_CLOEXEC); }
void *cv4l2_move_mapping(void *mapping, size_t length, void *place) {
    return mremap(mapping, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, place);
}
int cv4l2_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }
int cv4l2_wait_for_semaphore(sem_t *semaphore, const struct timespec *end) {
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, end);
}
int cv4l2_rename_without_replacing(int folder, const char *path, int other_folder, const char *other) {
    return renameat2(folder, path, other_folder, other, RENAME_NOREPLACE);
}
int cv4l2_begin_flush(int descriptor) { return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }
long cv4l2_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)(unsigned int)status.f_type : -1;
}
int cv4l2_clock_state(void) {
    struct timex clock = {.modes = 0};
    return adjtimex(&clock);
}
const int CV4L2_CLOCK_UNSYNCHRONIZED = TIME_ERROR;

const unsigned long CV4L2_QUERYCAP = VIDIOC_QUERYCAP;
const unsigned long CV4L2_ENUM_FMT = VIDIOC_ENUM_FMT;
const unsigned long CV4L2_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
const unsigned long CV4L2_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
const unsigned long CV4L2_G_FMT = VIDIOC_G_FMT;
const unsigned long CV4L2_S_FMT = VIDIOC_S_FMT;
const unsigned long CV4L2_G_PARM = VIDIOC_G_PARM;
const unsigned long CV4L2_S_PARM = VIDIOC_S_PARM;
const unsigned long CV4L2_ENUMINPUT = VIDIOC_ENUMINPUT;
const unsigned long CV4L2_G_INPUT = VIDIOC_G_INPUT;
const unsigned long CV4L2_S_INPUT = VIDIOC_S_INPUT;
const unsigned long CV4L2_ENUMSTD = VIDIOC_ENUMSTD;
const unsigned long CV4L2_G_STD = VIDIOC_G_STD;
const unsigned long CV4L2_S_STD = VIDIOC_S_STD;
const unsigned long CV4L2_QUERYSTD = VIDIOC_QUERYSTD;
const unsigned long CV4L2_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS;
const unsigned long CV4L2_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS;
const unsigned long CV4L2_G_SELECTION = VIDIOC_G_SELECTION;
const unsigned long CV4L2_S_SELECTION = VIDIOC_S_SELECTION;
const unsigned long CV4L2_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
const unsigned long CV4L2_QUERYCTRL = VIDIOC_QUERYCTRL;
const unsigned long CV4L2_QUERYMENU = VIDIOC_QUERYMENU;
const unsigned long CV4L2_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS;
const unsigned long CV4L2_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
const unsigned long CV4L2_DQEVENT = VIDIOC_DQEVENT;
const unsigned long CV4L2_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
const unsigned long CV4L2_REQBUFS = VIDIOC_REQBUFS;
const unsigned long CV4L2_QUERYBUF = VIDIOC_QUERYBUF;
const unsigned long CV4L2_QBUF = VIDIOC_QBUF;
const unsigned long CV4L2_DQBUF = VIDIOC_DQBUF;
const unsigned long CV4L2_STREAMON = VIDIOC_STREAMON;
const unsigned long CV4L2_STREAMOFF = VIDIOC_STREAMOFF;

unsigned int cv4l2_default_ycbcr_enc(unsigned int colorspace) { return V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace); }
unsigned int cv4l2_default_xfer_func(unsigned int colorspace) { return V4L2_MAP_XFER_FUNC_DEFAULT(colorspace); }
unsigned int cv4l2_default_quantization(int is_rgb, unsigned int colorspace, unsigned int ycbcr_enc) {
    return V4L2_MAP_QUANTIZATION_DEFAULT(is_rgb, colorspace, ycbcr_enc);
}
