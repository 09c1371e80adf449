# SPDX-License-Identifier: Apache-2.0
"""Tests of the view Spool: calendar, timeline, filter, and what can be done with many frames."""
import pathlib
import re

from harness import Keys, Select, WIDE, expects, until


def ids(page, more=""):
    """The ids of the thumbnails, in their order."""
    selector = f"#spool [data-frame]{more}"
    return page.run("return [...document.querySelectorAll(arguments[0])].map(one => one.dataset.frame)", selector)


def frames(page, camera, count, **wishes):
    """The ids of new frames, the newest first."""
    return [record["id"] for record in reversed(page.daemon.still(camera, count=count, **wishes))]


def item(identity):
    return f"#spool [data-frame='{identity}']"


def button(page, name, within="body"):
    return next((one for one in page.all(f"{within} button") if one.is_displayed() and one.text == name), None)


def selected(page):
    return ids(page, "[aria-selected=true]")


def calendar_and_timeline(page):
    """the calendar has the number of frames of each day, of the filter, and leads to a day; the timeline has the times of a
    day, of which a span is chosen by keyboard or pointer; the address has both"""
    frames(page, "pattern-4", 3, tags=["days"])
    page.open("spool?tag=days")
    today = ".calendar [aria-current=date]"
    until(lambda: "3 frames" in page.one(today).get_attribute("aria-label"), "the day has no number")
    page.shows(".timeline", "3 frames")
    assert 54 <= page.one(".timeline").rect["height"] <= 58
    page.click(today)
    until(lambda: re.fullmatch(r"#spool\?tag=days&day=\d{4}-\d\d-\d\d", page.address()), "the address has no day")
    page.one("[aria-selected=true] [aria-current=date]")
    assert len(ids(page)) == 3
    page.run("arguments[0].focus()", page.all(".timeline [role=slider]")[0])
    page.keys(Keys.PAGE_UP)
    until(lambda: "from=" in page.address() and "day=" not in page.address(), "no span is chosen by keyboard")
    page.driver.back()
    until(lambda: "day=" in page.address(), "there is no way back to the day")
    page.press("Day before", ".timeline")
    page.shows("#spool .empty", "No frame")
    page.press("Any time", "#spool .empty")
    until(lambda: page.address() == "#spool?tag=days" and len(ids(page)) == 3, "the time cannot be cleared")
    page.click(".timeline .track")
    until(lambda: "from=" in page.address(), "no span is chosen by pointer")


@expects(400)
def filter_and_pages(page):
    """the filter is one line that unfolds to a form, and is in the address: it can be shared, and back and forward go through
    it; more frames come on demand; a wrong filter says what is wrong"""
    newest = []
    for _ in range(5):
        newest = frames(page, "pattern-4", 26, tags=["many"]) + newest
    single = frames(page, "pattern-5", 1, tags=["single"])
    page.open("spool?camera=pattern-4&tag=many")
    page.shows("#spool .chips", "camera pattern-4")
    until(lambda: ids(page) == newest[:len(ids(page))] and ids(page), "the newest frames are not the first")
    page.run("scrollTo(0, document.body.scrollHeight)")
    until(lambda: ids(page) == newest, "the older frames do not come")
    assert not page.sees("#filter")
    page.press("Do not filter by camera pattern-4")
    page.press("Do not filter by tag many")
    until(lambda: single[0] in ids(page), "the filter cannot be cleared")
    page.press("Filter", "#spool .filter")
    page.one("#filter [name=tag]").send_keys("single\n")
    until(lambda: ids(page) == single, "the filter by tag does nothing")
    assert page.address() == "#spool?tag=single"
    page.driver.back()
    until(lambda: len(ids(page)) > 1, "there is no way back to all frames")
    page.driver.forward()
    until(lambda: ids(page) == single, "there is no way forward")
    page.go("#spool?where=foo:3")
    page.shows("#spool .filter", "“foo” is not a field of a frame")
    page.shows("#spool .filter .remedy", "Use one of camera")
    page.go("#spool?tag=absent")
    page.shows("#spool .empty", "No frame matches this filter")
    page.press("All frames", "#spool .empty")
    until(lambda: single[0] in ids(page), "there is no way to all frames")
    if not page.sees("#filter"):
        page.press("Filter", "#spool .filter")
    Select(page.one("#filter [name=camera]")).select_by_value("pattern-5")
    page.press("Apply", "#filter")
    until(lambda: "camera=pattern-5" in page.address(), "the form does not change the address")


