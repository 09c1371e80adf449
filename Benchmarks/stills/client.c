// SPDX-License-Identifier: Apache-2.0
// client [OPTION...] SOCKET TARGET [TARGET...]
//
// Asks an HTTP server on a Unix socket for pictures, over many connections from one thread with one epoll set, and prints
// one line for every reply: it is the server that is to be measured, not its client.
//
//   --connections N  how many ask at once (1); the first asks for the first TARGET, the second for the second, and round
//   --rounds N       how often all of them ask (100)
//   --pause US       the pause before each round lies anywhere between US and twice US (33333), at random
//   --again          each asks a second time as soon as it has its reply, and the line is that of the second
//   --new            a connection is made for each round; what that takes counts
//   --pictures DIR   what the first connection got in each round is kept in DIR/ROUND.jpg
//
// A line: round, connection, the times on CLOCK_MONOTONIC at which the request was sent, at which the first and the last
// byte of the reply had come, all in nanoseconds; the status, Tintype-Sequence, the bytes of the picture, and `same` or
// `other`: whether its picture is byte for byte that of the first connection with that target and sequence in that
// round, metadata segments (APP1) left out. It ends with status 1 and a sentence if anything does not work.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CAPACITY = 4 << 20, HEADER = 32768 };

struct connection {
    int socket;
    int64_t sent, first, last;
    char *bytes;
    size_t count;         // received so far
    size_t header, body;  // their lengths; header is 0 until it is whole
    int status;
    long sequence;
    int asked;  // in this round
};

static struct connection *connections;
static int count = 1, rounds = 100, again, makes_new, target_count;
static long pause_us = 33333;
static const char *pictures, *path;
static char **targets;

static void fail(const char *what, const char *which) {
    fprintf(stderr, "client: %s %s: %s\n", what, which, errno ? strerror(errno) : "not as expected");
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void open_connection(struct connection *connection, int set, int index) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("the path is too long:", path);
    strcpy(address.sun_path, path);
    connection->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->socket < 0) fail("socket", path);
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connect", path);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
    if (epoll_ctl(set, EPOLL_CTL_ADD, connection->socket, &event) != 0) fail("epoll_ctl", path);
}

static void ask(struct connection *connection, const char *target) {
    char request[2048];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target);
    connection->count = connection->header = connection->body = 0;
    connection->first = 0;
    connection->sent = now();
    if (send(connection->socket, request, (size_t)length, MSG_NOSIGNAL) != length) fail("send", target);
}

static const char *field(const struct connection *connection, const char *name) {
    const char *line = connection->bytes;
    while ((line = memchr(line, '\n', (size_t)(connection->bytes + connection->header - line))) != NULL) {
        line++;
        if (strncasecmp(line, name, strlen(name)) == 0) return line + strlen(name);
    }
    return NULL;
}

static void read_header(struct connection *connection) {
    char *end = memmem(connection->bytes, connection->count, "\r\n\r\n", 4);
    if (end == NULL) {
        errno = 0;
        if (connection->count > HEADER) fail("the header of a reply is", "too long");
        return;
    }
    connection->header = (size_t)(end - connection->bytes) + 4;
    const char *length = field(connection, "content-length:"), *sequence = field(connection, "tintype-sequence:");
    errno = 0;
    if (length == NULL) fail("a reply has no", "Content-Length");
    connection->body = (size_t)atol(length);
    connection->status = atoi(connection->bytes + strlen("HTTP/1.1 "));
    connection->sequence = sequence ? atol(sequence) : -1;
    if (connection->header + connection->body > CAPACITY) fail("a reply is", "larger than 4 MiB");
}

