# SPDX-License-Identifier: Apache-2.0
"""Tests of the view Events: health, jobs, hooks, and what has happened."""
import contextlib
import http.client
import json
import pathlib
import socket
import tempfile
import time

from harness import LIMIT, Select, expects, until


def entry(kind, camera=None):
    """The selector of entries of a kind, and of the camera of their first event."""
    return f"#event-list > [data-kind={kind}]" + (f"[data-camera='{camera}']" if camera else "")


def shows_picture(page, identity):
    script = "return document.querySelector(arguments[0])?.naturalWidth"
    until(lambda: page.run(script, f"#event-list a[href='#spool/{identity}'] img"), "the picture is missing")


def events_from_before(page):
    """events from before the page was opened are listed, with pictures that lead to their frames; new ones come on top; those
    of a deleted frame lose the picture"""
    record = page.daemon.still("pattern")[0]
    page.open("events")
    link = f"#event-list a[href='#spool/{record['id']}'] img"
    shows_picture(page, record["id"])
    assert record["path"] not in page.text("#event-list") and "pattern" in page.one(link).get_attribute("alt")
    new = page.daemon.still("pattern")[0]
    shows_picture(page, new["id"])
    # Events of other kinds, as that the camera has closed, may come meanwhile.
    first = page.run("return document.querySelector(arguments[0])", entry("frame-stored"))
    assert "picture" in first.text and first.find_element("css selector", "a").get_dom_attribute("href") == f"#spool/{new['id']}"
    page.daemon.ask("DELETE", f"/v1/frames/{new['id']}")
    until(lambda: not page.all(f"#event-list a[href='#spool/{new['id']}']"), "the picture of a deleted frame stays")
    page.shows("#event-list", "deleted since")
    page.click(link)
    page.appears(".frame.viewer img")
    page.driver.back()
    page.appears("#event-list")


def events_on_their_way(page):
    """while the events from before have not come, the list says that they are loading, not that there are none; those that have
    come are in the list before it is said that none fits"""
    page.daemon.still("pattern")
    page.open()
    with page.holding("v1/events"):
        page.go("#events")
        page.driver.refresh()
        until(lambda: page.text("#health") not in ("", "Loading…"), "the health does not come")
        assert page.text("#events-note") == "Loading…", page.text("#events-note")
    page.one(entry("frame-stored"))
    with page.of("GREY:320x180@5") as daemon:
        page.open("events")
        page.shows("#events-note", "No event yet.")
        # Holds the timer of the list, so that the next status finds events that are not drawn.
        page.run("const set = setTimeout; window.setTimeout = (run, ms) => ms === 250 ? 1 : set(run, ms)")
        daemon.still("pattern")
        page.one(entry("frame-stored"))
        assert page.text("#events-note") == "", page.text("#events-note")


def filter_of_events(page):
    """events are filtered by camera and kind, which the address names, so that back and forward go through choices"""
    page.daemon.still("pattern")
    page.daemon.still("pattern-5")
    page.open("events")
    page.one(entry("frame-stored"))
    Select(page.one("#event-kind")).select_by_value("Codes")
    page.shows("#events-note", "No event fits this choice.")
    assert page.address() == "#events?kind=Codes" and not page.sees("#event-list")
    Select(page.one("#event-kind")).select_by_value("Pictures")
    Select(page.one("#event-camera")).select_by_value("pattern-5")
    until(lambda: page.sees(entry("frame-stored", "pattern-5")), "the events of a camera are missing")
    assert not page.all("#event-list > :not([data-camera=pattern-5]):not([data-kind=gap])")
    assert page.address() == "#events?camera=pattern-5&kind=Pictures"
    for choice in ("kind=Pictures", "kind=Codes"):
        page.driver.back()
        until(lambda: page.address() == f"#events?{choice}", f"there is no way back to {choice}")
    page.shows("#events-note", "No event fits this choice.")
    page.driver.forward()
    until(lambda: page.sees(entry("frame-stored")), "the choice does not come back")


def pause_of_events(page):
    """a pause keeps the list as it is and counts what comes; its end shows that"""
    page.open("events")
    page.press("Pause", "#events")
    page.shows("#events-note", "Paused. 0 events came since.")
    before = page.run("return document.querySelector('#event-list').innerHTML")
    record = page.daemon.still("pattern")[0]
    until(lambda: "Paused. 0" not in page.text("#events-note"), "no event is counted while they are paused")
    assert page.run("return document.querySelector('#event-list').innerHTML") == before
    page.press("Pause", "#events")
    page.one(f"#event-list a[href='#spool/{record['id']}']")


