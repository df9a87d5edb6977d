"""What stands under k8s/ fits the chart and the code."""

import json
import re
import subprocess

import jsonschema
import pytest
import yaml

import expected
import rust
from rendering import (
    CHART,
    CHARTS,
    COMPONENTS,
    FIXTURES,
    ROOT,
    SERVICES,
    component,
    containers,
    merge,
    of_kind,
    parse,
    read,
    render,
    values,
    workloads,
)
from test_render import validate

K8S = ROOT / "k8s"


@pytest.mark.parametrize("overlay", ["dev", "prod"])
def test_overlays_render(overlay):
    kustomization = read(K8S / "overlays" / overlay / "kustomization.yaml")
    (chart,) = kustomization["helmCharts"]
    folder = K8S / "overlays" / overlay
    # Digests are written by `make images`.
    files = [folder / name for name in [chart["valuesFile"], *chart["additionalValuesFiles"]]]
    written = [path.resolve() for path in files if "target/images" not in str(path)]
    assert len(files) - len(written) == 1
    rendered = parse(render(merge(*map(read, written), read(CHARTS / "tests" / "digests.yaml"))))
    for entry in rendered:
        validate(json.dumps(entry, sort_keys=True))
    for resource in kustomization["resources"]:
        assert (folder / resource).exists(), resource
    assert (folder / kustomization["helmGlobals"]["chartHome"]).resolve() == CHARTS


EXAMPLES = sorted(f"examples/{path.name}" for path in (K8S / "examples").glob("*.yaml"))


@pytest.mark.parametrize(
    "name", ["kind/databases.yaml", "postgres/bootstrap.yaml", "overlays/prod/namespace.yaml", *EXAMPLES]
)
def test_plain_manifests_are_valid(name):
    for entry in yaml.safe_load_all((K8S / name).read_text()):
        validate(json.dumps(entry, sort_keys=True))


def test_an_example_with_a_misspelt_field_is_refused():
    """Each kind of an operator has a schema that knows its fields."""
    for name in EXAMPLES:
        for entry in yaml.safe_load_all((K8S / name).read_text()):
            entry.get("spec", entry)["misspelt"] = 1
            with pytest.raises(jsonschema.ValidationError):
                validate(json.dumps(entry, sort_keys=True))


def test_databases_of_the_examples_are_those_the_policies_name():
    policy = read(CHART / "values.yaml")["networkPolicy"]
    (postgres,), (redis,) = policy["postgres"], policy["redis"]
    documents = {
        entry["kind"]: entry
        for name in ("cloudnative-pg", "redis", "issuer")
        for entry in yaml.safe_load_all((K8S / "examples" / f"{name}.yaml").read_text())
    }
    # The operators label their pods by the name of the object.
    assert postgres["podSelector"]["matchLabels"] == {"cnpg.io/cluster": documents["Cluster"]["metadata"]["name"]}
    assert redis["podSelector"]["matchLabels"] == {"app": documents["Redis"]["metadata"]["name"]}
    production = read(CHART / "values-prod.yaml")
    assert production["postgres"]["ca"]["existingSecret"] == documents["Cluster"]["metadata"]["name"] + "-ca"
    assert (
        str(production["postgres"]["maxConnections"])
        == documents["Cluster"]["spec"]["postgresql"]["parameters"]["max_connections"]
    )
    assert production["transport"]["certManager"]["issuer"]["name"] == documents["Issuer"]["metadata"]["name"]
    certificate = next(
        entry["spec"]
        for entry in yaml.safe_load_all((K8S / "examples" / "redis.yaml").read_text())
        if entry["kind"] == "Certificate"
    )
    assert certificate["secretName"] == production["redis"]["ca"]["existingSecret"]
    assert documents["Redis"]["spec"]["TLS"]["secret"]["secretName"] == certificate["secretName"]
    assert certificate["dnsNames"] == [documents["Redis"]["metadata"]["name"]]
    assert certificate["issuerRef"]["name"] == documents["Issuer"]["metadata"]["name"]
    local = {
        json.dumps(entry["spec"]["template"]["metadata"]["labels"])
        for entry in yaml.safe_load_all((K8S / "kind" / "databases.yaml").read_text())
        if entry["kind"] == "Deployment"
    }
    assert local == {
        json.dumps(postgres["podSelector"]["matchLabels"]),
        json.dumps(redis["podSelector"]["matchLabels"]),
    }


