# SPDX-License-Identifier: Apache-2.0
"""Tests of the page as a whole: signing in, roles, a daemon that ends, the path that it is below, and the keyboard."""
from harness import Keys, NARROW, OPERATOR, Prefix, STRANGER, VISITOR, expects, until

VIEWS = ["live", "spool", "events"]


@expects(401)
def sign_in_and_out(page):
    """a wrong token is refused with words, a right one shows the view that the address names, and signing out hides it"""
    page.open("events", token=None)
    assert page.focused("#token") and not page.sees("#nav") and not page.sees("#account")
    page.one("#token").send_keys("tt_wrong\n")
    until(lambda: page.text("#login-failure .remedy"), "the refusal has no remedy")
    assert page.sees("#login") and not page.sees("#events")
    page.run("document.querySelector('#token').value = ''")
    page.one("#token").send_keys(OPERATOR, "\n")
    page.shows("#who", "operator")
    page.appears("#events")
    page.size(NARROW)
    page.open("live", size=NARROW)
    page.press("Account")
    page.press("Sign out")
    page.appears("#login")
    assert not page.sees(".tile")
    page.driver.refresh()
    page.appears("#login")


@expects(0, 401, 502)
def the_daemon_is_killed(page):
    """each view says that a killed daemon does not answer, and goes on by itself when it is back"""
    page.open()
    page.shows("#health-badge", "")
    page.appears("#health-badge")
    page.daemon.process.kill()
    page.daemon.process.wait()
    try:
        page.shows("#lost", "The daemon does not answer")
        page.shows("[data-camera=pattern] .badges", "Not known")
        page.shows("#health-badge", "No answer")
        assert "systemctl status tintyped" in page.text("#lost .remedy")
        page.judge("lost daemon")
    finally:
        page.daemon.start()
    until(lambda: not page.text("#lost"), "the page does not notice that the daemon is back")
    page.shows("#outcome", "The daemon answers again.")
    with page.daemon.running("pattern"):
        page.moves("pattern", 2)


@expects(401, 403)
def a_viewer_views(page):
    """a viewer sees the cameras of the token live, and no button to watch, take stills, pin or delete, with the reason; a
    viewer without a camera is told so"""
    record = page.daemon.still("pattern")[0]
    page.open(token=VISITOR)
    until(lambda: page.all(".tile"), "no camera is shown")
    assert [one.get_attribute("data-camera") for one in page.all(".tile")] == ["pattern"]
    with page.daemon.running("pattern"):
        page.moves("pattern")
    assert not page.sees(".tile button")
    page.go("#live/pattern")
    page.appears("#live .viewer")
    page.keys("d")
    page.shows("#live .drawer", "The role “still” is needed to")
    page.go(f"#spool/{record['id']}")
    page.appears(".frame.viewer img")
    page.press("Record", ".frame.viewer")
    page.shows(".frame.viewer .drawer", "The role “control” is needed")
    names = [one.text for one in page.all(".frame.viewer button") if one.is_displayed()]
    assert not {"Pin", "Tags…", "Delete…"} & {*names}, names
    page.go("#events")
    page.shows("#hooks", "The role “admin” is needed.")
    page.shows("#jobs", "The role “view” for all cameras is needed.")
    page.go("#spool")
    page.shows("#spool", "The numbers of the spool are not shown.")
    page.open(token=STRANGER)
    page.shows("#live .empty", "No camera")
    page.shows("#health-badge", "No camera")
    page.click("#health-badge")
    page.shows("#health .remedy", "Connect a camera")
    assert "Everything works" not in page.text("#events")


def leaving_ends_requests(page):
    """pages that are left, which the browser may keep for its way back, keep none of its six connections, so that a new one
    loads; on the way back the page is live again"""
    page.open()
    for _ in range(8):
        page.driver.get(f"{page.url}#live")
        page.appears(".tile")
        page.driver.get("about:blank")
    page.driver.back()
    with page.daemon.running("pattern"):
        page.moves("pattern", 2)
        page.driver.get("about:blank")
        until(lambda: not page.daemon.camera("pattern").get("streams"), "the stream goes on")
        page.driver.back()
        page.moves("pattern", 2)


def below_a_path(page):
    """all of it works below a path: signing in, live pictures, the spool, a frame, events"""
    page.daemon.still("pattern", tags=["path"])
    before, page.url = page.url, Prefix(page.url).url
    try:
        page.open()
        with page.daemon.running("pattern"):
            page.moves("pattern", 2)
            page.press("Spool", "#nav")
            page.appears("#spool [data-frame] img")
            page.click("#spool [data-frame]")
            until(lambda: page.run("return document.querySelector('.frame.viewer img').naturalWidth"), "there is no picture")
            page.keys(Keys.ESCAPE)
            page.press("Events", "#nav")
            until(lambda: page.run("return document.querySelector('#event-list img')?.naturalWidth"), "there is no picture")
        outside = [url for url in page.sent(page.url.removesuffix("cams/")) if not url.startswith(page.url)]
        assert not outside, outside
        page.driver.get("about:blank")
    finally:
        page.url = before


def tabs_reach_everything(page):
    """in each view the first tab is a link that leads to the content; tabs reach everything that can be used, each with a
    visible focus, in the order of the page"""
    page.daemon.still("pattern")
    for view in VIEWS:
        page.open(view)
        page.driver.refresh()
        page.appears({"live": ".tile", "spool": "[data-frame]", "events": "#event-list > li"}[view])
        page.polls(1)
        page.keys(Keys.TAB)
        assert page.focused(".skip"), view
        page.keys(Keys.ENTER)
        until(lambda: page.focused("#main"), "the focus does not go to the content")
        assert page.sees(f"#{view}"), f"{view} is not shown any more"
        page.run("""
            document.activeElement.blur(); window.getSelection().removeAllRanges(); window.scrollTo(0, 0)
            const use = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [tabindex="0"]'
            window.wanted = [...document.querySelectorAll(use)].filter(one => one.checkVisibility() && one.tabIndex >= 0)
            window.reached = []
            document.addEventListener('focusin', event => {
                window.reached.push([event.target, getComputedStyle(event.target).outlineStyle])
            })
            document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')
        """)
        # A field for a date and a time has several stops.
        stops = page.run("return window.wanted.length + 7 * document.querySelectorAll('[type=datetime-local]').length")
        page.keys(*[Keys.TAB] * stops)
        missing, unseen, order = page.run("""
            const reached = window.reached.map(one => one[0])
            const first = [...new Set(reached)]
            const places = first.map(one => window.wanted.indexOf(one)).filter(place => place >= 0)
            const name = one => one.outerHTML.slice(0, 120)
            return [window.wanted.filter(one => one.isConnected && !reached.includes(one)).map(name),
                window.reached.filter(([one, style]) => style === 'none' && window.wanted.includes(one))
                    .map(([one]) => name(one)),
                places.every((place, index) => index === 0 || place > places[index - 1])]
        """)
        assert not missing, f"{view}: no tab reaches {missing}"
        assert not unseen, f"{view}: no focus is visible at {unseen}"
        assert order, f"{view}: the order of tabs is not that of the page"


@expects(401)
def without_scripts(page):
    """without JavaScript the page says that it needs it"""
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.driver.get(page.url)
        assert any("needs JavaScript" in one.text for one in page.all("main"))
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


TESTS = [
    sign_in_and_out, the_daemon_is_killed, a_viewer_views, leaving_ends_requests, below_a_path, tabs_reach_everything,
    without_scripts,
]
