# SPDX-License-Identifier: Apache-2.0
"""Tests of the view Live: the grid of cameras, and the viewer of one."""
import hashlib
import pathlib
import secrets

from harness import Keys, NARROW, WIDE, expects, until

TILE = "[data-camera=pattern]"


def streams(page, *names):
    return sum(len(page.daemon.camera(name).get("streams", [])) for name in names or page.daemon.names)


def viewing_opens_no_camera(page):
    """looking at the page opens no camera and reads no controls; one that runs has a live picture, whose number rises, with
    state and age; when it goes off its last picture stays, with its age"""
    page.open()
    page.polls(2)
    page.shows(f"{TILE} .badges", "Off")
    page.shows(f"{TILE} .message", "The camera is off, and no picture of it is stored.")
    page.shows(f"{TILE} .remedy", "“Watch” opens it for as long as you look.")
    for name in page.daemon.names:
        status = page.daemon.camera(name)
        assert status["state"]["name"] == "off" and status["counters"]["opened"] == 0, status
    assert not any(page.sent(part) for part in ("pattern/controls", "open=", "still.jpg"))
    with page.daemon.running("pattern"):
        page.shows(f"{TILE} .badges", "Live")
        page.moves("pattern")
        assert "pattern" in page.one(f"{TILE} canvas").get_attribute("aria-label")
        until(lambda: page.text(f"{TILE} .age").endswith("s"), "there is no age")
    page.shows(f"{TILE} .badges", "Off")
    page.shows(f"{TILE} .age", "seen")
    assert page.number("pattern") is not None, "the last picture is gone"


def watching_keeps_no_camera_open(page):
    """a camera that others opened closes after its time without use while the page shows it live, and is live again when it
    runs again"""
    page.open()
    page.daemon.ask("PUT", "/v1/cameras/pattern/configuration", {"warmth": "linger 2s"})
    try:
        with page.daemon.running("pattern"):
            page.moves("pattern", 2)
            page.daemon.ask("POST", "/v1/cameras/pattern/release", {"owner": "test"})
            page.shows(f"{TILE} .badges", "Off")
        with page.daemon.running("pattern"):
            page.moves("pattern", 2)
            page.daemon.ask("POST", "/v1/cameras/pattern/stop")
            page.daemon.ask("POST", "/v1/cameras/pattern/start")
            page.moves("pattern", 3)
    finally:
        page.daemon.ask("PUT", "/v1/cameras/pattern/configuration", {})


def watch_opens_one_camera(page):
    """Watch opens this one camera and says that it is being opened, and closes it with Stop, and when the tab is left"""
    page.daemon.ask("PUT", "/v1/cameras/pattern-2/configuration", {"warmth": "cold"})
    page.open()
    tile = "[data-camera=pattern-2]"
    page.shows(f"{tile} .badges", "Off")
    page.run("""
        window.words = new Set()
        const badges = document.querySelector(arguments[0])
        new MutationObserver(() => window.words.add(badges.innerText)).observe(badges, {subtree: true, childList: true})
    """, f"{tile} .badges")

    def state():
        return page.daemon.camera("pattern-2")["state"]["name"]

    def watch():
        page.click(f"{tile} .watch")
        page.shows(f"{tile} .watch", "Stop")
        page.moves("pattern-2", 2)
    watch()
    assert "Opening" in page.run("return [...window.words]")
    assert [name for name in page.daemon.names if page.daemon.camera(name)["state"]["name"] != "off"] == ["pattern-2"]
    page.click(f"{tile} .watch")
    until(lambda: state() == "off", "the camera stays open after Stop")
    page.shows(f"{tile} .badges", "Off")
    watch()
    page.driver.switch_to.new_window("tab")
    until(lambda: state() == "off", "the camera stays open for a page that is hidden")
    page.driver.close()
    page.driver.switch_to.window(page.driver.window_handles[0])
    page.shows(f"{tile} .message", "Watching ended when this page was hidden.")
    assert state() == "off"
    page.daemon.ask("PUT", "/v1/cameras/pattern-2/configuration", {})


def columns(page):
    """one camera has one column, up to four have two, up to nine three, more have tiles of at least 360 pixels; tiles are 16:9
    and meet; a phone has one column"""
    names = ["pattern", *(f"pattern-{number}" for number in range(2, 11))]
    tokens = {count: "tt_" + secrets.token_urlsafe(32) for count in (1, 4, 9, 10)}
    rules = "".join(
        f'  - {{token: "sha256:{hashlib.sha256(token.encode()).hexdigest()}", name: n{count}, role: view, '
        f'cameras: [{", ".join(names[:count])}]}}\n' for count, token in tokens.items()
    )
    with page.of(*["GREY:160x90@5"] * 10, more=rules):
        for count, token in tokens.items():
            for size, expected in [(WIDE, {1: 1, 4: 2, 9: 3, 10: 3}[count]), (NARROW, 1)]:
                page.open(token=token, size=size)
                until(lambda: len(page.all(".tile")) == count, f"there are not {count} tiles")
                boxes = [tile.rect for tile in page.all(".tile")]
                lefts = sorted({round(box["x"]) for box in boxes})
                assert len(lefts) == expected, f"{count} cameras, {size}: {boxes}"
                for box in boxes:
                    assert abs(box["width"] / box["height"] - 16 / 9) < 0.03 or count == 1, box
                    assert count < 10 or size == NARROW or box["width"] >= 360, box
                assert all(after - before - boxes[0]["width"] <= 4 for before, after in zip(lefts, lefts[1:])), lefts


