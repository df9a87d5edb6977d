"""The API server's own HTTP, with an administrator's certificate."""

import contextlib
import http.client
import json
import ssl
import time

KINDS = {
    "Certificate": ("cert-manager.io/v1", "certificates"),
    "ConfigMap": ("v1", "configmaps"),
    "CustomResourceDefinition": ("apiextensions.k8s.io/v1", "customresourcedefinitions"),
    "Deployment": ("apps/v1", "deployments"),
    "Event": ("v1", "events"),
    "HTTPRoute": ("gateway.networking.k8s.io/v1", "httproutes"),
    "HorizontalPodAutoscaler": ("autoscaling/v2", "horizontalpodautoscalers"),
    "Ingress": ("networking.k8s.io/v1", "ingresses"),
    "Issuer": ("cert-manager.io/v1", "issuers"),
    "Job": ("batch/v1", "jobs"),
    "Namespace": ("v1", "namespaces"),
    "NetworkPolicy": ("networking.k8s.io/v1", "networkpolicies"),
    "Node": ("v1", "nodes"),
    "Pod": ("v1", "pods"),
    "PodDisruptionBudget": ("policy/v1", "poddisruptionbudgets"),
    "PriorityClass": ("scheduling.k8s.io/v1", "priorityclasses"),
    "PrometheusRule": ("monitoring.coreos.com/v1", "prometheusrules"),
    "ReplicaSet": ("apps/v1", "replicasets"),
    "ScaledObject": ("keda.sh/v1alpha1", "scaledobjects"),
    "Secret": ("v1", "secrets"),
    "Service": ("v1", "services"),
    "ServiceAccount": ("v1", "serviceaccounts"),
    "ServiceMonitor": ("monitoring.coreos.com/v1", "servicemonitors"),
}
MERGE = "application/merge-patch+json"


class Refused(Exception):
    """The API server said no."""

    def __init__(self, code, status):
        super().__init__(f"{code}: {status.get('message', status)}")
        self.code = code


class NotReached(Exception):
    """There is no API server."""


class Api:
    """Requests as JSON; `Refused` for every answer that is no success."""

    def __init__(self, port, authority, certificate, key):
        self.port = port
        self.tls = ssl.create_default_context(cafile=authority)
        self.tls.load_cert_chain(certificate, key)

    def send(self, method, path, body=None, content="application/json", timeout=30):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, timeout=timeout)
        headers = {"Accept": "application/json", "Content-Type": content}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            return connection, connection.getresponse()
        except OSError as error:
            raise NotReached(str(error)) from error

    def call(self, method, path, body=None, content="application/json"):
        connection, response = self.send(method, path, body, content)
        with contextlib.closing(connection):
            text = response.read()
            answer = json.loads(text) if text.startswith(b"{") else {"message": text.decode(errors="replace")}
            if response.status >= 300:
                raise Refused(response.status, answer)
            return answer

    def ready(self):
        try:
            # Its own roles come a moment after it serves.
            self.call("GET", "/readyz")
            self.call("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:kube-scheduler")
        except Refused:
            return False
        return True

    @staticmethod
    def path(kind, namespace=None, name=None, sub=None):
        version, plural = KINDS[kind]
        words = ["api" if "/" not in version else "apis", version]
        words += ["namespaces", namespace] if namespace else []
        return "/" + "/".join([*words, plural, *filter(None, [name, sub])])

    def list(self, kind, namespace=None, **selectors):
        query = ",".join(f"{key.replace('__', '/')}%3D{value}" for key, value in selectors.items())
        return self.call("GET", self.path(kind, namespace) + (f"?labelSelector={query}" if query else ""))["items"]

    def get(self, kind, namespace, name):
        return self.call("GET", self.path(kind, namespace, name))

    def find(self, kind, namespace, name):
        try:
            return self.get(kind, namespace, name)
        except Refused as refused:
            if refused.code != 404:
                raise
            return None

    def create(self, entry):
        namespace = entry["metadata"].get("namespace")
        return self.call("POST", self.path(entry["kind"], namespace), entry)

    def patch(self, kind, namespace, name, change, sub=None):
        return self.call("PATCH", self.path(kind, namespace, name, sub), change, MERGE)

    def delete(self, kind, namespace, name, **options):
        return self.call("DELETE", self.path(kind, namespace, name), options or None)

    def watch(self, kind, since):
        """Events of one kind, in every namespace, until the connection ends."""
        query = f"?watch=true&allowWatchBookmarks=true&resourceVersion={since}"
        connection, response = self.send("GET", self.path(kind) + query, timeout=3600)
        with contextlib.closing(connection):
            if response.status >= 300:
                raise Refused(response.status, {"message": response.read().decode()})
            while line := response.readline():
                yield json.loads(line)

    def revision(self, kind):
        return self.call("GET", self.path(kind) + "?limit=1")["metadata"]["resourceVersion"]


def wait(what, within=60):
    """Waits until `what` answers something true, and returns it."""
    until = time.monotonic() + within
    while not (answer := what()):
        assert time.monotonic() < until, f"waited {within} s without {what.__doc__ or what.__name__}"
        time.sleep(0.05)
    return answer