def selection_of_many(page):
    """frames are selected by pointer with Shift, and by keyboard; many are pinned, tagged, and deleted after a question"""
    stored = frames(page, "pattern-2", 6, tags=["many2"])
    page.open("spool?tag=many2")
    until(lambda: ids(page) == stored, "the frames are missing")
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", item(stored[1]))
    page.click(f"{item(stored[1])} .check")
    page.shows("#spool", "1 frame selected")
    page.click(item(stored[3]), Keys.SHIFT)
    page.shows("#spool", "3 frames selected")
    assert selected(page) == stored[1:4]
    page.press("Pin", "#spool")
    page.shows("#outcome", "3 frames pinned")

    def records():
        return [page.daemon.ask("GET", f"/v1/frames/{identity}") for identity in stored]
    assert [record["pinned"] for record in records()] == [False, True, True, True, False, False]
    page.press("Unpin", "#spool")
    until(lambda: not any(record["pinned"] for record in records()), "they stay pinned")
    page.press("Tags…", "#spool")
    page.one("#new-tag").send_keys("odd\n")
    page.shows("#outcome", "odd")
    assert [record["tags"] for record in records()][0] == ["many2"] and "odd" in records()[1]["tags"]
    page.run("arguments[0].focus()", page.one(item(stored[0])))
    page.keys(Keys.ESCAPE)
    until(lambda: not selected(page), "Escape does not clear the selection")
    page.keys(Keys.SPACE)
    page.driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    until(lambda: selected(page) == stored[:2], "the keyboard does not select")
    page.keys(Keys.DELETE)
    page.shows("#confirm", "Delete 2 frames?")
    page.press("Cancel", "#confirm")
    assert pathlib.Path(records()[0]["path"]).exists()
    paths = [record["path"] for record in records()]
    page.press("Delete…", "#spool")
    page.press("Delete 2 frames", "#confirm")
    until(lambda: ids(page) == stored[2:], "the frames are still shown")
    assert [pathlib.Path(path).exists() for path in paths] == [False, False, True, True, True, True]
    page.press("Select all", "#spool")
    page.shows("#spool", "4 frames selected")


def play_a_span(page):
    """the frames of a filter are played as quick pictures from the oldest on, and stop at the newest"""
    stored = frames(page, "pattern-2", 5, tags=["play"])
    page.open("spool?tag=play")
    until(lambda: ids(page) == stored, "the frames are missing")
    page.run("performance.clearResourceTimings()")
    page.press("Play", "#spool")
    page.appears(".frame.viewer img")
    until(lambda: button(page, "Play", ".frame.viewer") and stored[0] in page.address(), "it does not come to the end")
    for identity in stored[:-1]:
        assert page.sent(f"{identity}/thumbnail"), "a picture was left out, or is a large one"
    page.keys(Keys.ESCAPE)
    until(lambda: not page.sees(".frame.viewer"), "the viewer does not close")


def frames_appear(page):
    """new frames appear at the top; where the user has selected some, a button offers them"""
    first = frames(page, "pattern-5", 1, tags=["new"])
    page.open("spool?tag=new")
    until(lambda: ids(page) == first, "the frame is missing")
    second = frames(page, "pattern-5", 1, tags=["new"])
    until(lambda: ids(page) == second + first, "the new frame is missing")
    page.click(f"{item(first[0])} .check")
    third = frames(page, "pattern-5", 1, tags=["new"])
    page.press("1 new frame", "#spool")
    until(lambda: ids(page) == third + second + first, "the new frame is not shown")


def thumbnails_fit(page):
    """thumbnails have about 200 pixels, and leave no room at the right"""
    frames(page, "pattern-5", 1)
    page.open("spool", size=WIDE)
    until(lambda: ids(page), "there is no frame")
    width = page.all("#spool [data-frame]")[0].rect["width"]
    assert 200 <= width < 300, width


TESTS = [calendar_and_timeline, filter_and_pages, selection_of_many, play_a_span, frames_appear, thumbnails_fit]
