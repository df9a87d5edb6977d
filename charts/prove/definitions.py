"""Custom resources as the API server wants them, from the schemas that `make chart` checks with.

They hold the fields that the chart uses, so that the API server refuses a misspelt one, as the projects' own would.
"""

import json

from api import KINDS
from rendering import CHARTS

# What an API server says of every object by itself.
ITS_OWN = {"metadata": {"type": "object"}, "apiVersion": {"type": "string"}, "kind": {"type": "string"}}


def structural(schema):
    """JSON Schema as a structural schema: without what the API server does itself, such as refusing unknown fields."""
    if isinstance(schema, list):
        return [structural(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in {"$schema", "title", "const"}}
    if "const" in schema:
        kept |= {"type": "string", "enum": [schema["const"]]}
    elif "enum" in kept:
        kept = {"type": "string"} | kept
    if isinstance(kept.get("type"), list):
        assert set(kept.pop("type")) == {"integer", "string"}
        kept["x-kubernetes-int-or-string"] = True
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return {
        key: {name: structural(entry) for name, entry in value.items()} if key == "properties" else structural(value)
        for key, value in kept.items()
    }


def definition(path):
    schema = structural(json.loads(path.read_text()))
    kind = path.stem
    version, plural = KINDS[kind]
    group, _, version = version.partition("/")
    schema["properties"] |= ITS_OWN | {"status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    annotations = {}
    if group.endswith(".k8s.io"):
        # Groups of Kubernetes' own want to be told where they were agreed on.
        annotations = {"api-approved.kubernetes.io": "unapproved, fields that the chart uses"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "annotations": annotations},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
            "versions": [served | {"subresources": {"status": {}}}],
        },
    }


def definitions():
    """Of the kinds that are applied here: the operators' of `k8s/examples` are not."""
    paths = sorted((CHARTS / "tests" / "schemas").glob("*.json"))
    return [definition(path) for path in paths if path.stem in KINDS]


def is_served(api, made):
    conditions = api.get("CustomResourceDefinition", None, made["metadata"]["name"]).get("status", {}).get("conditions")
    return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions or [])
