"""promtool's word on the rules: each alert fires when it should, and is silent when it should not."""

import subprocess

import pytest
import yaml

from rendering import CHART
from rule_cases import CASES

RULES = sorted((CHART / "rules").glob("*.yaml"))
ALERTS = {
    (rule["alert"], rule["labels"]["severity"])
    for path in RULES
    for group in yaml.safe_load(path.read_text())["groups"]
    for rule in group["rules"]
    if "alert" in rule
}


def promtool(path):
    ran = subprocess.run(["promtool", "test", "rules", path], capture_output=True, text=True)
    return ran.returncode == 0, ran.stdout + ran.stderr


def document(case):
    expected = {}
    for alert, severity in case.about:
        expected.setdefault(alert, set())
        if (alert, severity) in case.firing:
            expected[alert].add(severity)
    return expected


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_alerts(case, tmp_path):
    series = [{"series": name, "values": values} for name, values in case.series.items()]
    # ALERTS has every alert with its severity, whatever its summary says.
    queries = [
        {
            "expr": f"max by (alertname, severity) (ALERTS{{alertname='{alert}',alertstate='firing'}})",
            "eval_time": case.at,
            "exp_samples": [
                {"labels": f"{{alertname='{alert}',severity='{severity}'}}", "value": 1}
                for severity in sorted(severities)
            ],
        }
        for alert, severities in document(case).items()
    ]
    tests = tmp_path / "tests.yaml"
    test = {"interval": "1m", "input_series": series, "promql_expr_test": queries}
    files = [str(path) for path in RULES]
    tests.write_text(yaml.safe_dump({"rule_files": files, "evaluation_interval": case.every, "tests": [test]}))
    passed, said = promtool(tests)
    assert passed, said


def test_every_alert_fires_in_one_case_and_is_silent_in_another():
    assert set().union(*(case.firing for case in CASES)) == ALERTS
    assert set().union(*(case.about - case.firing for case in CASES)) == ALERTS


@pytest.mark.parametrize("path", RULES, ids=[path.stem for path in RULES])
def test_rules_are_well_formed(path):
    checked = subprocess.run(["promtool", "check", "rules", path], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
