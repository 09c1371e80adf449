# SPDX-License-Identifier: Apache-2.0
"""Tests of the viewer of a stored frame."""
import pathlib

from harness import Keys, expects, until
from spool import frames, ids, item


def frames_by_keyboard(page):
    """a frame opens in a viewer by keyboard alone, with earlier and later ones, record, and a way back to its thumbnail"""
    stored = frames(page, "pattern-2", 3, tags=["keys"])
    page.open("spool?tag=keys")
    until(lambda: ids(page) == stored, "the frames are missing")
    page.tab_to("#spool [data-frame]")
    page.keys(Keys.ENTER)
    page.appears(".frame.viewer img")
    until(lambda: page.address() == f"#spool/{stored[0]}?tag=keys", "the address does not name the frame")
    assert not page.sees("header")
    page.keys(Keys.ARROW_LEFT)
    until(lambda: stored[1] in page.address(), "there is no earlier frame")
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    until(lambda: stored[2] in page.address(), "there is no earliest frame")
    page.shows("#outcome", "There is no earlier frame.")
    page.keys(Keys.ARROW_RIGHT)
    until(lambda: stored[1] in page.address(), "there is no later frame")
    page.press("Record", ".frame.viewer")
    page.shows(".frame.viewer .drawer", stored[1])
    assert page.one(".frame.viewer .drawer").rect["width"] == 360
    assert page.run("return document.querySelector('.frame.viewer img').naturalWidth") == 640
    page.keys(Keys.ESCAPE)
    until(lambda: not page.sees(".frame.viewer"), "the viewer does not close")
    until(lambda: page.focused(item(stored[1])), "the focus does not go to the frame")
    assert page.address() == "#spool?tag=keys"


@expects(404)
def pin_tag_and_delete(page):
    """a link leads to a frame; it is pinned, tagged, saved, and deleted after a question; then its link says that it is gone"""
    record = page.daemon.still("pattern-2", tags=["link"])[0]
    page.open(f"spool/{record['id']}")
    page.appears(".frame.viewer img")

    def stored():
        return page.daemon.ask("GET", f"/v1/frames/{record['id']}")
    page.press("Pin", ".frame.viewer")
    page.shows("#outcome", "pinned")
    assert stored()["pinned"]
    page.press("Tags…", ".frame.viewer")
    page.one("#new-tag").send_keys("odd\n")
    page.shows(".frame.viewer .head", "odd")
    assert stored()["tags"] == ["link", "odd"]
    page.press("Unpin", ".frame.viewer")
    until(lambda: not stored()["pinned"], "it stays pinned")
    assert page.one(".frame.viewer a[download]").get_attribute("href").endswith(f"v1/frames/{record['id']}/image")
    page.press("Delete…", ".frame.viewer")
    page.press("Cancel", "#confirm")
    assert pathlib.Path(record["path"]).exists()
    page.press("Delete…", ".frame.viewer")
    page.press("Delete frame", "#confirm")
    page.shows("#outcome", "deleted")
    assert not pathlib.Path(record["path"]).exists()
    page.go("#live")
    page.appears(".tile")
    page.go(f"#spool/{record['id']}")
    page.shows(".frame.viewer .message", "No such frame")


TESTS = [frames_by_keyboard, pin_tag_and_delete]
