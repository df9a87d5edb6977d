"""What the code reads and emits, and what the chart says and shows, are the same."""

import functools
import json
import re

import pytest
import yaml

import rust
from rendering import CHART, COMPONENTS, FIXTURES, IMAGES, ROOT, containers, environment, named, read

# Read by the OpenTelemetry SDK, or by the value of another variable.
SDK = {
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "POD_NAME",
    "NODE_NAME",
}


def program(container):
    return container["image"].rpartition("/")[2].partition("@")[0]


@functools.cache
def given():
    """Environment variables that some render gives to each program."""
    found = {image: set() for image in IMAGES}
    for fixture in FIXTURES:
        for _, _, container in containers(fixture):
            found.get(program(container), set()).update(settings(container))
    return found


def settings(container):
    """What a container is told, by the programs' own names: `DATABASE_URL_FILE` tells `DATABASE_URL`."""
    name = program(container)
    secret = {setting.name for setting in rust.variables(name) if setting.secret} if name in rust.CRATES else set()
    for variable in environment(container):
        base = variable.removesuffix("_FILE")
        yield base if base in secret else variable


def test_every_program_has_an_image_or_a_reason():
    assert set(rust.binaries()) == IMAGES | rust.internal()["binaries"].keys()


def test_the_sources_are_read_right():
    """The parser of the sources sees what a person sees in them."""
    found = {setting.name: setting.secret for setting in rust.variables("auth")}
    assert {name for name, secret in found.items() if secret} >= {
        "DATABASE_URL",
        "MIGRATION_URL",
        "SESSION_KEY",
        "SEALING_KEY",
        "SMTP_URL",
    }
    assert found["PUBLIC_URL"] is False and "RUST_LOG" in found and "FRONTDESK_CLOCK_OFFSET_MS" in found
    for name in IMAGES:
        written = {
            variable
            for crate in rust.linked(name)
            for path in rust.sources(rust.CRATES[crate] / "src")
            for variable in re.findall(r'\benv = "(\w+)"', rust.code(path))
        }
        # What is written in a crate that is linked may be another program's to read, and nothing else is.
        unwritten = {"RUST_LOG", "LOG_FORMAT", "FRONTDESK_CLOCK_OFFSET_MS"} | SDK
        assert {setting.name for setting in rust.variables(name)} - unwritten <= written
    assert {
        crate
        for crate in rust.CRATES
        for path in rust.sources(rust.CRATES[crate] / "src")
        if ' env = "' in rust.code(path)
    } <= set(rust.binaries()) | {"boot", "database"}


@pytest.mark.parametrize("image", sorted(IMAGES))
def test_every_variable_is_given_or_internal(image):
    reads = {setting.name for setting in rust.variables(image)}
    internal = {name for name, entry in rust.internal()["variables"].items() if image in entry["programs"]}
    missing = reads - given()[image] - internal
    assert not missing, f"{image} reads {sorted(missing)}: say them in the chart, or in internal.yaml why not"
    assert not internal - reads, f"internal.yaml: {image} does not read {sorted(internal - reads)}"
    assert not internal & given()[image], f"internal.yaml: the chart gives {image} {sorted(internal & given()[image])}"


@pytest.mark.parametrize("image", sorted(IMAGES))
def test_no_variable_is_given_that_nothing_reads(image):
    assert given()[image] - {setting.name for setting in rust.variables(image)} <= SDK


@pytest.mark.parametrize("image", sorted(IMAGES))
def test_every_flag_is_used_or_internal(image):
    used = set()
    for fixture in FIXTURES:
        for entry, _, container in containers(fixture):
            if program(container) == image:
                words = container.get("args", [])
                flags = {word.removeprefix("--") for word in words if word.startswith("--")}
                assert flags <= rust.flags(image), named(entry)
                used |= flags
    internal = {flag for flag, entry in rust.internal()["flags"].items() if image in entry["programs"]}
    assert rust.flags(image) - used == internal


def test_reasons_are_given():
    internal = rust.internal()
    reasons = [
        *internal["binaries"].values(),
        *(entry["reason"] for entry in [*internal["variables"].values(), *internal["flags"].values()]),
    ]
    assert all(len(reason) > 20 for reason in reasons)


