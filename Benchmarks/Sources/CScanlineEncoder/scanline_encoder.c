// SPDX-License-Identifier: Apache-2.0
#include "CScanlineEncoder.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

struct error_exit {
    struct jpeg_error_mgr base;
    jmp_buf escape;
};

static void leave(j_common_ptr info) {
    longjmp(((struct error_exit *)info->err)->escape, 1);
}

static void expand(const uint8_t *yuyv, uint8_t *line, int width) {
    for (int x = 0; x < width; x += 2, yuyv += 4, line += 6) {
        line[0] = yuyv[0];
        line[1] = yuyv[1];
        line[2] = yuyv[3];
        line[3] = yuyv[2];
        line[4] = yuyv[1];
        line[5] = yuyv[3];
    }
}

size_t scanline_encode_yuyv(
    const uint8_t *yuyv, int width, int height, size_t bytes_per_row, int quality, uint8_t *out, size_t capacity) {
    struct jpeg_compress_struct jpeg;
    struct error_exit error;
    uint8_t *line = malloc((size_t)width * 3);
    unsigned char *target = out;
    unsigned long written = capacity;
    if (line == NULL)
        return 0;
    jpeg.err = jpeg_std_error(&error.base);
    error.base.error_exit = leave;
    if (setjmp(error.escape)) {
        jpeg_destroy_compress(&jpeg);
        free(line);
        return 0;
    }
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &target, &written);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_YCbCr;
    // The defaults are 4:2:0 and the exact integer DCT.
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = line;
        expand(yuyv + bytes_per_row * jpeg.next_scanline, line, width);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(line);
    if (target != out) {
        // It did not fit, and libjpeg made a buffer of its own.
        free(target);
        return 0;
    }
    return written;
}
