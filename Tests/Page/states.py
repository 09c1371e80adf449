# SPDX-License-Identifier: Apache-2.0
"""Each state that the page can be in: judged as a test, and as a picture."""
import pathlib

from events import UPLOADS
from harness import LARGE, NARROW, STRANGER, VISITOR, WIDE, Select, expects, until
from spool import frames, ids, item
from video import VIDEO, clip, film

# Cameras that are off, live, forbidden, stuck in a driver call, interrupted, and with a picture every 7.5 s.
PATTERNS = ["YUYV:640x360@10", "YUYV:640x360@10", "GREY:320x180@10,deny", "GREY:320x180@10,hang-after=5,hang=600s",
            "GREY:320x180@10,lose-after=3,gone", "GREY:320x180@10,slow=75"]


def sign_in(page):
    """the form for a token"""
    page.open(token=None)
    yield


def sign_in_refused(page):
    """a token that is refused"""
    page.open(token=None)
    page.one("#token").send_keys("tt_wrong\n")
    until(lambda: page.text("#login-failure .remedy"), "the refusal has no remedy")
    yield


def loading(page):
    """views that wait for replies"""
    page.open()
    for view, path in [("live", "v1/cameras"), ("spool", "v1/frames/query"), ("events", "v1/hooks")]:
        with page.holding(path):
            page.go(f"#{view}")
            page.driver.refresh()
            page.appears(f"#{view}")
            yield view


def live_states(page):
    """cameras that are off, live, forbidden, stuck, lost and stale"""
    with page.of(*PATTERNS, more="") as daemon, daemon.running("pattern-2"):
        page.open()
        page.shows("[data-camera=pattern] .badges", "Off")
        for number in [3, 4, 5, 6]:
            page.click(f"[data-camera=pattern-{number}] .watch")
        page.shows("[data-camera=pattern-3] .message", "ermission denied")
        page.shows("[data-camera=pattern-4] .badges", "Stuck")
        page.shows("[data-camera=pattern-6] .badges", "Stale")
        until(lambda: page.text("[data-camera=pattern-5] .badges") in ("Interrupted", "Failed", "Absent"), "it is not lost")
        page.moves("pattern-2", 1)
        yield


def no_camera(page):
    """no camera"""
    for view in ["live", "events"]:
        page.open(view, token=STRANGER)
        page.shows(f"#{view}", "No camera")
        yield view


def viewer(page):
    """one camera: off, live with its controls, and one that does not exist"""
    page.open("live/pattern")
    page.appears("#live .viewer")
    page.shows("#live .viewer .badges", "Off")
    yield "off"
    with page.daemon.running("pattern"):
        page.shows("#live .viewer .badges", "Live")
        page.keys("d")
        page.press("Show controls", ".viewer")
        page.one("[data-control=brightness]")
        yield "live"
    page.go("#live/nowhere")
    page.shows(".viewer .message", "There is no camera")
    yield "none"


def spool_empty(page):
    """no frame, no event, no job and no hook"""
    with page.of("GREY:320x180@5", more=""):
        page.open("spool")
        page.shows("#spool .empty", "No frame is stored yet")
        yield "spool"
        page.go("#events")
        page.shows("#events", "No hook is configured")
        page.shows("#jobs", "No upload, film or clip is configured")
        yield "events"


def spool_full(page):
    """frames, the filter, a selection, a question, and a filter that is wrong"""
    stored = frames(page, "pattern-2", 20, tags=["shown"])
    page.daemon.ask("PATCH", f"/v1/frames/{stored[0]}", {"pinned": True})
    page.open("spool?tag=shown")
    until(lambda: ids(page) == stored, "the frames are missing")
    page.one(".calendar td span")
    yield "frames"
    page.press("Filter", "#spool .filter")
    page.appears("#filter")
    yield "filter"
    page.press("Filter", "#spool .filter")
    page.click(f"{item(stored[1])} .check")
    page.shows("#spool", "1 frame selected")
    yield "selected"
    page.press("Delete…", "#spool")
    page.appears("#confirm")
    yield "question"
    page.press("Cancel", "#confirm")
    page.go("#spool?tag=absent")
    page.shows("#spool .empty", "No frame matches this filter")
    yield "no_match"
    page.go("#spool?where=foo:3")
    page.shows("#spool .filter", "is not a field")
    yield "wrong"