def test_redis_and_caches_go_to_who_opens_them():
    """Every service with a database wakes its followers through Redis; a cache is opened by name."""
    for name, facts in COMPONENTS.items():
        if facts["kind"] == "service":
            opens = any("Cache::open(" in rust.code(path) for path in rust.sources(rust.CRATES[facts["image"]] / "src"))
            assert facts.get("cache", False) == opens, name
            assert facts["redis"]


def test_the_doors_are_those_of_the_program():
    doors = set(
        re.findall(
            r"^    (\w+),$",
            re.search(r"pub enum Door \{(.*?)^\}", rust.text(rust.CRATES["bff"] / "src" / "config.rs"), re.M | re.S)[1],
            re.M,
        )
    )
    assert {door.lower() for door in doors} == {
        facts["door"] for facts in COMPONENTS.values() if facts["kind"] == "door"
    }


def expressions():
    """(where, query) of every dashboard, rule and runbook, and of what scales."""
    for name, given in read(CHART / "values-prod.yaml")["components"].items():
        for trigger in given.get("keda", {}).get("triggers", []):
            yield f"values-prod.yaml: {name}", trigger["metadata"]["query"]
    for path in sorted((CHART / "dashboards").glob("*.json")):
        open_ = [json.loads(path.read_text())]
        while open_:
            node = open_.pop()
            if isinstance(node, dict):
                if isinstance(node.get("expr"), str):
                    yield path.name, node["expr"]
                open_ += node.values()
            elif isinstance(node, list):
                open_ += node
    for path in sorted((CHART / "rules").glob("*.yaml")):
        for group in yaml.safe_load(path.read_text())["groups"]:
            for rule in group["rules"]:
                yield path.name, rule["expr"]
    for path in sorted((ROOT / "k8s" / "runbooks").glob("*.md")):
        for query in re.findall(r"```promql\n(.*?)```", path.read_text(), re.S):
            yield path.name, query


def recorded():
    files = (yaml.safe_load(path.read_text()) for path in (CHART / "rules").glob("*.yaml"))
    return {rule["record"] for file in files for group in file["groups"] for rule in group["rules"] if "record" in rule}


# What the desk and the agent do all day is in the objective of bookings; these change how a salon is set up, or what is
# known of it, and a person who sees one fail tries again.
NOT_BOOKINGS = {
    "AppointmentExportService": "visits as a file",
    "BookingPolicyService": "the salon's rules",
    "ContactPolicyService": "the salon's rules",
    "DayService/RecordContact": "a note that the customer was told",
    "DependencyService": "the services",
    "MatchingService": "words for services",
    "OpeningExceptionService": "closures and other hours",
    "PairingService": "who works with whom",
    "ProposalService/DismissProposal": "changes no visit",
    "ProposalService/OptimiseDay": "looks for a better day and changes no visit",
    "ResourceService": "chairs and rooms",
    "ScheduleService": "working hours",
    "TimeOffService": "the visits that it strands stay booked",
}


def changing_methods():
    """Methods of scheduling with an idempotency key: all that change visits have one."""
    for path in sorted((ROOT / "proto" / "frontdesk" / "scheduling" / "v1").glob("*.proto")):
        for service, body in re.findall(r"^service (\w+) \{\n(.*?)^\}", path.read_text(), re.M | re.S):
            for method in re.split(r"^  rpc ", body, flags=re.M)[1:]:
                if "idempotency_key: true" in method:
                    yield f"{service}/{re.match(r'[A-Za-z]+', method)[0]}"


