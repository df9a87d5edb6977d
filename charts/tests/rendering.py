"""Renders the chart through Helm's own code, without a cluster."""

import functools
from pathlib import Path

import yaml
from helm_python import Chart

CHARTS = Path(__file__).parent.parent
ROOT = CHARTS.parent
CHART = CHARTS / "frontdesk"
VALUES = CHARTS / "tests" / "values"
NAMESPACE = "desk"
FIXTURES = sorted(path.stem for path in VALUES.glob("*.yaml"))
COMPONENTS = yaml.safe_load((CHART / "files" / "components.yaml").read_text())
SERVICES = [name for name, facts in COMPONENTS.items() if facts["kind"] == "service"]
IMAGES = {facts["image"] for facts in COMPONENTS.values()}
HEALTH = 7100

chart = Chart.load(CHART)
load_all = functools.partial(yaml.load_all, Loader=yaml.CSafeLoader)


def merge(*layers):
    merged = {}
    for layer in layers:
        for key, value in (layer or {}).items():
            both = isinstance(value, dict) and isinstance(merged.get(key), dict)
            merged[key] = merge(merged[key], value) if both else value
    return merged


def read(path):
    return yaml.safe_load(path.read_text())


@functools.cache
def values(fixture):
    layers = [read(CHARTS / "tests" / "digests.yaml"), read(VALUES / f"{fixture}.yaml")]
    if fixture == "prod":
        layers.insert(0, read(CHART / "values-prod.yaml"))
    return merge(*layers)


def render(given, **options):
    """Manifests by template, as text."""
    return chart.render(given, **{"name": "frontdesk", "namespace": NAMESPACE, **options})


@functools.cache
def texts(fixture):
    return render(values(fixture))


def parse(rendered):
    manifests = (text for path, text in sorted(rendered.items()) if not path.endswith("NOTES.txt"))
    return [entry for text in manifests for entry in load_all(text) if entry]


@functools.cache
def objects(fixture):
    return parse(texts(fixture))


def of_kind(fixture, *kinds):
    return [entry for entry in objects(fixture) if entry["kind"] in kinds]


def named(entry):
    return f"{entry['kind']}/{entry['metadata']['name']}"


def workloads(fixture):
    """(object, pod template) for everything that makes pods."""
    return [(entry, entry["spec"]["template"]) for entry in of_kind(fixture, "Deployment", "Job")]


def containers(fixture):
    """(object, pod specification, container) for everything that makes pods."""
    for entry, template in workloads(fixture):
        for container in template["spec"]["containers"]:
            yield entry, template["spec"], container


def component(template):
    return template["metadata"]["labels"]["app.kubernetes.io/component"]


def deployment(fixture, name):
    found = [
        entry for entry, template in workloads(fixture) if entry["kind"] == "Deployment" and component(template) == name
    ]
    return found[0] if found else None


def environment(container):
    return {variable["name"]: variable for variable in container.get("env", [])}
