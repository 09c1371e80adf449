// SPDX-License-Identifier: Apache-2.0
// tintype-codes: reads the QR and bar codes of one picture, for tintyped, which runs it for each picture.
//
// Standard input: "WIDTH HEIGHT\n" and WIDTH * HEIGHT bytes of luma, row by row. Standard output: one line of JSON,
//     {"codes":[{"kind":"QR-Code","text":"...","left":1,"top":2,"width":3,"height":4}]}
// with the smallest upright rectangle around each code, in pixels. Ends with 0, or with 1 and a sentence on standard error.
//
// A program of its own, because libzbar decodes pictures that anybody can hold before a camera, and has the libraries of X11
// loaded. It limits itself: its memory, its processor time, and the kernel's calls to those for memory and its standard
// streams. The caller limits its time.
#include <errno.h>
#include <iconv.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <zbar.h>

// Side in pixels, so that the area fits into 32 bits.
#define LARGEST_SIDE 16384
#define MOST_CODES 64

static void fail(const char *what) {
    fprintf(stderr, "tintype-codes: %s\n", what);
    exit(1);
}

static void limit(int resource, rlim_t most) {
    struct rlimit limit = {most, most};
    if (setrlimit(resource, &limit)) fail(strerror(errno));
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "Add the architecture: see linux/audit.h."
#endif

// The kernel's calls from here on; all others fail with EPERM.
static const unsigned allowed[] = {
    SYS_read, SYS_write, SYS_exit_group, SYS_rt_sigreturn, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex,
    SYS_getrandom, SYS_clock_gettime, SYS_gettimeofday,
#ifdef SYS_mmap
    SYS_mmap,
#endif
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_fstat
    SYS_fstat,
#endif
#ifdef SYS_fstat64
    SYS_fstat64,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
};

static void confine(void) {
    enum { COUNT = sizeof allowed / sizeof *allowed };
    struct sock_filter filter[2 * COUNT + 5] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short count = 4;
    for (unsigned at = 0; at < COUNT; at++) {
        filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[at], 0, 1);
        filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog program = {count, filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) fail(strerror(errno));
}

// Loads the conversions that libzbar uses for the texts of QR codes, which it cannot open any more once confined.
static void load_conversions(void) {
    char name[16];
    for (int part = 1; part <= 16; part++) {
        snprintf(name, sizeof name, "ISO8859-%d", part);
        iconv_open("UTF-8", name);
    }
    iconv_open("UTF-8", "SJIS");
    iconv_open("UTF-8", "BIG5");
    iconv_open("UTF-8", "CP437");
}

// True for UTF-8 as RFC 3629 has it: no surrogates, no longer forms.
static int is_utf8(const unsigned char *text, size_t count) {
    for (size_t at = 0; at < count;) {
        unsigned char first = text[at++];
        if (first < 0x80) continue;
        int more = first >= 0xC2 && first <= 0xDF ? 1 : (first & 0xF0) == 0xE0 ? 2 : first >= 0xF0 && first <= 0xF4 ? 3 : 0;
        if (!more || count - at < (size_t)more) return 0;
        unsigned char next = text[at];
        if ((first == 0xE0 && next < 0xA0) || (first == 0xED && next > 0x9F) || (first == 0xF0 && next < 0x90)
            || (first == 0xF4 && next > 0x8F))
            return 0;
        while (more--)
            if ((text[at++] & 0xC0) != 0x80) return 0;
    }
    return 1;
}

// Text that is not UTF-8 is written as ISO 8859-1: each byte is a character.
static void print_text(const unsigned char *text, size_t count) {
    int utf8 = is_utf8(text, count);
    putchar('"');
    for (size_t at = 0; at < count; at++) {
        unsigned char byte = text[at];
        if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8))
            printf("\\u%04x", byte);
        else {
            if (byte == '"' || byte == '\\') putchar('\\');
            putchar(byte);
        }
    }
    putchar('"');
}

static void print_code(const zbar_symbol_t *symbol) {
    int left = 0, top = 0, right = 0, bottom = 0;
    for (unsigned at = 0; at < zbar_symbol_get_loc_size(symbol); at++) {
        int x = zbar_symbol_get_loc_x(symbol, at), y = zbar_symbol_get_loc_y(symbol, at);
        if (at == 0 || x < left) left = x;
        if (at == 0 || y < top) top = y;
        if (at == 0 || x > right) right = x;
        if (at == 0 || y > bottom) bottom = y;
    }
    printf("{\"kind\":\"%s\",\"text\":", zbar_get_symbol_name(zbar_symbol_get_type(symbol)));
    print_text((const unsigned char *)zbar_symbol_get_data(symbol), zbar_symbol_get_data_length(symbol));
    printf(",\"left\":%d,\"top\":%d,\"width\":%d,\"height\":%d}", left, top, right - left + 1, bottom - top + 1);
}

int main(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0);
    limit(RLIMIT_AS, 256 << 20);
    limit(RLIMIT_CPU, 5);
    limit(RLIMIT_CORE, 0);
    load_conversions();
    confine();

    unsigned width, height;
    if (scanf("%5u %5u", &width, &height) != 2 || getchar() != '\n' || !width || !height || width > LARGEST_SIDE
        || height > LARGEST_SIDE)
        fail("the first line is not the size of a picture");
    size_t count = (size_t)width * height;
    unsigned char *luma = malloc(count);
    if (!luma) fail("the picture is too large");
    if (fread(luma, 1, count, stdin) != count) fail("the picture is incomplete");

    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    if (!scanner || !image) fail("there is not enough memory");
    zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
    zbar_image_set_size(image, width, height);
    zbar_image_set_data(image, luma, count, NULL);
    if (zbar_scan_image(scanner, image) < 0) fail("the picture cannot be scanned");

    int printed = 0;
    printf("{\"codes\":[");
    for (const zbar_symbol_t *one = zbar_image_first_symbol(image); one && printed < MOST_CODES; one = zbar_symbol_next(one)) {
        if (printed++) putchar(',');
        print_code(one);
    }
    printf("]}\n");
    // The memory of the process ends with it.
    _Exit(fflush(stdout) ? 1 : 0);
}
