// SPDX-License-Identifier: Apache-2.0
#include "camera.h"
#include <poll.h>
#include <sys/mman.h>

static const struct ctl { uint32_t id, type, flags; const char *name; int min, max, step, def; } ctls[] = {
    { V4L2_CID_USER_CLASS, V4L2_CTRL_TYPE_CTRL_CLASS, V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY,
      "User Controls", 0, 0, 0, 0 },
    { V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_FLAG_SLIDER, "Brightness", 0, 255, 1, 128 },
    { V4L2_CID_CONTRAST, V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_FLAG_SLIDER, "Contrast", 0, 255, 1, 128 },
};
enum { NCTL = sizeof ctls / sizeof *ctls };

static int find_ctl(uint32_t id)
{
    for (int i = 0; i < NCTL; i++)
        if (id & V4L2_CTRL_FLAG_NEXT_CTRL ? ctls[i].id > (id & V4L2_CTRL_ID_MASK) : ctls[i].id == id)
            return i;
    return -1;
}

static int ext_ctrls(struct dev *d, unsigned req, struct v4l2_ext_controls *e)
{
    int set = req == VIDIOC_S_EXT_CTRLS, get_ = req == VIDIOC_G_EXT_CTRLS;
    int def = e->which == V4L2_CTRL_WHICH_DEF_VAL;
    if ((def && !get_) || e->which == V4L2_CTRL_WHICH_REQUEST_VAL)
        return -EINVAL;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < e->count; i++) {
            struct v4l2_ext_control *c = &e->controls[i];
            int k = find_ctl(c->id & V4L2_CTRL_ID_MASK);
            e->error_idx = req == VIDIOC_TRY_EXT_CTRLS ? i : e->count;
            if (k < 0 || (e->which && !def && V4L2_CTRL_ID2CLASS(c->id) != e->which))
                return -EINVAL;
            if (ctls[k].flags & V4L2_CTRL_FLAG_READ_ONLY)
                return -EACCES;
            if (!pass)
                continue;
            if (get_)
                c->value = def ? ctls[k].def : d->values[k];
            else
                c->value = c->value < ctls[k].min ? ctls[k].min : c->value > ctls[k].max ? ctls[k].max : c->value;
            if (set)
                d->values[k] = c->value;
        }
    e->error_idx = e->count;
    return 0;
}

static void describe(struct dev *d, struct v4l2_buffer *b, unsigned i)
{
    struct buffer *m = &d->b[i];
    memset(b, 0, sizeof *b);
    b->index = i;
    b->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    b->memory = V4L2_MEMORY_MMAP;
    b->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
    b->flags |= m->state == QUEUED || m->state == ACTIVE ? V4L2_BUF_FLAG_QUEUED : m->state == DONE ? V4L2_BUF_FLAG_DONE : 0;
    b->bytesused = m->used;
    b->field = V4L2_FIELD_NONE;
    b->timestamp.tv_sec = m->t / BILLION;
    b->timestamp.tv_usec = m->t % BILLION / 1000;
    b->sequence = m->seq;
    b->m.offset = (uint32_t)(i * d->stride);
    b->length = (uint32_t)size_image;
}

static int req_bufs(struct dev *d, struct v4l2_requestbuffers *r)
{
    r->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
    if (r->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || r->memory != V4L2_MEMORY_MMAP)
        return -EINVAL;
    if (d->streaming)
        return -EBUSY;
    stream_off(d);
    if (d->memfd >= 0)          /* mappings still held keep the old memory: orphaned buffers */
        RAW1(SYS_close, d->memfd);
    d->memfd = -1;
    d->nbuf = 0;
    memset(d->b, 0, sizeof d->b);
    if (!r->count)
        return 0;
    if (r->count > MAXBUF)
        r->count = MAXBUF;
    d->stride = (size_image + 4095) & ~(size_t)4095;
    long fd = RAW3(SYS_memfd_create, "fakecam", MFD_CLOEXEC, 0);
    if (fd < 0)
        return (int)fd;
    d->memfd = (int)RAW3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 64);
    RAW1(SYS_close, fd);
    long e = RAW4(SYS_fallocate, d->memfd, 0, 0, d->stride * r->count);
    if (e)
        return (int)e;
    d->nbuf = (int)r->count;
    return 0;
}