/// Takes what has come; whether the reply is whole.
static int take(struct connection *connection) {
    ssize_t length = recv(connection->socket, connection->bytes + connection->count, CAPACITY - connection->count,
                          MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (length <= 0) {
        if (length == 0) errno = ECONNRESET;
        fail("recv", path);
    }
    connection->last = now();
    if (connection->first == 0) connection->first = connection->last;
    connection->count += (size_t)length;
    if (connection->header == 0) read_header(connection);
    return connection->header > 0 && connection->count >= connection->header + connection->body;
}

/// Moves `at` past the metadata segments there; the same picture has them or has not, with whatever identity.
static void skip_metadata(const unsigned char *bytes, size_t length, size_t *at) {
    while (*at + 4 <= length && bytes[*at] == 0xFF && bytes[*at + 1] == 0xE1)
        *at += 2 + ((size_t)bytes[*at + 2] << 8 | bytes[*at + 3]);
}

static int is_same(const struct connection *left, const struct connection *right) {
    const unsigned char *one = (unsigned char *)left->bytes + left->header;
    const unsigned char *other = (unsigned char *)right->bytes + right->header;
    if (left->body < 4 || right->body < 4) return left->body == right->body && !memcmp(one, other, left->body);
    size_t here = 2, there = 2;
    skip_metadata(one, left->body, &here);
    skip_metadata(other, right->body, &there);
    return here <= left->body && there <= right->body && left->body - here == right->body - there
           && memcmp(one + here, other + there, left->body - here) == 0;
}

/// The first connection that has the same target and was given the same frame.
static const struct connection *fellow(int index) {
    int other = index % target_count;
    while (connections[other].sequence != connections[index].sequence) other += target_count;
    return &connections[other];
}

static void keep(const struct connection *connection, int round) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%d.jpg", pictures, round);
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(connection->bytes + connection->header, 1, connection->body, file) != connection->body
        || fclose(file) != 0)
        fail("cannot write", name);
}

static void play(int set, int round) {
    struct epoll_event events[256];
    int whole = 0;
    for (int index = 0; index < count; index++) {
        connections[index].asked = 1;
        if (makes_new) {
            int64_t began = now();
            open_connection(&connections[index], set, index);
            ask(&connections[index], targets[index % target_count]);
            connections[index].sent = began;
        } else {
            ask(&connections[index], targets[index % target_count]);
        }
    }
    while (whole < count) {
        int ready = epoll_wait(set, events, 256, 20000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            if (ready == 0) errno = ETIMEDOUT;
            fail("epoll_wait", path);
        }
        for (int event = 0; event < ready; event++) {
            int index = (int)events[event].data.u32;
            struct connection *connection = &connections[index];
            if (!take(connection)) continue;
            if (again && connection->asked == 1) {
                connection->asked = 2;
                ask(connection, targets[index % target_count]);
            } else {
                whole++;
            }
        }
    }
    for (int index = 0; index < count; index++) {
        struct connection *connection = &connections[index];
        printf("%d %d %lld %lld %lld %d %ld %zu %s\n", round, index, (long long)connection->sent,
               (long long)connection->first, (long long)connection->last, connection->status, connection->sequence,
               connection->body, is_same(fellow(index), connection) ? "same" : "other");
        if (makes_new) close(connection->socket);
    }
    if (pictures) keep(&connections[0], round);
}

static long number(const char *text, long least) {
    char *end;
    long value = strtol(text, &end, 10);
    errno = 0;
    if (*text == 0 || *end != 0 || value < least || value > 1000000000) fail("not a number that will do:", text);
    return value;
}

int main(int argument_count, char **arguments) {
    static const struct option options[] = {
        {"connections", required_argument, NULL, 'c'}, {"rounds", required_argument, NULL, 'r'},
        {"pause", required_argument, NULL, 'p'},       {"again", no_argument, NULL, 'a'},
        {"new", no_argument, NULL, 'n'},               {"pictures", required_argument, NULL, 'k'},
        {NULL, 0, NULL, 0},
    };
    for (int option; (option = getopt_long(argument_count, arguments, "", options, NULL)) != -1;) {
        switch (option) {
        case 'c': count = (int)number(optarg, 1); break;
        case 'r': rounds = (int)number(optarg, 1); break;
        case 'p': pause_us = number(optarg, 0); break;
        case 'a': again = 1; break;
        case 'n': makes_new = 1; break;
        case 'k': pictures = optarg; break;
        default: return 64;
        }
    }
    if (argument_count - optind < 2) {
        fprintf(stderr, "usage: client [OPTION...] SOCKET TARGET [TARGET...]\n");
        return 64;
    }
    path = arguments[optind];
    targets = arguments + optind + 1;
    target_count = argument_count - optind - 1;
    if (target_count > count) target_count = count;
    int set = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc((size_t)count, sizeof *connections);
    if (set < 0 || connections == NULL) fail("cannot begin:", "epoll_create1, calloc");
    for (int index = 0; index < count; index++) {
        connections[index].bytes = malloc(CAPACITY);
        if (connections[index].bytes == NULL) fail("cannot begin:", "malloc");
        if (!makes_new) open_connection(&connections[index], set, index);
    }
    uint64_t state = (uint64_t)now();
    for (int round = 0; round < rounds; round++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        long pause = pause_us + (pause_us ? (long)((state >> 33) % (uint64_t)pause_us) : 0);
        usleep((useconds_t)pause);
        play(set, round);
    }
    return 0;
}
