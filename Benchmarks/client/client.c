// SPDX-License-Identifier: Apache-2.0
// client stills SOCKET CONNECTIONS ROUNDS SECONDS GAP TARGET [again]
// client stores SOCKET CONNECTIONS SECONDS TARGET BODY
// client watch SOCKET CONNECTIONS SECONDS TARGET
//
// A client of an HTTP server on a Unix socket: many connections from one thread with one epoll set, so that the server is
// measured and not its client.
//
// stills: all connections ask for TARGET at the same moment, ROUNDS times, or until SECONDS have passed. Rounds are at least
// GAP microseconds apart. Their phases begin at random and then divide the interval of a camera of 30 frames a second
// evenly, in any number of rounds, so that two runs hardly differ in them. With `again`, each asks a second time as soon
// as it has its reply, and the second is measured. Prints a line for each reply: round, when the request was sent and
// when the last byte had come in nanoseconds of CLOCK_MONOTONIC, the bytes of the picture, and the number drawn in it (-1
// for all connections but the first, and where it cannot be read).
//
// stores: each connection posts BODY to TARGET again as soon as it has its reply. Prints the latency of each reply in
// microseconds, then the seconds that passed.
//
// watch: each connection reads a multipart stream. `begin` once all have had pictures for a second, `end` after SECONDS
// more; in between a line for each fifth picture of the first connection: when its last byte had come, and its number; then
// how many pictures each connection got in these seconds.
//
// Ends with status 1 and a sentence if anything does not work, or a reply is neither 200 nor 201.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <turbojpeg.h>
#include <unistd.h>

enum { CAPACITY = 4 << 20, PERIOD = 33333333, CELL = 16 };

struct connection {
    int socket, status, asked;
    int64_t sent, last;
    char *bytes;
    size_t count, header, body;  // received so far; the lengths of header (0 until it is whole) and body
    long pictures;
};

static struct connection *connections;
static int count, set;
static const char *path;
static char *request;
static size_t request_length;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "client: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, errno ? ": %s\n" : "\n", strerror(errno));
    va_end(arguments);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void open_connections(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("%s: too long a path", path);
    strcpy(address.sun_path, path);
    connections = calloc((size_t)count, sizeof *connections);
    if ((set = epoll_create1(EPOLL_CLOEXEC)) < 0 || !connections) fail("epoll_create1, calloc");
    for (int index = 0; index < count; index++) {
        struct connection *connection = &connections[index];
        connection->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connection->socket < 0 || connect(connection->socket, (struct sockaddr *)&address, sizeof address))
            fail("connect %s", path);
        if (!(connection->bytes = malloc(CAPACITY))) fail("malloc");
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        if (epoll_ctl(set, EPOLL_CTL_ADD, connection->socket, &event)) fail("epoll_ctl");
    }
}

static void ask(struct connection *connection) {
    connection->count = connection->header = connection->body = 0;
    connection->sent = now();
    if (send(connection->socket, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) fail("send");
}

/// Reads the header that begins the bytes, if it is whole. A stream's own header has no length: 0.
static void read_header(struct connection *connection, int needs_length) {
    char *end = memmem(connection->bytes, connection->count, "\r\n\r\n", 4);
    errno = 0;
    if (!end && connection->count > 65536) fail("a header without an end");
    if (!end) return;
    *end = 0;
    connection->header = (size_t)(end - connection->bytes) + 4;
    if (!strncmp(connection->bytes, "HTTP/1.", 7)) connection->status = atoi(connection->bytes + 9);
    if (connection->status != 200 && connection->status != 201) fail("the reply is %.400s", connection->bytes);
    char *field = strcasestr(connection->bytes, "\r\ncontent-length:");
    if (!field && strncasecmp(connection->bytes, "content-length:", 15) == 0) field = connection->bytes - 2;
    if (!field && needs_length) fail("a reply without Content-Length");
    connection->body = field ? strtoul(field + 17, NULL, 10) : 0;
    if (connection->header + connection->body > CAPACITY) fail("a reply of more than 4 MiB");
}

/// Takes what has come; whether there was anything.
static int take(struct connection *connection) {
    char *free = connection->bytes + connection->count;
    ssize_t length = recv(connection->socket, free, CAPACITY - connection->count, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (length == 0) errno = ECONNRESET;
    if (length <= 0) fail("recv");
    connection->last = now();
    connection->count += (size_t)length;
    return 1;
}

static int is_whole(struct connection *connection, int needs_length) {
    if (!connection->header) read_header(connection, needs_length);
    return connection->header && connection->count >= connection->header + connection->body;
}

/// The number drawn in the picture of a reply; -1 if its two copies do not agree.
static long number_in(const struct connection *connection) {
    const unsigned char *bytes = (unsigned char *)connection->bytes + connection->header;
    size_t length = connection->body;
    static tjhandle decoder;
    static unsigned char *luma;
    int width, height, sampling, colours, pitch;
    if (!decoder) decoder = tjInitDecompress();
    if (tjDecompressHeader3(decoder, bytes, length, &width, &height, &sampling, &colours)) return -1;
    // An eighth: a block has 2x2 pixels.
    pitch = (width + 7) / 8;
    if (width < 32 * CELL || !(luma = realloc(luma, (size_t)(pitch * ((height + 7) / 8))))) return -1;
    tjDecompress2(decoder, bytes, length, luma, pitch, 0, (height + 7) / 8, TJPF_GRAY, 0);
    uint32_t number = 0, inverse = 0;
    for (int cell = 0; cell < 32; cell++) {
        number = number << 1 | (luma[pitch + 2 * cell + 1] > 127);
        inverse = inverse << 1 | (luma[3 * pitch + 2 * cell + 1] > 127);
    }
    return number == ~inverse ? (long)number : -1;
}

/// Waits for events and calls `arrived` for each connection that has some; returns at `until` at the latest.
static void wait_for(int64_t until, void (*arrived)(struct connection *)) {
    struct epoll_event events[256];
    int64_t left = until - now();
    int ready = epoll_wait(set, events, 256, left > 0 ? (int)(left / 1000000) + 1 : 0);
    if (ready < 0 && errno != EINTR) fail("epoll_wait");
    for (int event = 0; event < ready; event++) {
        struct connection *connection = &connections[events[event].data.u32];
        if (take(connection)) arrived(connection);
    }
}

static int whole, again;

static void still_arrived(struct connection *connection) {
    if (!is_whole(connection, 1)) return;
    if (again && connection->asked++ == 0) ask(connection);
    else whole++;
}

static void stills(int rounds, int64_t seconds, int64_t gap) {
    int64_t begin = now(), base = begin;
    double phase = (double)(begin % 1000003) / 1000003;
    for (int round = 0; round < rounds && now() < begin + seconds; round++) {
        int64_t due = base + (int64_t)(phase * PERIOD);
        while (due < now()) due += PERIOD, base += PERIOD;
        struct timespec moment = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL)) {}
        whole = 0;
        for (int index = 0; index < count; index++) {
            connections[index].asked = 0;
            ask(&connections[index]);
        }
        int64_t patience = now() + 20000000000;
        while (whole < count) {
            errno = 0;
            if (now() > patience) fail("%d of %d replies have not come within 20 s", count - whole, count);
            wait_for(patience, still_arrived);
        }
        for (int index = 0; index < count; index++) {
            struct connection *connection = &connections[index];
            printf("%d %lld %lld %zu %ld\n", round, (long long)connection->sent, (long long)connection->last,
                   connection->body, index == 0 ? number_in(connection) : -1);
        }
        phase += 0.6180339887498949;
        phase -= (int)phase;
        base += gap;
    }
}

