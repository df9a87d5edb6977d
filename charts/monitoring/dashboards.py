#!/usr/bin/env python3
"""Writes charts/frontdesk/dashboards/*.json, as Grafana reads them, from the YAML beside this file.

A dashboard has rows of panels; a panel has a title, a unit, what is normal and what to do, and queries by the legend of
their series. `--check` writes nothing and fails where a file would change.
"""

import json
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).parent
SOURCES = HERE / "dashboards"
CHART = HERE.parent / "frontdesk"
# The chart puts the address of the runbooks here, or takes the links away.
RUNBOOKS = "__RUNBOOKS__"
WIDTH, HEIGHT = 24, 8
# How often processes report, at least: rates need two reports.
STEP = "30s"
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
GRAPH = {
    "legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]},
    "tooltip": {"mode": "multi", "sort": "desc"},
}
NUMBER = {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", "graphMode": "area"}


def names():
    """In the order in which people read them."""
    return ["overview", "scheduling", "calls", "sync", "security", "runtime", "business"]


def source(name):
    return yaml.safe_load((SOURCES / f"{name}.yaml").read_text())


def target(number, legend, query):
    return {
        "refId": chr(ord("A") + number),
        "datasource": DATASOURCE,
        "expr": " ".join(query.split()),
        "legendFormat": legend,
        "interval": STEP,
    }


def thresholds(panel):
    steps = [{"color": "green", "value": None}]
    steps += [{"color": color, "value": value} for value, color in panel.get("thresholds", {}).items()]
    return {"mode": "absolute", "steps": steps}


def panel_of(panel, place):
    graph = panel.get("kind", "timeseries") == "timeseries"
    defaults = {"unit": panel["unit"], **({"min": 0} if panel.get("from_zero", True) else {})}
    if "thresholds" in panel:
        defaults["thresholds"] = thresholds(panel)
    if graph and "thresholds" in panel:
        defaults["custom"] = {"thresholdsStyle": {"mode": "dashed"}}
    return {
        "type": panel.get("kind", "timeseries"),
        "title": panel["title"],
        "description": " ".join(panel["about"].split()),
        "gridPos": place,
        "datasource": DATASOURCE,
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": GRAPH if graph else NUMBER,
        "links": [
            {"title": f"Runbook: {name}", "url": f"{RUNBOOKS}/{name}", "targetBlank": True}
            for name in panel.get("runbooks", [])
        ],
        "targets": [target(number, *entry) for number, entry in enumerate(panel["queries"].items())],
    }


def panels(rows):
    top = 0
    for row in rows:
        yield {
            "type": "row",
            "title": row["row"],
            "gridPos": {"h": 1, "w": WIDTH, "x": 0, "y": top},
            "collapsed": False,
        }
        top, left = top + 1, 0
        height = row.get("height", HEIGHT)
        for panel in row["panels"]:
            width = panel.get("width", 12)
            if left + width > WIDTH:
                top, left = top + height, 0
            yield panel_of(panel, {"h": height, "w": width, "x": left, "y": top})
            left += width
        top += height


def variables(service):
    listed = [{"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "hide": 0}]
    if service:
        listed.append(
            {
                "name": "service",
                "label": "Service",
                "type": "query",
                "datasource": DATASOURCE,
                "query": {"query": f"label_values({service}, service_name)", "refId": "service"},
                "refresh": 2,
                "sort": 1,
                "multi": True,
                "includeAll": True,
                "allValue": ".*",
                "current": {"text": "All", "value": "$__all"},
                "hide": 0,
            }
        )
    return listed


def dashboard(name):
    given = source(name)
    return {
        "title": f"Frontdesk: {given['title']}",
        "uid": f"frontdesk-{name}",
        "description": " ".join(given["about"].split()),
        "tags": ["frontdesk"],
        "schemaVersion": 39,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": variables(given.get("services_of"))},
        "links": [
            {"title": "Frontdesk", "type": "dashboards", "tags": ["frontdesk"], "asDropdown": True, "includeVars": True}
        ],
        "panels": [{**panel, "id": number} for number, panel in enumerate(panels(given["rows"]), 1)],
    }


def written(name):
    return json.dumps(dashboard(name), indent=1, ensure_ascii=False) + "\n"


def files():
    return {CHART / "dashboards" / f"{name}.json": written(name) for name in names()}


def main():
    wanted = files()
    found = {path: path.read_text() for path in (CHART / "dashboards").glob("*.json")}
    if "--check" in sys.argv[1:]:
        if wanted != found:
            raise SystemExit("the dashboards are out of date: run charts/monitoring/dashboards.py")
        return
    for path in found.keys() - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
