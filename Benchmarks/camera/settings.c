// SPDX-License-Identifier: Apache-2.0
// What the environment asks for, and the files that are shown.
#include "camera.h"
#include <dirent.h>

static const struct format formats[] = {
    { "YUYV", "YUYV 4:2:2",    V4L2_PIX_FMT_YUYV,   16, 2, 0, 0, 128 },
    { "UYVY", "UYVY 4:2:2",    V4L2_PIX_FMT_UYVY,   16, 2, 1, 1, 128 },
    { "NV12", "Y/CbCr 4:2:0",  V4L2_PIX_FMT_NV12,   12, 1, 0, 0, -1 },
    { "YU12", "Planar YUV 4:2:0", V4L2_PIX_FMT_YUV420, 12, 1, 0, 0, -1 },
    { "GREY", "8-bit Greyscale", V4L2_PIX_FMT_GREY,  8, 1, 0, 0, -1 },
    { "RGB3", "24-bit RGB 8-8-8", V4L2_PIX_FMT_RGB24, 24, 3, 0, 2, -1 },
    { "MJPG", "Motion-JPEG",   V4L2_PIX_FMT_MJPEG,   0, 0, 0, 0, -1 },
};
const struct format *fmt = &formats[0];
char *node[MAXNODE], *jpeg[MAXJPEG];
int nnode, node_minor[MAXNODE];
unsigned width = 1280, height = 720, fps_num = 30, fps_den = 1, nframes;
int64_t start_ns = -1;
int realtime = 1;
size_t size_image, head_bytes;
const char *card = "Fakecam";
static const char *frames_path, *log_path;
int frames_fd = -1, log_fd = -1;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}
static int is_jpeg(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && (!strcmp(dot, ".jpg") || !strcmp(dot, ".jpeg"));
}

__attribute__((constructor)) static void setup(void)
{
    char *s = getenv("FAKECAM"), *p, *save = NULL;
    if (!s || nnode)
        return;
    s = strdup(s);
    for (p = strtok_r(s, ",", &save); p && nnode < MAXNODE; p = strtok_r(NULL, ",", &save)) {
        char *digits = p + strlen(p);
        while (digits > p && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        node_minor[nnode] = *digits ? atoi(digits) : nnode;
        node[nnode++] = p;
    }
    if ((p = getenv("FAKECAM_FMT")))
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
            if (!strcmp(p, formats[i].name))
                fmt = &formats[i];
    if ((p = getenv("FAKECAM_SIZE")))
        sscanf(p, "%ux%u", &width, &height);
    if ((p = getenv("FAKECAM_FPS")) && sscanf(p, "%u/%u", &fps_num, &fps_den) < 2 && strchr(p, '.')) {
        fps_num = (unsigned)(atof(p) * 1000 + 0.5);
        fps_den = 1000;
    }
    if (!fps_num || !fps_den)
        fps_num = 30, fps_den = 1;
    if ((p = getenv("FAKECAM_START_MS")))
        start_ns = (int64_t)(atof(p) * 1e6);
    if ((p = getenv("FAKECAM_RT")))
        realtime = atoi(p);
    if ((p = getenv("FAKECAM_CARD")))
        card = p;
    frames_path = (p = getenv("FAKECAM_FRAMES")) ? strdup(p) : NULL;
    log_path = (p = getenv("FAKECAM_LOG")) ? strdup(p) : NULL;
    size_image = fmt->bits ? (size_t)width * height * fmt->bits / 8 : (size_t)width * height * 2;
    unsigned per = width / CELL < 32 ? width / CELL : 32;
    if (fmt->bits && per)
        head_bytes = (size_t)((64 + per - 1) / per) * CELL * width * fmt->step;
    if (head_bytes > size_image)
        head_bytes = 0;
}

/* Opens frames and log at the first open of a node, after any daemon has closed what it inherited. */
int open_sources(void)
{
    struct stat st;
    if (log_path && log_fd < 0)
        log_fd = (int)RAW4(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (frames_fd >= 0 || !frames_path)
        return 0;
    long fd = RAW4(SYS_openat, AT_FDCWD, frames_path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        fprintf(stderr, "fakecam: FAKECAM_FRAMES=%s cannot be opened\n", frames_path);
        return -EIO;
    }
    if (fmt->bits) {
        RAW4(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
        nframes = (unsigned)((size_t)st.st_size / size_image);
    } else {
        struct dirent **list = NULL;
        int n = scandir(frames_path, &list, is_jpeg, by_name);
        for (int i = 0; i < n; i++) {
            if (i < MAXJPEG)
                jpeg[nframes++] = strdup(list[i]->d_name);
            free(list[i]);
        }
        free(list);
    }
    if (!nframes) {
        fprintf(stderr, "fakecam: %s holds no whole %s frame\n", frames_path, fmt->name);
        RAW1(SYS_close, fd);
        return -EIO;
    }
    frames_fd = (int)fd;
    return 0;
}
