# SPDX-License-Identifier: Apache-2.0
# What programs that have many connections to a daemon, or start one, have in common. Their first argument is its socket.
import functools, http.client, json, os, random, signal, socket, subprocess, sys, threading, time

path, arguments = sys.argv[1], sys.argv[2:]

def connect():
    connection = socket.socket(socket.AF_UNIX)
    # Before it has a limit: it waits for a place in the queue of a slow daemon (EAGAIN otherwise).
    connection.connect(path)
    connection.settimeout(600)
    return connection

def ask(connection, target, header=""):
    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n".encode())

def post(connection, target, body=""):
    connection.sendall(f"POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

def reply(connection):
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()

# The connection of get().
status_connection = functools.cache(connect)

def get(target):
    ask(status_connection(), target)
    status, body = reply(status_connection())
    assert status == 200, body
    return json.loads(body)

def waiting(camera):
    return get(f"/v1/cameras/{camera}")["waiting"]

def await_waiting(camera, count):
    while waiting(camera) != count:
        time.sleep(0.001)

def manage_services():
    "The socket of a service manager, in this folder, and the environment in which a service finds it."
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind("notify")
    manager.settimeout(60)
    return manager, {**os.environ, "NOTIFY_SOCKET": os.path.abspath("notify")}
