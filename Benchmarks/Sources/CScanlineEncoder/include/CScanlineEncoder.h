// SPDX-License-Identifier: Apache-2.0
// The reference of the encoder benchmark: libjpeg fed Y'CbCr scanlines that are expanded from YUYV one at a time. It
// is in C because libjpeg leaves errors by longjmp, which Swift must not be jumped over by.
#ifndef CSCANLINEENCODER_H
#define CSCANLINEENCODER_H

#include <stddef.h>
#include <stdint.h>

// Encodes a full YUYV picture of even width as JPEG 4:2:0; returns the bytes written to `out`, 0 on any error or if
// `capacity` is too small.
size_t scanline_encode_yuyv(
    const uint8_t *yuyv, int width, int height, size_t bytes_per_row, int quality, uint8_t *out, size_t capacity);

#endif
