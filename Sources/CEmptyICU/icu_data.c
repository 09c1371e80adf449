// SPDX-License-Identifier: Apache-2.0
// Stands in for the data of ICU, which all of Foundation brings and nothing here uses: languages, calendars, collations, 31 MB.
//
// The linker takes a member out of an archive only for a name that nothing has defined yet, so with this name the member of
// lib_FoundationICU.a with the data stays out. It is a package of data in ICU's format (UDataInfo in unicode/udata.h) that has
// nothing in it: what asks for something in it is told that it is missing. Tests/Support/lint compares the name, which has the
// version of ICU in it, with the toolchain's. A shared lib_FoundationICU.so has data of its own and never sees this.
#include "CEmptyICU.h"

const struct empty_icu_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .char_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
