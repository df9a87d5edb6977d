"""`make chart-live`: starts what the chart renders as processes of this machine, as root, without a cluster.

Each process gets exactly the environment, arguments and mounted files of its pod, in production, with mutual TLS
between them and TLS to Postgres and Redis, and all of them a network of their own. Migrations run first, as the hooks do, with the owner's login; then both doors must
be ready, which for the browser's means that auth answered it over TLS.

Two ports differ from the render, because all pods share one address here: probes of the services, and the voice door.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from rendering import ROOT, SERVICES, component, merge, parse, render, values

PROGRAM = ROOT / "target" / "debug" / "local"
PAGE = ROOT / "web" / "dist" / "production"
VOICE = 8081
READY_WITHIN = 120
# The secret with the authority of Postgres and Redis.
STORES_CA = "frontdesk-ca"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def output(*command):
    return run(*command, capture_output=True, text=True).stdout


class Cluster:
    """What stands in for the cluster: names, servers, secrets, certificates."""

    def __init__(self, folder, objects):
        self.folder = folder
        self.secrets = self.make_secrets()
        run("ip", "link", "set", "lo", "up")
        hosts = [entry["metadata"]["name"] for entry in objects if entry["kind"] == "Service"]
        (folder / "hosts").write_text(f"127.0.0.1 localhost postgres redis {' '.join(hosts)}\n")
        run("mount", "--bind", folder / "hosts", "/etc/hosts")
        for mount in ("/etc/frontdesk", "/srv"):
            run("mount", "-t", "tmpfs", "tmpfs", mount)
        Path("/srv/web").mkdir()
        run("mount", "--bind", PAGE, "/srv/web")
        stores = [{"secretName": f"{name}-tls", "dnsNames": [name]} for name in ("postgres", "redis")]
        self.issue([entry["spec"] for entry in objects if entry["kind"] == "Certificate"] + stores)
        (folder / STORES_CA).mkdir()
        shutil.copy(folder / "ca.crt", folder / STORES_CA)

    def make_secrets(self):
        made = output(
            "node",
            ROOT / "k8s" / "secrets.mjs",
            "--postgres=postgres",
            "--redis=redis",
            "--smtp=smtps://u:p@mail.invalid",
            "--postgres-query=sslmode=verify-full&sslrootcert=/etc/frontdesk/postgres/ca.crt",
        )
        secrets = {entry["metadata"]["name"]: entry["stringData"] for entry in yaml.safe_load_all(made)}
        for name, entries in secrets.items():
            (self.folder / name).mkdir()
            for key, value in entries.items():
                (self.folder / name / key).write_text(value)
        return secrets

    def issue(self, certificates):
        """What cert-manager does."""
        quiet = {"stderr": subprocess.DEVNULL}
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        ca, ca_key = self.folder / "ca.crt", self.folder / "ca.key"
        run(
            "openssl",
            "req",
            "-x509",
            *curve,
            "-keyout",
            ca_key,
            "-out",
            ca,
            "-days",
            2,
            "-subj",
            "/CN=authority",
            **quiet,
        )
        for certificate in certificates:
            folder = self.folder / certificate["secretName"]
            folder.mkdir()
            names = ",".join(f"DNS:{name}" for name in certificate["dnsNames"])
            purpose = "keyUsage=digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\n"
            (folder / "extensions").write_text(f"subjectAltName={names}\n{purpose}")
            request = folder / "request"
            run("openssl", "req", *curve, "-keyout", folder / "tls.key", "-out", request, "-subj", "/", **quiet)
            signer = ("-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-days", 1, "-extfile", folder / "extensions")
            run("openssl", "x509", "-req", "-in", request, *signer, "-out", folder / "tls.crt", **quiet)
            shutil.copy(ca, folder / "ca.crt")

    @contextlib.contextmanager
    def servers(self):
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        data = self.folder / "postgres"
        data.mkdir()
        shutil.chown(data, "postgres")
        files = {name: self.folder / f"{name}-tls" for name in ("postgres", "redis")}
        key = files["postgres"] / "tls.key"
        key.chmod(0o600)
        shutil.chown(key, "postgres")

        def control(command):
            run("runuser", "-u", "postgres", "--", "sh", "-c", f"{command} >/dev/null")

        control(f"{programs}/initdb -D {data}/data -A trust")
        encrypted = f"-c ssl=on -c ssl_cert_file={files['postgres']}/tls.crt -c ssl_key_file={key}"
        control(f"{programs}/pg_ctl -D {data}/data -o '-k {data} -c fsync=off {encrypted}' -w start")
        tls = {"port": 0, "tls-port": 6379, "tls-auth-clients": "no", "tls-ca-cert-file": self.folder / "ca.crt"}
        tls |= {f"tls-{kind}-file": files["redis"] / f"tls.{end}" for kind, end in (("cert", "crt"), ("key", "key"))}
        given = [str(word) for name, value in tls.items() for word in (f"--{name}", value)]
        command = ["redis-server", "--save", "", "--dir", self.folder, *given]
        redis = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            roles = self.secrets["frontdesk-postgres-roles"]
            for service in (name.replace("-", "_") for name in SERVICES):
                variables = {"service": service} | {
                    f"{role}_password": roles[f"{service}_{role}"] for role in ("owner", "app")
                }
                given = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
                script = ROOT / "k8s" / "postgres" / "bootstrap.sql"
                run("psql", "-h", "127.0.0.1", "-U", "postgres", "-d", "postgres", "-Xq", "-f", script, *given)
            yield
        finally:
            redis.terminate()
            redis.wait()
            control(f"{programs}/pg_ctl -D {data}/data -m immediate stop")

    def start(self, name, pod, changed=None):
        """A pod's only container as a process, its files mounted for it alone."""
        (container,) = pod["containers"]
        environment = {variable["name"]: variable["value"] for variable in container["env"]}
        for mount in container["volumeMounts"]:
            Path(mount["mountPath"]).mkdir(exist_ok=True, parents=True)
        prepare = " && ".join(mounts(pod, self.folder))
        program = container["image"].rpartition("/")[2].partition("@")[0]
        command = [
            "unshare",
            "-m",
            "sh",
            "-c",
            f'{prepare} && exec "$@"' if prepare else 'exec "$@"',
            "sh",
            PROGRAM,
            program,
            *container.get("args", []),
        ]
        with self.log(name).open("w") as log:
            return subprocess.Popen(command, env=environment | (changed or {}), stdout=log, stderr=log)

    def log(self, name):
        return self.folder / f"{name}.log"


