# SPDX-License-Identifier: Apache-2.0
"""Tests of films and clips in the view Spool, in the viewer, and as jobs."""
import contextlib
import pathlib
import subprocess
import tempfile

from events import Worker
from harness import LIMIT, Keys, serving, until
from spool import button, ids, item

SECONDS = 20
# Red, then blue, with so much noise that the file is not read whole at once (16 MB).
COLOURS = (f"color=red:s=320x240:r=10:d={SECONDS // 2}[a];color=blue:s=320x240:r=10:d={SECONDS // 2}[b];"
           "[a][b]concat,noise=alls=40:allf=t")
MP4 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-g", "10", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
VIDEO = "document.querySelector('.frame.viewer video')"
PART = 1 << 20


def encoded(source, name, *options):
    """The bytes of a file that ffmpeg makes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, *options, path], check=True, timeout=LIMIT)
        return path.read_bytes()


def stored(daemon, job, data, **result):
    """The id of the film or clip of a job, whose worker delivers this file."""
    with contextlib.closing(Worker(daemon)) as worker:
        order = worker.batch()
        assert order["job"] == job["id"], order
        pictures = 1
        if job["kind"] == "film":
            pictures = len(daemon.ask("GET", f"/v1/work/{order['batch']}/pictures")["frames"])
        for start in range(0, len(data), PART):
            with contextlib.closing(serving.cameras.UnixConnection(worker.path)) as connection:
                connection.request("PUT", f"/v1/work/{order['batch']}/video?offset={start}", data[start:start + PART])
                reply = connection.getresponse()
                assert reply.status < 300, reply.read()
        worker.report(order, video={"bytes": len(data), "width": 320, "height": 240, "pictures": pictures} | result)
    return daemon.ask("GET", f"/v1/jobs/{job['id']}")["frame"]


def film(page, camera="pattern"):
    """The ids of a new film, and of the stills that it is of, the newest first."""
    stills = page.daemon.still(camera, count=3)
    job = page.daemon.ask("POST", "/v1/films", {"where": f"camera:{camera}", "fps": 10})
    identity = stored(page.daemon, job, encoded(COLOURS, "film.mp4", *MP4), durationMs=SECONDS * 1000)
    return identity, [still["id"] for still in reversed(stills)]


def clip(page, camera="pattern"):
    """The id of a new clip that a browser cannot play."""
    job = page.daemon.ask("POST", f"/v1/cameras/{camera}/clips", {"forMs": 300, "original": True})
    return stored(page.daemon, job, encoded("color=red:s=320x240:r=10:d=1", "clip.mkv", "-c:v", "mjpeg"), durationMs=1000)


def colour(page):
    """The mean of red, green and blue in the film's picture."""
    return page.run(f"""
        const canvas = Object.assign(document.createElement('canvas'), {{ width: 1, height: 1 }})
        const context = canvas.getContext('2d')
        context.drawImage({VIDEO}, 0, 0, 1, 1)
        return [...context.getImageData(0, 0, 1, 1).data]
    """)[:3]


def films_play(page):
    """films are a list and a calendar of their own; one has its length and time, and plays and seeks in the viewer by ranges of
    its file; its job leads to it"""
    with page.of("MJPG:320x240@10") as daemon:
        identity, stills = film(page)
        page.open("spool")
        until(lambda: ids(page) == stills, "there are not the stills alone")
        page.press("Films", "#spool .filter")
        until(lambda: ids(page) == [identity], "there is not the film alone")
        assert page.address() == "#spool?kind=film"
        until(lambda: not button(page, "Play", "#spool"), "films can be played as quick pictures")
        today = ".calendar [aria-current=date]"
        until(lambda: "1 frame" in page.one(today).get_attribute("aria-label"), "the calendar does not count films")
        page.shows(item(identity), f"film, {SECONDS} s")
        assert page.sees(f"{item(identity)} time")
        until(lambda: page.run("return document.querySelector(arguments[0]).naturalWidth", f"{item(identity)} img"),
              "there is no poster")
        page.click(item(identity))
        page.appears(".frame.viewer video")
        page.shows(".frame.viewer .head", f"film, {SECONDS} s")
        assert not page.sees(".frame.viewer .player select")
        until(lambda: page.run(f"return Math.abs({VIDEO}.duration - {SECONDS}) < 0.2"), "its length is wrong")
        page.run(f"{VIDEO}.muted = true; {VIDEO}.play()")
        until(lambda: page.run(f"return {VIDEO}.currentTime > 0.3"), "it does not play")
        red, _, blue = colour(page)
        assert red > 2 * blue, (red, blue)
        for second in (15.5, 4, 19):
            page.run(f"{VIDEO}.pause(); {VIDEO}.currentTime = {second}")
            until(lambda: page.run(f"return !{VIDEO}.seeking && {VIDEO}.readyState >= 2"), f"it does not seek to {second} s")
            assert page.run(f"return {VIDEO}.currentTime") == second
            red, _, blue = colour(page)
            assert (red > 2 * blue) == (second < SECONDS / 2), (second, red, blue)
        replies = [message["params"]["response"] for message in page.log() if message["method"] == "Network.responseReceived"]
        assert 206 in [one["status"] for one in replies if one["url"].endswith(f"{identity}/image")], "no range was asked for"
        assert page.one(".frame.viewer a[download]").get_attribute("download").endswith(".mp4")
        page.run(f"{VIDEO}.play()")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.sees(".frame.viewer"), "the viewer does not close")
        assert page.run(f"return {VIDEO}.networkState === HTMLMediaElement.NETWORK_EMPTY"), "it keeps its connection"
        page.press("Stills", "#spool .filter")
        until(lambda: page.address() == "#spool" and ids(page) == stills, "there is no way back to the stills")
        page.go("#events")
        job = next(job for job in daemon.ask("GET", "/v1/jobs")["jobs"] if job["kind"] == "film")
        page.shows(f"[data-job='{job['id']}']", "Film of pattern: camera:pattern.")
        assert page.run(f"return document.querySelector(`[data-job='{job['id']}'] progress`).position") == 1
        page.press("Open the film", "#jobs")
        page.appears(".frame.viewer video")


def clips_that_do_not_play(page):
    """a clip that the browser cannot play is offered for download"""
    with page.of("MJPG:320x240@10"):
        page.open("spool?kind=clip")
        page.shows("#spool .empty", "No clip is stored yet")
        identity = clip(page)
        until(lambda: ids(page) == [identity], "the clip does not appear")
        page.click(item(identity))
        page.shows(".frame.viewer .message", "The browser cannot play this file.")
        link = page.one(".frame.viewer .message a[download]")
        assert link.get_attribute("href").endswith(f"v1/frames/{identity}/image")
        assert link.get_attribute("download").endswith(".mkv")


TESTS = [films_play, clips_that_do_not_play]
