"""Wrong values are refused, by name, before anything is rendered."""

import json
import re

import pytest
from helm_python import HelmError, HelmValuesError

from readme import readme
from rendering import CHART, chart, merge, render, values


def at(path, value):
    for key in reversed(path.split("/")):
        value = {key: value}
    return value


# (path, value): each is refused by the schema, with its place.
WRONG = [
    ("replicas", 3),
    ("environment", "prod"),
    ("environment", None),
    ("securityProfile", "strict"),
    ("publicUrl", "desk.example.com"),
    ("publicUrl", "https://desk.example.com/app"),
    ("publicUrl", "https://user@desk.example.com"),
    ("allowedOrigins", ["desk.example.com"]),
    ("allowedOrigins", "https://desk.example.com"),
    ("trustedProxies", "everyone"),
    ("trustedProxies", "0.0.0.0/0"),
    ("requestsPerSecond", -1),
    ("requestsPerSecond", "50"),
    ("syncInterval", "2"),
    ("syncInterval", "soon"),
    ("listenAddress", "127.0.0.1"),
    ("secretsGeneration", 2),
    ("image/tag", "latest"),
    ("image/digests/auth", "latest"),
    ("image/digests/auth", "sha256:123"),
    ("image/digests/bff-browser", "sha256:" + "a" * 64),
    ("image/pullPolicy", "Sometimes"),
    ("image/registry", "https://registry.example.com/"),
    ("image/pullSecrets", [{"name": "registry"}]),
    ("log/format", "xml"),
    ("log/level", "info"),
    ("transport/mode", "plain"),
    ("transport/tls", True),
    ("transport/stores", "plain"),
    ("transport/certManager/duration", "30 days"),
    ("postgres/port", 0),
    ("postgres/port", "5432"),
    ("postgres/url", "postgres://app:hunter2@db/auth"),
    ("postgres/maxConnections", -1),
    ("redis/url", "redis://redis"),
    ("redis/existingSecret", ""),
    ("redis/ca/existingSecret", "Not A Name"),
    ("mail/port", 70000),
    ("mail/url", "smtps://user:password@mail"),
    ("google/clientSecret", "hunter2"),
    ("google/issuer", "accounts.google.com"),
    ("google/calendar/clientSecret", "hunter2"),
    ("agentModel/url", "api.example.com/v1"),
    ("agentModel/port", 0),
    ("agentModel/key", "sk-hunter2"),
    ("recordings/url", "https://bucket.example.com"),
    ("recordings/port", 0),
    ("recordings/pathStyle", "auto"),
    ("recordings/secretAccessKey", "hunter2"),
    ("defaults/replicas", 0),
    ("postgres/pooler", "session"),
    ("defaults/databasePool", 0),
    ("defaults/databasePool", 1001),
    ("defaults/terminationGracePeriodSeconds", 5),
    ("defaults/resources/limits/memory", "lots"),
    ("defaults/resources/claims", []),
    ("defaults/spread", "Never"),
    ("defaults/autoscaling/cpu", 0),
    ("defaults/podAnnotations", {"a": 1}),
    ("defaults/extraEnv", [{"value": "nameless"}]),
    ("defaults/securityContext", {"privileged": True}),
    ("components/payments", {}),
    ("components/auth/replica", 2),
    ("components/auth/existingSecret", "Not A Name"),
    ("components/auth/keda/triggers", [{"type": "cron"}]),
    ("components/voice/terminationGracePeriodSeconds", "15m"),
    ("migrations/backoffLimit", -1),
    ("migrations/enabled", "yes"),
    ("createAdmin/email", "admin"),
    ("ingress/hosts", []),
    ("ingress/annotations", {"nginx.ingress.kubernetes.io/proxy-read-timeout": 3600}),
    ("httpRoute/parentRefs", [{"namespace": "gateway"}]),
    ("networkPolicy/postgres", []),
    ("networkPolicy/doors", [{}]),
    ("networkPolicy/calendarPorts", []),
    ("networkPolicy/calendarPorts", [0]),
    ("networkPolicy/calendarPorts", None),
    ("networkPolicy/dns", [{"cidr": "10.0.0.10/32"}]),
    ("otel/endpoint", "https://collector:4317"),
    ("otel/endpoint", "collector:4317"),
    ("otel/endpoints/metrics", "https://prometheus:9090/api/v1/otlp"),
    ("otel/endpoints/profiles", "http://pyroscope:4040"),
    ("otel/protocol", "http/json"),
    ("otel/metricsInterval", 60),
    ("otel/sampler", "some"),
    ("otel/samplerArg", "2"),
    ("otel/samplerArg", 0.1),
    ("otel/collector/image/digest", "latest"),
    ("otel/collector/image/tag", "0.140.0"),
    ("monitoring/dashboards/enabled", None),
    ("monitoring/prometheusRules/runbooks", "runbooks"),
    ("helmTest/businessId", "willow"),
    ("global", {}),
]


@pytest.mark.parametrize(("path", "value"), WRONG, ids=[f"{path}={json.dumps(value)[:30]}" for path, value in WRONG])
def test_the_schema_refuses(path, value):
    wrong = merge(values("minimal"), at(path, value))
    # Helm takes null for the wish to unset a default: then it is missing.
    with pytest.raises(HelmError) as refused:
        render(wrong)
    assert path.split("/")[0] in str(refused.value)


