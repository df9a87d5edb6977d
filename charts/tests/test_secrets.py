"""Secrets are named and mounted, never written."""

import json
import re

import pytest

import rust
from rendering import COMPONENTS, FIXTURES, component, containers, environment, named, objects, of_kind, workloads

each = pytest.mark.parametrize("fixture", FIXTURES)
# Addresses beyond the installation.
OUTSIDE = {"PUBLIC_URL", "RECORDINGS_URL", "AGENT_MODEL_URL", "RETELL_API_URL", "VAPI_API_URL", "ELEVENLABS_API_URL", "TWILIO_API_URL"}
LEAK = re.compile(r"-----BEGIN|\w+://[^/\s:@]+:[^/\s:@]+@|\beyJ[\w-]+\.|Bearer \w|[Pp]assw(or)?d\s*[:=]\s*[^\s${]")


@each
def test_the_chart_makes_no_secret(fixture):
    assert of_kind(fixture, "Secret") == []


@each
def test_no_secret_is_in_a_config_map(fixture):
    for entry in of_kind(fixture, "ConfigMap"):
        for name, text in entry["data"].items():
            assert not LEAK.search(text), f"{named(entry)} {name}"


def test_the_leaks_that_are_looked_for_are_found():
    for text in ("postgres://app:hunter2@db/auth", "-----BEGIN PRIVATE KEY-----", "password: hunter2", "Bearer abc"):
        assert LEAK.search(text), text


@each
def test_what_programs_hold_secret_is_a_file_from_a_secret(fixture):
    """An environment is inherited, dumped and shown; a mounted file is not."""
    for entry, pod, container in containers(fixture):
        program = container["image"].rpartition("/")[2].partition("@")[0]
        if program not in rust.CRATES:
            continue
        given = environment(container)
        assert not [name for name, variable in given.items() if "secretKeyRef" in variable.get("valueFrom", {})]
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        volumes = {volume["name"]: volume.get("secret") for volume in pod["volumes"]}
        for setting in rust.variables(program):
            where = f"{named(entry)} {setting.name}"
            if setting.secret:
                assert setting.name not in given, where
            if setting.secret and (file := given.get(f"{setting.name}_FILE")):
                folder, _, name = file["value"].rpartition("/")
                assert name in {item["path"] for item in volumes[mounts[folder]]["items"]}, where


@each
def test_private_keys_are_readable_by_the_group_alone(fixture):
    for entry, template in workloads(fixture):
        for volume in template["spec"]["volumes"]:
            if "secret" in volume:
                assert volume["secret"]["defaultMode"] == 0o440, named(entry)


@each
def test_each_component_has_its_own_secrets(fixture):
    """But for the doors, which sign as one."""
    keyrings = {}
    for _entry, template in workloads(fixture):
        name = component(template)
        if name in COMPONENTS:
            volumes = {volume["name"]: volume for volume in template["spec"]["volumes"]}
            keyrings.setdefault(volumes["passports"]["secret"]["secretName"], set()).add(COMPONENTS[name]["image"])
    assert all(len(images) == 1 for images in keyrings.values())


def test_an_authority_signs_for_the_name_that_is_called():
    for fixture in FIXTURES:
        certificates = {entry["metadata"]["name"]: entry["spec"] for entry in of_kind(fixture, "Certificate")}
        for entry, _, container in containers(fixture):
            if entry["kind"] != "Deployment":
                continue
            for name, variable in environment(container).items():
                url = variable.get("value", "")
                if (
                    re.fullmatch(r"[A-Z_]+_URL", name)
                    and name not in OUTSIDE
                    and url.startswith("https://")
                    and certificates
                ):
                    host = re.fullmatch(r"https://([^:]+):\d+", url)[1]
                    assert host in certificates[host]["dnsNames"]
                    assert certificates[host]["secretName"].endswith("-tls")


@each
def test_calls_are_encrypted_or_a_mesh_says_so(fixture):
    for entry, _, container in containers(fixture):
        if entry["kind"] == "Deployment" and component(entry["spec"]["template"]) in COMPONENTS:
            given = environment(container)
            urls = [
                v["value"]
                for name, v in given.items()
                if name.endswith("_URL") and name not in OUTSIDE and "value" in v
            ]
            if "MESH" in given:
                assert all(url.startswith("http://") for url in urls) and "TLS_CERT" not in given
            else:
                assert all(url.startswith("https://") for url in urls)
                assert {"TLS_CERT", "TLS_KEY", "TLS_CA"} <= given.keys()


def test_no_value_of_a_secret_can_be_given():
    """Every value is in the schema, and none of them is a secret itself."""
    from rendering import CHART

    schema = json.loads((CHART / "values.schema.json").read_text())
    names = set(re.findall(r'"(\w*(?:[Pp]assword|[Tt]oken|privateKey|[Ss]ecret)\w*)": \{', json.dumps(schema)))
    assert names == {"existingSecret", "pullSecrets", "secretsGeneration", "tlsSecret", "secret"}
    assert objects("minimal")
