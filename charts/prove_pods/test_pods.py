"""The chart's pods in containers, on a real kubelet: migrations, readiness, a rolling upgrade under load."""

import http.client
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
import yaml
from api import wait
from control_plane import ControlPlane
from machine import REGISTRY, Machine
from release import NAME, RESTRICTED, Release
from rendering import COMPONENTS, ROOT, SERVICES

NAMESPACE = "desk"


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
    """Installed in production, with mutual TLS between the pods, in a namespace under the restricted level."""
    release = Release(machine.plane, "minimal", NAMESPACE)
    api = machine.plane.api
    api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": RESTRICTED}})
    command = ["node", ROOT / "k8s" / "secrets.mjs", "--postgres=postgres", "--redis=redis", "--smtp=smtps://u:p@mail.invalid"]
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
    roles = next(secret["stringData"] for secret in secrets if secret["metadata"]["name"] == "frontdesk-postgres-roles")
    machine.serve_databases(roles)
    given = machine.plane.folder / "values.yaml"
    small = {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}
    given.write_text(
        yaml.safe_dump(
            {
                "image": {"registry": REGISTRY, "digests": machine.bring_images()},
                "transport": {"mode": "secrets"},
                "defaults": {"resources": small},
                "components": {"voice": {"terminationGracePeriodSeconds": 45}},
                "createAdmin": {"email": "first@example.com"},
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
    logs = release.plane.folder / "machine" / "logs"
    said = "".join(path.read_text() for path in logs.glob(f"{NAMESPACE}_{NAME}-auth-create-admin-*/*/*.log"))
    assert "https://desk.example.com/reset-password?token=" in said
    for service in SERVICES:
        database = service.replace("-", "_")
        query = ["psql", "-h", "127.0.0.1", "-U", "postgres", "-d", database, "-Atc", "SELECT count(*) FROM seaql_migrations"]
        assert int(subprocess.run(query, check=True, capture_output=True, text=True).stdout) > 0


def test_a_rolling_upgrade_under_load_fails_no_request(release):
    before = {pod["metadata"]["uid"] for pod in release.pods()}
    over, counts, failures = threading.Event(), [], []

    def load(host, path):
        while not over.is_set():
            try:
                status = ask(host, path)
                counts.append(status)
                if status != 200:
                    failures.append(f"{path}: {status}")
            except (OSError, http.client.HTTPException) as error:
                failures.append(f"{path}: {error!r}")

    targets = [(address(release, door), path) for door, path in (("browser", "/readyz"), ("browser", "/"), ("voice", "/readyz"))]
    threads = [threading.Thread(target=load, args=target) for target in targets]
    for thread in threads:
        thread.start()
    try:
        release.upgrade(*release.more, "--set-string=secretsGeneration=2", within="240s")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert not before & {pod["metadata"]["uid"] for pod in release.pods()}
    print(f"{len(counts)} requests, {len(failures)} failed")
    assert len(counts) > 500
    assert failures == []
