"""What a runbook tells a person to run or to look for exists, by the name that it gives."""

import re

import pytest

import rust
from rendering import CHART, COMPONENTS, ROOT, read

RUNBOOKS = sorted((ROOT / "k8s" / "runbooks").glob("*.md"))
each = pytest.mark.parametrize("path", RUNBOOKS, ids=[path.stem for path in RUNBOOKS])
PROGRAMS = ("kubectl", "helm", "cmctl", "redis-cli", "pg_dump", "date")
SQL = ("SELECT", "DELETE", "VACUUM", "ANALYZE")
# What Postgres and the log's form say, and what stands in configurations of others.
NOT_OURS = {"deadlock detected", '"level":"ERROR"', "maxmemory-policy allkeys-lru"}


def spans(path):
    """What stands between backticks, on one line; queries of Prometheus have a test of their own."""
    text = re.sub(r"```promql\n.*?```", "", path.read_text(), flags=re.S)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]


def sources():
    """The shipped code with its long texts on one line."""
    found = (rust.code(path) for crate in rust.CRATES.values() for path in rust.sources(crate / "src"))
    return re.sub(r"\\\n\s*", "", "\n".join(found))


@pytest.fixture(scope="module")
def code():
    return sources()


@each
def test_logs_are_read_from_the_beginning(path):
    """With a selector, kubectl shows ten lines of each pod unless it is told otherwise: grep would find nothing."""
    for span in spans(path):
        if re.search(r"\blogs -l ", span):
            assert "--tail=-1" in span and re.search(r"--since=\d+[mh]\b", span), span


@each
def test_commands_name_components_that_there_are(path):
    known = {*COMPONENTS, "collector", "<service>", "<source>", "<follower>", "<component>"}
    for span in spans(path):
        assert set(re.findall(r"component=([\w<>-]+)", span)) <= known, span
        if span.startswith(("kubectl", "helm", "cmctl")):
            assert " -n frontdesk" in span, f"{span}: in which namespace?"


@each
def test_lines_of_logs_are_those_that_the_code_writes(path, code):
    for span in spans(path):
        if found := re.search(r"grep ['\"](.+)['\"]$", span):
            said = found[1]
        elif " " in span and not span.startswith((*PROGRAMS, *SQL, "GET ", "POST ", "transport.mode: ")):
            said = span.removeprefix("… ")
        else:
            continue
        assert said in NOT_OURS or re.search(said if found else re.escape(said), code), said


@each
def test_values_are_those_of_the_chart(path):
    values = read(CHART / "values.yaml")
    for span in spans(path):
        keys = span.partition(": ")[0].split(".")
        if keys[0] not in values or len(keys) == 1:
            continue
        node = values
        for key in ["defaults", *keys[2:]] if keys[:2] == ["components", "<name>"] else keys:
            assert key in node, span
            node = node[key]
