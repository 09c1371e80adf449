# SPDX-License-Identifier: Apache-2.0
# Prints the status of each reply to bytes that are no request, then leaves 200 connections half way.
import os, socket, sys
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); return s
for bytes in [os.urandom(4096).replace(b'\n', b'x') + b'\r\n\r\n', b'GET / SPDY/3\r\n\r\n', b'\0' * 100 + b'\r\n\r\n']:
    s = connect(); s.sendall(bytes)
    reply = s.recv(65536)
    print(reply.split(b' ')[1].decode(), end=' ')
print()
held = []
for i in range(200):
    s = connect()
    s.sendall([b'', b'GET /v1/cam', b'POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n{'][i % 3])
    held.append(s)
    if i % 2: s.close()
