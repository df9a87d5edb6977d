"""A node of this machine, in a network namespace of its own that the caller made: containerd, runc, kubelet, kube-proxy, names, servers."""

import json
import shutil
import subprocess
import threading
from pathlib import Path

import engine
from api import NotReached, wait
from control_plane import PROGRAMS
from images import archive, layer, libraries
from rendering import IMAGES, ROOT, SERVICES, read

NODE = "192.168.77.1"
PAUSE = "localhost/pause:1"
REGISTRY = "registry.example.com/frontdesk"
# Of the web, which services that ask other systems must find.
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
# With `sh` and `curl`, for the chart's own test.
TOOLS = "registry.example.com/tools"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


class Machine:
    """One node that really runs pods."""

    def __init__(self, plane, namespace):
        self.plane = plane
        self.namespace = namespace
        self.folder = plane.folder / "machine"
        self.folder.mkdir()
        self.socket = self.folder / "containerd.sock"

    def start(self):
        self.network()
        self.containerd()
        self.kubelet()
        self.names()

    def network(self):
        run("ip", "link", "add", "node0", "type", "bridge")
        run("ip", "addr", "add", f"{NODE}/24", "dev", "node0")
        run("ip", "link", "set", "node0", "up")
        run("ip", "route", "add", "default", "dev", "node0")
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        # Sandboxes of pods are kept there; those of the machine are none of ours.
        Path("/run/netns").mkdir(exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")

    def containerd(self):
        plugins = self.folder / "cni"
        plugins.mkdir()
        addresses = {"type": "host-local", "dataDir": str(self.folder / "addresses"), "subnet": "10.244.0.0/24"}
        addresses["routes"] = [{"dst": "0.0.0.0/0"}]
        chain = {"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "ptp", "ipMasq": False, "ipam": addresses}]}
        (plugins / "10-pods.conflist").write_text(json.dumps(chain))
        # A machine that may not raise a process's protection from the OOM killer still runs pods.
        config = self.folder / "containerd.toml"
        config.write_text(f'''version = 2
root = "{self.folder}/root"
state = "{self.folder}/state"
[grpc]
  address = "{self.socket}"
[ttrpc]
  address = "{self.folder}/containerd.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{PAUSE}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{plugins}"
''')
        self.plane.start("containerd", "containerd", "-c", config)
        wait(self.socket.exists)

    def kubelet(self):
        kubeconfig = self.plane.kubeconfig_of("kubelet", "/O=system:nodes/CN=system:node:real")
        config = {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "address": "127.0.0.1",
            "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": False}},
            "authorization": {"mode": "AlwaysAllow"},
            "cgroupDriver": "cgroupfs",
            "containerRuntimeEndpoint": f"unix://{self.socket}",
            "enforceNodeAllocatable": [],
            "evictionHard": {"nodefs.available": "1%", "imagefs.available": "1%"},
            "failSwapOn": False,
            "clusterDNS": [NODE],
            "clusterDomain": "cluster.local",
            "podLogsDir": str(self.folder / "logs"),
        }
        config["authentication"]["x509"] = {"clientCAFile": str(self.plane.authority.certificate)}
        path = self.folder / "kubelet.yaml"
        path.write_text(json.dumps(config))
        places = (f"--root-dir={self.folder}/kubelet", f"--cert-dir={self.folder}/pki", f"--node-ip={NODE}")
        who = ("--hostname-override=real", f"--kubeconfig={kubeconfig}")
        self.plane.start("kubelet", PROGRAMS / "kubelet", f"--config={path}", *places, *who)
        proxy = self.plane.kubeconfig_of("proxy", "/CN=system:kube-proxy")
        # A network namespace has no say in how many connections are tracked.
        tracked = ("--conntrack-max-per-core=0", "--conntrack-tcp-timeout-established=0", "--conntrack-tcp-timeout-close-wait=0")
        node = ("--hostname-override=real", "--cluster-cidr=10.244.0.0/16", "--bind-address=127.0.0.1")
        self.plane.start("kube-proxy", PROGRAMS / "kube-proxy", f"--kubeconfig={proxy}", *node, *tracked)
        wait(self.is_ready)

    def is_ready(self):
        node = self.plane.api.find("Node", None, "real")
        conditions = node["status"].get("conditions", []) if node else []
        return [entry for entry in conditions if entry["type"] == "Ready" and entry["status"] == "True"]

    def names(self):
        """Names of services, as they come: what a cluster's DNS does."""
        self.hosts = self.folder / "hosts"
        self.hosts.mkdir()
        (self.hosts / "servers").write_text(f"{NODE} postgres.{self.zone} redis.{self.zone}\n")
        listen = (f"--listen-address={NODE}", "--bind-interfaces", "--port=53", "--no-resolv", "--no-hosts")
        self.plane.start("dnsmasq", "dnsmasq", "--keep-in-foreground", *listen, f"--hostsdir={self.hosts}", "--user=root")
        threading.Thread(target=self.follow_services, daemon=True).start()

    @property
    def zone(self):
        return f"{self.namespace}.svc.cluster.local"

    def follow_services(self):
        try:
            for event in self.plane.api.watch("Service", "0"):
                entry = event["object"]
                if event["type"] != "BOOKMARK" and entry["metadata"]["namespace"] == self.namespace:
                    name = entry["metadata"]["name"]
                    (self.hosts / name).write_text(f"{entry['spec']['clusterIP']} {name}.{self.zone}\n")
        except (NotReached, OSError):
            pass

    def ctr(self, *words):
        return run("ctr", "--address", self.socket, "--namespace", "k8s.io", *words)

    def bring(self, name, content, entrypoint):
        """Imports an image; its digest."""
        path = self.folder / "image.tar"
        digest = archive(path, name, content, entrypoint)
        self.ctr("images", "import", path)
        path.unlink()
        return digest

    def bring_sandbox(self):
        """The image that holds a pod's namespaces."""
        sleeper = self.folder / "sleep"
        shutil.copy("/bin/sleep", sleeper)
        self.bring(PAUSE, with_libraries([(sleeper, "/sleep")]), ["/sleep", "infinity"])

    def serve_images(self):
        """A registry with the images that `make prove-images` built; the chart's values for them."""
        engine.start_registry(self.plane.start, self.folder)
        wait(lambda: engine.answers(engine.REGISTRY))
        return read(ROOT / "target" / "images" / "values.yaml")["image"]

    def pack_images(self):
        """Images out of this machine's debug build; the chart's values for them."""
        program = self.folder / "local"
        run("strip", "-o", program, ROOT / "target" / "debug" / "local")
        page = (ROOT / "web" / "dist" / "production", "/srv/web")
        content = with_libraries([(program, "/usr/local/bin/local")], [page, (AUTHORITIES, AUTHORITIES)])
        digests = {image: self.bring_named(f"{REGISTRY}/{image}", content, ["/usr/local/bin/local", image]) for image in sorted(IMAGES)}
        return {"registry": REGISTRY, "digests": digests}

    def bring_tools(self):
        """An image for the chart's own test; its digest."""
        programs = [(shutil.which(name), f"/bin/{name}") for name in ("sh", "curl", "sed", "head", "tr")]
        return self.bring_named(TOOLS, with_libraries(programs), ["/bin/sh"])

    def bring_named(self, name, content, entrypoint):
        """Imports an image that pods name by digest; its digest."""
        digest = self.bring(f"{name}:proof", content, entrypoint)
        self.ctr("images", "tag", f"{name}:proof", f"{name}@{digest}")
        return digest

    def serve_databases(self, roles):
        """Postgres and Redis beside the cluster, which pods reach over TLS alone."""
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        data = self.folder / "postgres"
        data.mkdir()
        for folder in (self.plane.folder, self.folder):
            folder.chmod(0o755)
        shutil.chown(data, "postgres")
        run("runuser", "-u", "postgres", "--", programs / "initdb", "-D", data / "data", "-A", "trust", cwd="/")
        with (data / "data" / "pg_hba.conf").open("a") as file:
            file.write("hostssl all all 10.244.0.0/16 scram-sha-256\n")
        authority = self.plane.authority
        certificate, key = authority.issue("postgres", "/CN=postgres", ["DNS:postgres"])
        for file in (certificate, key):
            shutil.copy(file, data)
            shutil.chown(data / file.name, "postgres")
        (data / key.name).chmod(0o600)
        tls = ("-c", "ssl=on", "-c", f"ssl_cert_file={data / certificate.name}", "-c", f"ssl_key_file={data / key.name}")
        settings = ("-c", "listen_addresses=*", "-c", "fsync=off", "-c", "max_connections=400", "-k", data)
        self.plane.start("postgres", "runuser", "-u", "postgres", "--", programs / "postgres", "-D", data / "data", *settings, *tls)
        certificate, key = authority.issue("redis", "/CN=redis", ["DNS:redis"])
        files = ("--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority.certificate)
        tls = ("--port", "0", "--tls-port", "6379", "--tls-auth-clients", "no", *files)
        place = ("--save", "", "--dir", self.folder, "--protected-mode", "no", "--bind", "0.0.0.0")
        self.plane.start("redis", "redis-server", *place, *tls)
        wait(lambda: subprocess.run([programs / "pg_isready", "-qh", "127.0.0.1"]).returncode == 0)
        for service in (name.replace("-", "_") for name in SERVICES):
            passwords = {f"{role}_password": roles[f"{service}_{role}"] for role in ("owner", "app")}
            given = [word for name, value in ({"service": service} | passwords).items() for word in ("-v", f"{name}={value}")]
            script = ROOT / "k8s" / "postgres" / "bootstrap.sql"
            run("psql", "-h", "127.0.0.1", "-U", "postgres", "-d", "postgres", "-Xq", "-f", script, *given)


def with_libraries(programs, files=()):
    """A layer of programs, each as (source, place), what they are linked to, and further files."""
    needed = sorted({library for source, _ in programs for library in libraries(source)})
    own = [*programs, *((library, library) for library in needed), *files]
    texts = [("/etc/passwd", "frontdesk:x:65532:65532::/nonexistent:/usr/sbin/nologin\n"), ("/etc/nsswitch.conf", "hosts: files dns\n")]
    return layer(own, texts)