static int64_t end_of_stores;
static int open_stores;

static void store_arrived(struct connection *connection) {
    if (!is_whole(connection, 1)) return;
    printf("%lld\n", (long long)(connection->last - connection->sent) / 1000);
    if (connection->last < end_of_stores) ask(connection);
    else open_stores--;
}

static void stores(int64_t seconds) {
    int64_t begin = now();
    end_of_stores = begin + seconds;
    open_stores = count;
    for (int index = 0; index < count; index++) ask(&connections[index]);
    while (open_stores) wait_for(begin + 60000000000, store_arrived);
    printf("%.6f\n", (double)(now() - begin) / 1e9);
}

static int64_t begin_of_watch;

static void picture_arrived(struct connection *connection) {
    while (connection->count && is_whole(connection, 0)) {
        size_t length = connection->header + connection->body;
        if (connection->body) {
            connection->pictures++;
            if (begin_of_watch && connection == connections && connection->pictures % 5 == 0)
                printf("%lld %ld\n", (long long)connection->last, number_in(connection));
        }
        connection->count -= length;
        memmove(connection->bytes, connection->bytes + length, connection->count);
        connection->header = 0;
        // The line after a picture belongs to no header.
        while (connection->count >= 2 && !memcmp(connection->bytes, "\r\n", 2))
            memmove(connection->bytes, connection->bytes + 2, connection->count -= 2);
    }
}

static void watch(int64_t seconds) {
    for (int index = 0; index < count; index++) ask(&connections[index]);
    for (int64_t end = now() + 1000000000; now() < end;) wait_for(end, picture_arrived);
    for (int index = 0; index < count; index++) connections[index].pictures = 0;
    puts("begin");
    fflush(stdout);
    begin_of_watch = now();
    for (int64_t end = begin_of_watch + seconds; now() < end;) wait_for(end, picture_arrived);
    puts("end");
    for (int index = 0; index < count; index++) printf("%ld\n", connections[index].pictures);
}

static int64_t nanoseconds(const char *text) { return (int64_t)(atof(text) * 1e9); }

int main(int argument_count, char **arguments) {
    const char *mode = argument_count > 1 ? arguments[1] : "";
    int is_stills = !strcmp(mode, "stills"), is_stores = !strcmp(mode, "stores"), is_watch = !strcmp(mode, "watch");
    errno = 0;
    if (!(is_stills && argument_count >= 8) && !(is_stores && argument_count == 7) && !(is_watch && argument_count == 6))
        fail("usage: client stills|stores|watch SOCKET CONNECTIONS ...");
    path = arguments[2];
    count = atoi(arguments[3]);
    const char *target = arguments[is_stills ? 7 : 5], *body = is_stores ? arguments[6] : "";
    const char *head = is_stores ? "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n%s"
                                 : "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
    int length = asprintf(&request, head, target, strlen(body), body);
    if (length < 0) fail("asprintf");
    request_length = (size_t)length;
    again = is_stills && argument_count == 9;
    open_connections();
    if (is_stills) stills(atoi(arguments[4]), nanoseconds(arguments[5]), atoll(arguments[6]) * 1000);
    else if (is_stores) stores(nanoseconds(arguments[4]));
    else watch(nanoseconds(arguments[4]));
    return 0;
}
