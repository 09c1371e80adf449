# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium, with a daemon that has test patterns for cameras, tokens, and a port on loopback.

Selenium and axe come from PyPI, into a folder of ~/.cache/tintype; Chromium comes from Debian.
"""
import asyncio
import base64
import contextlib
import hashlib
import io
import json
import pathlib
import re
import secrets
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Support"))
import serving

sys.path[:0] = map(str, (serving.packages(serving.PAGE).parent / "lib").glob("python*/site-packages"))
from axe_core_python.selenium import Axe
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

LIMIT = serving.LIMIT
WIDE, NARROW, LARGE = (1280, 900), (390, 844), (2560, 1300)
SIZES = {12, 14, 16, 20, 28}
# A camera that is watched, one with JPEG of its own, one that may not be opened, and two more.
PATTERNS = ["YUYV:640x360@30", "MJPG:640x360@10", "YUYV:640x360@30,deny", "YUYV:640x360@10", "YUYV:640x360@10"]
HOOKS = """hooks:
  note: {on: [frame-stored], cameras: [pattern-5], command: [/bin/true]}
  broken: {on: [frame-stored], cameras: [pattern-5], command: [/bin/false], retries: 0}
"""
OPERATOR, VISITOR, STRANGER = ("tt_" + secrets.token_urlsafe(32) for _ in range(3))


def until(condition, message):
    """Waits for a condition and returns its value; an element that the page replaces meanwhile is looked for again."""
    wait = WebDriverWait(None, LIMIT, 0.05, ignored_exceptions=[StaleElementReferenceException])
    return wait.until(lambda _: condition(), message)


def expects(*statuses):
    """Marks a test whose requests may fail with these statuses, or, by 0, without a reply. The browser logs such failures."""
    def mark(test):
        test.expects = statuses
        return test
    return mark


class Daemon:
    """The daemon with its test patterns; the port stays the same when it is started again."""

    def __init__(self, binaries, folder, patterns=PATTERNS, more=HOOKS):
        self.binaries, self.folder, self.port = binaries, pathlib.Path(folder), serving.free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.patterns = patterns
        digests = [hashlib.sha256(token.encode()).hexdigest() for token in (OPERATOR, VISITOR, STRANGER)]
        self.configuration = f"""
tcp: {{port: {self.port}}}
access:
  - {{user: root, role: admin}}
  - {{token: "sha256:{digests[0]}", name: operator, role: admin}}
  - {{token: "sha256:{digests[1]}", name: visitor, role: view, cameras: [pattern]}}
  - {{token: "sha256:{digests[2]}", name: stranger, role: view, cameras: [nowhere]}}
{more}"""
        self.start()

    def start(self):
        patterns = [f"--pattern={pattern}" for pattern in self.patterns]
        # It listens on the port before the socket has its name.
        self.process = serving.start(self.binaries, self.folder, *patterns, configuration=self.configuration)

    def ask(self, method, path, body=None):
        """The daemon's reply on its Unix socket, where root has the role admin."""
        status, data = serving.cameras.Daemon(f"{self.folder}/sock").request(method, path, body)
        assert status < 400, data
        return json.loads(data) if data else None

    def camera(self, name):
        return self.ask("GET", f"/v1/cameras/{name}")

    @property
    def names(self):
        return [camera["name"] for camera in self.ask("GET", "/v1/cameras")["cameras"]]

    def still(self, camera, **wishes):
        """The records of stills that are stored."""
        return self.ask("POST", f"/v1/cameras/{camera}/stills", {"durability": "none"} | wishes)["stills"]

    @contextlib.contextmanager
    def running(self, *names):
        """Keeps cameras running, by a hold."""
        for name in names:
            self.ask("POST", f"/v1/cameras/{name}/hold", {"owner": "test", "forMs": LIMIT * 1000})
        try:
            yield
        finally:
            for name in names:
                self.ask("POST", f"/v1/cameras/{name}/stop")


class Prefix:
    """A server that has the page below /cams/."""

    def __init__(self, url):
        port = int(url.split(":")[2].strip("/"))
        ready = threading.Event()

        async def copy(reader, writer, is_request):
            with contextlib.suppress(ConnectionError):
                while data := await reader.read(1 << 16):
                    writer.write(re.sub(rb"\A([A-Z]+) /cams/", rb"\1 /", data) if is_request else data)
                    await writer.drain()
            writer.close()

        async def serve_one(reader, writer):
            theirs, ours = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(copy(reader, ours, True), copy(theirs, writer, False))

        async def serve():
            server = await asyncio.start_server(serve_one, "127.0.0.1", 0)
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/cams/"
            ready.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        ready.wait()


