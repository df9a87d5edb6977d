"""Every render is what Kubernetes takes, the same each time, and as it was committed."""

import difflib
import functools
import json
import os
from pathlib import Path

import jsonschema
import kubernetes_validate
import pytest
import yaml
from helm_python import Chart, lint, package
from referencing import Registry, Resource

from rendering import CHART, CHARTS, FIXTURES, merge, named, objects, parse, render, texts, values

GOLDEN = CHARTS / "tests" / "golden"
SCHEMAS = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema"
# The oldest that the chart takes and the newest whose schemas are at hand; `strict` knows every field.
VERSIONS = ["v1.30.0-local-strict", "v1.37.0-local-strict"]
CUSTOM = {path.stem: json.loads(path.read_text()) for path in (CHARTS / "tests" / "schemas").glob("*.json")}
UPDATE = "UPDATE_GOLDEN" in os.environ


def text_of(entries):
    return yaml.dump_all(sorted(entries, key=named), Dumper=yaml.CSafeDumper, sort_keys=True, width=120)


def test_lint_finds_nothing():
    report = lint(CHART, values("prod"), strict=True)
    assert report["errors"] == []
    assert [message for message in report["messages"] if message["severity"] > 1] == []


@functools.cache
def validator(version, kind, api):
    """The schema of a kind in a version of Kubernetes; `kubernetes_validate` itself would read it for each object."""
    group, _, number = api.rpartition("/")
    name = "-".join(part for part in (kind.lower(), group.partition(".")[0], number) if part)
    schema = json.loads((SCHEMAS / version / f"{name}.json").read_text())
    return jsonschema.Draft202012Validator(schema, registry=definitions(version))


@functools.cache
def definitions(version):
    return Resource.from_contents(json.loads((SCHEMAS / version / "_definitions.json").read_text())) @ Registry()


@functools.cache
def validate(text):
    """Most objects are the same in many renders."""
    entry = json.loads(text)
    if entry["kind"] in CUSTOM:
        jsonschema.validate(entry, CUSTOM[entry["kind"]])
    else:
        for version in VERSIONS:
            validator(version, entry["kind"], entry["apiVersion"]).validate(entry)


@pytest.mark.parametrize("fixture", FIXTURES)
def test_every_object_is_valid(fixture):
    for entry in objects(fixture):
        validate(json.dumps(entry, sort_keys=True))


@pytest.mark.parametrize(
    ("kind", "path"),
    [("Deployment", "spec"), ("NetworkPolicy", "spec"), ("Job", "spec.template.spec"), ("Certificate", "spec")],
)
def test_validation_refuses_a_misspelt_field(kind, path):
    entry = json.loads(json.dumps(next(entry for entry in objects("minimal") if entry["kind"] == kind)))
    functools.reduce(lambda node, key: node[key], path.split("."), entry)["misspelt"] = {}
    with pytest.raises(jsonschema.ValidationError):
        validate(json.dumps(entry))


@pytest.mark.parametrize("fixture", FIXTURES)
def test_the_same_values_render_the_same(fixture):
    assert render(values(fixture)) == texts(fixture)
    again = render(values(fixture), revision=2, is_install=False, is_upgrade=True)
    assert parse(again) == objects(fixture)


@pytest.mark.parametrize("fixture", FIXTURES)
def test_names_are_distinct_and_short_enough(fixture):
    names = [named(entry) for entry in objects(fixture)]
    assert len(names) == len(set(names))
    assert all(len(entry["metadata"]["name"]) <= 63 for entry in objects(fixture))
    assert all(entry["metadata"]["namespace"] == "desk" for entry in objects(fixture))


def test_a_long_release_name_fits():
    rendered = parse(render(values("tried"), name="a-release-of-a-name-that-takes-all-it-may-have-53"))
    names = [named(entry) for entry in rendered]
    assert len(names) == len(set(names))
    assert max(len(entry["metadata"]["name"]) for entry in rendered) <= 63


def shown(fixture):
    """The objects; of a dashboard its name alone: its text is held in `test_dashboards.py`."""
    for entry in objects(fixture):
        dashboard = entry["kind"] == "ConfigMap" and "-dashboard-" in entry["metadata"]["name"]
        yield {**entry, "data": sorted(entry["data"])} if dashboard else entry


def golden(fixture):
    """The first in full; of the others, where they differ from it."""
    text = text_of(shown(fixture))
    if fixture == "minimal":
        return GOLDEN / "minimal.yaml", text
    lines = difflib.unified_diff(
        text_of(shown("minimal")).splitlines(keepends=True), text.splitlines(keepends=True), "minimal", fixture, n=1
    )
    return GOLDEN / f"{fixture}.diff", "".join(lines)


@pytest.mark.parametrize("fixture", FIXTURES)
def test_the_render_is_the_committed_one(fixture):
    path, text = golden(fixture)
    if UPDATE:
        path.write_text(text)
    assert path.exists() and path.read_text() == text, (
        f"{path.name} differs: UPDATE_GOLDEN=1 make chart, and read the difference"
    )


def test_no_golden_render_is_left_over():
    assert {path.stem for path in GOLDEN.iterdir()} == set(FIXTURES)


def test_notes_say_where_people_find_it():
    for fixture in FIXTURES:
        notes = next(text for path, text in texts(fixture).items() if path.endswith("NOTES.txt"))
        assert values(fixture)["publicUrl"] in notes


def test_notes_say_what_is_dropped_and_which_links_are_missing():
    def notes(given):
        return next(text for path, text in render(given).items() if path.endswith("NOTES.txt"))

    prod = values("prod")
    assert "drops" not in notes(prod) and "runbook" not in notes(prod)
    collector = {"enabled": True, "image": prod["otel"]["collector"]["image"]}
    assert "drops all traces and logs" in notes(prod | {"otel": {"collector": collector}})
    silent = merge(prod, {"monitoring": {"prometheusRules": {"runbooks": ""}}})
    assert "Alerts lead to no runbook" in notes(silent)


def test_the_chart_packages_without_what_is_for_authors(tmp_path):
    with Chart.load(package(CHART, destination=tmp_path)) as packaged:
        names = {Path(file["name"]).name for file in packaged.files}
    assert {"README.md", "components.yaml", "search.sh", "overview.json", "slo.yaml"} <= names
    assert "README.tmpl.md" not in names
