"""The dashboards are those of their source, and each panel helps the person who looks at it."""

import itertools
import json
import re

import pytest
import yaml

from monitoring import dashboards
from rendering import CHART, ROOT, merge, parse, render, values

NAMES = dashboards.names()
each = pytest.mark.parametrize("name", NAMES)


def panels(name):
    return [panel for panel in dashboards.dashboard(name)["panels"] if panel["type"] != "row"]


def test_the_dashboards_are_those_of_their_source():
    assert {path.stem for path in dashboards.SOURCES.glob("*.yaml")} == set(NAMES)
    found = {path: path.read_text() for path in (CHART / "dashboards").iterdir()}
    assert found == dashboards.files(), "run charts/monitoring/dashboards.py"


def test_the_console_shows_every_dashboard():
    listed = re.search(r"const DASHBOARDS = (\[.*?\]);", (dashboards.HERE / "console" / "console.js").read_text())[1]
    assert json.loads(listed) == NAMES


@each
def test_a_panel_says_what_is_normal(name):
    titles = [panel["title"] for panel in panels(name)]
    assert len(titles) == len(set(titles))
    for panel in panels(name):
        assert "Normal" in panel["description"], panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        assert panel["targets"], panel["title"]


@each
def test_series_are_told_apart_by_labels_that_they_have(name):
    """A label of a legend is one that the query keeps."""
    for panel in panels(name):
        for target in panel["targets"]:
            kept = {
                label.strip() for group in re.findall(r"\bby \(([^)]*)\)", target["expr"]) for label in group.split(",")
            }
            kept |= {"slo"} if "frontdesk:slo_" in target["expr"] else set()
            wanted = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert wanted <= kept, f"{panel['title']}: {target['legendFormat']}"
            assert "le" not in wanted


@each
def test_panels_lie_side_by_side(name):
    taken = set()
    for panel in dashboards.dashboard(name)["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= dashboards.WIDTH
        cells = set(
            itertools.product(range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"]))
        )
        assert not cells & taken, panel["title"]
        taken |= cells


@each
def test_variables_are_those_of_the_queries(name):
    board = dashboards.dashboard(name)
    defined = {variable["name"] for variable in board["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(board))) - {"__rate_interval", "__all"}
    assert used == defined


def links(text):
    return [link["url"] for panel in json.loads(text)["panels"] for link in panel.get("links", [])]


def queries(text):
    return [panel["targets"] for panel in json.loads(text)["panels"] if "targets" in panel]


def rendered(changed):
    return [
        text
        for entry in parse(render(merge(values("watched"), changed)))
        if entry["kind"] == "ConfigMap" and "-dashboard-" in entry["metadata"]["name"]
        for text in entry["data"].values()
    ]


def test_panels_lead_to_runbooks_where_the_chart_knows_their_address():
    runbooks = {path.stem for path in (ROOT / "k8s" / "runbooks").glob("*.md")}
    led = [link for text in rendered({}) for link in links(text)]
    base, _, _ = led[0].rpartition("/")
    assert base == "https://runbooks.example.com/frontdesk"
    assert {link.removeprefix(f"{base}/") for link in led} == runbooks
    # Without the address there are no links, and the rest is the same.
    bare = rendered({"monitoring": {"prometheusRules": {"runbooks": ""}}})
    assert len(bare) == len(NAMES) and not any(links(text) for text in bare)
    assert [queries(text) for text in bare] == [queries(text) for text in rendered({})]


def test_a_source_that_is_misspelt_is_noticed():
    """Keys that the generator does not read would be lost without a word."""
    known = {"title", "kind", "unit", "width", "from_zero", "thresholds", "about", "runbooks", "queries"}
    for name in NAMES:
        given = yaml.safe_load((dashboards.SOURCES / f"{name}.yaml").read_text())
        assert given.keys() <= {"title", "about", "services_of", "rows"}
        for row in given["rows"]:
            assert row.keys() <= {"row", "height", "panels"}
            for panel in row["panels"]:
                assert panel.keys() <= known, panel["title"]
