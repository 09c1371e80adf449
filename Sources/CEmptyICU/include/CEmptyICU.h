// SPDX-License-Identifier: Apache-2.0
#ifndef CEMPTYICU_H
#define CEMPTYICU_H

#include <stdint.h>

struct empty_icu_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, charset_family, char_size, reserved_too;
    uint8_t format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t entries, padding_too;
} __attribute__((aligned(16)));

extern const struct empty_icu_data icudt76_dat;

#endif