def test_the_priority_of_the_production_values_is_in_the_examples():
    """A cluster refuses pods of a class that it does not have."""
    components = read(CHART / "values-prod.yaml")["components"].values()
    named = {component["priorityClassName"] for component in components if "priorityClassName" in component}
    made = read(K8S / "examples" / "priority.yaml")
    assert named == {made["metadata"]["name"]}
    overlay = read(K8S / "overlays" / "prod" / "kustomization.yaml")["resources"]
    assert {"../../examples/priority.yaml", "../../examples/policies.yaml"} <= set(overlay)


def chosen(selector, labels):
    assert selector.keys() <= {"matchLabels", "matchExpressions"}
    for expression in selector.get("matchExpressions", []):
        assert expression["operator"] == "In"
        if labels.get(expression["key"]) not in expression["values"]:
            return False
    return selector.get("matchLabels", {}).items() <= labels.items()


def test_policies_of_the_examples_let_in_who_the_chart_sends_and_no_other_pod_of_it():
    policies = {entry["metadata"]["name"]: entry["spec"] for entry in yaml.safe_load_all((K8S / "examples" / "policies.yaml").read_text())}
    doors = read(CHART / "values.yaml")["networkPolicy"]
    sent = {
        "frontdesk-postgres": (doors["postgres"][0], 5432, {*SERVICES, "migrate", "create-admin"}),
        "frontdesk-pooler": (values("pooled")["networkPolicy"]["postgres"][1], 5432, {*SERVICES, "create-admin"}),
        "frontdesk-redis": (doors["redis"][0], 6379, {*SERVICES, "migrate"}),
    }
    assert policies.keys() == sent.keys()
    pods = {
        component(template): template["metadata"]["labels"]
        for fixture in ("minimal", "tried", "watched")
        for _, template in workloads(fixture)
    }
    assert {"create-admin", "migrate", "collector", "test", "voice"} <= pods.keys()
    for name, (target, port, wanted) in sent.items():
        policy = policies[name]
        assert policy["podSelector"] == target["podSelector"] and policy["policyTypes"] == ["Ingress"]
        assert all(rule["from"] and rule["ports"] for rule in policy["ingress"])
        let_in = {
            pod
            for pod, labels in pods.items()
            for rule in policy["ingress"]
            if port in {entry["port"] for entry in rule["ports"]}
            if any(chosen(peer["podSelector"], labels) for peer in rule["from"] if "podSelector" in peer)
        }
        assert let_in == wanted, name
    job = read(K8S / "postgres" / "bootstrap.yaml")["spec"]["template"]["metadata"]["labels"]
    peers = policies["frontdesk-postgres"]["ingress"][0]["from"]
    assert any(chosen(peer["podSelector"], job) for peer in peers)


def expected_of(fixture):
    """Secrets with their keys, and ConfigMaps, that pods name and the release does not make."""
    secrets, maps = {}, set()
    issued = {entry["spec"]["secretName"] for entry in of_kind(fixture, "Certificate")}
    for _, pod, container in containers(fixture):
        for variable in container.get("env", []):
            if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
                secrets.setdefault(reference["name"], set()).add(reference["key"])
        for source in container.get("envFrom", []):
            secrets.setdefault(source["secretRef"]["name"], set())
        for pull in pod.get("imagePullSecrets", []):
            secrets.setdefault(pull["name"], set())
        for volume in pod["volumes"]:
            if "secret" in volume:
                items = volume["secret"].get("items", [])
                secrets.setdefault(volume["secret"]["secretName"], set()).update(item["key"] for item in items)
            if "configMap" in volume:
                maps.add(volume["configMap"]["name"])
    maps -= {entry["metadata"]["name"] for entry in of_kind(fixture, "ConfigMap")}
    return {name: keys for name, keys in secrets.items() if name not in issued}, maps


