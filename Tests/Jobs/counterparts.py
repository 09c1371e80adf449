# SPDX-License-Identifier: Apache-2.0
"""Servers of others, as targets of uploads: each on a port of its own, with its files in a folder of its own.

Each function is a context that gives a Target: what a rule needs to know, and what the server has by now.
"""
import contextlib
import dataclasses
import getpass
import hashlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import typing
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Support"))
import serving
from web import sums

USER, PASSWORD = "uploader", "correct-horse"


@dataclasses.dataclass
class Target:
    # Options of a rule: “to” and others.
    rule: dict
    # A section of rclone.conf; empty for HTTP.
    remote: str
    # SHA-256 of each file that the server has, by its path.
    files: typing.Callable[[], dict]
    # The port of the server.
    port: int


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def server(folder, port, *command, **options):
    """A program that is ended, once it listens on its port."""
    with open(f"{folder}/server.log", "ab") as log:
        process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *map(str, command)], stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log, **options)
    try:
        while not listens(port):
            if process.poll() is not None:
                log = pathlib.Path(folder, "server.log").read_text()
                raise RuntimeError(f"{command[0]} does not listen: {log[-2000:]}")
            time.sleep(0.05)
        yield process
    finally:
        serving.stop(process)


def obscured(password):
    return subprocess.run(["rclone", "obscure", password], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def new_folder(folder, name):
    new = pathlib.Path(folder, name)
    new.mkdir(parents=True)
    return new


@contextlib.contextmanager
def sftp(folder):
    """sshd as the invoking user, with keys of its own."""
    own, there, port = new_folder(folder, "sshd"), new_folder(folder, "there"), serving.free_port()
    for name in ("host", "client"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", own / name], check=True)
    (own / "sshd_config").write_text(f"""
ListenAddress 127.0.0.1
Port {port}
HostKey {own}/host
AuthorizedKeysFile {own}/client.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxStartups 100
Subsystem sftp internal-sftp
""")
    if os.getuid() == 0:
        # The service makes it; in a container there is none.
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    with server(own, port, "/usr/sbin/sshd", "-D", "-e", "-f", own / "sshd_config"):
        yield Target({"to": f"there:{there}/{{camera}}/{{path}}"}, f"""
type = sftp
host = 127.0.0.1
port = {port}
user = {getpass.getuser()}
key_file = {own}/client
""", lambda: sums(there), port)


@contextlib.contextmanager
def nginx(folder):
    """nginx's DAV, which takes PUT from whoever knows the password."""
    own, there, port = new_folder(folder, "nginx"), new_folder(folder, "there"), serving.free_port()
    (own / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    (own / "nginx.conf").write_text(f"""
{"user root;" if os.getuid() == 0 else ""}
daemon off;
pid {own}/pid;
error_log stderr;
events {{}}
http {{
    access_log {own}/access.log;
    client_body_temp_path {own}/body;
    proxy_temp_path {own}/proxy;
    fastcgi_temp_path {own}/fastcgi;
    uwsgi_temp_path {own}/uwsgi;
    scgi_temp_path {own}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {there};
        auth_basic pictures;
        auth_basic_user_file {own}/users;
        client_max_body_size 0;
        dav_methods PUT;
        create_full_put_path on;
    }}
}}
""")
    basic = "Basic dXBsb2FkZXI6Y29ycmVjdC1ob3JzZQ=="
    with server(own, port, "/usr/sbin/nginx", "-e", "stderr", "-c", own / "nginx.conf"):
        yield Target({"to": f"http://127.0.0.1:{port}/{{camera}}/{{path}}", "headers": {"Authorization": basic}}, "",
                     lambda: sums(there), port)


@contextlib.contextmanager
def ftp(folder):
    own, there, port = new_folder(folder, "ftp"), new_folder(folder, "there"), serving.free_port()
    python = serving.packages(serving.COUNTERPARTS) / "python"
    with server(own, port, python, "-m", "pyftpdlib", "-i", "127.0.0.1", "-p", port, "-w", "-d", there,
                "-u", USER, "-P", PASSWORD):
        # pyftpdlib answers MLSD of a missing folder with 501, which rclone takes for a failure.
        yield Target({"to": "there:{camera}/{path}"}, f"""
type = ftp
disable_mlsd = true
host = 127.0.0.1
port = {port}
user = {USER}
pass = {obscured(PASSWORD)}
""", lambda: sums(there), port)


@contextlib.contextmanager
def webdav(folder):
    own, there, port = new_folder(folder, "webdav"), new_folder(folder, "there"), serving.free_port()
    with server(own, port, "rclone", "serve", "webdav", there, "--addr", f"127.0.0.1:{port}",
                "--user", USER, "--pass", PASSWORD, "--config", own / "none"):
        yield Target({"to": "there:{camera}/{path}"}, f"""
type = webdav
url = http://127.0.0.1:{port}
vendor = other
user = {USER}
pass = {obscured(PASSWORD)}
""", lambda: sums(there), port)


@contextlib.contextmanager
def s3(folder):
    """moto's server, which has its objects in memory. It looks at no signature, but wants one."""
    own, port = new_folder(folder, "s3"), serving.free_port()
    url = f"http://127.0.0.1:{port}/pictures"
    signature = "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"

    def get(address, method="GET"):
        request = urllib.request.Request(address, method=method, headers={"Authorization": signature})
        with urllib.request.urlopen(request, timeout=serving.LIMIT) as reply:
            return reply.read()

    def files():
        names = re.findall(r"<Key>(.*?)</Key>", get(f"{url}?list-type=2").decode())
        return {name: hashlib.sha256(get(f"{url}/{name}")).hexdigest() for name in names}

    program = serving.packages(serving.COUNTERPARTS) / "moto_server"
    with server(own, port, program, "-H", "127.0.0.1", "-p", port):
        get(url, "PUT")
        yield Target({"to": "there:pictures/{camera}/{path}"}, f"""
type = s3
provider = Other
endpoint = http://127.0.0.1:{port}
access_key_id = key
secret_access_key = secret
region = us-east-1
""", files, port)


ALL = {"sftp to sshd": sftp, "PUT to nginx's DAV": nginx, "FTP to pyftpdlib": ftp, "WebDAV to rclone": webdav, "S3 to moto": s3}
