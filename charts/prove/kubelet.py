"""Plays what a cluster has beside its control plane: kubelets, and cert-manager.

No container runs. A pod that the scheduler has bound to a node starts if a kubelet could start it: each secret,
ConfigMap and key that it names is there, and it asks for no more than a user that is not root may have. Then a pod of
a Job ends with the code that `ends_with` gives, and every other is ready until it is deleted.
"""

import contextlib
import datetime
import itertools
import threading

from api import NotReached, Refused

ZONES = ("a", "b")
CAPACITY = {"cpu": "64", "memory": "256Gi", "pods": "500", "ephemeral-storage": "100Gi"}


def now():
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def node(zone):
    name = f"node-{zone}"
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "lastHeartbeatTime": now()}
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "topology.kubernetes.io/zone": zone,
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": CAPACITY, "allocatable": CAPACITY, "conditions": [ready]},
    }


class Kubelets:
    """A thread for each kind of object that is watched."""

    def __init__(self, api):
        self.api = api
        self.fails = set()
        self.waiting = {}
        self.failure = None
        self.addresses = itertools.count(1)
        self.stopped = False

    def join(self):
        for zone in ZONES:
            made = node(zone)
            self.api.create(made)
            self.api.patch("Node", None, made["metadata"]["name"], {"status": made["status"]}, "status")

    def start(self):
        for work, kind in ((self.tend, "Pod"), (self.issue, "Certificate"), (self.try_again, "Secret"), (self.try_again, "ConfigMap")):
            threading.Thread(target=self.follow, args=(kind, work), daemon=True).start()

    def follow(self, kind, work):
        since = "0"
        try:
            while not self.stopped:
                for event in self.api.watch(kind, since):
                    since = event["object"]["metadata"]["resourceVersion"]
                    if event["type"] in {"ADDED", "MODIFIED"}:
                        # The object may have gone or changed meanwhile; then another event says so.
                        with contextlib.suppress(Gone):
                            work(event["object"])
        except (NotReached, OSError):
            pass
        except Exception as failure:
            self.failure = failure
            raise

    def tend(self, pod):
        namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
        if pod["metadata"].get("deletionTimestamp"):
            with gone():
                self.api.delete("Pod", namespace, name, gracePeriodSeconds=0)
        elif pod["spec"].get("nodeName") and "startTime" not in pod["status"]:
            if reasons := self.reasons_against(namespace, pod["spec"]):
                self.waiting[namespace, name] = reasons
            else:
                self.waiting.pop((namespace, name), None)
                self.run(pod)

    def try_again(self, entry):
        """What a pod waits for may have come."""
        for namespace, name in list(self.waiting):
            if namespace == entry["metadata"]["namespace"]:
                if pod := self.api.find("Pod", namespace, name):
                    self.tend(pod)
                else:
                    self.waiting.pop((namespace, name), None)

    def run(self, pod):
        if "batch.kubernetes.io/job-name" in pod["metadata"]["labels"]:
            job = pod["metadata"]["labels"]["batch.kubernetes.io/job-name"]
            code = 1 if job in self.fails else 0
            ended = {"terminated": {"exitCode": code, "reason": "Completed" if code == 0 else "Error", "finishedAt": now()}}
            states = [self.container(c, ended) for c in pod["spec"]["containers"]]
            self.say(pod, {"phase": "Failed" if code else "Succeeded", "containerStatuses": states})
        else:
            states = [self.container(c, {"running": {"startedAt": now()}}, ready=True) for c in pod["spec"]["containers"]]
            number = next(self.addresses)
            address = f"10.244.{number // 250}.{number % 250 + 1}"
            ready = [{"type": kind, "status": "True", "lastTransitionTime": now()} for kind in ("Initialized", "PodScheduled", "ContainersReady", "Ready")]
            self.say(pod, {"phase": "Running", "podIP": address, "podIPs": [{"ip": address}], "conditions": ready, "containerStatuses": states})

    def say(self, pod, status):
        with gone():
            self.api.patch("Pod", pod["metadata"]["namespace"], pod["metadata"]["name"], {"status": {"startTime": now(), **status}}, "status")

    @staticmethod
    def container(container, state, ready=False):
        return {"name": container["name"], "image": container["image"], "imageID": container["image"], "ready": ready, "started": ready, "restartCount": 0, "state": state}

    def reasons_against(self, namespace, spec):
        """What a kubelet would wait for, or refuse."""
        wanted = {}
        for container in spec["containers"]:
            for variable in container.get("env", []):
                for kind, field in (("Secret", "secretKeyRef"), ("ConfigMap", "configMapKeyRef")):
                    if reference := variable.get("valueFrom", {}).get(field):
                        wanted.setdefault((kind, reference["name"]), set()).add(reference["key"])
            for source in container.get("envFrom", []):
                wanted.setdefault(("Secret", source["secretRef"]["name"]), set())
        for volume in spec.get("volumes", []):
            if "secret" in volume and not volume["secret"].get("optional"):
                keys = {item["key"] for item in volume["secret"].get("items", [])}
                wanted.setdefault(("Secret", volume["secret"]["secretName"]), set()).update(keys)
            if "configMap" in volume:
                wanted.setdefault(("ConfigMap", volume["configMap"]["name"]), set())
        for reference in spec.get("imagePullSecrets", []):
            wanted.setdefault(("Secret", reference["name"]), set())
        reasons = []
        for (kind, name), keys in wanted.items():
            found = self.api.find(kind, namespace, name)
            if found is None:
                reasons.append(f"{kind} {name} is not there")
            else:
                reasons += [f"{kind} {name} has no {key}" for key in sorted(keys - set(found.get("data", {})))]
        if spec.get("securityContext", {}).get("runAsUser", 0) == 0:
            reasons.append("the pod would run as root")
        return reasons

    def issue(self, certificate):
        """What cert-manager does: no process reads it here, so its bytes say only whose it is."""
        namespace, name = certificate["metadata"]["namespace"], certificate["spec"]["secretName"]
        if self.api.find("Secret", namespace, name) is None:
            content = {key: certificate["metadata"]["name"] for key in ("tls.crt", "tls.key", "ca.crt")}
            with gone():
                self.api.create({"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls", "metadata": {"name": name, "namespace": namespace}, "stringData": content})


class Gone(Exception):
    """What was to be changed is no longer there, or no longer as it was."""


@contextlib.contextmanager
def gone():
    try:
        yield
    except Refused as refused:
        # A namespace that is being removed takes nothing new: 403.
        if refused.code in {403, 404, 409}:
            raise Gone from refused
        raise