@pytest.mark.parametrize("fixture", FIXTURES)
def test_what_a_value_file_expects_is_there_where_it_is_proved(fixture, made):
    """`make prove-chart` installs every value file, and its kubelets let no pod start without what it names."""
    secrets, maps = expected_of(fixture)
    further = expected.SECRETS.get(fixture, {})
    assert secrets.keys() - made.keys() == further.keys()
    for name, keys in secrets.items():
        assert keys <= set(further.get(name) or made[name]), name
    assert maps == expected.CONFIG_MAPS.get(fixture, {}).keys()
    assert set(expected.SECRETS) | set(expected.CONFIG_MAPS) <= set(FIXTURES)


def test_the_pooler_of_the_examples_is_the_one_that_the_tried_values_name():
    (pooler,) = yaml.safe_load_all((K8S / "examples" / "pooler.yaml").read_text())
    (cluster, _) = yaml.safe_load_all((K8S / "examples" / "cloudnative-pg.yaml").read_text())
    postgres, policy = values("pooled")["postgres"], values("pooled")["networkPolicy"]["postgres"]
    spec = pooler["spec"]["pgbouncer"]
    assert postgres["pooler"] == spec["poolMode"]
    assert str(postgres["maxConnections"]) == spec["parameters"]["max_client_conn"]
    assert pooler["spec"]["cluster"]["name"] == cluster["metadata"]["name"]
    assert [peer["podSelector"]["matchLabels"] for peer in policy] == [
        {"cnpg.io/cluster": cluster["metadata"]["name"]},
        {"cnpg.io/poolerName": pooler["metadata"]["name"]},
    ]
    assert pooler["metadata"]["name"] in cluster["spec"]["certificates"]["serverAltDNSNames"]
    connections = pooler["spec"]["instances"] * len(SERVICES) * int(spec["parameters"]["default_pool_size"])
    assert connections < int(cluster["spec"]["postgresql"]["parameters"]["max_connections"])
    said = {
        variable["value"]
        for _, _, container in containers("pooled")
        for variable in container["env"]
        if variable["name"] == "DATABASE_POOLER"
    }
    assert said == {spec["poolMode"]}


