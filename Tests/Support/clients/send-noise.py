# SPDX-License-Identifier: Apache-2.0
# Sends requests of which bytes were changed, to a Unix socket and to a port in turn, until so many bytes are sent; prints how
# many were.
from prelude import *
import base64
port, token, seed, wanted = int(arguments[0]), arguments[1], int(arguments[2]), int(arguments[3])
chance = random.Random(seed)
basic = base64.b64encode(f"x:{token}".encode()).decode()
seeds = [request.encode() for request in (
    f"GET /v1/cameras HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n\r\n",
    f"GET /v1/access HTTP/1.1\r\nHost: [::1]:{port}\r\nAuthorization: Basic {basic}\r\n\r\n",
    f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=b; tintype={token}; c=d\r\nOrigin: http://127.0.0.1\r\n\r\n",
    f"GET /v1/cameras/pattern/still.jpg?fresh=latest&token={token}&quality=20 HTTP/1.1\r\nHost: camera.lan\r\n\r\n",
    f"GET /v1/frames?where=camera:pattern&token={token} HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: cross-site\r\n\r\n",
    f"POST /v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(token) + 12}\r\n\r\n{{\"token\":\"{token}\"}}",
    f"PATCH /v1/cameras/pattern/controls HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "10\r\n{\"brightness\":1}\r\n0\r\n\r\n",
    "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nContent-Length: 14\r\n\r\n{\"keep\":false}",
    "GET /page/main.js HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\n\r\nHEAD /?action=snapshot HTTP/1.0\r\n\r\n",
)]
words = [b"\r\n", b"\r\n\r\n", b"0\r\n\r\n", b"\0", b" ", b":", b";", b"=", b"tintype=", b"Bearer ", b"Basic ", b"%", b"%00",
    b"%ff", b"&", b"?", b"[", b"]", b"::", b"@", b",", b"tt_" * 40, b"A" * 9000, b"Host: b\r\n", b"Cookie: tintype=\r\n",
    b"Authorization: Basic ====\r\n", b"Content-Length: 18446744073709551616\r\n", b"Transfer-Encoding: xchunked\r\n",
    b"\xff\xfe", b"\xc3", b"HTTP/9.9", b"OPTIONS * HTTP/1.1\r\n", b"../" * 30]

def change(data):
    start = chance.randint(0, len(data))
    end = min(len(data), start + chance.randint(0, 24))
    kind = chance.randrange(6)
    if kind == 0: return data[:start] + chance.choice(words) + data[end:]
    if kind == 1: return data[:start] + chance.choice(words) + data[start:]
    if kind == 2: return data[:end] + data[start:]
    if kind == 3: return data[:start] + data[end:]
    if kind == 4: return data[:start]
    return data[:start] + chance.randbytes(end - start) + data[end:]

sent = 0
while sent < wanted:
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)): data = change(data)
    if chance.randrange(4) == 0:
        client = connect()
    else:
        client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(30)
    sent += len(data)
    answer = b""
    try:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        while more := client.recv(1 << 16):
            answer += more
            # What has no end.
            if b"multipart/x-mixed-replace" in answer or b"text/event-stream" in answer: break
    except (BrokenPipeError, ConnectionResetError):
        pass
    client.close()
    if answer and (not answer.startswith(b"HTTP/1.") or b"HTTP/1.1 500" in answer):
        sys.exit(f"seed {seed}: {data!r}\n{answer[:500]!r}")
print(sent)