def nine_tiles_share_a_connection(page):
    """nine live tiles of 720p have one request for pictures; four other requests at a time are answered meanwhile"""
    with page.of(*["YUYV:1280x720@5"] * 9, more="") as daemon, daemon.running(*daemon.names):
        page.open(size=(1280, 1000))
        for name in daemon.names:
            page.moves(name, 2)
        assert streams(page) == 9, [daemon.camera(name).get("streams") for name in daemon.names]
        ended = {message["params"]["requestId"] for message in page.log()
                 if message["method"] in ("Network.loadingFinished", "Network.loadingFailed")}
        endless = [message["params"]["request"]["url"] for message in page.log()
                   if message["method"] == "Network.requestWillBeSent" and message["params"]["requestId"] not in ended
                   and any(part in message["params"]["request"]["url"] for part in ("stream.mjpg", "/events"))]
        assert sorted("stream" in url for url in endless) == [False, True], endless
        # Each of them is held by the daemon until a new frame has come: they are under way together.
        statuses = page.driver.execute_async_script("""
            const path = name => `v1/cameras/${name}/still.jpg?fresh=request&open=false`
            Promise.all(arguments[0].map(name => fetch(path(name)).then(reply => reply.blob().then(() => reply.status))))
                .then(arguments[1])
        """, daemon.names[:4])
        assert statuses == [200] * 4
        for name in daemon.names:
            page.moves(name, 2)


def pictures_only_in_view(page):
    """cameras have pictures only while their tiles are in view; a page that is hidden and one that is paused have none"""
    page.open(size=NARROW)
    with page.daemon.running("pattern", "pattern-5"):
        page.moves("pattern", 2)
        assert streams(page, "pattern", "pattern-5") == 1
        page.run("document.querySelector('[data-camera=pattern-5]').scrollIntoView()")
        page.moves("pattern-5", 2)
        page.size(WIDE)
        until(lambda: streams(page, "pattern", "pattern-5") == 2, "there are not two streams")
        page.press("Pause live pictures")
        until(lambda: streams(page) == 0, "streams go on while live pictures are paused")
        page.shows(f"{TILE} .badges", "Paused")
        page.press("Pause live pictures")
        until(lambda: streams(page) == 2, "streams do not go on after a pause")
        page.driver.switch_to.new_window("tab")
        until(lambda: streams(page) == 0, "a page that is hidden goes on with its streams")
        page.driver.close()
        page.driver.switch_to.window(page.driver.window_handles[0])
        page.moves("pattern", 2)
        page.go("#events")
        until(lambda: streams(page) == 0, "streams go on in another view")


def reduced_motion_is_paused(page):
    """where the system asks for reduced motion, live pictures are paused at first, and each camera that runs has one picture"""
    page.media(prefers_reduced_motion="reduce")
    page.open()
    with page.daemon.running("pattern"):
        page.shows(f"{TILE} .badges", "Paused")
        until(lambda: page.number("pattern") is not None, "there is no picture")
        until(lambda: streams(page) == 0, "the stream goes on")
        page.press("Pause live pictures")
        page.moves("pattern", 2)
    page.media()


def a_still_is_stored(page):
    """a still is taken from a tile, said, and shown on demand; a closed camera shows its newest stored picture with its age"""
    page.open()
    page.click("[data-camera=pattern-4] .actions .icon")
    page.shows("#outcome", "A still of pattern-4 is stored.")
    page.press("Show it", "#outcome")
    page.appears(".frame.viewer img")
    record = page.daemon.ask("POST", "/v1/frames/query", {"where": "camera:pattern-4", "limit": 1})["frames"][0]
    assert page.address().startswith(f"#spool/{record['id']}")
    assert pathlib.Path(record["path"]).read_bytes().startswith(b"\xff\xd8")
    page.daemon.ask("POST", "/v1/cameras/pattern-4/stop")
    page.open()
    page.shows("[data-camera=pattern-4] .badges", "Off")
    page.shows("[data-camera=pattern-4] .age", "stored")
    until(lambda: page.sees("[data-camera=pattern-4] img"), "there is no picture")