def secrets(*options):
    command = ["node", K8S / "secrets.mjs", "--postgres", "db", "--redis", "redis", "--smtp", "smtps://mail", *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {entry["metadata"]["name"]: entry["stringData"] for entry in yaml.safe_load_all(said)}


@pytest.fixture(scope="module")
def made():
    return secrets()


def test_services_connect_to_a_pooler_and_migrations_to_postgres():
    for name, entry in secrets("--pooler", "pooler").items():
        if "database-url" in entry:
            assert "@pooler/" in entry["database-url"], name
        if "migration-url" in entry:
            assert "@db/" in entry["migration-url"], name


def test_the_first_secrets_ask_for_tls_unless_told_otherwise(made):
    plain = secrets("--plain")
    for name, entry in made.items():
        for key in entry.keys() & {"database-url", "migration-url"}:
            assert entry[key].endswith("?sslmode=verify-full") and "?" not in plain[name][key], name
    assert made["frontdesk-redis"] == {"redis-url": "rediss://redis/0", "cache-url": "rediss://redis/1"}
    assert plain["frontdesk-redis"] == {"redis-url": "redis://redis/0", "cache-url": "redis://redis/1"}


def test_the_first_secrets_are_all_that_the_chart_names(made):
    wanted = {}
    for _, pod, container in containers("minimal"):
        for variable in container["env"]:
            if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
                wanted.setdefault(reference["name"], set()).add(reference["key"])
        for volume in pod["volumes"]:
            if "secret" in volume and volume["name"] != "tls":
                wanted.setdefault(volume["secret"]["secretName"], set()).update(
                    item["key"] for item in volume["secret"]["items"]
                )
    assert {name: set(entry) for name, entry in made.items() if name != "frontdesk-postgres-roles"} == wanted


def test_the_first_secrets_are_strong_and_fit_together(made):
    roles = made["frontdesk-postgres-roles"]
    for service in SERVICES:
        role = service.replace("-", "_")
        assert made[f"frontdesk-{service}"]["database-url"] == f"postgres://{role}_app:{roles[f'{role}_app']}@db/{role}?sslmode=verify-full"
        assert (
            made[f"frontdesk-{service}-migration"]["migration-url"]
            == f"postgres://{role}_owner:{roles[f'{role}_owner']}@db/{role}?sslmode=verify-full"
        )
    for facts in COMPONENTS.values():
        assert json.loads(made[f"frontdesk-{facts['image']}-passports"]["keyring.json"])["issuer"] == facts["image"]
    for secret, key in [
        ("auth", "session-key"),
        ("auth", "sealing-key"),
        ("tenancy", "sealing-keys"),
        ("calendar-sync", "sealing-keys"),
        ("browser", "xsrf-key"),
    ]:
        assert re.fullmatch(r"(first:)?[\w-]{43}", made[f"frontdesk-{secret}"][key]), secret
    assert len(set(roles.values())) == len(roles) == 10


def statements(source, names):
    """Statements of SQL with roles and databases by what they are."""
    for name, pattern in names.items():
        source = re.sub(pattern, f"<{name}>", source)
    return {" ".join(statement.split()) for statement in source.split(";") if statement.strip()}


def test_roles_on_a_cluster_are_those_of_a_developers_machine():
    source = rust.text(rust.CRATES["database"] / "src" / "roles.rs")
    literals = "".join(
        re.findall(
            r'"((?:[^"\\]|\\.)*)"',
            source.partition("pub fn role_sql")[2].partition("pub(crate) fn migrations_sql")[0],
            re.S,
        )
    )
    plain = re.search(r'let plain = "([^"]+)"', source)[1]
    text = re.sub(r"\\\n\s*", "", literals).replace("\\n", " ").replace("{plain}", plain)
    inside = statements(
        text,
        {
            "owner": r'\\"\{owner\}\\"',
            "app": r'\\"\{app\}\\"',
            "installation": r'\\"\{installation\}\\"',
            "database": r'\\"\{database\}\\"',
        },
    )
    script = re.sub(r"^(--|\\).*$", "", (K8S / "postgres" / "bootstrap.sql").read_text(), flags=re.M)
    outside = statements(
        script,
        {
            "owner": r':"owner"',
            "app": r':"app"',
            "installation": r':"installation"',
            "database": r':"service"',
            "secret": r":'\w+_password'",
        },
    )
    for statement in outside:
        statement = statement.replace("<secret>", "{}")
        if re.match(r"SELECT ", statement):
            continue
        assert any(statement in other for other in inside), statement
    for statement in inside:
        found = re.search(r"(ALTER|GRANT|REVOKE|CREATE EXTENSION).*", statement)
        if found and "DO $$" not in statement:
            assert any(found[0] in other.replace("<secret>", "{}") for other in outside), found[0]
    assert "CREATE ROLE" in script and "NOINHERIT" in script and "TEMPLATE template0" in script


def test_every_alert_has_a_runbook_and_every_runbook_an_alert():
    groups = [group for path in (CHART / "rules").glob("*.yaml") for group in read(path)["groups"]]
    alerts = {rule["alert"] for group in groups for rule in group["rules"] if "alert" in rule}
    assert {path.stem for path in (K8S / "runbooks").glob("*.md")} == alerts


@pytest.mark.parametrize("name", ["kind/up", "images/build"])
def test_scripts_can_be_read_by_a_shell(name):
    subprocess.run(["bash", "-n", K8S / name], check=True)
    assert (K8S / name).stat().st_mode & 0o111


def test_the_search_of_helm_test_can_be_read_by_a_shell():
    subprocess.run(["sh", "-n", CHART / "files" / "search.sh"], check=True)


def test_the_application_takes_what_the_chart_has():
    application = read(K8S / "argocd" / "application.yaml")
    source = application["spec"]["sources"][0]
    assert (ROOT / source["path"]).resolve() == CHART
    own = [name for name in source["helm"]["valueFiles"] if not name.startswith("$")]
    assert all((CHART / name).exists() for name in own)
    assert values("prod")
