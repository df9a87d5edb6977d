"""What every pod has, over all value files."""

import re
from pathlib import Path

import pytest

import processes
import rust
from rendering import (
    COMPONENTS,
    FIXTURES,
    HEALTH,
    SERVICES,
    component,
    containers,
    deployment,
    environment,
    named,
    of_kind,
    values,
    workloads,
)

each = pytest.mark.parametrize("fixture", FIXTURES)


# Where the voice door keeps what a platform delivers until it is believed.
RECORDINGS = {"name": "recordings", "emptyDir": {"sizeLimit": "256Mi"}}


@each
def test_every_component_is_deployed(fixture):
    deployed = {component(template) for entry, template in workloads(fixture) if entry["kind"] == "Deployment"}
    assert deployed - {"collector"} == set(COMPONENTS)


@each
def test_pods_keep_to_the_restricted_level(fixture):
    for entry, pod, container in containers(fixture):
        security = pod["securityContext"]
        assert security["runAsNonRoot"] and security["runAsUser"] > 0, named(entry)
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & pod.keys()
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        }, named(entry)
        assert all("hostPort" not in port for port in container.get("ports", []))
        assert all({"secret", "configMap"} & volume.keys() for volume in pod["volumes"] if volume != RECORDINGS)


@each
def test_images_are_named_by_digest(fixture):
    for entry, _, container in containers(fixture):
        assert re.fullmatch(r"[a-z0-9.:/_-]+@sha256:[0-9a-f]{64}", container["image"]), named(entry)


@each
def test_containers_ask_for_what_they_need(fixture):
    for entry, _, container in containers(fixture):
        resources = container["resources"]
        assert {"cpu", "memory"} <= resources["requests"].keys(), named(entry)
        assert "memory" in resources["limits"] and "cpu" not in resources["limits"]


@each
def test_servers_are_probed_where_they_answer(fixture):
    live, ready = (rust.word("bff/src/edge/mod.rs", name) for name in ("LIVENESS", "READINESS"))
    for name, facts in COMPONENTS.items():
        (container,) = deployment(fixture, name)["spec"]["template"]["spec"]["containers"]
        probes = [container[probe] for probe in ("startupProbe", "readinessProbe", "livenessProbe")]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        if facts["kind"] == "service":
            assert all(probe["grpc"] == {"port": HEALTH} for probe in probes)
            assert ports == {"grpc": facts["port"], "health": HEALTH}
            assert environment(container)["HEALTH_LISTEN"]["value"].endswith(f":{HEALTH}")
        else:
            assert [probe["httpGet"] for probe in probes] == [
                {"path": path, "port": "http"} for path in (live, ready, live)
            ]
            assert ports == {"http": facts["port"]}
        assert environment(container)["LISTEN"]["value"].endswith(f":{facts['port']}")
        # A slow start is no reason to be killed: migrated databases are waited for.
        start = probes[0]
        assert start["periodSeconds"] * start["failureThreshold"] >= 60


@each
def test_a_pod_has_time_to_drain(fixture):
    # After the drain: notes of refusals, three exporters that are flushed, what is left of the runtime.
    rest = (
        rust.seconds("bff/src/browser/record.rs", "PATIENCE")
        + 3 * rust.seconds("services/boot/src/telemetry/export.rs", "EXPORT_TIMEOUT")
        + rust.seconds("services/boot/src/run.rs", "REMAINS")
    )
    for name in COMPONENTS:
        pod = deployment(fixture, name)["spec"]["template"]["spec"]
        given = environment(pod["containers"][0])
        lame_duck, drain = (int(given[setting]["value"]) for setting in ("LAME_DUCK_SECONDS", "DRAIN_SECONDS"))
        assert drain >= 5 and pod["terminationGracePeriodSeconds"] >= lame_duck + drain + rest, name
        # The programs wait themselves, so that health checks see it.
        assert "lifecycle" not in pod["containers"][0]
    voice = deployment(fixture, "voice")["spec"]["template"]["spec"]
    assert voice["terminationGracePeriodSeconds"] >= 900


