"""Policies allow the arrows of the code and nothing else."""

import itertools
import re
from urllib.parse import urlsplit

import pytest

import readme
import rust
from rendering import COMPONENTS, FIXTURES, NAMESPACE, ROOT, SERVICES, chart, component, of_kind, values, workloads

each = pytest.mark.parametrize(
    "fixture", [fixture for fixture in FIXTURES if values(fixture).get("networkPolicy", {}).get("enabled", True)]
)


def pods(fixture):
    """Labels of one pod of each kind."""
    return {component(template): template["metadata"]["labels"] for _, template in workloads(fixture)}


def selects(selector, labels):
    assert set(selector) <= {"matchLabels"}
    return selector.get("matchLabels", {}).items() <= labels.items()


def matches(peer, labels):
    """Whether a peer of a rule is a pod of this release."""
    if "ipBlock" in peer:
        return False
    if "namespaceSelector" in peer:
        return selects(peer["namespaceSelector"], {"kubernetes.io/metadata.name": NAMESPACE}) and selects(
            peer.get("podSelector", {}), labels
        )
    return selects(peer["podSelector"], labels)


def allowed(fixture, direction, labels, other, port):
    """Whether what stands in the policies lets a pod speak to another, seen from one end."""
    policies = [
        entry["spec"] for entry in of_kind(fixture, "NetworkPolicy") if selects(entry["spec"]["podSelector"], labels)
    ]
    assert policies, f"no policy is about {labels}"
    side = {"Ingress": "from", "Egress": "to"}[direction]
    for policy in policies:
        assert direction in policy["policyTypes"]
        for rule in policy.get(direction.lower(), []):
            assert rule[side] and rule["ports"], "an empty list would allow all"
            if any(matches(peer, other) for peer in rule[side]) and any(
                entry["port"] == port for entry in rule["ports"]
            ):
                return True
    return False


def arrows():
    """(from, to) as the code opens connections."""
    found = {(service, peer) for service in SERVICES for peer in rust.peers(service)}
    found |= {("browser", peer) for peer in rust.peers("bff")}
    found |= {("voice", peer) for peer in rust.called(rust.CRATES["bff"] / "src" / "voice")}
    return found


def test_components_name_the_peers_of_the_code():
    assert {(name, peer) for name, facts in COMPONENTS.items() for peer in facts["peers"]} == arrows()


# Crates by which programs call what is not theirs.
CLIENTS = {"async-openai", "lettre", "object_store", "outgoing", "reach", "reqwest"}


def test_components_that_call_servers_of_others_say_so():
    """A program that begins to call out is noticed here, before it can't reach anything in a cluster."""
    calling = {
        image
        for image in {facts["image"] for facts in COMPONENTS.values()}
        if any(
            re.search(rf"^{client}(\.workspace)? = ", rust.text(rust.CRATES[image] / "Cargo.toml").split("[dev-dependencies]")[0], re.M)
            for client in CLIENTS
        )
    }
    assert calling == {facts["image"] for facts in COMPONENTS.values() if facts.get("outside")}
    assert {place for facts in COMPONENTS.values() for place in facts.get("outside", [])} == readme.OUTSIDE.keys()


@each
def test_the_arrows_of_the_code_are_open_and_no_others(fixture):
    ports = {name: facts["port"] for name, facts in COMPONENTS.items()} | {"collector": 4317}
    everyone = pods(fixture)
    wanted = arrows()
    if "collector" in everyone:
        wanted |= {(name, "collector") for name in COMPONENTS}
    if "test" in everyone:
        wanted |= {("test", "browser")}
    for source, target in itertools.permutations(everyone, 2):
        port = ports.get(target)
        out = allowed(fixture, "Egress", everyone[source], everyone[target], port)
        into = allowed(fixture, "Ingress", everyone[target], everyone[source], port)
        assert (out and into) == ((source, target) in wanted), f"{source} to {target}"
        assert out == into, f"{source} to {target} is open at one end"


@each
def test_no_other_port_of_a_pod_is_open(fixture):
    everyone = pods(fixture)
    for source, target in itertools.permutations(everyone, 2):
        for port in (7100, 22, 443, 9090):
            assert not allowed(fixture, "Ingress", everyone[target], everyone[source], port)


def external(fixture, name, direction="egress"):
    """(port, peers) of the rules about a pod that name no pod of the release."""
    everyone = pods(fixture)
    side = {"egress": "to", "ingress": "from"}[direction]
    found = {}
    for entry in of_kind(fixture, "NetworkPolicy"):
        if selects(entry["spec"]["podSelector"], everyone[name]):
            for rule in entry["spec"].get(direction, []):
                if not any(matches(peer, labels) for peer in rule[side] for labels in everyone.values()):
                    for port in rule["ports"]:
                        found.setdefault(port["port"], []).extend(rule[side])
    return found


@each
def test_only_services_reach_databases_and_each_no_more_of_the_outside_than_it_needs(fixture):
    given = chart.merge_values(values(fixture))
    more = {port["port"] for rule in given["networkPolicy"]["extraEgress"] for port in rule["ports"]}
    for name, facts in COMPONENTS.items():
        wanted = {53}
        if facts["kind"] == "service":
            wanted |= {given["postgres"]["port"], given["redis"]["port"]}
        told = [given["otel"]["endpoint"], *given["otel"]["endpoints"].values()]
        wanted |= {urlsplit(url).port for url in told if url}
        if name == "auth":
            wanted |= {given["mail"]["port"]}
            wanted |= {443} if given["google"]["clientId"] else set()
        if name in {"browser", "voice"}:
            wanted |= {given["agentModel"]["port"]} if given["agentModel"]["url"] else set()
        if name == "calendar-sync":
            wanted |= set(given["networkPolicy"]["calendarPorts"])
        if name == "tenancy":
            wanted |= {443}
        if name == "telemetry" and given["recordings"]["url"]:
            wanted |= {443, given["recordings"]["port"]}
        assert external(fixture, name).keys() - more == wanted, name
    for name in pods(fixture).keys() - COMPONENTS.keys() - {"collector"}:
        wanted = {53, given["postgres"]["port"]}
        if name == "migrate" and given["migrations"]["afterRestore"]:
            wanted |= {given["redis"]["port"]}
        assert external(fixture, name).keys() - more <= wanted, name