# (what is changed, what the refusal names): each is well-formed, and contradicts something.
CONTRADICTIONS = [
    ({"publicUrl": ""}, "publicUrl"),
    ({"publicUrl": "http://desk.example.com"}, "publicUrl: production"),
    ({"trustedProxies": ""}, "trustedProxies"),
    ({"allowedOrigins": ["http://localhost:3000"]}, "allowedOrigins: production"),
    ({"securityProfile": "development"}, "securityProfile: production"),
    ({"image": {"registry": ""}}, "image.registry"),
    ({"mail": {"existingSecret": ""}}, "mail.existingSecret"),
    ({"mail": {"from": ""}}, "mail.from"),
    ({"transport": {"certManager": {"issuer": {"name": ""}}}}, "transport.certManager.issuer.name"),
    ({"google": {"clientId": "desk"}}, "google.existingSecret"),
    ({"google": {"calendar": {"clientId": "desk"}}}, "google.calendar.existingSecret"),
    ({"agentModel": {"url": "https://api.example.com/v1"}}, "agentModel.name"),
    ({"agentModel": {"url": "http://api.example.com/v1", "name": "m"}}, "agentModel.url: production"),
    ({"recordings": {"endpoint": "http://minio.example.com"}}, "recordings.endpoint: production"),
    ({"defaults": {"terminationGracePeriodSeconds": 30, "lameDuckSeconds": 6}}, "terminationGracePeriodSeconds"),
    ({"otel": {"collector": {"enabled": True}}}, "otel.collector.image.digest"),
    (
        {
            "otel": {
                "collector": {"enabled": True, "image": {"digest": "sha256:" + "a" * 64}},
                "endpoint": "http://otel:4317",
            }
        },
        "otel: the collector or an endpoint",
    ),
    (
        {
            "otel": {
                "collector": {"enabled": True, "image": {"digest": "sha256:" + "a" * 64}},
                "endpoints": {"logs": "http://loki:3100/otlp/v1/logs"},
            }
        },
        "otel: the collector or an endpoint",
    ),
    (
        {
            "otel": {
                "collector": {"enabled": True, "image": {"digest": "sha256:" + "a" * 64}},
                "protocol": "http/protobuf",
            }
        },
        "otel.protocol: the collector",
    ),
    ({"monitoring": {"serviceMonitor": {"enabled": True}}}, "monitoring.serviceMonitor"),
    ({"httpRoute": {"enabled": True}}, "httpRoute.parentRefs"),
    ({"helmTest": {"enabled": True, "image": {"digest": "sha256:" + "a" * 64}}}, "helmTest.businessId"),
    ({"helmTest": {"enabled": True, "businessId": "01900000-0000-7000-8000-000000000001"}}, "helmTest.image.digest"),
    ({"defaults": {"autoscaling": {"enabled": True, "minReplicas": 9}}}, "minReplicas is more than maxReplicas"),
    ({"components": {"auth": {"autoscaling": {"enabled": True}, "keda": {"enabled": True}}}}, "autoscaling or keda"),
    ({"components": {"auth": {"keda": {"enabled": True}}}}, "components.auth.keda.triggers"),
    # 5 services × (2 pods + 1 in a rollout) × 16 connections.
    ({"postgres": {"maxConnections": 239}}, "240 connections"),
]


@pytest.mark.parametrize(("change", "said"), CONTRADICTIONS, ids=[said for _, said in CONTRADICTIONS])
def test_contradictions_are_refused(change, said):
    with pytest.raises(HelmError, match=re.escape(said)):
        render(merge(values("minimal"), change))


@pytest.mark.parametrize("image", ["auth", "tenancy", "scheduling", "calendar-sync", "telemetry", "bff"])
def test_an_image_without_a_digest_is_refused(image):
    wrong = merge(values("minimal"), {})
    wrong["image"] = {
        **wrong["image"],
        "digests": {name: digest for name, digest in wrong["image"]["digests"].items() if name != image},
    }
    with pytest.raises(HelmError, match=f"image.digests.{image} is missing"):
        render(wrong)


def test_pools_that_just_fit_are_taken():
    assert render(merge(values("minimal"), {"postgres": {"maxConnections": 240}}))


def test_the_defaults_alone_are_well_formed():
    chart.validate_schema({})


def test_the_schema_refers_to_nothing_outside():
    text = (CHART / "values.schema.json").read_text()
    assert all(reference.startswith("#/definitions/") for reference in re.findall(r'"\$ref": "([^"]+)"', text))


def test_the_schema_knows_every_value_and_no_others():
    schema = json.loads((CHART / "values.schema.json").read_text())
    definitions = schema["definitions"]

    def resolved(node):
        while "$ref" in node:
            node = definitions[node["$ref"].removeprefix("#/definitions/")]
        return resolved(node["allOf"][0]) if "allOf" in node else node

    def compare(node, defaults, path):
        node = resolved(node)
        if (
            node.get("additionalProperties") is False
            and path[:1] != ["components"]
            and defaults
            and path[-1:] != ["resources"]
        ):
            assert node["properties"].keys() == defaults.keys(), ".".join(path)
            for key, child in node["properties"].items():
                if isinstance(defaults[key], dict):
                    compare(child, defaults[key], [*path, key])

    compare(schema, chart.values, [])


def test_the_readme_is_current():
    assert (CHART / "README.md").read_text() == readme(), "run charts/readme.py"


def test_the_schema_is_what_refuses_an_unknown_value():
    with pytest.raises(HelmValuesError):
        chart.validate_schema({"unknown": 1})
