# SPDX-License-Identifier: Apache-2.0
"""Films and clips as their users see them: numbers that are drawn into pictures, and read out of stored files by ffmpeg."""
import contextlib
import datetime
import hashlib
import http.client
import io
import pathlib
import random
import subprocess
import sys
import threading
import urllib.parse

from PIL import Image, ImageDraw

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Jobs"))
from machine import Site, serving

# Grid of a drawn number: twelve bits, in rows of four.
COLUMNS, ROWS = 4, 3


def drawn(number, size):
    """A JPEG picture of a number."""
    (width, height), image = size, Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for bit in range(COLUMNS * ROWS):
        row, column = divmod(bit, COLUMNS)
        left, top = column * width // COLUMNS, row * height // ROWS
        right, bottom = (column + 1) * width // COLUMNS - 1, (row + 1) * height // ROWS - 1
        draw.rectangle([left, top, right, bottom], fill=(235,) * 3 if number >> bit & 1 else (40,) * 3)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()


def number_in(picture, left=0):
    """The number in a picture of `drawn`, with so many columns of a black border at its left and its right."""
    width = picture.width - 2 * left
    places = [(left + (column * 2 + 1) * width // (2 * COLUMNS), (row * 2 + 1) * picture.height // (2 * ROWS))
              for row in range(ROWS) for column in range(COLUMNS)]
    return sum((picture.getpixel(place) > 127) << bit for bit, place in enumerate(places))


def pattern_code(picture):
    """The number that the test pattern draws, and the time of its exposure in microseconds of CLOCK_MONOTONIC."""
    code = serving.cameras.pattern_code(picture)
    assert code, "the drawn number cannot be read"
    return code


def put(site, pictures):
    """Puts pictures into the spool of a daemon that does not run, each a capture time and the bytes of a file.

    The daemon finds them at its start: the time is in the name."""
    for number, (time, data) in enumerate(pictures):
        file = pathlib.Path(site.spool, "front", f"{time:%Y/%m/%d/%H%M%S.%f}Z-{number:09d}.jpg")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def moment(text):
    """A time of the API, in seconds since 1970."""
    return datetime.datetime.fromisoformat(text).timestamp()


def frames(site, where):
    """The records of all frames that match, by time."""
    found, cursor = [], ""
    while cursor is not None:
        page = site.ask("GET", f"/v1/frames?order=oldest&limit=1000&where={urllib.parse.quote(where)}{cursor}")
        found += page["frames"]
        cursor = "&cursor=" + urllib.parse.quote(page["next"]) if page.get("next") else None
    return found


def videos(site, kind):
    return frames(site, f"kind:{kind}")


def add_film(site, where="camera:front", **style):
    return site.ask("POST", "/v1/films", {"where": where} | style)["id"]


def add_clip(site, seconds, **wish):
    return site.ask("POST", "/v1/cameras/front/clips", {"forMs": seconds * 1000} | wish)["id"]


def state(site, job, *states):
    """The job, once it has one of these states."""
    return site.until(lambda: (now := site.job(job))["state"] in states and now, lambda: f"{states}: {site.job(job)}")


def result(site, job):
    """The record of the film or clip of a job, once that is done, and it is whole."""
    now = state(site, job, "done", "failed", "cancelled")
    assert now["state"] == "done", now
    record = site.ask("GET", f"/v1/frames/{now['frame']}")
    assert record["kind"] == now["kind"] and record["camera"] == now["camera"] == "front", (record, now)
    assert_whole(record)
    return record


def assert_whole(record):
    """The file of a record is what the record says."""
    data = pathlib.Path(record["path"]).read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (record["bytes"], record["sha256"]), record
    assert record["pictures"] > 0 and record["capturedAt"] <= record["until"], record


def run(*command):
    """The output of a program that must not complain."""
    done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), (command, done.returncode, done.stderr[-2000:])
    return done.stdout


def packets(path):
    """Milliseconds of each picture of a file, in order, and the MD5 of its packet."""
    entries = ("-show_data_hash", "md5", "-show_entries", "packet=pts_time,data_hash", "-of", "csv=p=0")
    lines = [line.split(",") for line in run("ffprobe", "-v", "error", *entries, path).decode().split()]
    return sorted((round(float(time) * 1000), digest.removeprefix("MD5:")) for time, digest, *_ in lines)


def seconds_of(path):
    """The playing time by the container."""
    return float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path))