class Page:
    """The page in the browser."""

    def __init__(self, daemon, profile):
        self.daemon, self.url, self.messages = daemon, daemon.url, []
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                         f"--user-data-dir={profile}", "--disable-background-networking", "--disable-component-update",
                         "--lang=en"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        # Chromium's own first page has requests of its own.
        self.driver.get("about:blank")
        self.complaints(())
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)

    @contextlib.contextmanager
    def of(self, *patterns, more=""):
        """Another daemon instead of the usual one."""
        before = self.daemon, self.url
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            daemon = Daemon(self.daemon.binaries, folder, patterns, more)
            self.daemon, self.url = daemon, daemon.url
            try:
                yield daemon
                # What the browser asks of a daemon that has ended would be a complaint of the next test.
                self.driver.get("about:blank")
            finally:
                serving.stop(daemon.process)
                self.daemon, self.url = before

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        })

    def size(self, size):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        until(lambda: self.run("return innerWidth") == size[0], "the page does not get its width")

    def open(self, view="live", token=OPERATOR, size=WIDE):
        """Opens a view of the page, such as spool?camera=pattern, and signs in by a token; without one, leaves the form."""
        self.driver.get("about:blank")
        self.size(size)
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.get(f"{self.url}#{view}")
        until(lambda: self.sees("#login"), "there is no form for a token")
        if token:
            self.driver.find_element(By.ID, "token").send_keys(token, "\n")
            until(lambda: self.all("#nav:not([hidden])"), "the page does not show its views")

    def go(self, view):
        self.run("location.hash = arguments[0]", view)

    def address(self):
        return self.run("return location.hash")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return until(lambda: (self.all(selector) or [None])[0], f"there is no {selector}")

    def sees(self, selector):
        return any(element.is_displayed() for element in self.all(selector))

    def appears(self, selector):
        until(lambda: self.sees(selector), f"{selector} is not shown")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def shows(self, selector, words):
        """Waits until an element has these words."""
        try:
            until(lambda: words in self.text(selector), "")
        except TimeoutException:
            raise AssertionError(f"{selector} does not say “{words}” but “{self.text(selector)}”") from None

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def click(self, selector, keys=None):
        """Clicks an element, with a key held down if one is named."""
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        actions = ActionChains(self.driver)
        if keys:
            actions.key_down(keys).click(element).key_up(keys).perform()
        else:
            element.click()

    def press(self, name, within="body"):
        """Clicks the visible button or link with this text or label."""
        def found():
            return next((one for one in self.all(f"{within} :is(button, a, summary)") if one.is_displayed()
                         and name in (one.text.strip(), one.get_attribute("aria-label"))), None)
        element = until(found, f"there is no button {name}")
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self, selector):
        return self.run("return document.activeElement.matches(arguments[0])", selector)

    def tab_to(self, selector):
        for _ in range(200):
            if self.focused(selector):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"no tab leads to {selector}")

    def log(self):
        """What the browser has logged of the network since the last call of complaints()."""
        self.messages += [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return self.messages

    def sent(self, part):
        """The addresses with this part that were asked for since the last call of complaints(), in their order."""
        sent = [message["params"] for message in self.log() if message["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in sent if part in one["request"]["url"]]

    def polls(self, count):
        """Waits until the page has asked for the status of the cameras that many times from now on."""
        before = len(self.sent("/v1/cameras"))
        until(lambda: len(self.sent("/v1/cameras")) >= before + count, "the page does not ask for the status")

    @contextlib.contextmanager
    def holding(self, *paths):
        """Keeps replies from the page."""
        patterns = [{"urlPattern": f"*{path}*"} for path in paths]
        self.driver.execute_cdp_cmd("Fetch.enable", {"patterns": patterns})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Fetch.disable", {})

    def number(self, camera):
        """The number that is drawn in the live picture of a tile; None while there is none."""
        data = self.run("""
            const canvas = document.querySelector(`[data-camera="${arguments[0]}"] canvas`)
            return canvas?.checkVisibility() && canvas.width > 1 ? canvas.toDataURL() : null
        """, camera)
        if not data:
            return None
        picture = Image.open(io.BytesIO(base64.b64decode(data.split(",")[1])))
        # The cells have 16 pixels in pictures of 640 and of 1280.
        for cells in (40, 80):
            number, inverted = serving.cameras.code_rows(picture, picture.width / cells, 2)
            if number == ~inverted & 0xFFFFFFFF:
                return number
        return None

    def moves(self, camera, times=3):
        """Waits until the number in a picture has risen that many times; a restarted camera counts from the beginning."""
        numbers = []

        def has_risen():
            number = self.number(camera)
            if numbers and number is not None and number < numbers[-1]:
                numbers.clear()
            if number is not None and (not numbers or number > numbers[-1]):
                numbers.append(number)
            return len(numbers) > times
        until(has_risen, f"the picture of {camera} does not move")

    def judge(self, what):
        """In light and dark and at both widths axe has no findings; text has one of five sizes; the header is one row of 48
        pixels; and nothing reaches beyond the right edge."""
        for size in [WIDE, NARROW]:
            self.size(size)
            self.look_for_faults(what, size, "light", {"resultTypes": ["violations"]})
            # All else that axe looks at is the same in both (style.css).
            self.look_for_faults(what, size, "dark", {"runOnly": ["color-contrast"]})
            self.media()
            beyond, sizes, heights = self.run("""
                const roots = [document.documentElement, ...document.querySelectorAll('dialog[open], .view, .viewer, .drawer')]
                const shown = [...document.querySelectorAll('body *')].filter(one => one.checkVisibility())
                const texts = shown.filter(one => one.matches('input, select') ||
                    [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()))
                const header = document.querySelector('header')
                const rows = [...header.children, ...header.querySelectorAll('nav a')].filter(one => one.checkVisibility())
                const box = header.getBoundingClientRect()
                return [
                    roots.filter(one => one.scrollWidth > one.clientWidth).flatMap(root => [root, ...root.querySelectorAll('*')]
                        .filter(one => one === root || one.getBoundingClientRect().right > root.getBoundingClientRect().right)
                        .map(one => one.outerHTML.slice(0, 80))),
                    [...new Set(texts.map(one => `${parseFloat(getComputedStyle(one).fontSize)} ${one.outerHTML.slice(0, 80)}`))],
                    !header.checkVisibility() ? [] : [box.height, ...rows.map(one => one.getBoundingClientRect())
                        .filter(one => one.height && (one.top < box.top || one.bottom > box.bottom || one.right > innerWidth))
                        .map(one => [one.top, one.bottom, one.right])]
                ]
            """)
            assert not beyond, f"{what}, {size}: {beyond} scroll sideways"
            wrong = [text for text in sizes if float(text.split()[0]) not in SIZES]
            assert not wrong, f"{what}, {size}: sizes of text {wrong}"
            assert heights in ([], [48]), f"{what}, {size}: the header has the height {heights[0]}, beyond it are {heights[1:]}"

    def look_for_faults(self, what, size, scheme, options):
        self.media(prefers_color_scheme=scheme)
        found = Axe().run(self.driver, options=options)["violations"]
        places = [(one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
        assert not found, f"{what}, {size}, {scheme}: {places}"

    def tidy(self):
        """Closes windows that a failed test has left, and forgets what the browser has logged."""
        for handle in self.driver.window_handles[1:]:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])
        self.media()
        self.complaints(())

    def has_no_complaints(self, test):
        # Every test signs in, for which the page first asks without a token.
        complaints = self.complaints({401, *getattr(test, "expects", ())})
        assert not complaints, complaints

    def complaints(self, statuses):
        """Errors that the browser has logged since the last call, without the failed requests that a test expects."""
        found = []
        for entry in self.driver.get_log("browser"):
            if entry["level"] not in ("SEVERE", "WARNING") and entry["source"] != "security":
                continue
            status = re.search(r"the server responded with a status of (\d+)", entry["message"])
            lost = "net::ERR_" in entry["message"]
            if entry["source"] == "network" and (int(status[1]) if status else 0 if lost else None) in statuses:
                continue
            found.append(entry["message"])
        for message in self.log():
            if message["method"] == "Network.responseReceived":
                fields = {name.lower(): value for name, value in message["params"]["response"]["headers"].items()}
                if "Basic" in fields.get("www-authenticate", ""):
                    found.append(f"the browser itself asks for a password: {message['params']['response']['url']}")
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith(("http://127.0.0.1:", "about:", "data:")):
                    found.append(f"a request to {url}")
        self.messages = []
        return found
