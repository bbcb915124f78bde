"""A headless Chromium for the tests of the map's page: opens pages, acts like a user, and collects logs and requests."""

import base64
import json
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FRAME_RECORDER = """
window.__frames = [];
const record = now => { window.__frames.push(now); window.__recording && requestAnimationFrame(record); };
window.__recording = true;
requestAnimationFrame(record);
"""


class Browser:
    def __init__(self, width=1280, height=800, scrollbars=False):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb",
                         "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        if not scrollbars:
            options.add_argument("--hide-scrollbars")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    # What a user does

    def open(self, page, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(page.resolve().as_uri() + fragment)
        self.wait("performance.getEntriesByName('interactive').length > 0")

    def resize(self, width, height, mobile=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def prefer(self, **features):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def mouse(self, kind, x, y, pressed=False, **more):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if pressed else "none",
                 buttons=1 if pressed else 0, **more)

    def click_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, pressed=True, clickCount=1)
        self.mouse("mouseReleased", x, y, pressed=True, clickCount=1)

    def drag(self, start, end, steps=40):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, pressed=True, clickCount=1)
        for step in range(1, steps + 1):
            share = step / steps
            self.mouse("mouseMoved", start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share,
                       pressed=True)
        self.mouse("mouseReleased", *end, pressed=True, clickCount=1)

    def pinch(self, middle, apart, apart_at_end, steps=20):
        """Moves two fingers on a horizontal line, until their distance is `apart_at_end`."""
        x, y = middle

        def touch(kind, distance):
            points = [{"x": x + side * distance / 2, "y": y, "id": number} for number, side in enumerate((-1, 1))]
            self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=points if distance else [])

        touch("touchStart", apart)
        for step in range(1, steps + 1):
            touch("touchMove", apart + (apart_at_end - apart) * step / steps)
        touch("touchEnd", 0)

    def touch(self, start, end, steps=10):
        """Moves one finger from a point to another, or taps if the points are the same."""
        for step in range(steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end))
            self.cdp("Input.dispatchTouchEvent", type="touchMove" if step else "touchStart", touchPoints=[{"x": x, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    # What a test examines

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(f"return Boolean({condition})"):
                return
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {condition}")

    def settle(self):
        """Waits until the map has stopped moving and is drawn."""
        self.driver.execute_async_script("const done = arguments[0]; setTimeout(() => requestAnimationFrame(done), 350)")

    def next_frames(self):
        """Waits until the browser has drawn twice, so that the effects of scrolling are complete."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def frame_times(self, action):
        """Returns the milliseconds between the frames that the browser draws during an action."""
        self.run(FRAME_RECORDER)
        action()
        frames = self.run("window.__recording = false; return window.__frames")
        return [after - before for before, after in zip(frames, frames[1:])]

    def box(self, selector):
        return self.run("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                        "return {x: r.x, y: r.y, width: r.width, height: r.height}", selector)

    def middle(self, selector):
        box = self.box(selector)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.cdp("Page.captureScreenshot")["data"]))

    def pdf(self, width=21.59, height=27.94, orientation="portrait"):
        """Returns the page as printed on paper of a size in centimeters. The driver's own command gives up after 10 s."""
        return base64.b64decode(self.cdp(
            "Page.printToPDF", paperWidth=width / 2.54, paperHeight=height / 2.54, landscape=orientation == "landscape",
            printBackground=False)["data"])

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Returns the URLs requested since the last call."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]