@expects(503)
def a_camera_that_fails_says_why(page):
    """a camera that fails says what is wrong and what to do, in its tile, in the header and in Events"""
    page.open()
    page.click("[data-camera=pattern-3] .watch")
    page.shows("[data-camera=pattern-3] .message", "ermission denied")
    page.shows("[data-camera=pattern-3] .remedy", "adding it to the group video")
    until(lambda: page.text("[data-camera=pattern-3] .badges") in ("Forbidden", "Failed"), "the badge does not tell")
    page.shows("#health-badge", "1 fault")
    page.click("#health-badge")
    page.shows("#health", "pattern-3")
    page.shows("#health .remedy", "group video")
    page.press("Open pattern-3", "#health")
    page.appears("#live .viewer")
    page.shows("#live .viewer .message", "group video")


def the_viewer_by_keyboard(page):
    """a tile opens a viewer in full resolution by keyboard alone: enlarge, next camera, details, full screen, back to the tile;
    the browser's back and forward work; a camera that does not exist says so"""
    page.open()
    with page.daemon.running("pattern"):
        page.tab_to(f"{TILE} .open")
        page.keys(Keys.ENTER)
        page.appears("#live .viewer")
        assert page.address() == "#live/pattern" and not page.sees("header")
        until(lambda: page.run("return document.querySelector('.viewer canvas').width") == 640, "it is not in full resolution")
        page.keys("+")
        page.shows(".viewer output", "125 %")
        page.keys("0")
        page.shows(".viewer output", "100 %")
        page.keys("d")
        page.shows(".viewer .drawer", "YUYV 640 × 360, 30 fps")
        assert page.one(".viewer .drawer").rect["width"] == 360
        page.keys("f")
        until(lambda: page.run("return document.fullscreenElement"), "it is not in full screen")
        page.keys("f")
        until(lambda: page.run("return document.fullscreenElement") is None, "it stays in full screen")
        page.keys(Keys.ARROW_RIGHT)
        page.shows(".viewer h1", "pattern-2")
        assert page.address() == "#live/pattern-2"
        page.keys(Keys.ESCAPE)
        until(lambda: not page.sees("#live .viewer"), "the viewer does not close")
        assert page.address() == "#live"
        until(lambda: page.focused("[data-camera=pattern-2] .open"), "the focus does not return")
        page.driver.forward()
        page.appears("#live .viewer")
        page.driver.back()
        until(lambda: not page.sees("#live .viewer"), "there is no way back")
    page.open("live/nowhere")
    page.shows(".viewer .message", "There is no camera “nowhere”")


@expects(422)
def a_control_by_keyboard(page):
    """a control is set by keyboard alone, and its outcome is shown; a value out of range is adjusted; a reset resets; what
    another client sets changes in the page"""

    def value():
        controls = page.daemon.ask("GET", "/v1/cameras/pattern/controls")["controls"]
        return next(control["value"] for control in controls if control["name"] == "brightness")
    page.open("live/pattern")
    page.appears(".viewer")
    page.keys("d")
    page.run("[...document.querySelectorAll('.drawer button')].find(one => one.textContent === 'Show controls').focus()")
    page.keys(Keys.ENTER)
    page.one("[data-control=brightness]")
    before = value()
    page.tab_to("[data-control=brightness] [type=range]")
    page.keys(Keys.ARROW_RIGHT)
    page.shows("[data-control=brightness] .outcome", f"Set to {before + 1}.")
    page.shows("#outcome", f"Brightness: Set to {before + 1}.")
    assert value() == before + 1 and page.address() == "#live/pattern"
    page.keys(Keys.TAB, *[Keys.BACKSPACE] * 4, "5000", Keys.ENTER)
    page.shows("[data-control=brightness] .outcome", "Adjusted to 255. It goes from 0 to 255.")
    until(lambda: page.one("[data-control=brightness] [type=range]").get_attribute("value") == "255", "the slider stays")
    assert value() == 255
    page.tab_to("[data-control=exposure_time_absolute] [type=range]")
    page.keys(Keys.ARROW_RIGHT)
    page.shows("[data-control=exposure_time_absolute] .outcome", "Refused. exposure_time_absolute: It has no effect")
    until(lambda: page.one("[data-control=exposure_time_absolute] [type=range]").get_attribute("value") == "250",
          "the slider stays at a value that was refused")
    page.press("Reset all controls")
    page.shows("#outcome", "Brightness: Set to 128.")
    page.shows("[data-control=brightness] .outcome", "Set to 128.")
    assert value() == 128
    page.daemon.ask("PATCH", "/v1/cameras/pattern/controls", {"gain": 99})
    until(lambda: page.one("[data-control=gain] [type=number]").get_attribute("value") == "99", "the old value stays")
    page.daemon.ask("POST", "/v1/cameras/pattern/controls/reset")
    page.daemon.ask("POST", "/v1/cameras/pattern/stop")


TESTS = [
    viewing_opens_no_camera, watching_keeps_no_camera_open, watch_opens_one_camera, columns, nine_tiles_share_a_connection,
    pictures_only_in_view, reduced_motion_is_paused, a_still_is_stored, a_camera_that_fails_says_why, the_viewer_by_keyboard,
    a_control_by_keyboard,
]
