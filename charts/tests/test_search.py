"""The script of `helm test`, against a door that answers as the real one does."""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rendering import CHART

SCRIPT = CHART / "files" / "search.sh"
BUSINESS = "01900000-0000-7000-8000-000000000001"
PAIR = {"__Host-anon": "abcdefghijklmnopqrstuv", "XSRF-TOKEN": "token-of-the-pair"}
PASSWORD = 'p"a\\ss'


class Door(BaseHTTPRequestHandler):
    """What the script meets: `server.offered` is what the business offers."""

    def answer(self, status, body, cookies=()):
        text = json.dumps(body, separators=(",", ":")).encode()
        self.send_response(status)
        for name, value in cookies:
            self.send_header("Set-Cookie", f"{name}={value}; Path=/; Max-Age=60; Secure; SameSite=Strict")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.path == "/api/openapi.json":
            return self.answer(200, {}, PAIR.items() if self.server.sets_pair else ())
        assert self.path == f"/api/v1/businesses/{BUSINESS}/services?pageSize=1"
        assert self.headers["Authorization"] == "Bearer signed"
        self.answer(200, {"services": self.server.offered, "nextPageToken": ""})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        cookies = dict(entry.split("=", 1) for entry in self.headers["Cookie"].split("; "))
        if cookies != PAIR or self.headers["X-XSRF-TOKEN"] != PAIR["XSRF-TOKEN"]:
            return self.answer(403, {"message": "XSRF"})
        if self.path == "/api/auth/login":
            right = body == {"email": "ada@example.com", "password": PASSWORD}
            return self.answer(200, {"token": "signed"}) if right else self.answer(401, {"message": "Wrong password."})
        assert self.path == f"/api/v1/businesses/{BUSINESS}/availability:search"
        if body != {"items": [{"serviceId": "cut"}], "pageSize": 1}:
            return self.answer(400, {"message": "no such service"})
        self.answer(200, {"offers": [], "nextPageToken": "", "timeZone": "Europe/London"})

    def log_message(self, *_):
        pass


@pytest.fixture
def door():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.sets_pair, server.offered = True, [{"id": "cut", "name": "Cut"}]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def search(door, password=PASSWORD):
    given = {
        "DOOR": f"http://127.0.0.1:{door.server_port}",
        "BUSINESS": BUSINESS,
        "EMAIL": "ada@example.com",
        "PASSWORD": password,
    }
    return subprocess.run(["sh", SCRIPT], env={**os.environ, "no_proxy": "*", **given}, capture_output=True, text=True)


def test_signs_in_and_searches(door):
    done = search(door)
    assert (done.returncode, done.stderr) == (0, "")
    assert "signed in and searched" in done.stdout


def test_a_refused_sign_in_fails_and_says_why(door):
    done = search(door, "wrong")
    assert done.returncode == 1 and "signing in was refused" in done.stdout and "Wrong password." in done.stdout
    assert "wrong" not in done.stdout.replace("Wrong password.", "")


def test_a_business_without_services_fails(door):
    door.offered = []
    done = search(door)
    assert done.returncode == 1 and "offers no service" in done.stdout


def test_a_door_without_a_pair_fails(door):
    door.sets_pair = False
    done = search(door)
    assert done.returncode == 1 and "no XSRF pair" in done.stdout


def test_a_search_that_is_refused_fails(door):
    door.offered = [{"id": "unknown"}]
    done = search(door)
    assert done.returncode == 1 and "the search was refused" in done.stdout and "no such service" in done.stdout