def pictures(record, *options):
    """The pictures of a file, in grey, as ffmpeg decodes them."""
    # By default its clock has the mean rate, and it complains about pictures that are closer together.
    form = ("-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "rawvideo", "-pix_fmt", "gray")
    output = run("ffmpeg", "-v", "error", *options, "-i", record["path"], *form, "-")
    size = record["width"], record["height"]
    length = size[0] * size[1]
    assert output and len(output) % length == 0, (len(output), record)
    return [Image.frombytes("L", size, output[start : start + length]) for start in range(0, len(output), length)]


def played(record, read):
    """Milliseconds of each picture from the first one, and what `read` reads in it; nothing comes twice.

    The last picture may be there a second time, for its duration."""
    times, shown = [time for time, _ in packets(record["path"])], [read(picture) for picture in pictures(record)]
    assert len(times) == len(shown), (len(times), len(shown))
    if len(times) == record["pictures"] + 1:
        assert shown[-1] == shown[-2], shown[-2:]
        times, shown = times[:-1], shown[:-1]
    assert len(times) == record["pictures"], (len(times), record)
    assert all(earlier < later for earlier, later in zip(times, times[1:])), times
    # The file ends after the last picture was shown; Matroska gives a single picture no duration.
    if len(times) > 1 or record["path"].endswith(".mp4"):
        most = max(200, record["durationMs"] / len(times) * 2)
        assert abs(seconds_of(record["path"]) * 1000 - record["durationMs"]) <= most, record
    assert record["durationMs"] > times[-1] - times[0], (record, times[-1])
    return [time - times[0] for time in times], shown


def numbers(record):
    """Milliseconds and drawn numbers of a clip of the test pattern, which increase."""
    times, codes = played(record, pattern_code)
    found = [number for number, _ in codes]
    assert all(earlier < later for earlier, later in zip(found, found[1:])), found
    return times, codes


def assert_ranges(site, record, seed):
    """Parts of a file, as browsers ask for them, are those of the file."""
    data, chance = pathlib.Path(record["path"]).read_bytes(), random.Random(seed)
    size, target = len(data), f"/v1/frames/{record['id']}/image"
    kind = {"mp4": "video/mp4", "mkv": "video/x-matroska"}[record["path"][-3:]]
    wanted = [(0, 0), (0, 99), (0, size - 1), (size - 1, size - 1), (size // 2, size - 1)]
    wanted += [tuple(sorted(chance.sample(range(size), 2))) for _ in range(20)]
    ranges = [(f"bytes={first}-{last}", first, last) for first, last in wanted]
    ranges += [(f"bytes={size // 3}-", size // 3, size - 1), ("bytes=-1", size - 1, size - 1), ("bytes=-500", size - 500, size - 1),
               (f"bytes=0-{size + 1000}", 0, size - 1)]
    with contextlib.closing(serving.cameras.UnixConnection(site.socket)) as connection:
        def get(verb, headers):
            connection.request(verb, target, headers=headers)
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()

        status, headers, body = get("GET", {})
        assert (status, body == data) == (200, True), (status, len(body), size)
        assert (headers["Content-Type"], headers["Accept-Ranges"], headers["Content-Length"]) == (kind, "bytes", str(size)), headers
        status, headers, body = get("HEAD", {})
        assert (status, headers["Content-Length"], body) == (200, str(size), b""), (status, headers)
        for text, first, last in ranges:
            status, headers, body = get("GET", {"Range": text})
            assert (status, headers["Content-Range"]) == (206, f"bytes {first}-{last}/{size}"), (text, status, headers)
            assert body == data[first : last + 1], text
        status, headers, _ = get("GET", {"Range": f"bytes={size}-"})
        assert (status, headers["Content-Range"]) == (416, f"bytes */{size}"), (status, headers)


def assert_thumbnail(site, record):
    """The thumbnail of a film or clip is a picture of it, as JPEG."""
    connection = serving.cameras.UnixConnection(site.socket)
    with contextlib.closing(connection):
        status, headers, body = connection.exchange("GET", f"/v1/frames/{record['id']}/thumbnail?width=64")
    assert (status, headers["Content-Type"]) == (200, "image/jpeg"), (status, body[:500])
    image = Image.open(io.BytesIO(body))
    image.load()
    assert image.format == "JPEG" and image.width == 64, image
    # Not an empty one: numbers are black and white.
    assert image.convert("L").getextrema()[1] - image.convert("L").getextrema()[0] > 100, image.getextrema()


class Viewer(threading.Thread):
    """Watches a live stream: capture time in seconds, and MD5 of the picture, by its drawn number, which `read` reads."""

    def __init__(self, socket, camera="front", read=lambda picture: pattern_code(picture)[0]):
        super().__init__(daemon=True)
        self.connection, self.ending, self.parts = serving.cameras.UnixConnection(socket), threading.Event(), []
        self.camera, self.read = camera, read
        self.start()

    def run(self):
        self.connection.request("GET", f"/v1/cameras/{self.camera}/stream.mjpg?deadlineMs=600000")
        with contextlib.closing(self.connection), contextlib.suppress(OSError, http.client.HTTPException):
            for fields, data in serving.streamed(self.connection.getresponse()):
                self.parts.append((moment(fields["tintype-captured-at"]), data))
                if self.ending.is_set():
                    break

    def end(self):
        self.ending.set()
        self.join(serving.LIMIT)
        return {self.read(Image.open(io.BytesIO(data)).convert("L")): (time, hashlib.md5(data).hexdigest())
                for time, data in self.parts}
