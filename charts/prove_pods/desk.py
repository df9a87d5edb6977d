"""A person at the browser door: signs in with the first ADMIN's link, opens a business, searches its free times."""

import http.client
import json
import re
import uuid

PASSWORD = "a long password of three words"
DAYS = [{"weekday": day, "fromMinute": 540, "toMinute": 1080} for day in range(1, 8)]


class Refused(Exception):
    """The door answered with an error."""


class Desk:
    """A browser's session at the door of `host`, over plain HTTP as inside the cluster."""

    def __init__(self, host):
        self.host = host
        self.cookies = {}
        self.token = None
        self.ask("GET", "/api/openapi.json")

    def headers(self):
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": kept, "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if "XSRF-TOKEN" in self.cookies:
            headers["X-XSRF-TOKEN"] = self.cookies["XSRF-TOKEN"]
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.host, 8080, timeout=30)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), self.headers())
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, value = re.match(r"([^=]+)=([^;]*)", cookie).groups()
            self.cookies[name] = value
        if response.status != 200:
            raise Refused(f"{method} {path}: {response.status}: {text[:500]}")
        return json.loads(text)

    def sign_in(self, email, link):
        """Sets the password that the link allows, and signs in with it."""
        token = link.partition("token=")[2].partition("&")[0]
        self.ask("POST", "/api/auth/reset-password", {"token": token, "newPassword": PASSWORD})
        self.token = self.ask("POST", "/api/auth/login", {"email": email, "password": PASSWORD})["token"]

    def open_business(self):
        given = {"name": "Willow & Co", "timeZone": "Europe/London"}
        self.business = self.ask("POST", "/api/v1/admin/businesses", given)["business"]["id"]
        return self.business

    @property
    def root(self):
        return f"/api/v1/businesses/{self.business}"

    def follows(self):
        """Whether scheduling has heard of the business, which it does by an event."""
        return self.answers("PUT", "opening-hours", {"timeZone": "Europe/London", "spans": DAYS})

    def hire(self):
        self.employee = self.ask("POST", f"{self.root}/employees", {"name": "Noah Adeyemi"})["employee"]["id"]

    def offer_service(self):
        """Whether there is a service by the employee, of whom scheduling hears by an event as well."""
        if not self.answers("PUT", f"employees/{self.employee}/schedule", {"spans": DAYS}):
            return False
        given = {"name": "Cut", "category": "Hair", "segments": [{"kind": "SEGMENT_KIND_ACTIVE", "minutes": 45}]}
        service = given | {"priceMinor": 4000, "currency": "GBP", "employeeIds": [self.employee]}
        self.service = self.ask("POST", f"{self.root}/services", {"service": service})["service"]["id"]
        return True

    def answers(self, method, path, body):
        try:
            self.ask(method, f"{self.root}/{path}", body)
        except Refused:
            return False
        return True

    def search(self):
        """Free times of the service: there are some, with an employee who works every day."""
        found = self.ask("POST", f"{self.root}/availability:search", {"items": [{"serviceId": self.service}], "pageSize": 1})
        if not found["offers"]:
            raise Refused("no free time is found")