def hooks_with_results(page):
    """hooks show their last result; unfolded they say what they run on what, and stay so when results come"""
    page.daemon.still("pattern-5")
    page.open("events")
    page.shows("[data-hook=note]", "OK")
    page.shows("[data-hook=broken]", "Failed")
    page.click("[data-hook=note] summary")
    page.shows("[data-hook=note]", "Runs /bin/true on: picture; only of pattern-5.")

    def results():
        return len(page.all("[data-hook=note] li"))
    before = results()
    page.daemon.still("pattern-5")
    until(lambda: results() > before, "the result is missing")
    assert page.sees("[data-hook=note] li")


UPLOADS = "uploads: {cloud: {to: 'cloud:pictures/{id}'}}\n"


class Worker(http.client.HTTPConnection):
    """A worker that uploads nothing: it hears orders, and reports what a test tells it to."""

    def __init__(self, daemon):
        super().__init__("localhost")
        self.path, self.ask = f"{daemon.folder}/sock", daemon.ask
        self.request("POST", "/v1/work")
        self.reply = self.getresponse()
        assert self.reply.status == 200, self.reply.status

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(LIMIT)
        self.sock.connect(self.path)

    def batch(self):
        """Waits for the next order to begin, and returns it; the other lines come every 5 s."""
        for _ in range(20):
            order = json.loads(self.reply.readline())
            if order["action"] == "begin":
                return order
        raise AssertionError("the worker gets no batch")

    def report(self, order, **report):
        self.ask("POST", f"/v1/work/{order['batch']}", {"isOver": True} | report)


def jobs_by_command(page):
    """jobs show their state, how far they are, and what to do without a worker; where the state allows it they are paused,
    resumed, tried again, and, unless they are rules, cancelled after a question"""
    with page.of("GREY:320x180@5", more=UPLOADS) as daemon:
        frame = daemon.still("pattern")[0]["id"]
        rule = next(job for job in daemon.ask("GET", "/v1/jobs")["jobs"] if job.get("rule") == "cloud")
        card = f"[data-job='{rule['id']}']"

        def offered():
            return [one.text for one in page.all(f"{card} button") if one.is_displayed()]
        page.open("events")
        page.shows(card, "cloud:pictures/{id}")
        page.shows(card, "0 pictures delivered, 0 B, 1 waiting. The oldest was captured")
        page.shows("#jobs .remedy", "sudo systemctl enable --now tintype-worker")
        assert offered() == ["Pause"]
        page.press("Pause cloud", "#jobs")
        page.shows(f"{card} .badge", "paused")
        page.shows("#outcome", "The job cloud is paused.")
        assert daemon.ask("GET", f"/v1/jobs/{rule['id']}")["state"] == "paused"
        until(lambda: offered() == ["Resume"], "it cannot be resumed")
        page.press("Resume cloud", "#jobs")
        page.shows(f"{card} .badge", "pending")
        with contextlib.closing(Worker(daemon)) as worker:
            order = worker.batch()
            page.shows(f"{card} .badge", "running")
            until(lambda: not page.all("#jobs .remedy"), "the worker is not noticed")
            worker.report(order, error="The remote cloud is unknown.", isFatal=True)
            page.shows(f"{card} p.bad", "The remote cloud is unknown.")
            page.shows("#event-list > [data-kind=job-failed]", "Job failed")
            assert offered() == ["Retry"]
            page.press("Retry cloud", "#jobs")
            worker.report(worker.batch(), done=[frame])
            page.shows(card, "1 picture delivered")
            assert page.run("return document.querySelector(arguments[0]).position", f"{card} progress") == 1
            job = daemon.ask("POST", "/v1/jobs", {"where": "all()", "to": "elsewhere:{id}"})["id"]
            worker.batch()
            page.press(f"Cancel {job}", "#jobs")
            page.shows("#confirm", "They stay in the spool.")
            page.press("Cancel the job", "#confirm")
            page.shows(f"[data-job='{job}'] .badge", "cancelled")
            assert not page.sees(f"[data-job='{job}'] button")


