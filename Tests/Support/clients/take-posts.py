# SPDX-License-Identifier: Apache-2.0
# Answers with 500 first, and then takes what is posted; prints its port, and each body.
import http.server
class Server(http.server.BaseHTTPRequestHandler):
    count = 0
    def log_message(self, *arguments): pass
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        Server.count += 1
        if Server.count > 1: print(self.path, self.headers["Content-Type"], body, flush=True)
        self.send_response(500 if Server.count == 1 else 204)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", 0), Server)
print(server.server_port, flush=True)
server.serve_forever()