@each
def test_a_rollout_takes_no_pod_away_first(fixture):
    for entry in of_kind(fixture, "Deployment"):
        assert entry["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}, named(entry)


@each
def test_pods_are_spread(fixture):
    for name in COMPONENTS:
        spec = deployment(fixture, name)["spec"]
        spread = spec["template"]["spec"]["topologySpreadConstraints"]
        assert [constraint["topologyKey"] for constraint in spread] == [
            "topology.kubernetes.io/zone",
            "kubernetes.io/hostname",
        ]
        assert all(constraint["labelSelector"] == spec["selector"] for constraint in spread)


@each
def test_selectors_find_their_pods_and_no_others(fixture):
    pods = [template["metadata"]["labels"] for _, template in workloads(fixture)]

    def found(selector):
        return [labels for labels in pods if selector.items() <= labels.items()]

    for entry in of_kind(fixture, "Deployment", "Service", "PodDisruptionBudget"):
        selector = entry["spec"]["selector"]
        labels = found(selector.get("matchLabels", selector))
        assert len(labels) == 1, named(entry)
        assert entry["metadata"]["labels"]["app.kubernetes.io/component"] == labels[0]["app.kubernetes.io/component"]


@each
def test_scaling_finds_its_deployment_and_replicas_are_said_once(fixture):
    deployments = {entry["metadata"]["name"]: entry for entry in of_kind(fixture, "Deployment")}
    scaled = [
        entry["spec"]["scaleTargetRef"]["name"] for entry in of_kind(fixture, "HorizontalPodAutoscaler", "ScaledObject")
    ]
    assert len(scaled) == len(set(scaled)) and set(scaled) <= deployments.keys()
    for name, entry in deployments.items():
        assert ("replicas" in entry["spec"]) != (name in scaled), name


@each
def test_services_reach_a_port_that_is_open(fixture):
    open_ports = {
        component(template): {
            port["name"]: port["containerPort"] for port in template["spec"]["containers"][0]["ports"]
        }
        for entry, template in workloads(fixture)
        if entry["kind"] == "Deployment"
    }
    for entry in of_kind(fixture, "Service"):
        for port in entry["spec"]["ports"]:
            assert (
                open_ports[entry["spec"]["selector"]["app.kubernetes.io/component"]][port["targetPort"]] == port["port"]
            )


@each
def test_volumes_and_mounts_belong_together(fixture):
    for entry, pod, container in containers(fixture):
        volumes = [volume["name"] for volume in pod["volumes"]]
        mounts = [mount["name"] for mount in container["volumeMounts"]]
        assert sorted(volumes) == sorted(mounts), named(entry)
        # A file mounted by `subPath` is never replaced.
        assert all("subPath" not in mount for mount in container["volumeMounts"])
        written = [mount for mount in container["volumeMounts"] if not mount.get("readOnly")]
        # The voice door alone writes, and no more than its limit.
        voice = named(entry).endswith("voice")
        assert written == ([{"name": "recordings", "mountPath": "/tmp"}] if voice else []), named(entry)


def test_what_starts_pods_as_processes_has_something_for_every_volume():
    """`make chart-live` runs rarely, and needs root: a new kind of volume is noticed here."""
    for entry, pod, container in containers("minimal"):
        commands = list(processes.mounts(pod, Path("/secrets")))
        assert len(commands) == len(container["volumeMounts"]), named(entry)
        assert all(str(mount["mountPath"]) in " ".join(commands) for mount in container["volumeMounts"])


@each
def test_files_that_are_named_are_mounted(fixture):
    for entry, _pod, container in containers(fixture):
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        for name in ("PASSPORT_KEYS", "TLS_CERT", "TLS_KEY", "TLS_CA", "SMTP_CA_FILE", "RECORDINGS_CA_FILE", "REDIS_CA_FILE"):
            if variable := environment(container).get(name):
                assert variable["value"].rpartition("/")[0] in mounts, f"{named(entry)} {name}"


@each
def test_environment_variables_are_set_once(fixture):
    for entry, _, container in containers(fixture):
        names = [variable["name"] for variable in container.get("env", [])]
        assert len(names) == len(set(names)), named(entry)


@each
def test_pods_change_with_their_secrets_and_configuration(fixture):
    for entry, template in workloads(fixture):
        annotations = template["metadata"]["annotations"]
        if component(template) in COMPONENTS:
            assert annotations["frontdesk/secrets-generation"] == values(fixture).get("secretsGeneration", "1")
        elif any("configMap" in volume for volume in template["spec"]["volumes"]):
            assert any(name.endswith("checksum") for name in annotations), named(entry)


def test_the_collector_restarts_with_its_configuration():
    sums = {
        deployment(fixture, "collector")["spec"]["template"]["metadata"]["annotations"]["frontdesk/config-checksum"]
        for fixture in ("prod", "watched")
    }
    assert len(sums) == 2


@each
def test_migrations_run_first_and_alone_hold_the_owners_login(fixture):
    jobs = {
        entry["metadata"]["name"]: entry
        for entry in of_kind(fixture, "Job")
        if entry["metadata"]["name"].endswith("-migrate")
    }
    wanted = values(fixture).get("migrations", {}).get("enabled", True)
    assert len(jobs) == (len(SERVICES) if wanted else 0)
    for entry in jobs.values():
        assert entry["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
        (container,) = entry["spec"]["template"]["spec"]["containers"]
        restored = values(fixture).get("migrations", {}).get("afterRestore")
        assert container["args"] == ["--migrate", *(["--after-restore"] if restored else [])] and "MIGRATION_URL_FILE" in environment(container)
        # The database's settings alone: nothing that only serving needs.
        told = {"ENVIRONMENT", "SECURITY_PROFILE", "RUST_LOG", "LOG_FORMAT", "STORES_MESH", "MIGRATION_URL_FILE"}
        told |= {"DATABASE_URL_FILE", "DATABASE_POOLER", "REDIS_URL_FILE", "CACHE_URL_FILE", "REDIS_CA_FILE"} if restored else set()
        name = container["image"].rpartition("/")[2].partition("@")[0]
        added = values(fixture).get("components", {}).get(name, {}).get("extraEnv", [])
        assert environment(container).keys() - {setting["name"] for setting in added} <= told, name
        # The release's own objects do not exist yet.
        assert "serviceAccountName" not in entry["spec"]["template"]["spec"]
    holders = {named(entry) for entry, _, container in containers(fixture) if "MIGRATION_URL_FILE" in environment(container)}
    assert holders == {f"Job/{name}" for name in jobs}
    owners = {
        volume["secret"]["secretName"]
        for entry in jobs.values()
        for volume in entry["spec"]["template"]["spec"]["volumes"]
        if volume["name"] == "secret-migration"
    }
    for entry, pod, container in containers(fixture):
        if named(entry) not in holders:
            referred = {
                variable["valueFrom"]["secretKeyRef"]["name"]
                for variable in environment(container).values()
                if "secretKeyRef" in variable.get("valueFrom", {})
            }
            referred |= {volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume}
            assert not referred & owners, named(entry)
