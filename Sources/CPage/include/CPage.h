// SPDX-License-Identifier: Apache-2.0
// The files that the daemon serves from itself, as bytes in the program: the page.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

struct cpage_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

extern const struct cpage_file cpage_index;        // page/index.html
extern const struct cpage_file *const cpage_files; // what index.html loads, cpage_file_count files of page/
extern const size_t cpage_file_count;

#endif
