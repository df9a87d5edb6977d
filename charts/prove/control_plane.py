"""etcd, API server, controller manager and scheduler as processes of this machine, on loopback."""

import contextlib
import os
import socket
import subprocess
import time

import yaml
from api import Api, NotReached
from certificates import Authority
from rendering import ROOT

PROGRAMS = ROOT / "target" / "cluster" / "bin"
READY_WITHIN = 90
NAMES = ("DNS:localhost", "DNS:kubernetes.default.svc", "IP:127.0.0.1", "IP:10.96.0.1")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class ControlPlane:
    """The programs, their certificates and their logs, all in one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = Authority(folder)
        self.running = {}
        self.etcd, self.peer, self.port = free_port(), free_port(), free_port()
        self.serving, self.serving_key = self.authority.issue("server", "/CN=server", NAMES)
        self.tokens, self.tokens_public = self.authority.key_pair("service-accounts")
        self.kubeconfig = self.kubeconfig_of("admin", "/O=system:masters/CN=admin")
        self.api = Api(self.port, self.authority.certificate, folder / "admin.crt", folder / "admin.key")

    def kubeconfig_of(self, name, subject):
        certificate, key = self.authority.issue(name, subject)
        path = self.folder / f"{name}.kubeconfig"
        cluster = {"server": f"https://127.0.0.1:{self.port}", "certificate-authority": str(self.authority.certificate)}
        user = {"client-certificate": str(certificate), "client-key": str(key)}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "here", "cluster": cluster}],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": "here", "user": name}}],
            "current-context": name,
        }
        path.write_text(yaml.safe_dump(config))
        return path

    @contextlib.contextmanager
    def served(self):
        try:
            self.start_etcd()
            self.start_api_server()
            self.start_controllers()
            yield self
        finally:
            for name in reversed(list(self.running)):
                self.stop(name)

    def start_etcd(self):
        client, peer = f"https://127.0.0.1:{self.etcd}", f"https://127.0.0.1:{self.peer}"
        tls = ("--cert-file", self.serving, "--key-file", self.serving_key)
        known = ("--client-cert-auth", "--trusted-ca-file", self.authority.certificate)
        urls = ("--listen-client-urls", client, "--advertise-client-urls", client)
        peers = ("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}")
        peer_tls = ("--peer-cert-file", self.serving, "--peer-key-file", self.serving_key)
        # What is proved does not outlive a power failure, so nothing waits for the disk.
        self.start("etcd", "etcd", "--data-dir", self.folder / "etcd", *urls, *tls, *known, *peers, *peer_tls, "--unsafe-no-fsync")

    def start_api_server(self):
        self.start(
            "kube-apiserver",
            PROGRAMS / "kube-apiserver",
            f"--etcd-servers=https://127.0.0.1:{self.etcd}",
            f"--etcd-cafile={self.authority.certificate}",
            f"--etcd-certfile={self.serving}",
            f"--etcd-keyfile={self.serving_key}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            f"--secure-port={self.port}",
            f"--tls-cert-file={self.serving}",
            f"--tls-private-key-file={self.serving_key}",
            f"--client-ca-file={self.authority.certificate}",
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction,PodSecurity",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-signing-key-file={self.tokens}",
            f"--service-account-key-file={self.tokens_public}",
        )
        until = time.monotonic() + READY_WITHIN
        while True:
            with contextlib.suppress(NotReached):
                if self.api.ready():
                    return
            self.must_run()
            assert time.monotonic() < until, f"the API server is not ready: {self.log('kube-apiserver')}"
            time.sleep(0.1)

    def start_controllers(self):
        manager = self.kubeconfig_of("controller-manager", "/CN=system:kube-controller-manager")
        self.start(
            "kube-controller-manager",
            PROGRAMS / "kube-controller-manager",
            f"--kubeconfig={manager}",
            f"--authentication-kubeconfig={manager}",
            f"--authorization-kubeconfig={manager}",
            "--bind-address=127.0.0.1",
            f"--secure-port={free_port()}",
            "--use-service-account-credentials",
            f"--service-account-private-key-file={self.tokens}",
            f"--root-ca-file={self.authority.certificate}",
            "--leader-elect=false",
            # Nodes without a kubelet send no heartbeat.
            "--node-monitor-grace-period=24h",
            "--horizontal-pod-autoscaler-sync-period=1s",
            # Removal is proved by the last object going.
            "--concurrent-gc-syncs=20",
        )
        scheduler = self.kubeconfig_of("scheduler", "/CN=system:kube-scheduler")
        self.start(
            "kube-scheduler",
            PROGRAMS / "kube-scheduler",
            f"--kubeconfig={scheduler}",
            f"--authentication-kubeconfig={scheduler}",
            f"--authorization-kubeconfig={scheduler}",
            "--bind-address=127.0.0.1",
            f"--secure-port={free_port()}",
            "--leader-elect=false",
        )

    def start(self, name, *command):
        with (self.folder / f"{name}.log").open("wb") as log:
            words = [str(word) for word in command]
            # Debian builds etcd for more processors than it says it supports.
            environment = os.environ | {"ETCD_UNSUPPORTED_ARCH": "arm64"} if name == "etcd" else None
            self.running[name] = subprocess.Popen(words, stdout=log, stderr=log, env=environment)

    def stop(self, name):
        """At once: nothing of it is kept, and a graceful end would wait for every watch."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def must_run(self):
        for name, process in self.running.items():
            assert process.poll() is None, f"{name} ended: {self.log(name)}"

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")[-3000:]
