"""The chart's pods in containers, on a real kubelet: migrations, readiness, the chart's own test, a rolling upgrade under load.

With IMAGES=built the kubelet pulls what `make prove-images` built; otherwise this machine's debug build is packed."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path

import pytest
import yaml
from api import wait
from control_plane import ControlPlane
from desk import PASSWORD, Desk, Refused
from machine import TOOLS, Machine
from release import NAME, RESTRICTED, Failed, Release
from rendering import COMPONENTS, ROOT, SERVICES

NAMESPACE = "desk"
ADMIN = "first@example.com"
# The secret with the authority of Postgres and Redis.
STORES_CA = "frontdesk-ca"
# Seconds between two requests of a kind.
PAUSE = 0.05
BUILT = os.environ.get("IMAGES") == "built"


@pytest.fixture(scope="module")
def machine():
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, ControlPlane(Path(name)).served() as plane:
        machine = Machine(plane, NAMESPACE)
        machine.start()
        yield machine
        plane.api.delete("Namespace", None, NAMESPACE)
        wait(lambda: plane.api.find("Namespace", None, NAMESPACE) is None, within=120)


@pytest.fixture(scope="module")
def release(machine):
    """Installed in production, with mutual TLS between the pods and TLS to the stores, in a namespace under the restricted level."""
    release = Release(machine.plane, "minimal", NAMESPACE)
    api = machine.plane.api
    api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": RESTRICTED}})
    stores = ("--postgres=postgres", "--redis=redis", "--postgres-query=sslmode=verify-full&sslrootcert=/etc/frontdesk/postgres/ca.crt")
    command = ["node", ROOT / "k8s" / "secrets.mjs", *stores, "--smtp=smtps://u:p@mail.invalid"]
    secrets = list(yaml.safe_load_all(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    for secret in secrets:
        secret["metadata"]["namespace"] = NAMESPACE
        api.create(secret)
    authority = machine.plane.authority
    for component in COMPONENTS:
        certificate, key = authority.issue(component, f"/CN={component}", [f"DNS:{NAME}-{component}"])
        files = {"tls.crt": certificate, "tls.key": key, "ca.crt": authority.certificate}
        metadata = {"name": f"{NAME}-{component}-tls", "namespace": NAMESPACE}
        content = {name: path.read_text() for name, path in files.items()}
        api.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": content})
    metadata = {"name": STORES_CA, "namespace": NAMESPACE}
    content = {"ca.crt": authority.certificate.read_text()}
    api.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": content})
    roles = next(secret["stringData"] for secret in secrets if secret["metadata"]["name"] == "frontdesk-postgres-roles")
    machine.serve_databases(roles)
    machine.bring_sandbox()
    given = machine.plane.folder / "values.yaml"
    stores_authority = {"ca": {"existingSecret": STORES_CA}}
    small = {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}
    given.write_text(
        yaml.safe_dump(
            {
                "image": machine.serve_images() if BUILT else machine.pack_images(),
                "transport": {"mode": "secrets"},
                "postgres": stores_authority,
                "redis": stores_authority,
                "defaults": {"resources": small},
                "components": {"voice": {"terminationGracePeriodSeconds": 45}},
                "createAdmin": {"email": ADMIN},
            }
        )
    )
    release.more = [f"--values={given}"]
    try:
        release.upgrade(*release.more, within="180s")
    except Exception:
        print(trouble(release))
        raise
    return release


def trouble(release):
    """What pods and events say, for a failure."""
    lines = [f"{e['involvedObject']['name']}: {e['reason']}: {e['message'][:300]}" for e in release.api.list("Event", NAMESPACE)]
    for pod in release.api.list("Pod", NAMESPACE):
        logs = release.run("kubectl", "get", "pod", pod["metadata"]["name"], "-o", "wide", accepted=(0, 1))
        lines.append(logs)
    for path in sorted((release.plane.folder / "machine" / "logs").glob("*/*/*.log")):
        lines.append(f"== {path.parent.parent.name}\n{path.read_text()[-1500:]}")
    return "\n".join(lines[-60:])


@pytest.fixture(scope="module")
def desk(release):
    """The first ADMIN, signed in, with a business that has an employee and a service."""
    desk = Desk(address(release, "browser"))
    desk.sign_in(ADMIN, first_link(release))
    desk.open_business()
    wait(desk.follows, within=60)
    desk.hire()
    wait(desk.offer_service, within=60)
    return desk


def first_link(release):
    logs = release.plane.folder / "machine" / "logs"
    said = "".join(path.read_text() for path in logs.glob(f"{NAMESPACE}_{NAME}-auth-create-admin-*/*/*.log"))
    return re.search(r"https://desk\.example\.com/reset-password\?token=\S+", said)[0]


def address(release, component):
    return release.api.get("Service", NAMESPACE, f"{NAME}-{component}")["spec"]["clusterIP"]


def ask(host, path):
    connection = http.client.HTTPConnection(host, 8080, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def test_every_pod_is_ready_and_both_doors_answer(release):
    assert len(release.pods()) == 2 * len(COMPONENTS)
    for door in ("browser", "voice"):
        # The browser door is ready when auth has answered it, over mutual TLS.
        assert ask(address(release, door), "/readyz") == 200
    assert ask(address(release, "browser"), "/") == 200


def test_migrations_ran_in_containers_and_the_first_admin_has_a_link(release):
    assert first_link(release)
    for service in SERVICES:
        database = service.replace("-", "_")
        query = ["psql", "-h", "127.0.0.1", "-U", "postgres", "-d", database, "-Atc", "SELECT count(*) FROM seaql_migrations"]
        assert int(subprocess.run(query, check=True, capture_output=True, text=True).stdout) > 0


def test_the_chart_tests_itself(machine, release, desk):
    """`helm test`: a pod signs in at the door by its name and searches a free time."""
    credentials = {"email": ADMIN, "password": PASSWORD}
    metadata = {"name": "frontdesk-test", "namespace": NAMESPACE}
    release.api.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": credentials})
    given = machine.plane.folder / "tested.yaml"
    image = {"repository": TOOLS, "digest": machine.bring_tools()}
    given.write_text(yaml.safe_dump({"helmTest": {"enabled": True, "businessId": desk.business, "image": image}}))
    release.more.append(f"--values={given}")
    before = {pod["metadata"]["uid"] for pod in release.pods()}
    release.upgrade(*release.more, within="120s")
    assert {pod["metadata"]["uid"] for pod in release.pods()} == before
    release.helm("test", NAME, "--timeout=120s")
    logs = release.plane.folder / "machine" / "logs"
    (said,) = [path.read_text() for path in logs.glob(f"{NAMESPACE}_{NAME}-test-*/*/*.log")]
    assert "signed in and searched" in said
    # A test that can't fail proves nothing.
    release.kubectl("patch", "secret", "frontdesk-test", "--patch", json.dumps({"stringData": {"password": "another"}}))
    with pytest.raises(Failed):
        release.helm("test", NAME, "--timeout=120s")
    release.kubectl("delete", "job", f"{NAME}-test")


def test_a_rolling_upgrade_under_load_fails_no_request(release, desk):
    before = {pod["metadata"]["uid"] for pod in release.pods()}
    over, failures = threading.Event(), []
    counts = Counter()

    def load(name, request):
        while not over.is_set():
            try:
                request()
                counts[name] += 1
            except (OSError, http.client.HTTPException, Refused) as error:
                failures.append(f"{name}: {error!r}")
            # As one person may: the door refuses who asks for more.
            over.wait(PAUSE)

    browser, voice = address(release, "browser"), address(release, "voice")
    requests = {
        "the page": lambda: get(browser, "/"),
        # Readiness is no request of a person: a door that drains says 503 there while it still serves.
        "the voice door": lambda: get(voice, "/healthz"),
        "the contract": lambda: get(browser, "/api/openapi.json"),
        # Through the door to tenancy and scheduling, over mutual TLS.
        "services": lambda: desk.ask("GET", f"{desk.root}/services?pageSize=1"),
        "a search": desk.search,
    }
    threads = [threading.Thread(target=load, args=entry) for entry in requests.items()]
    for thread in threads:
        thread.start()
    try:
        release.upgrade(*release.more, "--set-string=secretsGeneration=2", within="240s")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert not before & {pod["metadata"]["uid"] for pod in release.pods()}
    print(f"answered: {dict(counts)}; failed: {len(failures)}")
    assert counts.keys() == requests.keys() and min(counts.values()) > 100
    assert Counter(failures) == {}


def get(host, path):
    status = ask(host, path)
    if status != 200:
        raise Refused(f"{path}: {status}")
