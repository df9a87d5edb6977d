"""Every value file, installed by Helm on a real API server, applied again, and removed."""

import pytest
from api import wait
from expected import CONFIG_MAPS, SECRETS
from kubelet import ZONES
from release import NAME, Release, as_yaml
from rendering import COMPONENTS, FIXTURES, merge, named, read, values, CHART

# What an installation leaves when it is removed, as the chart's README says.
LEFT = {
    "development": {"Job/frontdesk-auth-create-admin"},
    "tried": {"Job/frontdesk-auth-create-admin", "NetworkPolicy/frontdesk-create-admin"},
}
KINDS = ["ConfigMap", "Deployment", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy", "Certificate"]
KINDS += ["PodDisruptionBudget", "PrometheusRule", "ReplicaSet", "ScaledObject", "Service", "ServiceAccount", "ServiceMonitor"]
THE_CLUSTERS_OWN = {"ConfigMap/kube-root-ca.crt", "ServiceAccount/default"}


@pytest.fixture(scope="module", params=FIXTURES)
def release(plane, request):
    release = Release(plane, request.param)
    release.prepare()
    release.upgrade()
    yield release
    release.discard()


def settings(fixture):
    """How each component is set, defaults and all."""
    given = merge(read(CHART / "values.yaml"), values(fixture))
    return {name: merge(given["defaults"], given["components"].get(name)) for name in COMPONENTS}


def wanted_pods(settings):
    if settings["keda"]["enabled"]:
        # KEDA's operator, which is not here, scales from there.
        return 1
    scaled = settings["autoscaling"]
    return scaled["minReplicas"] if scaled["enabled"] else settings["replicas"]


def test_is_admitted_under_the_restricted_level_without_a_warning(release):
    assert "would violate" not in release.said and "Warning" not in release.said, release.said
    assert not [event for event in release.api.list("Event", release.namespace) if event.get("reason") == "FailedCreate"]


def test_makes_the_pods_asked_for_and_the_scheduler_binds_them(release):
    for component, set_so in settings(release.fixture).items():
        pods = wait(
            lambda component=component, set_so=set_so: (found := release.pods(component))
            and len(found) == wanted_pods(set_so)
            and all(pod["status"].get("phase") == "Running" for pod in found)
            and found
        )
        nodes = [pod["spec"]["nodeName"] for pod in pods]
        counts = [nodes.count(f"node-{zone}") for zone in ZONES]
        assert max(counts) - min(counts) <= 1, f"{component} is spread unevenly: {counts}"
        if set_so["priorityClassName"]:
            assert {pod["spec"]["priority"] for pod in pods} == {1000}


def test_budgets_let_one_pod_go_at_a_time(release):
    for budget in release.api.list("PodDisruptionBudget", release.namespace):
        name = budget["metadata"]["name"]

        def counted(name=name):
            status = release.api.get("PodDisruptionBudget", release.namespace, name).get("status", {})
            return status.get("currentHealthy") and status.get("disruptionsAllowed") == 1

        wait(counted)


def test_autoscalers_find_what_they_scale(release):
    for scaler in release.api.list("HorizontalPodAutoscaler", release.namespace):

        def scales(name=scaler["metadata"]["name"]):
            status = release.api.get("HorizontalPodAutoscaler", release.namespace, name).get("status", {})
            able = [entry for entry in status.get("conditions", []) if entry["type"] == "AbleToScale"]
            return able and able[0]["status"] == "True"

        wait(scales)


def test_changes_nothing_when_it_is_applied_again(release):
    def identity():
        return {
            name: (entry["metadata"]["uid"], entry["metadata"].get("generation") or entry.get("spec") or entry.get("data"))
            for name, entry in release.held().items()
        }

    def pods():
        return {pod["metadata"]["uid"] for pod in release.pods()}

    before, pods_before, templates = identity(), pods(), release.templates()
    release.upgrade()
    assert identity() == before
    assert release.templates() == templates
    assert pods() == pods_before


def test_the_api_server_holds_what_was_rendered(release):
    shown = release.differences("-", given=as_yaml(release.manifest()))
    assert shown == ""


def test_removal_leaves_what_is_documented(release):
    release.helm("uninstall", NAME, "--wait", "--timeout=60s")

    def left():
        found = {named(entry | {"kind": kind}) for kind in KINDS for entry in release.api.list(kind, release.namespace)}
        return found - THE_CLUSTERS_OWN

    expected = LEFT.get(release.fixture, set()) | {f"ConfigMap/{name}" for name in CONFIG_MAPS.get(release.fixture, {})}
    wait(lambda: left() <= expected)
    assert left() == expected
    secrets = {entry["metadata"]["name"] for entry in release.api.list("Secret", release.namespace)}
    assert not [name for name in secrets if name.startswith("sh.helm.release")]
    assert set(SECRETS.get(release.fixture, {})) <= secrets
