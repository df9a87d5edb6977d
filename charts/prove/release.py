"""A release of the chart in a namespace of its own, through Helm's and kubectl's own programs."""

import os
import subprocess

import yaml
from api import wait
from control_plane import PROGRAMS
from expected import CONFIG_MAPS, SECRETS
from rendering import CHART, CHARTS, ROOT, VALUES, load_all, named

NAME = "frontdesk"
RESTRICTED = {f"pod-security.kubernetes.io/{what}": "restricted" for what in ("enforce", "audit", "warn")}


class Failed(Exception):
    """A program ended with an error."""


class Release:
    """The chart under a value file, in the namespace of the file's name."""

    def __init__(self, plane, fixture, namespace=None):
        self.plane = plane
        self.api = plane.api
        self.fixture = fixture
        self.namespace = namespace or f"desk-{fixture}"
        self.said = ""

    def prepare(self):
        """What there is before an installation: a namespace under the restricted level, and secrets."""
        self.api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace, "labels": RESTRICTED}})
        made = subprocess.run(
            ["node", ROOT / "k8s" / "secrets.mjs", "--postgres=db", "--redis=redis", "--smtp=smtps://mail"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for secret in load_all(made):
            secret["metadata"]["namespace"] = self.namespace
            self.api.create(secret)
        for name, keys in SECRETS.get(self.fixture, {}).items():
            self.make_secret(name, keys)
        for name, data in CONFIG_MAPS.get(self.fixture, {}).items():
            metadata = {"name": name, "namespace": self.namespace}
            self.api.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
        # Its own controller makes it, and pods are refused before that.
        wait(lambda: self.api.find("ServiceAccount", self.namespace, "default"))

    def make_secret(self, name, keys):
        metadata = {"name": name, "namespace": self.namespace}
        content = {key: "for a pod that does not run" for key in keys}
        self.api.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": content})

    def values(self):
        files = [CHARTS / "tests" / "digests.yaml", VALUES / f"{self.fixture}.yaml"]
        return [CHART / "values-prod.yaml", *files] if self.fixture == "prod" else files

    def upgrade(self, *words, chart=CHART, within="120s"):
        given = [f"--values={path}" for path in self.values()]
        self.helm("upgrade", "--install", NAME, chart, *given, "--wait", f"--timeout={within}", *words)
        self.settle()

    def settle(self):
        """Waits until every rollout is complete: Helm waits for the new pods, and not for the last old one to go."""
        wait(lambda: all(map(rolled_out, self.api.list("Deployment", self.namespace))), within=120)

    def helm(self, *words):
        return self.run("helm", *words)

    def kubectl(self, *words, **options):
        return self.run("kubectl", *words, **options)

    def differences(self, *given_by, **options):
        """What the API server holds otherwise than the manifests say. kubectl reads each object twice, and a controller
        may write its status in between: such a difference is gone when it is asked again, a real one stays."""
        for _ in range(5):
            shown = self.kubectl("diff", "--server-side", "-f", *given_by, accepted=(0, 1), **options)
            if not shown:
                break
        return shown

    def run(self, program, *words, given=None, accepted=(0,)):
        environment = os.environ | {"KUBECONFIG": str(self.plane.kubeconfig), "HELM_CACHE_HOME": str(self.plane.folder)}
        command = [PROGRAMS / program, "--namespace", self.namespace, *words]
        ended = subprocess.run(
            [str(word) for word in command], env=environment, input=given, capture_output=True, text=True
        )
        self.said = ended.stderr
        if ended.returncode not in accepted:
            raise Failed(f"{program} {words[0]}: {ended.stderr}{ended.stdout}")
        return ended.stdout

    def manifest(self):
        """The objects that Helm remembers, hooks apart."""
        return [entry for entry in load_all(self.helm("get", "manifest", NAME)) if entry]

    def hooks(self):
        return [entry for entry in load_all(self.helm("get", "hooks", NAME)) if entry]

    def held(self):
        """The same objects, as the API server holds them."""
        return {named(entry): self.api.get(entry["kind"], self.namespace, entry["metadata"]["name"]) for entry in self.manifest()}

    def pods(self, component=None):
        selectors = {"app.kubernetes.io__instance": NAME}
        if component:
            selectors["app.kubernetes.io__component"] = component
        found = self.api.list("Pod", self.namespace, **selectors)
        return [pod for pod in found if not pod["metadata"].get("deletionTimestamp") and "ownerReferences" in pod["metadata"] and pod["metadata"]["ownerReferences"][0]["kind"] == "ReplicaSet"]

    def templates(self):
        """The hash of the pods' template by component, of what each Deployment now wants."""
        hashes = {}
        for deployment in self.api.list("Deployment", self.namespace):
            revision = deployment["metadata"]["annotations"]["deployment.kubernetes.io/revision"]
            for owned in self.api.list("ReplicaSet", self.namespace):
                of = owned["metadata"]["ownerReferences"][0]["name"]
                if of == deployment["metadata"]["name"] and owned["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == revision:
                    hashes[of] = owned["metadata"]["labels"]["pod-template-hash"]
        return hashes

    def discard(self):
        self.api.delete("Namespace", None, self.namespace)


def rolled_out(deployment):
    status, wanted = deployment.get("status", {}), deployment["spec"]["replicas"]
    counts = (status.get(f"{which}eplicas", 0) for which in ("r", "updatedR", "availableR"))
    return status.get("observedGeneration") == deployment["metadata"]["generation"] and set(counts) == {wanted}


def as_yaml(entries):
    return yaml.safe_dump_all(entries)