def test_the_objective_of_bookings_counts_every_change_of_a_visit():
    groups = yaml.safe_load((CHART / "rules" / "slo.yaml").read_text())["groups"]
    patterns = {
        pattern
        for group in groups
        for rule in group["rules"]
        if rule.get("labels", {}).get("slo") == "bookings"
        for pattern in re.findall(r'rpc_method=~"([^"]+)"', rule["expr"])
    }
    [pattern] = patterns
    methods = set(changing_methods())
    counted = {name for name in methods if re.fullmatch(pattern, f"frontdesk.scheduling.v1.{name}")}
    assert "AppointmentService/ChangeAppointment" in counted and "AvailabilityService/CreateHold" in counted
    left_out = methods - counted
    unexplained = {name for name in left_out if not {name, name.partition("/")[0]} & NOT_BOOKINGS.keys()}
    assert not unexplained, "count it in rules/slo.yaml, or say in NOT_BOOKINGS why not"
    named = {entry for entry in NOT_BOOKINGS if any(entry in (name, name.partition("/")[0]) for name in left_out)}
    assert NOT_BOOKINGS.keys() == named, "NOT_BOOKINGS names what is counted, or no method"


def long_running():
    """Routes of the methods that may take minutes."""
    for path in sorted((ROOT / "proto" / "frontdesk").glob("*/v1/*.proto")):
        for method in re.split(r"^  rpc ", path.read_text(), flags=re.M)[1:]:
            body = method.partition("\n  }\n")[0]
            if "long_running: true" in body:
                yield re.search(r'\b(?:get|post|put|patch|delete): "([^"]+)"', body)[1]


def test_the_objective_of_answers_in_time_leaves_out_what_is_long_running_and_nothing_else():
    text = (CHART / "rules" / "slo.yaml").read_text()
    [pattern] = set(re.findall(r'http_route=~"/api/\.\*",http_route!~"([^"]+)"', text))
    routes = set(re.findall(r'\b(?:get|post|put|patch|delete): "([^"]+)"', "".join(
        path.read_text() for path in (ROOT / "proto" / "frontdesk").glob("*/v1/*.proto")
    )))
    left_out = {route for route in routes if re.fullmatch(pattern, route)}
    assert left_out == set(long_running()) and len(left_out) > 2


KEYWORDS = {"and", "or", "unless", "bool", "offset", "inf", "nan", "start", "end"}


def metrics_in(query):
    """Names of metrics in a query of PromQL."""
    query = re.sub(r'"(?:[^"\\]|\\.)*"', "", query)
    query = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", query)
    query = re.sub(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", "", query)
    words = re.findall(r"(?<![\w:.$])([a-zA-Z_:][\w:]*)(?!\w)(?!\s*\()", query)
    return {word for word in words if word.lower() not in KEYWORDS}


def test_metrics_are_found_in_queries():
    query = (
        'sum by (a, le) (rate(x_total{b="c"}[5m])) / on (d) group_left (e) y:z > 14.4 * 0.001 '
        "and histogram_quantile(0.9, w_bucket)"
    )
    assert metrics_in(query) == {"x_total", "y:z", "w_bucket"}


def family(name):
    """The histogram that a series belongs to; of other metrics the name itself."""
    base = re.sub(r"_(bucket|count|sum)$", "", name)
    histograms = {metric.prometheus for metric in rust.metrics() if metric.kind == "histogram"}
    return base if base in histograms else name


def test_queries_name_what_is_emitted():
    known = {metric.prometheus for metric in rust.metrics()} | recorded()
    for where, query in expressions():
        assert metrics_in(query) or re.fullmatch(r"vector\([\d.]+\)", query), f"{where}: {query}"
        unknown = {name for name in metrics_in(query) if family(name) not in known}
        assert not unknown, f"{where}: no program emits {sorted(unknown)}"
        for metric in rust.metrics():
            if metric.kind == "histogram":
                assert metric.prometheus not in metrics_in(query), (
                    f"{where}: {metric.prometheus} needs _bucket, _count or _sum"
                )


def test_every_metric_is_shown_or_has_a_reason():
    shown = {family(name) for where, query in expressions() if not where.endswith(".md") for name in metrics_in(query)}
    emitted = {metric.prometheus for metric in rust.metrics()}
    waiting = yaml.safe_load((CHART.parent / "tests" / "metrics.yaml").read_text()) or {}
    assert emitted - shown - waiting.keys() == set(), "show it in a dashboard or rule, or say in metrics.yaml why not"
    assert waiting.keys() - emitted == set(), "metrics.yaml names what no program emits"
    assert waiting.keys() & shown == set(), "metrics.yaml names what is shown"
    assert all(len(reason) > 20 for reason in waiting.values())