def motion_is_one_entry(page):
    """a motion is one entry that goes on, has the pictures of its time, and ends with its duration"""
    with tempfile.TemporaryDirectory() as folder:
        moves = pathlib.Path(folder, "moves")
        moves.write_text("")
        camera = f"{{pattern: 'GREY:640x360@10,moves={moves}', motion: {{hold: 1s, mask: [100x40+0+0]}}}}"

        def toggle():
            with moves.open("a") as file:
                file.write(f"{time.monotonic_ns()}\n")
        with page.of(more=f"cameras: {{door: {camera}}}\n") as daemon:
            page.open("events")
            # The rule of motion first learns the background; a block that comes and goes is motion once it has.
            until(lambda: toggle() or daemon.camera("door").get("motion", {}).get("isMoving"), "there is no motion")
            page.shows(entry("motion-began", "door"), "Ongoing.")
            record = daemon.still("door")[0]
            page.one(f"{entry('motion-began', 'door')} a[href='#spool/{record['id']}']")
            if len(moves.read_text().split()) % 2:
                toggle()
            page.shows(entry("motion-began", "door"), "For ")
            page.shows(entry("motion-began", "door"), "% of the picture.")
            assert "Ongoing" not in page.text(entry("motion-began", "door"))


def episodes(page):
    """a beginning and its end are one entry, also of alarms and losses; repetitions are one; a gap ends what went on"""
    page.open("events")
    entries = page.driver.execute_async_script("""
        const [done] = arguments
        const at = second => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
        const list = [
            ["frame-stored", { camera: "a", frame: "1" }], ["frame-stored", { camera: "b", frame: "2" }],
            ["camera-state", { camera: "a" }], ["camera-lost", { camera: "a" }],
            ["alarm-began", { camera: "a", alarm: "black" }], ["alarm-began", { camera: "a", alarm: "frozen" }],
            ["alarm-ended", { camera: "a", alarm: "black" }], ["camera-back", { camera: "a" }],
            ["motion-began", { camera: "b" }], ["frame-stored", { camera: "a", frame: "3" }],
            ["frame-stored", { camera: "b", frame: "4" }], ["gap", {}], ["motion-ended", { camera: "b" }], ["degraded", {}],
        ].map(([kind, more], index) => ({ id: index + 1, at: at(index), kind, detail: kind, ...more }))
        import("./page/episodes.js").then(({ compact, entriesOf }) => done(entriesOf(list.map(compact)).map(one =>
            [one.first.kind, one.last.kind, one.goesOn, one.frames.map(frame => frame.frame).join()].join(" "))))
    """)
    assert entries == [
        "degraded degraded true ", "motion-ended motion-ended false ", "gap gap false ", "motion-began frame-stored false 4",
        "frame-stored frame-stored false 3", "camera-lost camera-back false ", "alarm-began alarm-ended false ",
        "alarm-began alarm-began false ", "frame-stored frame-stored false 1,2",
    ], entries


def many_events(page):
    """of many events the newest 100 entries are shown, and more on demand; the page keeps no more than the daemon does"""
    page.open("events")
    page.driver.execute_async_script("""
        const [done] = arguments
        import("./page/events.js").then(({ view }) => {
            for (let id = 1; id <= 9000; id += 1) {
                view.event({ id, at: new Date().toISOString(), kind: "code-seen", camera: "pattern", detail: `Number ${id}.` })
            }
            done()
        })
    """)
    page.shows("#event-list > li:first-child", "Number 9000.")
    assert len(page.all("#event-list > li")) == 100
    page.press("Show older events")
    until(lambda: len(page.all("#event-list > li")) == 200, "there are no older events")


@expects(0, 401, 502)
def gap_after_a_restart(page):
    """the list says that events may be missing after the daemon was started again"""
    page.daemon.still("pattern")
    page.open("events")
    page.one(entry("frame-stored"))
    page.daemon.process.kill()
    page.daemon.process.wait()
    page.shows("#health", "the daemon does not answer")
    page.daemon.start()
    page.shows("#event-list > [data-kind=gap]", "Events may be missing here")
    page.shows("#health", "Everything works")


TESTS = [
    events_from_before, events_on_their_way, filter_of_events, pause_of_events, hooks_with_results, jobs_by_command,
    motion_is_one_entry, episodes, many_events, gap_after_a_restart,
]