static int dequeue(struct dev *d, int fd, struct v4l2_buffer *b)
{
    char byte;
    if (b->type != V4L2_BUF_TYPE_VIDEO_CAPTURE || b->memory != V4L2_MEMORY_MMAP)
        return -EINVAL;
    while (d->streaming == 1 && !d->nd) {
        if (RAW3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK)
            return -EAGAIN;
        pthread_mutex_unlock(&d->mu);
        struct pollfd p = { d->wait_fd, POLLIN, 0 };    /* now and then look whether streaming ended */
        long r = RAW3(SYS_poll, &p, 1, 50);
        pthread_mutex_lock(&d->mu);
        if (r < 0)
            return (int)r;
        if (!d->fds)
            return -EBADF;
    }
    if (d->streaming != 1)
        return -EINVAL;
    RAW3(SYS_read, d->wait_fd, &byte, 1);
    int i = d->done[0];
    memmove(d->done, d->done + 1, sizeof *d->done * (size_t)--d->nd);
    d->b[i].state = IDLE;
    describe(d, b, (unsigned)i);
    return 0;
}

static void describe_format(struct v4l2_format *f)
{
    struct v4l2_pix_format *p = &f->fmt.pix;
    memset(&f->fmt, 0, sizeof f->fmt);
    p->width = width;
    p->height = height;
    p->pixelformat = fmt->fourcc;
    p->field = V4L2_FIELD_NONE;
    p->bytesperline = (uint32_t)(width * (unsigned)fmt->step);
    p->sizeimage = (uint32_t)size_image;
    p->colorspace = V4L2_COLORSPACE_SRGB;
    p->priv = V4L2_PIX_FMT_PRIV_MAGIC;
}

