// SPDX-License-Identifier: Apache-2.0
// load SOCKET CLIENTS SECONDS PATH BODY
//
// CLIENTS connections to an HTTP server on a Unix socket, each of which POSTs BODY to PATH again as soon as it has its
// reply. Prints the latency of every reply in microseconds, one a line, after a line with the number of seconds that
// passed. Ends with status 1 and a sentence if anything does not work or a reply is not 201.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct client {
    pthread_t thread;
    uint32_t *latencies;
    size_t count, room;
};

static const char *path, *request;
static size_t length;
static int64_t end;

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, errno ? strerror(errno) : "not as expected");
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int open_connection(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("the socket's path is too long");
    strcpy(address.sun_path, path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || connect(socket_, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return socket_;
}

// Reads one reply with Content-Length and returns its status.
static int read_reply(int socket_) {
    char bytes[16384];
    size_t count = 0, needed = 0;
    while (!needed || count < needed) {
        ssize_t got = read(socket_, bytes + count, sizeof bytes - 1 - count);
        if (got <= 0) fail("read");
        count += (size_t)got;
        bytes[count] = 0;
        char *body = needed ? NULL : strstr(bytes, "\r\n\r\n");
        if (body) {
            char *field = strcasestr(bytes, "\r\ncontent-length:");
            if (!field || field > body) fail("a reply without Content-Length");
            needed = (size_t)(body + 4 - bytes) + strtoul(field + 17, NULL, 10);
            if (needed >= sizeof bytes) fail("a reply is too long");
        }
    }
    int status = atoi(bytes + 9);
    if (status != 201) {
        errno = 0;
        fprintf(stderr, "%s\n", bytes);
        fail("a reply's status");
    }
    return status;
}

static void *run(void *argument) {
    struct client *client = argument;
    int socket_ = open_connection();
    for (int64_t begin; (begin = now()) < end;) {
        for (size_t sent = 0; sent < length;) {
            ssize_t count = write(socket_, request + sent, length - sent);
            if (count <= 0) fail("write");
            sent += (size_t)count;
        }
        read_reply(socket_);
        if (client->count == client->room) {
            client->room = client->room ? 2 * client->room : 1024;
            client->latencies = realloc(client->latencies, client->room * sizeof *client->latencies);
            if (!client->latencies) fail("realloc");
        }
        client->latencies[client->count++] = (uint32_t)((now() - begin) / 1000);
    }
    close(socket_);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 6) fail("usage: load SOCKET CLIENTS SECONDS PATH BODY");
    path = argv[1];
    int count = atoi(argv[2]);
    char *text;
    if (asprintf(&text, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 argv[4], strlen(argv[5]), argv[5]) < 0)
        fail("asprintf");
    request = text;
    length = strlen(text);
    struct client *clients = calloc((size_t)count, sizeof *clients);
    if (!clients) fail("calloc");
    int64_t begin = now();
    end = begin + (int64_t)(atof(argv[3]) * 1e9);
    for (int index = 0; index < count; index++)
        if (pthread_create(&clients[index].thread, NULL, run, &clients[index])) fail("pthread_create");
    for (int index = 0; index < count; index++) pthread_join(clients[index].thread, NULL);
    printf("%.6f\n", (double)(now() - begin) / 1e9);
    for (int index = 0; index < count; index++)
        for (size_t reply = 0; reply < clients[index].count; reply++) printf("%u\n", clients[index].latencies[reply]);
    return 0;
}
