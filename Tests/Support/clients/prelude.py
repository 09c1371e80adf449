# SPDX-License-Identifier: Apache-2.0
# Beginning of each program that Site.clients runs.
import http.client, json, os, resource, signal, socket, sys, time

limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
path, arguments = sys.argv[1], sys.argv[2:]

def connect():
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(600)
    connection.connect(path)
    return connection

def ask(connection, target):
    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

def reply(connection):
    response = http.client.HTTPResponse(connection)
    response.begin()
    body = response.read()
    return response.status, {key.lower(): value for key, value in response.getheaders()}, body

status_connection = connect()

def get(target):
    ask(status_connection, target)
    status, _, body = reply(status_connection)
    assert status == 200, body
    return json.loads(body)

def waiting(camera):
    return get(f"/v1/cameras/{camera}")["waiting"]

def await_waiting(camera, count):
    while waiting(camera) != count:
        time.sleep(0.001)


