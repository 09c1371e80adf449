# SPDX-License-Identifier: Apache-2.0
# Prints the status of each reply to bytes that are no request, then leaves 200 connections half way.
from prelude import *
for bytes in [os.urandom(4096).replace(b'\n', b'x') + b'\r\n\r\n', b'GET / SPDY/3\r\n\r\n', b'\0' * 100 + b'\r\n\r\n']:
    connection = connect()
    connection.sendall(bytes)
    print(connection.recv(65536).split(b' ')[1].decode(), end=' ')
print()
held = []
for i in range(200):
    connection = connect()
    connection.sendall([b'', b'GET /v1/cam', b'POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n{'][i % 3])
    held.append(connection)
    if i % 2: connection.close()
