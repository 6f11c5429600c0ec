"""A browser under a program: the W3C WebDriver protocol over HTTP, with the standard library alone."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]
# Whatever proxy the environment names, the driver is on this machine.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window of headless Chromium. A width below 500 is a phone: touch, and its own layout."""

    def __init__(self, width, height, scripts=True):
        self.profile = tempfile.mkdtemp(prefix="report-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.base = f"http://127.0.0.1:{self._port()}"
        options = {"args": FLAGS + [f"--user-data-dir={self.profile}", f"--window-size={max(width, 500)},{height}"]}
        if width < 500:
            metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
            options["mobileEmulation"] = {"deviceMetrics": metrics}
        if not scripts:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        self.session = "/session/" + self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.scripts = scripts

    def _port(self):
        for line in self.driver.stdout:
            if "successfully on port" in line:
                return int(line.rsplit("port", 1)[1].strip(" .\n"))
        raise SystemExit("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + self.session + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with DIRECT.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from error

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self._call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def key(self, text):
        """Types a key into whatever has the focus."""
        keys = [{"type": "keyDown", "value": text}, {"type": "keyUp", "value": text}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def move_to(self, selector):
        origin = self._call("POST", "/element", {"using": "css selector", "value": selector})
        move = [{"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}]
        self._call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": move}]})

    def click(self, selector):
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", f"/element/{found[ELEMENT]}/click", {})

    def text(self, selector):
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return self._call("GET", f"/element/{found[ELEMENT]}/text")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))

    def printed(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("POST", "/print", {"background": True})))

    def complaints(self):
        """Everything that the console holds: errors, refused resources, broken policies."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(timeout=20)
            for _ in range(20):
                shutil.rmtree(self.profile, ignore_errors=True)
                time.sleep(0.05)