def frame(page):
    """a frame with its record, and one that is gone"""
    stored = frames(page, "pattern-2", 2, tags=["one"])
    page.open(f"spool/{stored[0]}")
    page.appears(".frame.viewer img")
    page.press("Record", ".frame.viewer")
    page.shows(".frame.viewer .drawer", stored[0])
    yield "record"
    page.open("spool/01937a2e-7c11-7abc-8def-0123456789ab")
    page.shows(".frame.viewer .message", "No such frame")
    yield "gone"


def videos(page):
    """films, one in the viewer with its record, a clip that does not play, and the jobs that made them"""
    with page.of("MJPG:320x240@10"):
        stored, cannot_play = film(page)[0], clip(page)
        page.open("spool?kind=film")
        until(lambda: ids(page) == [stored], "the film is missing")
        yield "list"
        page.click(item(stored))
        until(lambda: page.run(f"return {VIDEO}?.readyState > 0"), "the film does not come")
        page.press("Record", ".frame.viewer")
        yield "film"
        page.go(f"#spool/{cannot_play}?kind=clip")
        page.shows(".frame.viewer .message", "cannot play")
        yield "clip"
        page.go("#events")
        page.appears("#jobs a")
        yield "jobs"


def events(page):
    """events, a hook, and no event that fits"""
    page.daemon.still("pattern-5")
    page.open("events")
    page.shows("[data-hook=note]", "OK")
    page.one("#event-list img")
    yield "list"
    page.click("[data-hook=broken] summary")
    page.one("[data-hook=broken] li")
    yield "hook"
    Select(page.one("#event-kind")).select_by_value("Codes")
    page.shows("#events-note", "No event fits this choice.")
    yield "none_fits"


def jobs(page):
    """a rule whose pictures wait for a worker, and a job that was cancelled"""
    with page.of("GREY:320x180@5", more=UPLOADS) as daemon:
        daemon.still("pattern")
        job = daemon.ask("POST", "/v1/jobs", {"where": "all()", "to": "elsewhere:{id}"})["id"]
        daemon.ask("POST", f"/v1/jobs/{job}/cancel")
        page.open("events")
        page.shows("#jobs", "No worker is connected")
        page.shows(f"[data-job='{job}']", "cancelled")
        yield


def forbidden(page):
    """a viewer's views"""
    for view in ["live", "spool", "events"]:
        page.open(view, token=VISITOR)
        page.appears({"live": ".tile", "spool": "#spool .spools .note", "events": "#hooks .note"}[view])
        yield view


def daemon_gone(page):
    """views of a daemon that does not answer"""
    with page.of("GREY:320x180@5", more="") as daemon:
        daemon.still("pattern")
        page.open()
        page.appears(".tile")
        daemon.process.kill()
        daemon.process.wait()
        page.shows("#lost", "The daemon does not answer")
        for view in ["live", "spool", "events"]:
            page.go(f"#{view}")
            page.appears(f"#{view}")
            assert "Loading…" not in page.text(f"#{view}"), f"{view} waits for a daemon that does not answer"
            yield view


STATES = [
    sign_in, sign_in_refused, loading, live_states, no_camera, viewer, spool_empty, spool_full, frame, videos, events, jobs,
    forbidden, daemon_gone,
]


def judging(state):
    """A test of a state, which is a generator that waits while the page is in it, with a name for each of several."""
    @expects(0, 400, 401, 403, 404, 409, 502, 503)
    def test(page):
        for name in state(page):
            page.judge(name or state.__name__)
            page.size(WIDE)
    test.__name__ = state.__name__
    test.__doc__ = f"""axe finds nothing in light and dark at 1280 and 390 pixels, texts have five sizes, the header is one
        row, and nothing scrolls sideways: {state.__doc__}"""
    return test


def take_screenshots(page, folder):
    """Writes pictures of all states into a folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for state in STATES:
        for name in state(page):
            for size in [NARROW, WIDE, LARGE]:
                page.size(size)
                for scheme in ["light", "dark"]:
                    page.media(prefers_color_scheme=scheme)
                    until(lambda: page.run("""
                        return [...document.images].every(one => one.complete || !one.checkVisibility() ||
                            one.loading === 'lazy' && one.getBoundingClientRect().top > innerHeight)
                    """), "pictures do not come")
                    parts = [state.__name__, name, str(size[0]), scheme]
                    page.driver.save_screenshot(str(folder / f"{'-'.join(filter(None, parts))}.png"))
            page.media()
            page.size(WIDE)


TESTS = [judging(state) for state in STATES]