@each
def test_only_doors_are_entered_from_outside(fixture):
    given = chart.merge_values(values(fixture))["networkPolicy"]
    more = {port["port"] for rule in given["extraIngress"] for port in rule["ports"]}
    for name in pods(fixture):
        entered = {port: peers for port, peers in external(fixture, name, "ingress").items() if port not in more}
        if name in COMPONENTS and COMPONENTS[name]["kind"] == "door":
            continue
        assert entered == ({8889: given["scrapers"]} if name == "collector" else {}), name
    for name in ("browser", "voice"):
        rules = [
            rule
            for entry in of_kind(fixture, "NetworkPolicy")
            if entry["metadata"]["name"].endswith(f"-{name}")
            for rule in entry["spec"]["ingress"]
        ]
        assert all(peer in rules[0]["from"] for peer in given["doors"])


@each
def test_the_internet_is_no_cloud_metadata_and_no_private_network(fixture):
    for entry in of_kind(fixture, "NetworkPolicy"):
        for rule in entry["spec"].get("egress", []):
            for peer in rule["to"]:
                if peer.get("ipBlock", {}).get("cidr") == "0.0.0.0/0":
                    assert {"169.254.0.0/16", "168.63.129.16/32", "10.0.0.0/8"} <= set(peer["ipBlock"]["except"])


def test_a_first_hook_finds_its_policy():
    """Migrations run before the release's policies exist, and after them in an upgrade."""
    (policy,) = [
        entry for entry in of_kind("minimal", "NetworkPolicy") if entry["metadata"]["name"].endswith("-migrate")
    ]
    annotations = policy["metadata"]["annotations"]
    assert annotations["helm.sh/hook"] == "pre-install,pre-upgrade" and int(annotations["helm.sh/hook-weight"]) < 0


def test_ports_are_those_the_code_expects():
    source = rust.text(ROOT / "bff" / "src" / "gateway.rs")
    for name in SERVICES:
        variable = name.upper().replace("-", "_") + "_URL"
        assert f'env = "{variable}", default_value = "http://127.0.0.1:{COMPONENTS[name]["port"]}"' in source, name


@pytest.mark.parametrize("fixture", ["prod", "gateway", "ingress"])
def test_routes_lead_to_the_doors(fixture):
    voice = rust.word("proto/src/webhook.rs", "VOICE").partition("/{")[0]
    services = {entry["metadata"]["name"]: entry["spec"]["ports"][0] for entry in of_kind(fixture, "Service")}
    routed = {}
    for entry in of_kind(fixture, "HTTPRoute"):
        assert entry["spec"]["hostnames"] == ["desk.example.com"]
        for rule in entry["spec"]["rules"]:
            (backend,) = rule["backendRefs"]
            assert services[backend["name"]]["port"] == backend["port"]
            routed[rule["matches"][0]["path"]["value"]] = backend["name"]
            if values(fixture)["httpRoute"].get("timeouts", True):
                # Sockets have no end, and the door ends long calls itself, a little sooner than the gateway.
                limit = rust.seconds("bff/src/edge/limits.rs", "long_request_time")
                request = rule["timeouts"]["request"]
                assert request == "0s" or limit < int(request.removesuffix("s")) <= limit + 30
            else:
                assert "timeouts" not in rule
    for entry in of_kind(fixture, "Ingress"):
        for path in entry["spec"]["rules"][0]["http"]["paths"]:
            backend = path["backend"]["service"]
            assert services[backend["name"]]["name"] == backend["port"]["name"]
            routed[path["path"]] = backend["name"]
    assert routed[voice] == "frontdesk-voice" and routed["/"] == "frontdesk-browser"


def test_an_ingress_takes_what_the_doors_take_and_waits_as_long():
    (ingress,) = of_kind("ingress", "Ingress")
    said = {name.rpartition("/")[2]: value for name, value in ingress["metadata"]["annotations"].items()}
    megabytes = int(re.fullmatch(r"(\d+)m", said["proxy-body-size"])[1])
    limits = rust.text(ROOT / "bff" / "src" / "edge" / "limits.rs")
    # Recordings come in the bodies of events, and are larger than anything a page sends.
    assert megabytes == int(re.search(r"\brecording_bytes: (\d+) << 20,", limits)[1])
    long = rust.seconds("bff/src/edge/limits.rs", "long_request_time")
    assert int(said["proxy-read-timeout"]) > long and int(said["proxy-send-timeout"]) > long
    # An agent's words in a chat come line by line.
    assert said["proxy-buffering"] == "off"


@each
def test_a_service_is_reached_inside_the_cluster_alone(fixture):
    """Routes open the doors; the collector, which takes what anyone sends, has none."""
    assert {entry["spec"]["type"] for entry in of_kind(fixture, "Service")} == {"ClusterIP"}
    routed = {
        backend["name"]
        for entry in of_kind(fixture, "HTTPRoute")
        for rule in entry["spec"]["rules"]
        for backend in rule["backendRefs"]
    } | {
        path["backend"]["service"]["name"]
        for entry in of_kind(fixture, "Ingress")
        for rule in entry["spec"]["rules"]
        for path in rule["http"]["paths"]
    }
    assert all(name.endswith(("-browser", "-voice")) for name in routed)