def mounts(pod, folder):
    """Commands that put a pod's files where its only container has them; what is empty comes last, as it may be /tmp."""
    sources = {volume["name"]: volume.get("secret", {}).get("secretName") for volume in pod["volumes"]}
    unknown = [volume["name"] for volume in pod["volumes"] if not {"secret", "emptyDir"} & volume.keys()]
    assert not unknown, f"nothing stands in for {unknown}"
    (container,) = pod["containers"]
    for mount in sorted(container["volumeMounts"], key=lambda mount: sources[mount["name"]] is None):
        source, path = sources[mount["name"]], mount["mountPath"]
        yield f"mount --bind {folder / source} {path}" if source else f"mount -t tmpfs tmpfs {path}"


def status(port, path):
    command = ["curl", "-s", "-m", "3", "-o", os.devnull, "-w", "%{http_code}", f"http://127.0.0.1:{port}{path}"]
    return int(subprocess.run(command, capture_output=True, text=True).stdout)


def main():
    authority = {"ca": {"existingSecret": STORES_CA}}
    more = {"createAdmin": {"email": "first@example.com"}, "postgres": authority, "redis": authority}
    given = merge(values("minimal"), more)
    objects = parse(render(given))
    pods = {
        entry["metadata"]["name"]: (entry["kind"], entry["spec"]["template"])
        for entry in objects
        if entry["kind"] in {"Job", "Deployment"}
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = Cluster(folder, objects)
        running = {}

        def finish(job):
            code = cluster.start(job, pods[job][1]["spec"]).wait()
            text = cluster.log(job).read_text()
            assert code == 0, f"{job} ended with {code}:\n{text}"
            return text

        with cluster.servers():
            try:
                for job in (name for name in pods if name.endswith("-migrate")):
                    finish(job)
                    print(f"{job}: migrated")
                for number, (name, (kind, template)) in enumerate(pods.items()):
                    if kind == "Deployment":
                        part = component(template)
                        changed = {"HEALTH_LISTEN": f"0.0.0.0:{7200 + number}"} if part in SERVICES else {}
                        changed |= {"LISTEN": f"0.0.0.0:{VOICE}"} if part == "voice" else {}
                        running[name] = cluster.start(name, template["spec"], changed)
                until = time.monotonic() + READY_WITHIN
                while {status(port, "/readyz") for port in (8080, VOICE)} != {200}:
                    ended = [name for name, process in running.items() if process.poll() is not None]
                    assert not ended, f"{ended[0]} ended:\n{cluster.log(ended[0]).read_text()}"
                    assert time.monotonic() < until, "the doors did not get ready"
                    time.sleep(0.2)
                assert status(8080, "/") == 200, "the page is not served"
                print("both doors are ready, the page is served")
                link = finish("frontdesk-auth-create-admin").splitlines()[-1]
                assert link.startswith(given["publicUrl"] + "/reset-password?token="), link
                print("the first ADMIN has a link")
            finally:
                for process in running.values():
                    process.send_signal(signal.SIGTERM)
                codes = {name: process.wait(60) for name, process in running.items()}
        assert set(codes.values()) == {0}, codes
        for name in running:
            assert '"level":"ERROR"' not in cluster.log(name).read_text(), cluster.log(name).read_text()
        print(f"all {len(codes)} processes stopped with code 0")


def apart():
    """Runs `main` with a network and mounts that end with it."""
    point = Path("/etc/frontdesk")
    made = not point.exists()
    point.mkdir(exist_ok=True)
    try:
        inside = ["unshare", "-nm", "--propagation", "private", sys.executable, __file__, "--inside"]
        return subprocess.run(inside).returncode
    finally:
        if made:
            point.rmdir()


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("this needs root: namespaces and mounts")
    if "--inside" in sys.argv[1:]:
        main()
    else:
        sys.exit(apart())
