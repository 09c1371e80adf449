// SPDX-License-Identifier: Apache-2.0
// frames FOLDER
//
// Makes what the preloaded camera shows, 1280x720: FOLDER/YUYV, 16 frames one behind the other, and the folder FOLDER/MJPG
// with 64 pictures in 4:2:2 at quality 85, as webcams send them, each with its number drawn (in YUYV the camera draws it).
// They are like photographs in size and in what they cost to encode: shades at several scales, edges, a window that
// wanders by some pixels, and the noise of a sensor. The same in each run.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <turbojpeg.h>

enum { WIDTH = 1280, HEIGHT = 720, MARGIN = 64, WIDE = WIDTH + MARGIN, HIGH = HEIGHT + MARGIN, NOISE = 1 << 20, CELL = 16 };
enum { RAW = 16, PICTURES = 64, QUALITY = 85 };

static unsigned char scene[3][HIGH][WIDE];
static unsigned char planes[3][HEIGHT * WIDTH];
static signed char noise[NOISE];
static uint64_t state = 1;

static void fail(const char *what) {
    fprintf(stderr, "frames: %s\n", what);
    exit(1);
}

static unsigned draw_number(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33);
}

static unsigned char clipped(int value) { return (unsigned char)(value < 16 ? 16 : value > 235 ? 235 : value); }

/// Adds shades of which each is `cell` pixels wide, and passes over into the next.
static void add_shades(int sums[HIGH][WIDE], int cell, int strength) {
    int across = WIDE / cell + 2, count = across * (HIGH / cell + 2), *values = malloc(sizeof *values * (size_t)count);
    if (!values) fail("out of memory");
    for (int index = 0; index < count; index++)
        values[index] = (int)(draw_number() % (2 * (unsigned)strength + 1)) - strength;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const int *upper = values + y / cell * across + x / cell, *lower = upper + across;
            int right = x % cell, down = y % cell;
            int above = upper[0] * (cell - right) + upper[1] * right, below = lower[0] * (cell - right) + lower[1] * right;
            sums[y][x] += (above * (cell - down) + below * down) / (cell * cell);
        }
    free(values);
}

static void make_scene(void) {
    static const int shades[3][4][2] = {
        {{160, 60}, {48, 30}, {16, 14}, {5, 20}},
        {{160, 30}, {48, 12}, {1, 0}, {1, 0}},
        {{160, 30}, {48, 12}, {1, 0}, {1, 0}},
    };
    static int sums[HIGH][WIDE];
    for (int plane = 0; plane < 3; plane++) {
        memset(sums, 0, sizeof sums);
        for (int scale = 0; scale < 4; scale++)
            if (shades[plane][scale][1]) add_shades(sums, shades[plane][scale][0], shades[plane][scale][1]);
        for (int y = 0; y < HIGH; y++)
            for (int x = 0; x < WIDE; x++) {
                int is_bar = plane == 0 && y > 520 && x / 34 % 3 == 0;
                scene[plane][y][x] = clipped(128 + sums[y][x] - (is_bar ? 60 : 0));
            }
    }
    for (int index = 0; index < NOISE; index++) {
        int sum = 0;
        for (int term = 0; term < 6; term++) sum += (int)(draw_number() % 7) - 3;
        noise[index] = (signed char)(sum / 2);  // a deviation of 2.4
    }
}

/// A window of the scene in 4:2:2, with noise of its own.
static void make_frame(int index, int count) {
    int left = index * MARGIN / count, top = abs(MARGIN - 2 * index * MARGIN / count) * 3 / 4;
    unsigned at = draw_number();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            planes[0][y * WIDTH + x] = clipped(scene[0][top + y][left + x] + noise[at++ % NOISE]);
            if (x % 2 == 0)
                for (int plane = 1; plane < 3; plane++)
                    planes[plane][y * WIDTH / 2 + x / 2] = scene[plane][top + y][left + x];
        }
}

/// The number as 32 blocks, most significant bit first, then the same 32 inverted; colours are left out of there.
static void draw(unsigned number) {
    for (int y = 0; y < 2 * CELL; y++)
        for (int x = 0; x < 32 * CELL; x++) {
            unsigned bit = number >> (31 - x / CELL) & 1;
            planes[0][y * WIDTH + x] = bit == (y < CELL) ? 235 : 16;
            planes[1][y * WIDTH / 2 + x / 2] = planes[2][y * WIDTH / 2 + x / 2] = 128;
        }
}

static void write_raw(const char *folder) {
    static unsigned char packed[HEIGHT * WIDTH * 2];
    char name[4096];
    snprintf(name, sizeof name, "%s/YUYV", folder);
    FILE *file = fopen(name, "wb");
    if (!file) fail(name);
    for (int index = 0; index < RAW; index++) {
        make_frame(index, RAW);
        for (int pair = 0; pair < HEIGHT * WIDTH / 2; pair++) {
            packed[4 * pair] = planes[0][2 * pair];
            packed[4 * pair + 1] = planes[1][pair];
            packed[4 * pair + 2] = planes[0][2 * pair + 1];
            packed[4 * pair + 3] = planes[2][pair];
        }
        if (fwrite(packed, sizeof packed, 1, file) != 1) fail(name);
    }
    if (fclose(file)) fail(name);
}

static void write_pictures(const char *folder) {
    char name[4096];
    snprintf(name, sizeof name, "%s/MJPG", folder);
    if (mkdir(name, 0755)) fail(name);
    tjhandle encoder = tjInitCompress();
    const unsigned char *sources[3] = {planes[0], planes[1], planes[2]};
    for (int index = 0; index < PICTURES; index++) {
        make_frame(index, PICTURES);
        draw((unsigned)index);
        unsigned char *bytes = NULL;
        unsigned long length = 0;
        if (!encoder
            || tjCompressFromYUVPlanes(encoder, sources, WIDTH, NULL, HEIGHT, TJSAMP_422, &bytes, &length, QUALITY, 0))
            fail("libturbojpeg does not compress");
        snprintf(name, sizeof name, "%s/MJPG/%05d.jpg", folder, index);
        FILE *file = fopen(name, "wb");
        if (!file || fwrite(bytes, length, 1, file) != 1 || fclose(file)) fail(name);
        tjFree(bytes);
    }
    tjDestroy(encoder);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) fail("usage: frames FOLDER");
    make_scene();
    write_raw(arguments[1]);
    write_pictures(arguments[1]);
    return 0;
}