int do_ioctl(struct dev *d, int fd, unsigned req, void *arg)
{
    const uint32_t cap = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (_IOC_TYPE(req) != 'V' || _IOC_DIR(req) == _IOC_NONE || _IOC_NR(req) > 103)
        return -ENOTTY;
    if (!arg)
        return -EFAULT;
    switch (req) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *c = arg;
        memset(c, 0, sizeof *c);
        strcpy((char *)c->driver, "fakecam");
        snprintf((char *)c->card, sizeof c->card, "%s", card);
        snprintf((char *)c->bus_info, sizeof c->bus_info, "platform:fakecam-%d", node_minor[d->node]);
        c->version = 0x060100;
        c->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT;
        c->capabilities = c->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *f = arg;
        if (f->index || f->type != cap)
            return -EINVAL;
        memset(f, 0, sizeof *f);
        f->type = cap;
        f->flags = fmt->bits ? 0 : V4L2_FMT_FLAG_COMPRESSED;
        snprintf((char *)f->description, sizeof f->description, "%s", fmt->text);
        f->pixelformat = fmt->fourcc;
        return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
        struct v4l2_frmsizeenum *f = arg;
        if (f->index || f->pixel_format != fmt->fourcc)
            return -EINVAL;
        memset(&f->type, 0, sizeof *f - offsetof(struct v4l2_frmsizeenum, type));
        f->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        f->discrete.width = width;
        f->discrete.height = height;
        return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: {
        struct v4l2_frmivalenum *f = arg;
        if (f->index || f->pixel_format != fmt->fourcc || f->width != width || f->height != height)
            return -EINVAL;
        memset(&f->type, 0, sizeof *f - offsetof(struct v4l2_frmivalenum, type));
        f->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        f->discrete.numerator = fps_den;
        f->discrete.denominator = fps_num;
        return 0;
    }
    case VIDIOC_S_FMT:
        if (((struct v4l2_format *)arg)->type == cap && d->nbuf)
            return -EBUSY;
        /* fall through */
    case VIDIOC_G_FMT: case VIDIOC_TRY_FMT:
        if (((struct v4l2_format *)arg)->type != cap)
            return -EINVAL;
        describe_format(arg);
        return 0;
    case VIDIOC_S_PARM: case VIDIOC_G_PARM: {
        struct v4l2_streamparm *p = arg;
        if (p->type != cap)
            return -EINVAL;
        if (req == VIDIOC_S_PARM && d->streaming)
            return -EBUSY;
        memset(&p->parm, 0, sizeof p->parm);
        p->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
        p->parm.capture.timeperframe.numerator = fps_den;
        p->parm.capture.timeperframe.denominator = fps_num;
        return 0;
    }
    case VIDIOC_ENUMINPUT: {
        struct v4l2_input *in = arg;
        if (in->index)
            return -EINVAL;
        memset(in, 0, sizeof *in);
        strcpy((char *)in->name, "Camera 1");
        in->type = V4L2_INPUT_TYPE_CAMERA;
        return 0;
    }
    case VIDIOC_G_INPUT:
        *(int *)arg = 0;
        return 0;
    case VIDIOC_S_INPUT:
        return *(int *)arg ? -EINVAL : 0;
    case VIDIOC_G_PRIORITY:
        *(uint32_t *)arg = V4L2_PRIORITY_INTERACTIVE;
        return 0;
    case VIDIOC_S_PRIORITY:
        return *(uint32_t *)arg > V4L2_PRIORITY_RECORD ? -EINVAL : 0;
    case VIDIOC_QUERYCTRL: {
        struct v4l2_queryctrl *q = arg;
        int k = find_ctl(q->id);
        if (k < 0)
            return -EINVAL;
        memset(q, 0, sizeof *q);
        q->id = ctls[k].id, q->type = ctls[k].type, q->flags = ctls[k].flags;
        snprintf((char *)q->name, sizeof q->name, "%s", ctls[k].name);
        q->minimum = ctls[k].min, q->maximum = ctls[k].max, q->step = ctls[k].step, q->default_value = ctls[k].def;
        return 0;
    }
    case VIDIOC_QUERY_EXT_CTRL: {
        struct v4l2_query_ext_ctrl *q = arg;
        int k = find_ctl(q->id & ~(q->id & V4L2_CTRL_FLAG_NEXT_CTRL ? V4L2_CTRL_FLAG_NEXT_COMPOUND : 0));
        if (k < 0)
            return -EINVAL;
        memset(q, 0, sizeof *q);
        q->id = ctls[k].id, q->type = ctls[k].type, q->flags = ctls[k].flags;
        snprintf(q->name, sizeof q->name, "%s", ctls[k].name);
        q->minimum = ctls[k].min, q->maximum = ctls[k].max, q->step = (uint64_t)ctls[k].step;
        q->default_value = ctls[k].def;
        q->elem_size = 4, q->elems = 1;
        return 0;
    }
    case VIDIOC_G_CTRL: case VIDIOC_S_CTRL: {
        struct v4l2_control *c = arg;
        struct v4l2_ext_control x = { .id = c->id, .value = c->value };
        struct v4l2_ext_controls e = { .count = 1, .controls = &x };
        int r = ext_ctrls(d, req == VIDIOC_G_CTRL ? VIDIOC_G_EXT_CTRLS : VIDIOC_S_EXT_CTRLS, &e);
        if (!r)
            c->value = x.value;
        return r;
    }
    case VIDIOC_G_EXT_CTRLS: case VIDIOC_S_EXT_CTRLS: case VIDIOC_TRY_EXT_CTRLS:
        return ext_ctrls(d, req, arg);
    case VIDIOC_REQBUFS:
        return req_bufs(d, arg);
    case VIDIOC_QUERYBUF: case VIDIOC_QBUF: {
        struct v4l2_buffer *b = arg;
        unsigned i = b->index;
        if (b->type != cap || i >= (unsigned)d->nbuf)
            return -EINVAL;
        if (req == VIDIOC_QBUF) {
            if (b->memory != V4L2_MEMORY_MMAP || d->b[i].state != IDLE || b->flags & V4L2_BUF_FLAG_REQUEST_FD)
                return -EINVAL;
            d->b[i].state = QUEUED;
            d->q[d->nq++] = (int)i;
        }
        describe(d, b, i);
        return 0;
    }
    case VIDIOC_DQBUF:
        return dequeue(d, fd, arg);
    case VIDIOC_STREAMON:
        return *(uint32_t *)arg != cap ? -EINVAL : stream_on(d);
    case VIDIOC_STREAMOFF:
        if (*(uint32_t *)arg != cap)
            return -EINVAL;
        stream_off(d);
        return 0;
    }
    return -ENOTTY;
}
